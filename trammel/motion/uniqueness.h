#pragma once

#include <cstdint>
#include <string_view>

namespace trammel {

/// Whether a force has but one value.
enum class Uniqueness : std::uint8_t {
  unique,
  undecided,  // rows follow from others so nearly that rounding decides
  shared      // others could take a part of it: the least one is given
};
std::string_view name_of(Uniqueness uniqueness);

}  // namespace trammel

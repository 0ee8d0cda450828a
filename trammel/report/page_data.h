#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace trammel {

/// Bytes as pages carry them (viewer/src/decode.ts reads them back).
std::string base64(const void* data, std::size_t size);

/// Little-endian numbers, one after the other.
template <class Number>
std::string base64(const std::vector<Number>& numbers) {
  return base64(numbers.data(), numbers.size() * sizeof(Number));
}

/// A page with its data, a JSON text, in place of the template's marker. Nothing in the data can become markup.
std::string page_with(std::string_view json, std::string_view page_template);

}  // namespace trammel

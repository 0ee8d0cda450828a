#include "trammel/base/faults.h"

#include <algorithm>
#include <string_view>

#include <fmt/core.h>

namespace trammel {

void Faults::add(const Error& error) {
  for (Error& one : error.each()) faults_.push_back(std::move(one));
}

void Faults::refuse() const {
  if (faults_.empty()) return;
  constexpr std::size_t most_told = 100;
  std::vector<Error> told = faults_;
  std::ranges::stable_sort(told, {}, [](const Error& error) { return error.place().line; });
  const auto same = std::ranges::unique(told, {}, [](const Error& error) { return std::string_view(error.what()); });
  told.erase(same.begin(), same.end());
  if (told.size() > most_told + 1) {
    const std::size_t left = told.size() - most_told;
    told.resize(most_told, told.front());
    told.push_back(Error(Place{told.front().place().file}, fmt::format("{} mistakes more", left), "none"));
  }
  throw Error(told);
}

}  // namespace trammel

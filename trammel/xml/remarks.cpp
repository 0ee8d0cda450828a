#include "trammel/xml/remarks.h"

#include <algorithm>

#include <fmt/core.h>

namespace trammel::xml {

void Remarks::add(const Place& place, const std::string& kind, const std::function<Wording()>& wording) {
  constexpr std::size_t most_kinds = 100;  // a file with more is no robot but something else
  static const std::string rest = "the rest";
  const bool full = remarks_.size() >= most_kinds && !index_.contains(kind);
  const auto [known, is_new] = index_.emplace(full ? rest : kind, remarks_.size());
  if (is_new) {
    const Wording others{"thing of another kind is not used", "things of other kinds are not used"};
    remarks_.push_back({place, full ? others : wording()});
  }
  ++remarks_[known->second].count;
}

void Remarks::add(const Place& place, const Wording& wording) {
  add(place, wording.one, [&] { return wording; });
}

std::vector<Warning> Remarks::warnings() const {
  std::vector<Warning> warnings;
  for (const Remark& remark : remarks_) {
    const std::string& text = remark.count == 1 ? remark.wording.one : remark.wording.several;
    warnings.push_back({remark.first, fmt::format("{} {}", remark.count, text)});
  }
  std::ranges::stable_sort(warnings, {}, [](const Warning& warning) { return warning.place.line; });
  return warnings;
}

}  // namespace trammel::xml

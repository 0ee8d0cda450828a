#include "trammel/system/parameters.h"

#include <cmath>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/system/system.h"

namespace trammel {
namespace {

class FunctionSource final : public SystemSource, public std::enable_shared_from_this<FunctionSource> {
 public:
  FunctionSource(std::vector<Parameter> nominal, std::function<System(const Changes&)> make)
      : nominal_(std::move(nominal)), make_(std::move(make)) {}

  std::vector<Parameter> parameters() const override { return nominal_; }
  System make(const Changes& changes) const override {
    check_changes(changes, nominal_);
    Changes numbers = changes;
    for (const Parameter& parameter : nominal_) numbers.emplace(parameter.name, parameter.value);
    System out = make_(numbers);
    out.source = shared_from_this();
    return out;
  }

 private:
  std::vector<Parameter> nominal_;
  std::function<System(const Changes&)> make_;
};

}  // namespace

void check_changes(const Changes& changes, const std::vector<Parameter>& known) {
  std::vector<std::string> names;
  for (const Parameter& parameter : known) names.push_back(parameter.name);
  for (const auto& [name, value] : changes) {
    if (std::ranges::find(names, name) == names.end())
      throw Error(fmt::format("parameter '{}', which does not exist", name), allowed_names(name, names));
    if (!std::isfinite(value)) throw Error(fmt::format("{:g} for parameter '{}'", value, name), "a finite number");
  }
}

System parametrised(std::vector<Parameter> nominal, std::function<System(const Changes& numbers)> make) {
  return std::make_shared<FunctionSource>(std::move(nominal), std::move(make))->make({});
}

}  // namespace trammel

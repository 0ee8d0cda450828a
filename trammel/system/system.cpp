#include "trammel/system/system.h"

#include <fmt/core.h>

namespace trammel {

void System::constrain(const std::string& name, std::shared_ptr<const Constraint> law, Layer layer, double scale) {
  for (const NamedConstraint& other : constraints)
    if (other.name == name)
      throw Error(fmt::format("a second constraint named '{}'", name), "a name that no other has");
  if (!(scale > 0)) throw Error(fmt::format("scale {:g} of constraint '{}'", scale, name), "above 0");
  constraints.push_back({name, std::move(law), layer, scale});
}

}  // namespace trammel

#include "trammel/xml/rule.h"

#include <algorithm>

namespace trammel::xml {

Names elements_of(const Rule& rule) {
  Names all = rule.once;
  all.insert(all.end(), rule.many.begin(), rule.many.end());
  all.insert(all.end(), rule.unused.begin(), rule.unused.end());
  return all;
}

bool contains(const Names& names, std::string_view name) { return std::ranges::find(names, name) != names.end(); }

}  // namespace trammel::xml

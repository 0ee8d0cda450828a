#include "support/seeds.h"

#include <cstdlib>
#include <string>

namespace trammel::test {

int cases(int all) {
  const char* seeds = std::getenv("TRAMMEL_SEEDS");
  return seeds != nullptr && std::string(seeds) == "all" ? all : (all + 9) / 10;
}

int fix_seed(int seed, int all) {
  const std::string parameters = "seed=" + std::to_string(seed) + " max_success=" + std::to_string(cases(all));
  return setenv("RC_PARAMS", parameters.c_str(), 0);
}

}  // namespace trammel::test

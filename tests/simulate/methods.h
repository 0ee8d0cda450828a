#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "trammel/simulate/runge_kutta.h"

namespace trammel::test {

/// Those of all_methods() that choose their steps.
inline std::vector<const Tableau*> adaptive_methods() {
  std::vector<const Tableau*> out;
  std::ranges::copy_if(all_methods(), std::back_inserter(out), &Tableau::adaptive);
  return out;
}

/// What a test over methods is called: GoogleTest takes letters, digits and _ alone.
inline std::string test_name(const testing::TestParamInfo<const Tableau*>& test) {
  std::string name(test.param->name);
  std::ranges::replace(name, '-', '_');
  return name;
}

}  // namespace trammel::test

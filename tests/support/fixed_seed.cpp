#include "support/seeds.h"

// Of programs that ask for no other.
[[maybe_unused]] static const int fixed = trammel::test::fix_seed(2026, 200);

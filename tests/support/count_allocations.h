#pragma once

#include <cstddef>

namespace trammel::test {

/// How often memory has been allocated in this program, by any thread, through malloc or operator new. Eigen uses malloc.
std::size_t allocation_count();

}  // namespace trammel::test

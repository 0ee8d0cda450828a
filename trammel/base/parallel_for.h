#pragma once

#include <functional>

namespace trammel {

/// Splits 0 … count − 1 into one contiguous range for each of `workers` threads, the caller's among them, and calls
/// body(worker, begin, end) on each; returns when all are done. Ranges begin at multiples of `grain`. An exception that a body
/// throws is thrown again here, that of the lowest worker if several throw.
void parallel_for(int count, int workers, int grain, const std::function<void(int worker, int begin, int end)>& body);

}  // namespace trammel

#pragma once

#include <functional>

namespace trammel {

/// Does work(worker, begin, end) for parts of 0 … count − 1 on as many threads as there are workers, the caller's among
/// them, and returns when all are done. Each part is a multiple of `grain` but for the last. What one of them throws is thrown
/// here, the first one's if several do.
void share_out(int count, int workers, int grain, const std::function<void(int worker, int begin, int end)>& work);

}  // namespace trammel

#include "trammel/base/share_out.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace trammel {

void share_out(int count, int workers, int grain, const std::function<void(int worker, int begin, int end)>& work) {
  const int grains = (count + grain - 1) / grain;
  workers = std::clamp(workers, 1, std::max(1, grains));
  std::vector<std::exception_ptr> thrown(workers);
  const auto do_part = [&](int worker) {
    const auto begin_of = [&](long part) { return static_cast<int>(part * grains / workers) * grain; };
    try {
      work(worker, begin_of(worker), std::min(count, begin_of(worker + 1)));
    } catch (...) {
      thrown[worker] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int worker = 1; worker < workers; ++worker) others.emplace_back(do_part, worker);
    do_part(0);
  }
  for (const std::exception_ptr& what : thrown)
    if (what) std::rethrow_exception(what);
}

}  // namespace trammel

#include "trammel/base/parallel_for.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <vector>

namespace trammel {

void parallel_for(int count, int workers, int grain, const std::function<void(int worker, int begin, int end)>& body) {
  const int grains = (count + grain - 1) / grain;
  workers = std::clamp(workers, 1, std::max(1, grains));
  std::vector<std::exception_ptr> thrown(workers);
  const auto run_range = [&](int worker) {
    const auto begin_of = [&](long part) { return static_cast<int>(part * grains / workers) * grain; };
    try {
      body(worker, begin_of(worker), std::min(count, begin_of(worker + 1)));
    } catch (...) {
      thrown[worker] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (int worker = 1; worker < workers; ++worker) others.emplace_back(run_range, worker);
    run_range(0);
  }
  for (const std::exception_ptr& exception : thrown)
    if (exception) std::rethrow_exception(exception);
}

}  // namespace trammel

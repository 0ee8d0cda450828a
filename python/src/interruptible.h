#pragma once

#include <atomic>
#include <chrono>
#include <future>

#include "bind.h"

namespace trammel::python {

/// What a computation and the thread that waits for it share.
struct Progress {
  std::atomic<bool> stop = false;  // becomes true at Ctrl-C, or where the callback throws
  std::atomic<double> part = 0;    // of the whole that is done
};

/// Runs work(progress) in a thread of its own, without the GIL, and returns what it returns. Meanwhile this thread looks for signals and
/// tells `callback`, a function of the part that is done, or None. Ctrl-C asks the work to stop: it is the caller who tells the user.
/// Other exceptions of signal handlers and of the callback do the same, and are thrown when the work has ended.
template <class Work>
auto interruptible(const nb::object& callback, Work work) {
  Progress progress;
  nb::object thrown;  // the first exception that is not Ctrl-C
  const auto look = [&] {
    const nb::gil_scoped_acquire acquired;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (!callback.is_none() && !progress.stop) callback(progress.part.load());
    } catch (nb::python_error& error) {
      if (!error.matches(PyExc_KeyboardInterrupt) && !thrown.is_valid()) thrown = nb::borrow(error.value());
      progress.stop = true;
    }
  };
  auto result = [&] {
    const nb::gil_scoped_release released;
    auto future = std::async(std::launch::async, [&] { return work(progress); });
    while (future.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) look();
    return future.get();
  }();
  if (thrown.is_valid()) {
    PyErr_SetObject(thrown.type().ptr(), thrown.ptr());
    throw nb::python_error();
  }
  return result;
}

}  // namespace trammel::python

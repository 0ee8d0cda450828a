#pragma once

#include <vector>

#include "trammel/base/error.h"

namespace trammel {

/// All that is wrong in one input, so that its author hears of it at once and not one after the other:
///
///   Faults faults;
///   for (const Link& link : links) faults.attempt([&] { check(link); });
///   faults.refuse();
class Faults {
 public:
  /// Does the work and keeps the Error that it throws. Whether it threw none.
  template <class Work>
  bool attempt(Work&& work) {
    try {
      work();
      return true;
    } catch (const Error& error) {
      add(error);
      return false;
    }
  }
  void add(const Error& error);

  std::size_t count() const { return faults_.size(); }
  /// Throws all of them as one Error, in the order of their lines and each message once, unless there are none. Of more than 100 it tells the first and how many
  /// they are.
  void refuse() const;

 private:
  std::vector<Error> faults_;
};

}  // namespace trammel

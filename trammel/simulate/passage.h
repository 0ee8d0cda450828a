#pragma once

#include <string>

namespace trammel {

/// A singular posture on the way of a run.
struct Passage {
  double t;         // s
  std::string row;  // the weakest there,
  double part;      // and what its pivot has of its usual size: how near the run came to the posture
};

}  // namespace trammel

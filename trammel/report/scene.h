#pragma once

#include <optional>

#include "trammel/simulate/recording.h"
#include "trammel/system/system.h"

namespace trammel {

/// A recording as a moving picture: bodies, where they are at each moment, paths and forces.
struct Scene {
  struct Body {
    std::string name;
    int parent = world;
    std::vector<Visual> visuals{};  // in the body's frame
    std::vector<Vec3<>> points{};   // where joints and frames sit on it
  };
  struct Trace {
    std::string name;
    std::vector<float> actual;  // x, y, z of each row, m
  };
  struct Arrow {
    std::string name;
    std::vector<float> at, force;  // x, y, z of each row, m and N
  };

  std::vector<double> t;  // s
  std::vector<Body> bodies;
  std::vector<float> poses;      // of each row and body: x y z, quaternion w x y z
  std::optional<Vec3<>> normal;  // of the plane in which everything moves, if there is one
  std::vector<Trace> traces;     // of the recorded frames
  std::vector<Arrow> forces;     // of the physical constraints: what they put on the first body they name
};

/// The scene of a run, with up to `most_rows` moments, evenly taken.
Scene scene_of(const System& system, const Recording& recording, const std::vector<std::string>& frames,
               int most_rows = 3000);

}  // namespace trammel

#pragma once

#include <map>
#include <optional>

#include "trammel/motion/reactions.h"
#include "trammel/motion/uniqueness.h"
#include "trammel/report/mesh_file.h"
#include "trammel/simulate/simulate.h"

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
    std::vector<float> actual;    // x, y, z of each row, m
    std::vector<float> wanted{};  // likewise, where constraints lead the frame along a path; else empty
  };
  /// The force of a constraint, or its moment, on one body: λ as recorded times the rows at the recorded state. It starts at the point of
  /// the constraint (Constraint::point_of_force). Friction, which acts besides, is not in it.
  struct Arrow {
    std::string name, body;  // of the constraint; of the body that feels it
    bool is_moment = false;
    bool is_virtual = false;  // of a control constraint that holds as if by itself: no part of the robot gives it
    Uniqueness uniqueness = Uniqueness::unique;  // the worst over the run
    std::vector<float> at{}, vector{};           // x, y, z of each row: m; N, or N·m of a moment
  };

  std::vector<double> t;  // s
  std::vector<Body> bodies;
  std::vector<float> poses;                // of each row and body: x y z, quaternion w x y z
  std::optional<Vec3<>> normal;            // of the plane in which everything moves, if there is one
  std::vector<Trace> traces;               // of the recorded frames
  std::map<std::string, MeshFile> meshes;  // of the visuals, by the path of their files
  std::vector<std::string> left_out;       // meshes that are not shown, and why, one line each
  std::vector<Arrow>
      forces;  // of the constraints that hold; none of rows that motors track, nor of those that act on joints alone
};

/// What each constraint of problem.held() puts on the body of its point, at a row of a recording: its λ, its state and its inputs; nothing
/// is solved. Leaves the data placed there.
std::vector<WrenchAtPoint> recorded_wrenches(const Recording& recording, int row, Data& data);

/// The scene of a run of the problem, with up to `most_rows` moments, evenly taken, and with meshes that are thinned to `most_triangles`: of
/// 60000 a page becomes some 1.5 MB larger. A body whose meshes are left out is shown like one without visuals.
Scene scene_of(const Problem& problem, const Simulation& run, const std::vector<std::string>& frames,
               int most_rows = 3000, std::size_t most_triangles = 60'000);

}  // namespace trammel

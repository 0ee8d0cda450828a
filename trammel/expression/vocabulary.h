#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "trammel/base/error.h"

namespace trammel {

class Expression;
class Curve;

/// What an expression asks its caller for. All in SI units, frames in the axes of the world.
enum class LeafKind : std::uint8_t {
  time,            // t
  coordinate,      // q1, base[2]: coordinate `component` of joint `name`
  speed,           // v(q1), v(base[2]): velocity `component` of joint `name`
  frame_position,  // tool.x, tool.y, tool.z: axis `component` of the origin of frame `name`
  frame_velocity,  // tool.vx, tool.vy, tool.vz: the same of its velocity
  start,           // start(…): what Expression::starts()[component] was at the assembled start; constant in a run
  bare_start,      // start alone: what the caller's own row was at the assembled start; constant in a run
  input,           // push: the value of input `name`, set from outside; it stands still between two settings
  frame_angular_velocity,  // tool.wx, tool.wy, tool.wz: axis `component` of the angular velocity of frame `name`
  frame_axis  // tool.x_axis.z: entry `component` % 3 of the direction of its axis `component` / 3, of length 1
};

struct Leaf {
  LeafKind kind;
  std::string name;
  int component = 0;

  bool operator==(const Leaf&) const = default;
};

using Constants = std::map<std::string, double, std::less<>>;  // by name; finite, in SI units

/// Names for expressions. What they mean is put in the place of the name, with positions that point at the definition.
struct Definitions {
  static constexpr long most_operations = 1'000'000;  // in all places together

  std::map<std::string, std::shared_ptr<const Expression>, std::less<>> all{};
  long operations = 0;  // that have been put in so far
};

/// Columns of samples: path.x(t) is the column x of the table path, at t.
struct Table {
  struct Column {
    std::string name;
    std::shared_ptr<const Curve> curve;
    std::shared_ptr<const Error> fault{};  // why there is no curve: told where the column is used
  };
  std::vector<Column> columns{};
};

/// The names that may stand in an expression. Of a dotted name the longest reading wins: left.x is the joint "left.x" if
/// there is one, and otherwise the x of the frame "left".
struct Vocabulary {
  struct Joint {
    std::string name;
    int coordinates = 1;
    int velocities = 1;
  };
  std::vector<Joint> joints{};
  std::vector<std::string> frames{};
  Constants constants{};
  std::vector<std::string> inputs{};           // whoever declares them gives them names that no joint or constant has
  std::shared_ptr<Definitions> definitions{};  // likewise
  std::map<std::string, Table, std::less<>> tables{};
  bool time = true;         // whether t and start(…) have a meaning here
  bool bare_start = false;  // whether start alone has one
  bool is_path = false;     // whether something is led along it in time: inputs are refused, with what to use instead
};

}  // namespace trammel

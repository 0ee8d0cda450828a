#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trammel/base/error.h"

namespace trammel {

/// What files of robots ask for besides their tree: loops, couplings, motors, starts. Each has a name, by which it may be left out
/// (leave_out.h), and becomes a constraint, a force, a motor or a start of a scenario.

/// Σ factor·q(joint) + constant, of joints with one coordinate.
struct JointSum {
  struct Term {
    double factor;
    std::string joint;
  };
  std::vector<Term> terms{};
  double constant = 0;
};

/// A loop is closed between two frames, as constraints of scenarios do it; or joints are coupled:
///
///   left = polynomial[0] + polynomial[1]·right + … + polynomial[4]·right⁴
struct DescribedConstraint {
  enum class Kind { coincide, hinge, slide, weld, equation };
  std::string name{};
  Kind kind = Kind::equation;
  std::string frame{}, other_frame{};  // which meet; of no equation
  JointSum left{}, right{};
  std::array<double, 5> polynomial{0, 1, 0, 0, 0};
  Place place{};
};

/// Drives joints by `along`: the force u acts on each of them as factor·u. A motor gives what is asked of it; with a servo,
///
///   u = gain·control + bias[0] + bias[1]·length + bias[2]·rate,        length = along(q), rate = along(v),
///
/// where the control is an input that is set while it runs.
struct DescribedMotor {
  struct Servo {
    double gain = 1;
    std::array<double, 3> bias{};
    std::array<double, 2> control_range{};  // infinite where it has no bounds
    std::array<double, 2> force_range{};
  };
  std::string name{};
  JointSum along{};
  std::optional<double> limit{};  // N·m or N, both ways, at the joint
  std::optional<Servo> servo{};
  Place place{};

  std::string input() const { return name + ".control"; }
};

/// A state of the robot that its author gave a name to. What it does not name is zero.
struct DescribedStart {
  std::string name{};
  bool usual = false;  // whether the robot starts there, unless the user says otherwise
  std::map<std::string, std::vector<double>> q{}, v{};  // by joint
  std::map<std::string, double> controls{};             // by the motor's name
  Place place{};
};

}  // namespace trammel

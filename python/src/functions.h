#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bind.h"
#include "trammel/system/system.h"

namespace trammel::python {

/// A number that a law in Python computes with: its value and rates along the motion, and its slopes ∂u/∂xᵢ along the numbers that the law
/// looks at. One call of the law on these gives φ, φ̇ and b, and with the slopes the rows of A. Users know it as a jet.
struct Traced {
  Jet u;
  std::vector<double> slopes{};  // empty where all are zero
};

/// The jet of a Python number; none if it is no number.
std::optional<Traced> traced(nb::handle value);

/// A law in Python: the part `law` of a description (pytrammel.functions), which the Python object of the system or problem keeps. C++ refers to
/// the description weakly: a function refers to its module, whose variables refer to the system, and Python's collector sees such a circle only
/// if no part of it is in C++.
class LawInPython {
 public:
  explicit LawInPython(nb::handle description);
  /// Needs the GIL. Throws Error where the description is gone.
  nb::object description() const;
  nb::object law() const { return description().attr("law"); }

 private:
  std::shared_ptr<nb::object> weak_;
};

/// What a law in Python can look at: of a joint one number, of a frame three, or the nine of its axes x, y, z in the world.
struct Sight {
  enum class Of { coordinate, speed, position, velocity, axes, angular_velocity };
  Of of = Of::coordinate;
  std::string name{};
  int q = 0, v = 0;  // of a joint: indices in q and v
  Frame frame{};     // of a frame

  bool of_joint() const { return of == Of::coordinate || of == Of::speed; }
  Level level() const {
    return of == Of::coordinate || of == Of::position || of == Of::axes ? Level::position : Level::velocity;
  }
  int size() const { return of_joint() ? 1 : of == Of::axes ? 9 : 3; }
};

/// By its name; throws Error with the names that there are. The coordinates of a quaternion are refused.
Sight find_sight(const Model& model, Sight::Of of, const std::string& name);
/// "the velocity of frame 'tool'"
std::string described(Sight::Of of, const std::string& name);

/// Its numbers: at position level, and at any.
template <class Scalar>
std::vector<Scalar> look(const Sight& sight, const Placement<Scalar>& now);
template <class Scalar>
std::vector<Scalar> look(const Sight& sight, const Movement<Scalar>& now);

/// The argument of a law in Python: how everything stands and moves, by name.
class Moment {
 public:
  Moment(std::vector<std::string> input_names, std::span<const double> inputs)
      : input_names_(std::move(input_names)), inputs_(inputs.begin(), inputs.end()) {}
  virtual ~Moment() = default;
  virtual nb::object see(Sight::Of of, const std::string& name) = 0;
  virtual nb::object time() = 0;
  double input(const std::string& name) const;

 private:
  std::vector<std::string> input_names_;
  std::vector<double> inputs_;
};

/// The Python object of a moment, which it owns from now on.
nb::object handed(Moment* moment);

/// One number alone, three as an array, nine as a matrix whose columns are the axes.
nb::object as_array(const std::vector<nb::object>& numbers, bool jets);

/// Doubles, for laws that need no derivatives. `now` and `moving` (null where velocities are not known) live as long as the call.
class DoubleMoment final : public Moment {
 public:
  DoubleMoment(const Model& model, std::vector<std::string> input_names, const Placement<double>& now,
               const Movement<double>* moving);
  nb::object see(Sight::Of of, const std::string& name) override;
  nb::object time() override { return nb::float_(t_); }
  void end() { model_ = nullptr; }  // of the call: whoever keeps it sees nothing any more

 private:
  const Model* model_;
  const Placement<double>* now_;
  const Movement<double>* moving_;
  double t_;
};

/// Calls a law in Python on doubles, with the GIL held.
nb::object call_on_doubles(const nb::object& function, const Model& model, const std::vector<std::string>& input_names,
                           const Placement<double>& now, const Movement<double>* moving);

/// What a Python function returned as that many numbers; `whose` stands in the message otherwise.
std::vector<double> numbers_of(nb::handle result, int count, const std::string& whose);

/// A constraint whose law is a Python function on jets (functions_constraint.cpp). Throws Error where it returns what is no law, and lets its
/// exceptions through. `rows`: 0 for as many as it returns.
std::shared_ptr<const Constraint> function_constraint(const System& system, const std::string& name,
                                                      const LawInPython& law, int rows, const std::string& unit);

/// A constraint by Python functions of doubles that give its derivatives (functions_explicit.cpp): the parts phi, A, b and rate of the law; φ̇ is
/// A v where rate is None.
std::shared_ptr<const Constraint> explicit_constraint(const System& system, const std::string& name, Level level,
                                                      const LawInPython& law, int rows, const std::string& unit);

/// A force that a Python function of doubles returns: the generalised forces, or with a frame the force on its origin (functions_force.cpp).
std::shared_ptr<const Force> function_force(const System& system, const std::string& name, const LawInPython& law,
                                            const std::optional<std::string>& frame);

/// Jets, in functions_jet.cpp: a part of bind_functions.
void bind_jet(nb::module_& m);

}  // namespace trammel::python

#include "functions.h"

#include <algorithm>

#include <fmt/core.h>
#include <nanobind/stl/string.h>

#include "trammel/base/names.h"
#include "trammel/constraints/quantity.h"

namespace trammel::python {
namespace {

using Of = Sight::Of;

template <class Scalar>
std::vector<Scalar> listed(const Vec3<Scalar>& u) {
  return {u[0], u[1], u[2]};
}

Sight find_of_joint(const Model& model, Of of, const std::string& name) {
  std::vector<std::string> names;
  if (of == Of::coordinate)
    names = model.coordinate_names();
  else
    for (int i = 0; i < model.nv(); ++i) names.push_back(model.velocity_name(i));
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw Error(described(of, name), allowed_names(name, names));
  const int i = static_cast<int>(found - names.begin());
  if (of == Of::speed) return {.of = of, .name = name, .v = i};
  return {.of = of, .name = name, .q = i, .v = Quantity::coordinate(model, i).v};
}

}  // namespace

LawInPython::LawInPython(nb::handle description)
    : weak_(new nb::object(nb::steal(PyWeakref_NewRef(description.ptr(), nullptr))), [](nb::object* held) {
        if (!nb::is_alive()) return;  // Python has ended
        const nb::gil_scoped_acquire gil;
        delete held;
      }) {
  if (!weak_->is_valid()) throw nb::python_error();
}

nb::object LawInPython::description() const {
  nb::object found = (*weak_)();
  if (found.is_none())
    throw Error("a law in Python whose system is gone", "to keep the System, or the Problem that it was compiled to");
  return found;
}

std::string described(Of of, const std::string& name) {
  switch (of) {
    case Of::coordinate:
      return fmt::format("coordinate '{}'", name);
    case Of::speed:
      return fmt::format("velocity '{}'", name);
    case Of::position:
      return fmt::format("the position of frame '{}'", name);
    case Of::velocity:
      return fmt::format("the velocity of frame '{}'", name);
    case Of::axes:
      return fmt::format("the axes of frame '{}'", name);
    case Of::angular_velocity:
      return fmt::format("the angular velocity of frame '{}'", name);
  }
  return name;
}

Sight find_sight(const Model& model, Of of, const std::string& name) {
  if (of == Of::coordinate || of == Of::speed) return find_of_joint(model, of, name);
  return {.of = of, .name = name, .frame = model.frame(name)};
}

template <class Scalar>
std::vector<Scalar> look(const Sight& sight, const Placement<Scalar>& now) {
  if (sight.of == Of::coordinate) return {now.q[sight.q]};
  if (sight.of == Of::position) return listed<Scalar>(BodyPoint(sight.frame).position(now.where));
  std::vector<Scalar> axes;
  for (int j = 0; j < 3; ++j) {
    const Vec3<Scalar> e = BodyDirection{sight.frame.body, sight.frame.X_BF.R.col(j)}.direction(now.where);
    axes.insert(axes.end(), {e[0], e[1], e[2]});
  }
  return axes;
}

template <class Scalar>
std::vector<Scalar> look(const Sight& sight, const Movement<Scalar>& now) {
  if (sight.of == Of::speed) return {now.v[sight.v]};
  if (sight.of == Of::velocity) return listed<Scalar>(BodyPoint(sight.frame).velocity(now.kin));
  if (sight.of == Of::angular_velocity) return listed<Scalar>(angular_velocity(now.kin, sight.frame.body));
  return look(sight, now.placement());
}

template std::vector<double> look(const Sight&, const Placement<double>&);
template std::vector<double> look(const Sight&, const Movement<double>&);
template std::vector<Jet> look(const Sight&, const Placement<Jet>&);
template std::vector<Jet> look(const Sight&, const Movement<Jet>&);

double Moment::input(const std::string& name) const {
  const auto found = std::ranges::find(input_names_, name);
  if (found == input_names_.end())
    throw Error(fmt::format("input '{}'", name),
                input_names_.empty() ? "those that the system has: none" : allowed_names(name, input_names_));
  return inputs_[found - input_names_.begin()];
}

nb::object handed(Moment* moment) { return nb::cast(moment, nb::rv_policy::take_ownership); }

nb::object as_array(const std::vector<nb::object>& numbers, bool jets) {
  if (numbers.size() == 1) return numbers[0];
  nb::list list;
  for (const nb::object& number : numbers) list.append(number);
  const nb::object array =
      nb::module_::import_("numpy").attr("array")(list, nb::arg("dtype") = jets ? "object" : "float64");
  return numbers.size() == 3 ? array : nb::object(array.attr("reshape")(3, 3).attr("T"));
}

DoubleMoment::DoubleMoment(const Model& model, std::vector<std::string> input_names, const Placement<double>& now,
                           const Movement<double>* moving)
    : Moment(std::move(input_names), now.inputs), model_(&model), now_(&now), moving_(moving), t_(now.t) {}

nb::object DoubleMoment::see(Of of, const std::string& name) {
  if (model_ == nullptr)
    throw Error(described(of, name) + " after the call of the function", "to look during the call");
  const Sight sight = find_sight(*model_, of, name);
  if (moving_ == nullptr && sight.level() == Level::velocity)
    throw Error(described(of, name) + " in a law at position level", "positions, coordinates and axes");
  std::vector<nb::object> numbers;
  for (const double x : moving_ != nullptr ? look(sight, *moving_) : look(sight, *now_))
    numbers.emplace_back(nb::float_(x));
  return as_array(numbers, false);
}

nb::object call_on_doubles(const nb::object& function, const Model& model, const std::vector<std::string>& input_names,
                           const Placement<double>& now, const Movement<double>* moving) {
  auto* const moment = new DoubleMoment(model, input_names, now, moving);
  const nb::object argument = handed(moment);
  struct End {
    DoubleMoment& moment;
    ~End() { moment.end(); }
  } const end{*moment};
  return function(argument);
}

std::vector<double> numbers_of(nb::handle result, int count, const std::string& whose) {
  const std::string wanted = count == 1 ? "a number" : fmt::format("{} numbers", count);
  const auto refuse = [&](const std::string& found) { throw Error(fmt::format("{} from {}", found, whose), wanted); };
  nb::object array;
  try {
    array = nb::module_::import_("numpy").attr("asarray")(result, nb::arg("dtype") = "float64").attr("ravel")();
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_TypeError) && !error.matches(PyExc_ValueError)) throw;
    refuse(text_of(nb::repr(result)).substr(0, 60));
  }
  if (static_cast<int>(nb::len(array)) != count)
    refuse(fmt::format("{} number{}", nb::len(array), nb::len(array) == 1 ? "" : "s"));
  std::vector<double> out;
  for (const nb::handle item : array) out.push_back(nb::cast<double>(item));
  return out;
}

namespace {

void bind_moment(nb::module_& m) {
  nb::class_<Moment> moment(
      m, "Moment", "How everything stands and moves when a law is asked: jets in constraints, floats in forces.");
  const auto def = [&](const char* name, Of of, const char* parameter, const char* doc) {
    const bool array = of != Of::coordinate && of != Of::speed;
    const std::string signature = fmt::format("def {}(self, {}: str) -> {}", name, parameter,
                                              array ? "numpy.typing.NDArray[typing.Any]" : "typing.Any");
    moment.def(
        name, [of](Moment& self, const std::string& what) { return self.see(of, what); }, nb::arg(parameter),
        nb::sig(signature.c_str()), doc);
  };
  def("q", Of::coordinate, "joint", "The coordinate of a joint, rad or m: 'q1', or 'base[0]' of one with several.");
  def("v", Of::speed, "joint", "The velocity of a joint, rad/s or m/s.");
  def("position", Of::position, "frame", "The origin of a frame in the world, m: an array of 3.");
  def("velocity", Of::velocity, "frame",
      "The velocity of a frame's origin along the axes of the world, m/s: an array of 3.");
  def("axes", Of::axes, "frame", "The axes of a frame in the world: a 3×3 array whose columns are its x, y and z.");
  def("angular_velocity", Of::angular_velocity, "frame",
      "The angular velocity of a frame along the axes of the world, rad/s: an array of 3.");
  moment.def("input", &Moment::input, nb::arg("name"),
             "An input as it is set, a float: it stands still between two settings.");
  moment.def_prop_ro("t", &Moment::time, nb::sig("def t(self) -> typing.Any"), "The time, s.");
}

}  // namespace

void bind_functions(nb::module_& m) {
  bind_jet(m);
  bind_moment(m);
}

}  // namespace trammel::python

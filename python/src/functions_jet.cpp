#include <cfenv>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <fmt/core.h>

#include "functions.h"
#include "trammel/expression/operations.h"

namespace trammel::python {
namespace {

using expression::Op;

void add_slopes(const std::vector<double>& slopes, double factor, std::vector<double>& out) {
  if (slopes.empty()) return;
  if (out.empty()) out.resize(slopes.size());
  for (std::size_t i = 0; i < slopes.size(); ++i)
    if (slopes[i] != 0)
      out[i] += factor * slopes[i];  // a quantity that does not matter stays so where the factor is infinite
}

Traced of(Op op, const Traced& u, const Traced& v = {}) {
  Traced out{expression::apply<Jet>(op, u.u, v.u, {})};
  const auto [by_u, by_v, none] = expression::partials(op, u.u.x, v.u.x, out.u.x);
  add_slopes(u.slopes, by_u, out.slopes);
  add_slopes(v.slopes, by_v, out.slopes);
  std::feclearexcept(FE_ALL_EXCEPT);  // numpy would warn of them; what is not finite shows by itself
  return out;
}

nb::object not_implemented() { return nb::borrow(nb::handle(Py_NotImplemented)); }

template <Op op>
nb::object binary(const Traced& u, nb::handle other) {
  const std::optional<Traced> v = traced(other);
  return v ? nb::cast(of(op, u, *v)) : not_implemented();
}
template <Op op>
nb::object reflected(const Traced& v, nb::handle other) {
  const std::optional<Traced> u = traced(other);
  return u ? nb::cast(of(op, *u, v)) : not_implemented();
}
template <Op op>
Traced unary(const Traced& u) {
  return of(op, u);
}

// sin(x) and so on of a number or a jet.
nb::object function_of(Op op, std::string_view name, nb::handle a, nb::handle b) {
  const bool two = b.is_valid();
  const std::optional<Traced> u = traced(a), v = two ? traced(b) : std::optional<Traced>(Traced{});
  if (!u || !v)
    throw nb::type_error(
        fmt::format("{}() of {}: a number or a jet is allowed", name, nb::type_name((u ? b : a).type()).c_str())
            .c_str());
  const bool jets = nb::isinstance<Traced>(a) || (two && nb::isinstance<Traced>(b));
  const Traced value = of(op, *u, *v);
  return jets ? nb::cast(value) : nb::object(nb::float_(value.u.x));
}

[[noreturn]] void refuse_comparison() {
  throw nb::type_error(
      "jets are not compared: a constraint's law must have derivatives, and a branch that the robot's state decides "
      "has none where it "
      "changes");
}
[[noreturn]] void refuse_float() {
  throw nb::type_error(
      "a jet is not turned into a float, which has no derivatives: use the functions of pytrammel or numpy "
      "(pytrammel.sin, numpy.sin) "
      "instead of those of math. A law that knows floats alone can be a force; as a constraint it must give its "
      "derivatives: "
      "pytrammel.explicit(phi, A, b)");
}
[[noreturn]] void refuse_abs() {
  throw nb::type_error(
      "abs has no derivative at 0, and a constraint needs one: write the law without it, or u*u, or sqrt(u*u + e*e)");
}

template <Op op>
void bind_operator(nb::class_<Traced>& jet, const char* name, const char* reflected_name) {
  const auto signature = [](const char* method) {
    return fmt::format("def {}(self, other: float | Jet, /) -> Jet", method);
  };
  jet.def(name, &binary<op>, nb::is_operator(), nb::sig(signature(name).c_str()));
  jet.def(reflected_name, &reflected<op>, nb::is_operator(), nb::sig(signature(reflected_name).c_str()));
}

void bind_operators(nb::class_<Traced>& jet) {
  bind_operator<Op::add>(jet, "__add__", "__radd__");
  bind_operator<Op::subtract>(jet, "__sub__", "__rsub__");
  bind_operator<Op::multiply>(jet, "__mul__", "__rmul__");
  bind_operator<Op::divide>(jet, "__truediv__", "__rtruediv__");
  bind_operator<Op::power>(jet, "__pow__", "__rpow__");
  jet.def("__neg__", &unary<Op::negate>);
  jet.def("__pos__", [](const Traced& u) { return u; });
  for (const char* name : {"__lt__", "__le__", "__gt__", "__ge__", "__eq__", "__ne__"})
    jet.def(name, [](const Traced&, nb::handle) -> bool { refuse_comparison(); });
  jet.def("__bool__", [](const Traced&) -> bool { refuse_comparison(); });
  jet.def("__float__", [](const Traced&) -> double { refuse_float(); });
  jet.def("__int__", [](const Traced&) -> int { refuse_float(); });
  jet.def("__abs__", [](const Traced&) -> Traced { refuse_abs(); });
}

// Under these names numpy asks an object for its sine.
void bind_numpy_methods(nb::class_<Traced>& jet) {
  jet.def("sin", &unary<Op::sin>);
  jet.def("cos", &unary<Op::cos>);
  jet.def("tan", &unary<Op::tan>);
  jet.def("arcsin", &unary<Op::asin>);
  jet.def("arccos", &unary<Op::acos>);
  jet.def("arctan", &unary<Op::atan>);
  jet.def("sinh", &unary<Op::sinh>);
  jet.def("cosh", &unary<Op::cosh>);
  jet.def("tanh", &unary<Op::tanh>);
  jet.def("sqrt", &unary<Op::sqrt>);
  jet.def("exp", &unary<Op::exp>);
  jet.def("log", &unary<Op::log>);
  jet.def("arctan2", &binary<Op::atan2>, nb::sig("def arctan2(self, other: float | Jet, /) -> Jet"));
  jet.def("hypot", &binary<Op::hypot>, nb::sig("def hypot(self, other: float | Jet, /) -> Jet"));
  jet.def("conjugate", [](const Traced& u) { return u; });
}

void bind_jet_functions(nb::module_& m) {
  for (const expression::Function& function : expression::functions()) {
    if (function.has != expression::Break::none) continue;
    const Op op = function.op;
    const std::string named(function.name);
    if (function.most == 1)
      m.def(
          named.c_str(), [op, named](nb::handle u) { return function_of(op, named, u, {}); }, nb::arg("u"));
    else
      m.def(
          named.c_str(), [op, named](nb::handle u, nb::handle v) { return function_of(op, named, u, v); }, nb::arg("u"),
          nb::arg("v"));
  }
}

}  // namespace

std::optional<Traced> traced(nb::handle value) {
  if (nb::isinstance<Traced>(value)) return nb::cast<Traced>(value);
  if (PyBool_Check(value.ptr())) return {};
  if (PyFloat_Check(value.ptr())) return Traced{PyFloat_AsDouble(value.ptr())};
  if (!PyLong_Check(value.ptr())) return {};
  const double number = PyLong_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
  return Traced{number};
}

void bind_jet(nb::module_& m) {
  nb::class_<Traced> jet(m, "Jet", "A number with its derivatives: what a constraint's law in Python computes with.");
  jet.def(nb::init<>(), "Zero.");
  jet.def(
      "__init__",
      [](Traced* self, double value, double rate, double second) { new (self) Traced{Jet(value, rate, second)}; },
      nb::arg("value"), nb::arg("rate") = 0.0, nb::arg("second_rate") = 0.0);
  jet.def_prop_ro(
      "value", [](const Traced& u) { return u.u.x; }, "The number itself.");
  jet.def_prop_ro(
      "rate", [](const Traced& u) { return u.u.dx; }, "Its rate along the motion, per second.");
  jet.def_prop_ro(
      "second_rate", [](const Traced& u) { return u.u.ddx; },
      "Its second rate where the velocities v do not change, per second squared.");
  jet.def_prop_ro(
      "slopes", [](const Traced& u) { return u.slopes; },
      "Its derivatives by the numbers that the law looks at; empty where all are zero.");
  jet.def("__repr__", [](const Traced& u) { return fmt::format("Jet({}, {}, {})", u.u.x, u.u.dx, u.u.ddx); });
  bind_operators(jet);
  bind_numpy_methods(jet);
  bind_jet_functions(m);
}

}  // namespace trammel::python

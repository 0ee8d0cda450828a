#include "solver.h"

#include <cmath>

#include <fmt/core.h>

#include "trammel/model/configuration.h"
#include "vectors.h"

namespace trammel::python {
namespace {

void read_named_inputs(const Solver& solver, const nb::dict& inputs, VecX<>& out) {
  for (const auto [name, value] : inputs) {
    if (!nb::isinstance<nb::str>(name))
      throw nb::type_error("inputs: found a key that is no text; allowed: names of inputs");
    const std::string input = text_of(name);
    const int index = solver.problem.input(input);
    double number = 0;
    if (!nb::try_cast(value, number))
      throw nb::type_error(
          fmt::format("inputs['{}']: found {:.60}; allowed: a number", input, text_of(nb::repr(value))).c_str());
    if (!std::isfinite(number)) throw Error(fmt::format("inputs['{}'] = {}", input, number), "a finite number");
    out[index] = number;
  }
}

}  // namespace

VecX<> read_inputs(const Solver& solver, nb::handle inputs) {
  return inputs.is_none() ? VecX<>() : read_inputs(solver, inputs, solver.nominal_inputs);
}

VecX<> read_inputs(const Solver& solver, nb::handle inputs, VecX<> besides) {
  if (nb::isinstance<nb::dict>(inputs))
    read_named_inputs(solver, nb::borrow<nb::dict>(inputs), besides);
  else
    read_vector(inputs, "inputs", besides);
  return besides;
}

void set_inputs(const Solver& solver, const VecX<>& inputs, Solver::Workspace& out) {
  const bool others = inputs.size() > 0;
  if (others || out.other_inputs) out.data.set_inputs(others ? inputs : solver.nominal_inputs);
  out.other_inputs = others;
}

void read_state(Solver& solver, nb::handle q, nb::handle v, nb::handle inputs, Solver::Workspace& out) {
  read_vector(q, "q", out.q);
  read_vector(v, "v", out.v);
  if (solver.problem.nq() != solver.problem.nv())
    out.q = checked_configuration(solver.problem.system().model, std::move(out.q));
  set_inputs(solver, read_inputs(solver, inputs), out);
}

}  // namespace trammel::python

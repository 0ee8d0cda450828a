#include "trammel/motion/usual_gradients.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "trammel/dynamics/frame_motion.h"
#include "trammel/model/configuration.h"

namespace trammel {
namespace {

// Of each row, at one posture.
VecX<> gradients_at(const System& system, const Constraint& law, const Movement<double>& now, double length) {
  const Model& model = system.model;
  Rows rows = rows_for(law);
  law.evaluate(now, rows);
  VecX<> out(law.rows()), row(model.nv());
  for (int k = 0; k < law.rows(); ++k) {
    row.setZero();
    for (std::size_t s = 0; s < law.bodies().size(); ++s)
      if (law.bodies()[s] != world)
        add_generalised_force(model, now.kin, law.bodies()[s], rows.wrenches_on(static_cast<int>(s)).col(k), row);
    for (std::size_t j = 0; j < law.velocities().size(); ++j)
      row[law.velocities()[j]] += rows.coefficients(k, static_cast<int>(j));
    for (int i = 0; i < row.size(); ++i)
      if (model.turns(i)) row[i] /= length;
    out[k] = row.norm();
  }
  return out;
}

}  // namespace

VecX<> usual_gradients(const System& system, const Constraint& law, double length) {
  constexpr int postures = 15;
  const Model& model = system.model;
  Kinematics<double> kin(model);
  std::vector<double> inputs;
  for (const Input& input : system.inputs) inputs.push_back(input.value);
  std::mt19937_64 engine(22);
  const auto uniform = [&] { return static_cast<double>(engine() >> 11) * 0x1p-52 - 1; };  // −1 … 1, on any machine
  MatX<> norms(law.rows(), postures);
  VecX<> step(model.nv()), v(model.nv());
  for (int posture = 0; posture < postures; ++posture) {
    for (int i = 0; i < step.size(); ++i) {
      step[i] = uniform() * (model.turns(i) ? std::numbers::pi : length);
      v[i] = uniform() * (model.turns(i) ? 1 : length);
    }
    const VecX<> q = retract(model, neutral_configuration(model), step);
    kinematics<double>(model, q, v, kin);
    norms.col(posture) = gradients_at(system, law, {kin, q, v, 0.5 * (1 + uniform()), inputs}, length);
  }
  VecX<> out(law.rows());
  for (int k = 0; k < law.rows(); ++k) {
    std::vector<double> sorted;
    for (const double norm : norms.row(k)) sorted.push_back(std::isfinite(norm) ? norm : 0);
    std::ranges::nth_element(sorted, sorted.begin() + postures / 2);
    out[k] = sorted[postures / 2];
  }
  return out;
}

}  // namespace trammel

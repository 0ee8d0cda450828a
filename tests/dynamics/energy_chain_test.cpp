#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "support/worst.h"
#include "trammel/dynamics/energy.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/model/configuration.h"

namespace trammel {
namespace {

using namespace trammel::test;

// RK4 of q̈ = M⁻¹(…) without forces: enough of an integrator to watch an energy.
class FreeMotion {
 public:
  explicit FreeMotion(const Model& model)
      : model_(model), work_(model), zero_(VecX<>::Zero(model.nv())), q(neutral_configuration(model)), v(zero_) {}

  void step(double h) {
    const VecX<> a1 = acceleration(q, v), v2 = v + h / 2 * a1;
    const VecX<> a2 = acceleration(q + h / 2 * v, v2), v3 = v + h / 2 * a2;
    const VecX<> a3 = acceleration(q + h / 2 * v2, v3), v4 = v + h * a3;
    const VecX<> a4 = acceleration(q + h * v3, v4);
    q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
    v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }

  double energy() {
    kinematics<double>(model_, q, v, work_.kin);
    return kinetic_energy<double>(model_, v, work_.kin) + potential_energy<double>(model_, q, work_.kin);
  }
  double kinetic() {
    kinematics<double>(model_, q, v, work_.kin);
    return kinetic_energy<double>(model_, v, work_.kin);
  }

 private:
  VecX<> acceleration(const VecX<>& at, const VecX<>& speed) {
    VecX<> out(model_.nv());
    EXPECT_EQ(forward_dynamics<double>(model_, at, speed, zero_, work_, out), -1);
    return out;
  }

  const Model& model_;
  TreeWorkspace<> work_;
  VecX<> zero_;

 public:
  VecX<> q, v;
};

TEST(EnergyChain, FiveLinksReleasedHorizontallyKeepTheirEnergyForTenSeconds) {
  const Model model = build_model(chain(5));
  FreeMotion motion(model);
  motion.q[0] = std::numbers::pi / 2;  // the first joint turns about y: the chain, along z, comes to lie along x
  const double start = motion.energy();
  // the scale of the energy is what the chain can turn into motion: its weight times its reach
  const double scale = model.moving_mass() * 9.81 * 1.0;
  Worst drift("energy drift over 10 s, relative"), fastest("kinetic energy on the way, J");
  for (int i = 0; i < 100000; ++i) {
    motion.step(1e-4);
    if (i % 100 == 0) drift.see(std::abs(motion.energy() - start) / scale), fastest.see(motion.kinetic());
  }
  EXPECT_LT(drift.value(), 1e-9);
  EXPECT_GT(fastest.value(), 0.3 * scale);  // it did fall
}

}  // namespace
}  // namespace trammel

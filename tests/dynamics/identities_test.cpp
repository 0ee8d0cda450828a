#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/mechanisms.h"
#include "support/random_robot.h"
#include "trammel/dynamics/branch.h"
#include "trammel/dynamics/coriolis.h"
#include "trammel/dynamics/energy.h"
#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/dynamics/frame_motion.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/dynamics/passive_forces.h"
#include "trammel/math/jet.h"

namespace trammel {
namespace {

using namespace trammel::test;

// A random tree with every kind of joint, joint properties and gravity among them, in a random state.
struct Case {
  explicit Case(unsigned seed, bool with_passive_forces = true)
      : random(seed), model(make(random, with_passive_forces)), q(random_configuration(random, model)) {
    v = random.vector(model.nv(), 3);
    vdot = random.vector(model.nv(), 5);
  }

  static Model make(Random& random, bool with_passive_forces) {
    RobotDescription robot = random_robot(random, random.integer(1, 8));
    for (Joint& joint : robot.joints) {
      Coordinate c;
      if (random.integer(0, 2) == 0) c.rotor_inertia = random.uniform(0.01, 0.5);
      if (with_passive_forces) {
        c.damping = random.uniform(0, 2);
        c.friction = random.uniform(0, 2);
        if (rates_are_velocities(joint.type)) c.stiffness = random.uniform(0, 5), c.rest = random.uniform(-1, 1);
      }
      joint.coordinates = {c};
    }
    return build_model(robot, random.vector(10));
  }

  TreeWorkspace<> worked() const {
    TreeWorkspace<> work(model);
    kinematics<double>(model, q, v, work.kin);
    world_inertias<double>(model, work.kin, work.inertias);
    return work;
  }

  VecX<> bias() const {
    TreeWorkspace<> work = worked();
    VecX<> out(model.nv());
    bias_forces<double>(model, work.kin, work.inertias, work.vectors, out);
    return out;
  }

  // q and v as jets along the motion that has v and v̇ now
  std::pair<VecX<Jet>, VecX<Jet>> jets() const {
    VecX<Jet> v_jet(model.nv());
    for (int i = 0; i < model.nv(); ++i) v_jet[i] = {v[i], vdot[i], 0};
    return {coordinate_jets(model, q, v, vdot), v_jet};
  }

  Random random;
  Model model;
  VecX<> q, v, vdot;
};

MatX<> rates(const MatX<Jet>& A) {
  return A.unaryExpr([](const Jet& x) { return x.dx; }).cast<double>();
}

// Errors are compared with the size of what is added up; a tree of eight bodies adds a few hundred terms.
constexpr double tolerance = 1e-12;

double relative_to_sizes(const auto& a, const auto& b) { return (a - b).norm() / (1 + b.norm()); }

RC_GTEST_PROP(Identities, TheColumnsOfMAreInverseDynamicsOfUnitAccelerations, ()) {
  const Case c(*any_seed());
  const MatX<> M = mass_matrix(c.model, c.q);
  TreeWorkspace<> work = c.worked();
  const VecX<> bias = c.bias();
  std::vector<Vec6<>> accelerations(c.model.body_count());
  VecX<> column(c.model.nv());
  for (int i = 0; i < c.model.nv(); ++i) {
    newton_euler<double>(c.model, work.kin, work.inertias, VecX<>::Unit(c.model.nv(), i), accelerations, work.vectors,
                         column);
    RC_ASSERT(relative_to_sizes(VecX<>(column - bias), M.col(i)) < tolerance * (1 + bias.norm()));
  }
  RC_ASSERT((M - M.transpose()).norm() == 0.0);
}

RC_GTEST_PROP(Identities, ForwardDynamicsUndoesInverseDynamics, ()) {
  const Case c(*any_seed());
  const VecX<> tau = inverse_dynamics(c.model, c.q, c.v, c.vdot);
  const VecX<> back = forward_dynamics(c.model, c.q, c.v, tau);
  // the residual in forces is free of cond(M)
  RC_ASSERT(relative_to_sizes(inverse_dynamics(c.model, c.q, c.v, back), tau) < tolerance);
  RC_ASSERT(relative_to_sizes(VecX<>(mass_matrix(c.model, c.q) * back), VecX<>(mass_matrix(c.model, c.q) * c.vdot)) <
            tolerance * (1 + tau.norm()));
}

RC_GTEST_PROP(Identities, TheArticulatedRecursionIsAFactorOfM, ()) {
  const Case c(*any_seed());
  TreeWorkspace<> work = c.worked();
  RC_ASSERT(factorize<double>(c.model, work.kin, work.inertias, work.factor) == -1);
  const int n = c.model.nv();
  const MatX<> M = mass_matrix(c.model, c.q);
  MatX<> L(n, n), L_inverse(n, n), L_inverse_transpose(n, n);
  VecX<> column(n);
  for (int i = 0; i < n; ++i) {
    const VecX<> unit = VecX<>::Unit(n, i);
    apply_L<double>(c.model, work.kin, work.factor, unit, work.vectors, column);
    L.col(i) = column;
    std::ranges::fill(work.vectors, Vec6<>(Vec6<>::Zero()));
    apply_L_inverse<double>(c.model, work.kin, work.factor, unit, work.vectors, column);
    L_inverse.col(i) = column;
    apply_L_inverse_to_unit(c.model, work.kin, work.factor, i, column);
    RC_ASSERT((column - L_inverse.col(i)).norm() <= tolerance * column.norm());
    apply_L_inverse_transpose<double>(c.model, work.kin, work.factor, unit, work.vectors, column);
    L_inverse_transpose.col(i) = column;
  }
  RC_ASSERT((L * L.transpose() - M).norm() < tolerance * M.norm());
  const double root_condition = L.norm() * L_inverse.norm();
  RC_ASSERT((L_inverse * L - MatX<>::Identity(n, n)).norm() < tolerance * root_condition);
  RC_ASSERT((L_inverse - L_inverse_transpose.transpose()).norm() < tolerance * root_condition * L_inverse.norm());
  RC_ASSERT((L_inverse * M * L_inverse_transpose - MatX<>::Identity(n, n)).norm() <
            tolerance * root_condition * root_condition);
}

RC_GTEST_PROP(Identities, WrenchesGoThroughTheFactorAlongTheirBranch, ()) {
  Case c(*any_seed());
  TreeWorkspace<> work = c.worked();
  RC_ASSERT(factorize<double>(c.model, work.kin, work.inertias, work.factor) == -1);
  const int n = c.model.nv(), m = c.random.integer(1, 11), bodies = c.model.body_count();
  std::vector<int> touched{c.random.integer(0, bodies - 1), world};
  if (const int another = c.random.integer(0, bodies - 1); another != touched[0]) touched.push_back(another);
  const int driven[] = {c.random.integer(0, bodies - 1)};
  const Branch branch(c.model, touched, driven);

  RowMatX W =
      RowMatX::Constant(6 * static_cast<int>(touched.size()), padded_to_packs(m), 1e3);  // what fills it up is not read
  const VecX<> weight = VecX<>::NullaryExpr(m, [&] { return c.random.uniform(0.1, 2); });
  PassedWrenches<> passed(6 * branch.runs.size(), 8);
  Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, n);
  MatX<> generalised = MatX<>::Zero(n, m);
  RowMatX Y = RowMatX::Zero(n, m);
  for (std::size_t i = 0; i < touched.size(); ++i) {
    if (touched[i] == world) continue;
    frame_jacobian<double>(c.model, work.kin, Frame{"", touched[i], {}}, J);
    for (int k = 0; k < m; ++k) {
      const Vec6<> wrench = c.random.vector6();
      W.block<6, 1>(6 * static_cast<int>(i), k) = wrench;
      generalised.col(k) += J.transpose() * wrench * weight[k];
    }
  }
  // and what acts on the velocities of single joints
  for (const int i : {touched[0], driven[0]}) {
    const Body& body = c.model.bodies()[i];
    const MatX<> direct = MatX<>::NullaryExpr(body.nv, m, [&] { return c.random.uniform(-1, 1); });
    Y.middleRows(body.v, body.nv) += direct;
    generalised.middleRows(body.v, body.nv) += direct;
  }
  apply_L_inverse_to_wrenches<double>(work.kin, work.factor, branch, W, weight.data(), passed, Y);
  VecX<> expected(n);
  for (int k = 0; k < m; ++k) {
    std::ranges::fill(work.vectors, Vec6<>(Vec6<>::Zero()));
    apply_L_inverse<double>(c.model, work.kin, work.factor, generalised.col(k), work.vectors, expected);
    RC_ASSERT((Y.col(k) - expected).norm() < tolerance * (1 + expected.norm()));
  }
}

RC_GTEST_PROP(Identities, ChristoffelsMatrixGivesTheVelocityTermsAndMdotMinusTwiceItIsSkew, ()) {
  const Case c(*any_seed());
  const TreeWorkspace<> work = c.worked();
  const MatX<> C = coriolis_matrix(c.model, c.v, work.kin);
  VecX<> gravity(c.model.nv());
  std::vector<Vec6<>> vectors(c.model.body_count());
  gravity_forces<double>(c.model, work.kin, vectors, gravity);
  RC_ASSERT(relative_to_sizes(VecX<>(C * c.v + gravity), c.bias()) < 10 * tolerance);

  const auto [q_jet, v_jet] = c.jets();
  Positions<Jet> where(c.model);
  WorldInertias<Jet> inertias(c.model), carried(c.model);
  MatX<Jet> M(c.model.nv(), c.model.nv());
  positions<Jet>(c.model, q_jet, where);
  world_inertias<Jet>(c.model, where, inertias);
  mass_matrix<Jet>(c.model, where, inertias, carried, M);
  const MatX<> skew_part = rates(M) - 2 * C;
  RC_ASSERT((skew_part + skew_part.transpose()).norm() < 10 * tolerance * (1 + C.norm()));
}

RC_GTEST_PROP(Identities, ChristoffelSymbolsAreSymmetricWhereVelocitiesAreRates, ()) {
  // Γ_ijk = Γ_ikj: C(q, u) w = C(q, w) u, which the properties above do not imply
  Random random(*any_seed());
  const JointType types[] = {JointType::revolute,    JointType::prismatic, JointType::helical,
                             JointType::cylindrical, JointType::universal, JointType::planar};
  const Model model = build_model(random_robot(random, 6, types));
  const VecX<> q = random_configuration(random, model), u = random.vector(model.nv(), 2),
               w = random.vector(model.nv(), 2);
  Kinematics<> kin(model);
  kinematics<double>(model, q, u, kin);
  const VecX<> first = coriolis_matrix(model, u, kin) * w;
  kinematics<double>(model, q, w, kin);
  const VecX<> second = coriolis_matrix(model, w, kin) * u;
  RC_ASSERT(relative_to_sizes(first, second) < 10 * tolerance);
}

RC_GTEST_PROP(Identities, KineticEnergyIsHalfVMV, ()) {
  const Case c(*any_seed());
  const TreeWorkspace<> work = c.worked();
  const double energy = 0.5 * c.v.dot(mass_matrix(c.model, c.q) * c.v);
  RC_ASSERT(std::abs(kinetic_energy<double>(c.model, c.v, work.kin) - energy) < tolerance * energy);
}

RC_GTEST_PROP(Identities, EnergiesFromInertiasAtHandAreTheSame, ()) {
  const Case c(*any_seed());
  const TreeWorkspace<> work = c.worked();
  const BodyEnergies fast = body_energies(c.model, c.v, work.kin, work.inertias);
  const double T = 0.5 * c.v.dot(mass_matrix(c.model, c.q) * c.v);
  const double V = -c.model.moving_mass() * c.model.gravity().dot(mass_centre<double>(c.model, work.kin));
  RC_ASSERT(std::abs(fast.kinetic - T) < tolerance * T);
  RC_ASSERT(std::abs(fast.weight - V) <= tolerance * fast.terms);
  RC_ASSERT(fast.terms >= std::abs(fast.weight) * (1 - tolerance));
}

RC_GTEST_PROP(Identities, EnergyChangesByThePowerOfTheForcesThatAreNotConservative, ()) {
  const Case c(*any_seed());
  const VecX<> tau = inverse_dynamics(c.model, c.q, c.v, c.vdot);
  const auto [q_jet, v_jet] = c.jets();
  Kinematics<Jet> kin(c.model);
  kinematics<Jet>(c.model, q_jet, v_jet, kin);
  const Jet energy = kinetic_energy<Jet>(c.model, v_jet, kin) + potential_energy<Jet>(c.model, q_jet, kin);
  double power = c.v.dot(tau);
  for (int i = 0; i < c.model.nv(); ++i) {
    const Coordinate& joint = c.model.coordinates()[i];
    power -= c.v[i] * c.v[i] * (joint.damping + joint.friction / std::hypot(c.v[i], friction_speed));
  }
  const double scale = 1 + c.v.cwiseAbs().dot(tau.cwiseAbs()) + std::abs(energy.x);
  RC_ASSERT(std::abs(energy.dx - power) < 10 * tolerance * scale);
}

RC_GTEST_PROP(Identities, VelocitiesJacobiansAndBiasAccelerationsAreDerivativesOfThePoses, ()) {
  const Case c(*any_seed());
  const TreeWorkspace<> work = c.worked();
  const auto [q_jet, v_jet] = c.jets();
  Positions<Jet> where(c.model);
  positions<Jet>(c.model, q_jet, where);
  Eigen::Matrix<double, 6, Eigen::Dynamic> J(6, c.model.nv());
  for (const Frame& frame : c.model.frames()) {
    const Pose<Jet> X = where.pose(frame);
    Mat3<> R, dR, ddR;
    Vec3<> dp, ddp;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) R(i, j) = X.R(i, j).x, dR(i, j) = X.R(i, j).dx, ddR(i, j) = X.R(i, j).ddx;
      dp[i] = X.p[i].dx, ddp[i] = X.p[i].ddx;
    }
    // [ω] = Ṙ Rᵀ; [ω̇] is the skew part of R̈ Rᵀ
    const auto axial = [](const Mat3<>& A) {
      return Vec3<>(0.5 * (A(2, 1) - A(1, 2)), 0.5 * (A(0, 2) - A(2, 0)), 0.5 * (A(1, 0) - A(0, 1)));
    };
    const Vec6<> V = spatial<double>(axial(dR * R.transpose()), dp);
    const Vec6<> acceleration = spatial<double>(axial(ddR * R.transpose()), ddp);
    frame_jacobian<double>(c.model, work.kin, frame, J);
    RC_ASSERT(relative_to_sizes(frame_velocity<double>(work.kin, frame), V) < tolerance);
    RC_ASSERT(relative_to_sizes(Vec6<>(J * c.v), V) < tolerance);
    RC_ASSERT(relative_to_sizes(Vec6<>(J * c.vdot + frame_bias_acceleration<double>(work.kin, frame)), acceleration) <
              tolerance);
  }
}

RC_GTEST_PROP(Identities, MomentumIsMassTimesTheRateOfTheMassCentreAndItsRateIsTheOutsideForce, ()) {
  const Case c(*any_seed());
  const auto [q_jet, v_jet] = c.jets();
  Kinematics<Jet> kin(c.model);
  kinematics<Jet>(c.model, q_jet, v_jet, kin);
  const Vec6<Jet> p = momentum<Jet>(c.model, kin);
  const Vec3<Jet> centre = mass_centre<Jet>(c.model, kin);
  const double mass = c.model.moving_mass();
  for (int i = 0; i < 3; ++i) {
    RC_ASSERT(std::abs(p[3 + i].x - mass * centre[i].dx) < tolerance * (1 + mass * std::abs(centre[i].dx)) * 10);
    RC_ASSERT(std::abs(p[3 + i].dx - mass * centre[i].ddx) < tolerance * (1 + mass * std::abs(centre[i].ddx)) * 100);
  }
}

RC_GTEST_PROP(Identities, AFreeFlyingTreeKeepsItsMomentum, ()) {
  // nothing but its own joints acts on it: Newton's third law in the recursion
  Random random(*any_seed());
  RobotDescription robot = random_robot(random, 5);
  robot.joints[0].type = JointType::floating;
  for (int i = 1; i < 5; ++i) robot.joints[i].parent = "link" + std::to_string(random.integer(0, i - 1));
  const Model model = build_model(robot, Vec3<>::Zero());
  const VecX<> q = random_configuration(random, model), v = random.vector(model.nv(), 2);
  VecX<> tau = random.vector(model.nv(), 5);
  tau.head<6>().setZero();

  const VecX<> vdot = forward_dynamics(model, q, v, tau);
  const VecX<Jet> q_jet = coordinate_jets(model, q, v, vdot);
  VecX<Jet> v_jet(model.nv());
  for (int i = 0; i < model.nv(); ++i) v_jet[i] = {v[i], vdot[i], 0};
  Kinematics<Jet> kin(model);
  kinematics<Jet>(model, q_jet, v_jet, kin);
  const Vec6<Jet> p = momentum<Jet>(model, kin);
  const double scale = 1 + (mass_matrix(model, q) * vdot).norm() + vdot.norm();
  for (int i = 0; i < 6; ++i) RC_ASSERT(std::abs(p[i].dx) < 100 * tolerance * scale);
}

}  // namespace
}  // namespace trammel

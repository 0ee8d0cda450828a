#include "motion/body_forces.h"

#include "support/linear_algebra.h"
#include "trammel/dynamics/frame_motion.h"
#include "trammel/dynamics/passive_forces.h"
#include "trammel/model/configuration.h"
#include "trammel/motion/reactions.h"
#include "trammel/motion/stages.h"

namespace trammel::test {
namespace {

Mat3<> values_of(const Mat3<Jet>& R) {
  return R.unaryExpr([](const Jet& x) { return x.x; });
}
template <class Matrix>
auto second_rates(const Matrix& R) {
  return R.unaryExpr([](const Jet& x) { return x.ddx; }).eval();
}

// A unit torque or force along velocity c.
Vec6<> along_freedom(const Model& model, const Positions<>& where, int c) {
  Vec6<> T = where.S[c];
  (model.turns(c) ? T.tail<3>() : T.head<3>()).setZero();
  return T;
}

const Constraint& law_of(const Data& data, std::size_t i) {
  return *data.problem.system().constraints[data.problem.asked().constraints[i]].law;
}

// The forces that act along the freedoms of joints: springs, dampers, rotors, and whatever of forces and rows does.
VecX<> forces_along_freedoms(const Data& data, const VecX<>& lambda, const VecX<>& vdot) {
  const System& system = data.problem.system();
  const Model& model = system.model;
  VecX<> tau(model.nv());
  passive_forces<double>(model, data.at.q, data.at.v, tau);
  std::vector<Vec6<>> wrenches(model.body_count(), Vec6<>::Zero());
  for (const NamedForce& force : system.forces) {
    force.law->add_to(model, data.movement(), tau);
    force.law->add_wrenches(data.movement(), wrenches);
  }
  VecX<> by_wrenches = VecX<>::Zero(model.nv());
  for (int i = 0; i < model.body_count(); ++i) add_generalised_force(model, data.tree.kin, i, wrenches[i], by_wrenches);
  tau -= by_wrenches;
  for (std::size_t i = 0; i < data.blocks.size(); ++i) {
    const std::span<const int> velocities = law_of(data, i).velocities();
    for (std::size_t j = 0; j < velocities.size(); ++j)
      tau[velocities[j]] += data.blocks[i]
                                .coefficients.col(static_cast<int>(j))
                                .dot(lambda.segment(data.problem.asked().first_row[i], data.blocks[i].phi.size()));
  }
  for (int c = 0; c < model.nv(); ++c) tau[c] -= model.coordinates()[c].rotor_inertia * vdot[c];
  return tau;
}

}  // namespace

std::vector<Vec6<>> needed_forces(const Model& model, const VecX<>& q, const VecX<>& v, const VecX<>& vdot) {
  Positions<Jet> where(model);
  positions<Jet>(model, coordinate_jets(model, q, v, vdot), where);
  std::vector<Vec6<>> out;
  for (int i = 0; i < model.body_count(); ++i) {
    const Inertia<>& inertia = model.bodies()[i].inertia;
    const Symmetric3<>& I = inertia.about_origin;
    Mat3<> about_origin;
    about_origin << I.xx, I.xy, I.xz, I.xy, I.yy, I.yz, I.xz, I.yz, I.zz;
    // ∫ x xᵀ dm, and with it ∫ (R̈ x)(R x)ᵀ dm, whose skew part is the moment of R̈ x dm
    const Mat3<> second_moment = 0.5 * about_origin.trace() * Mat3<>::Identity() - about_origin;
    const Mat3<> R = values_of(where.bodies[i].X_WB.R), Rddot = second_rates(where.bodies[i].X_WB.R);
    const Mat3<> B = Rddot * second_moment * R.transpose();
    const Vec3<> a = second_rates(where.bodies[i].X_WB.p) - model.gravity();
    const Vec3<> n =
        Vec3<>(B(2, 1) - B(1, 2), B(0, 2) - B(2, 0), B(1, 0) - B(0, 1)) + cross<double>(R * inertia.moment, a);
    out.push_back(spatial<double>(n, inertia.mass * a + Rddot * inertia.moment));
  }
  return out;
}

double newton_residual(Data& data) {
  const System& system = data.problem.system();
  const Model& model = system.model;
  const Positions<>& where = data.tree.kin;
  const double per_length = 1 / data.problem.moment_length();
  const RowSet& set = data.problem.asked();
  const VecX<> vdot = data.motion.vdot;
  const std::span<const Vec6<>> reactions = joint_reactions(data);
  const VecX<> lambda = held_multipliers(data);
  double size = 0;
  const auto in_play = [&](const Vec6<>& F) {
    size = std::max(size, std::hypot(F.head<3>().norm() * per_length, F.tail<3>().norm()));
    return F;
  };
  std::vector<Vec6<>> rest = needed_forces(model, data.at.q, data.at.v, vdot), wrenches(model.body_count());
  const auto take_off = [&](const auto& add_wrenches) {
    for (Vec6<>& wrench : wrenches) wrench.setZero();
    add_wrenches(wrenches);
    for (int i = 0; i < model.body_count(); ++i) rest[i] -= in_play(wrenches[i]);
  };
  for (const Vec6<>& needed : rest) in_play(needed);
  for (const Body& body : model.bodies()) in_play(spatial<double>(Vec3<>::Zero(), body.inertia.mass * model.gravity()));
  for (const NamedForce& force : system.forces)
    take_off([&](std::span<Vec6<>> out) { force.law->add_wrenches(data.movement(), out); });
  for (std::size_t i = 0; i < data.blocks.size(); ++i) {
    const NamedConstraint& constraint = system.constraints[set.constraints[i]];
    const VecX<> own = lambda.segment(set.first_row[i], data.blocks[i].phi.size());
    take_off([&](std::span<Vec6<>> out) {
      for (std::size_t s = 0; s < constraint.law->bodies().size(); ++s)
        if (const int body = constraint.law->bodies()[s]; body != world)
          out[body] += data.blocks[i].wrenches_on(static_cast<int>(s)) * own;
    });
    if (constraint.working)
      take_off(
          [&](std::span<Vec6<>> out) { constraint.working->add_wrenches(data.movement(), data.blocks[i], own, out); });
  }
  const VecX<> tau = forces_along_freedoms(data, lambda, vdot);
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
    Vec6<> joint = in_play(reactions[i]);
    for (int c = body.v; c < body.v + body.nv; ++c) joint += in_play(along_freedom(model, where, c) * tau[c]);
    rest[i] -= joint;
    if (body.parent == world) continue;
    const Vec3<> r = where.bodies[i].X_WB.p - where.bodies[body.parent].X_WB.p;
    rest[body.parent] += in_play(force_from<double>(joint, r));
  }
  double worst = 0;
  for (const Vec6<>& F : rest) {
    const double here = std::hypot(F.head<3>().norm() * per_length, F.tail<3>().norm());
    if (!(here <= worst)) worst = here;
  }
  return worst / size;
}

ForcesOnFreeBodies::ForcesOnFreeBodies(const Data& data) {
  const Model& model = data.problem.system().model;
  const Positions<>& where = data.tree.kin;
  const RowSet& set = data.problem.asked();
  const double length = data.problem.moment_length();
  const int bodies = model.body_count();
  int guides = 0, size_of_all = 0, size_at_points = 6 * bodies;
  for (const Body& body : model.bodies()) guides += 6 - body.nv;
  for (std::size_t i = 0; i < data.blocks.size(); ++i) {
    first.push_back(size_of_all);
    size_of_all += static_cast<int>(6 * law_of(data, i).bodies().size() + law_of(data, i).velocities().size());
    size_at_points += static_cast<int>(6 + law_of(data, i).velocities().size());
  }
  first.push_back(size_of_all);
  const int unknowns = guides + set.rows;
  balance = MatX<>::Zero(6 * bodies, unknowns);
  in_joints = MatX<>::Zero(6 * bodies, unknowns);
  in_constraints = MatX<>::Zero(size_of_all, unknowns);
  at_points = MatX<>::Zero(size_at_points, unknowns);
  lambda = MatX<>::Zero(set.rows, unknowns);
  const auto over_length = [&](Vec6<> F) {
    F.head<3>() /= length;
    return F;
  };
  // a wrench on a body, about its origin, and the opposite one on its parent
  const auto put = [&](int body, const Vec6<>& F, int x) {
    balance.col(x).segment<6>(6 * body) += over_length(F);
    if (const int parent = model.bodies()[body].parent; parent != world)
      balance.col(x).segment<6>(6 * parent) -=
          over_length(force_from<double>(F, where.bodies[body].X_WB.p - where.bodies[parent].X_WB.p));
  };

  int x = 0;
  for (int i = 0; i < bodies; ++i) {
    const Body& body = model.bodies()[i];
    // wrenches [n/ℓ; f] that do no work on any freedom
    MatX<> freedoms(body.nv, 6);
    for (int k = 0; k < body.nv; ++k) freedoms.row(k) = where.S[body.v + k].transpose();
    freedoms.leftCols<3>() *= length;
    const MatX<> complement = right_singular(freedoms).vectors.rightCols(6 - body.nv);
    for (int k = 0; k < complement.cols(); ++k, ++x) {
      Vec6<> F = complement.col(k);
      in_joints.col(x).segment<6>(6 * i) = F;
      at_points.col(x).segment<6>(6 * i) = F;
      F.head<3>() *= length;
      put(i, F, x);
    }
  }
  int next = 6 * bodies;
  for (std::size_t i = 0; i < data.blocks.size(); ++i) {
    const Constraint& law = law_of(data, i);
    const Rows& rows = data.blocks[i];
    const BodyPoint point = law.point_of_force(where);
    for (int k = 0; k < rows.phi.size(); ++k, ++x) {
      int at = first[i];
      for (std::size_t s = 0; s < law.bodies().size(); ++s, at += 6) {
        const Vec6<> F = rows.wrench(static_cast<int>(s), k);
        if (const int body = law.bodies()[s]; body != world) {
          balance.col(x).segment<6>(6 * body) += over_length(F);
          if (body == point.body)
            at_points.col(x).segment<6>(next) = over_length(force_from<double>(F, -point.arm<double>(where)));
          in_constraints.col(x).segment<6>(at) = over_length(F);
        }
      }
      for (std::size_t j = 0; j < law.velocities().size(); ++j, ++at) {
        const int c = law.velocities()[j];
        const double force = rows.coefficients(k, static_cast<int>(j));
        put(model.body_of_velocity(c), along_freedom(model, where, c) * force, x);
        in_constraints(at, x) = at_points(next + 6 + static_cast<int>(j), x) = force / (model.turns(c) ? length : 1);
      }
      lambda(set.first_row[i] + k, x) = 1;
      // as large as a unit wrench
      const double size = in_constraints.col(x).norm();
      if (size == 0) continue;
      for (MatX<>* of : {&balance, &in_constraints, &at_points, &lambda}) of->col(x) /= size;
    }
    next += static_cast<int>(6 + law.velocities().size());
  }
  const RightSingular svd = right_singular(balance);
  right_vectors = svd.vectors;
  singular_values = VecX<>::Zero(unknowns);
  if (svd.values.size() > 0) singular_values.head(svd.values.size()) = svd.values / svd.values[0];
}

MatX<> ForcesOnFreeBodies::null_vectors(double zero) const {
  const auto rank = (singular_values.array() > zero).count();
  return right_vectors.rightCols(balance.cols() - rank);
}

VecX<> forces_at_points(Data& data) {
  const Model& model = data.problem.system().model;
  const RowSet& set = data.problem.asked();
  const double per_length = 1 / data.problem.moment_length();
  const std::span<const Vec6<>> reactions = joint_reactions(data);
  const VecX<> lambda = held_multipliers(data);
  std::vector<double> out;
  const auto put = [&](const Vec3<>& n, const Vec3<>& f) {
    for (const double x : n) out.push_back(x * per_length);
    for (const double x : f) out.push_back(x);
  };
  for (const Vec6<>& F : reactions) put(F.head<3>(), F.tail<3>());
  for (std::size_t i = 0; i < data.blocks.size(); ++i) {
    const WrenchAtPoint wrench = wrench_at_point(data, set, static_cast<int>(i), lambda);
    put(wrench.moment, wrench.force);
    const std::span<const int> velocities = law_of(data, i).velocities();
    for (std::size_t j = 0; j < velocities.size(); ++j)
      out.push_back(data.blocks[i]
                        .coefficients.col(static_cast<int>(j))
                        .dot(lambda.segment(set.first_row[i], data.blocks[i].phi.size())) *
                    (model.turns(velocities[j]) ? per_length : 1));
  }
  return Eigen::Map<const VecX<>>(out.data(), static_cast<Eigen::Index>(out.size()));
}

}  // namespace trammel::test

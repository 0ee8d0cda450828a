#include <Eigen/QR>

#include "trammel/formulations/conclusion.h"
#include "trammel/formulations/formulations.h"
#include "trammel/formulations/impressed.h"
#include "trammel/formulations/saddle_point.h"
#include "trammel/model/place_joint.h"

namespace trammel {
namespace {

// A body by itself, along the world's axes. Accelerations are those of points.
struct FreeBody {
  Pose<> X_WB;
  Vec3<> r = Vec3<>::Zero();              // from the parent's origin to this one
  Vec3<> c = Vec3<>::Zero();              // from the origin to the mass centre
  Vec3<> w = Vec3<>::Zero();              // angular velocity
  Vec3<> to_centre = Vec3<>::Zero();      // ω × (ω × c)
  Vec3<> joint_turning = Vec3<>::Zero();  // α − α_P − (S v̇)_ω
  Vec3<> joint_moving = Vec3<>::Zero();   // acceleration of the origin − a_P − α_P × r − (S v̇)_v
  Vec3<> turning_bias = Vec3<>::Zero();   // α at v̇ = 0
  Vec3<> moving_bias = Vec3<>::Zero();    // acceleration of the origin at v̇ = 0
};

struct FreeBodies {
  std::vector<FreeBody> bodies;
  std::vector<Vec6<>> S;  // of every velocity
};

// Joints from the outside: their columns S are fixed in the parent but for what joint_bias says, and the origin of the
// body moves past the parent by v_J, so
//
//   α = α_P + ω_P × ω_J + joint_bias + (S v̇)_ω         a = a_P + α_P × r + ω_P × (ω_P × r) + 2 ω_P × v_J + (S v̇)_v
FreeBodies free_bodies(const Model& model, const VecX<>& q, const VecX<>& v) {
  FreeBodies out{std::vector<FreeBody>(model.body_count()), std::vector<Vec6<>>(model.nv())};
  const FreeBody ground;
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
    const FreeBody& P = body.parent == world ? ground : out.bodies[body.parent];
    FreeBody& B = out.bodies[i];
    Vec6<>* S = out.S.data() + body.v;
    place_joint<double>(body.type, body.pitch, q.data() + body.q, P.X_WB * body.X_PF, B.X_WB, S);
    Vec6<> V_J = Vec6<>::Zero();
    for (int k = 0; k < body.nv; ++k) V_J += S[k] * v[body.v + k];
    const Vec3<> w_J = V_J.head<3>(), v_J = V_J.tail<3>();

    B.r = B.X_WB.p - P.X_WB.p;
    B.c = B.X_WB.R * body.inertia.com();
    B.w = P.w + w_J;
    B.to_centre = cross<double>(B.w, cross(B.w, B.c));
    B.joint_turning = cross(P.w, w_J) + joint_bias<double>(body.type, S, v.data() + body.v);
    B.joint_moving = cross<double>(P.w, cross(P.w, B.r) + 2 * v_J);
    B.turning_bias = P.turning_bias + B.joint_turning;
    B.moving_bias = P.moving_bias + cross(P.turning_bias, B.r) + B.joint_moving;
  }
  return out;
}

// An empty equation in the unknowns [α; a of the mass centre] of every body, then v̇; the joints' rows stand first.
Equation empty_equation(int bodies, int nv, int rows) {
  const int n = 6 * bodies + nv, m = 6 * bodies + rows;
  return {MatX<>::Zero(n, n), VecX<>::Zero(n), MatX<>::Zero(m, n), VecX<>::Zero(m)};
}

// Newton and Euler at each mass centre; along v̇ rotors and what is applied there.
void add_inertias_and_forces(const Model& model, const FreeBodies& free, const VecX<>& applied, Equation& out) {
  const int first_speed = 6 * model.body_count();
  for (int i = 0; i < model.body_count(); ++i) {
    const Inertia<>& inertia = model.bodies()[i].inertia;
    const Vec3<> w = free.bodies[i].w;
    const Mat3<>& R = free.bodies[i].X_WB.R;
    const Mat3<> I = R * inertia.about_com().matrix() * R.transpose();
    out.M.block<3, 3>(6 * i, 6 * i) = I;
    out.M.block<3, 3>(6 * i + 3, 6 * i + 3) = inertia.mass * Mat3<>::Identity();
    out.Q.segment<3>(6 * i) = -cross<double>(w, I * w);
    out.Q.segment<3>(6 * i + 3) = inertia.mass * model.gravity();
  }
  for (int c = 0; c < model.nv(); ++c) out.M(first_speed + c, first_speed + c) = model.coordinates()[c].rotor_inertia;
  out.Q.tail(model.nv()) = applied;
}

// The six rows of each joint, with the acceleration of an origin from that of the mass centre: a − α × c − ω × (ω × c).
void add_joints(const Model& model, const FreeBodies& free, Equation& out) {
  const Mat3<> one = Mat3<>::Identity();
  const int first_speed = 6 * model.body_count();
  for (int i = 0; i < model.body_count(); ++i) {
    const Body& body = model.bodies()[i];
    const FreeBody& B = free.bodies[i];
    auto rows = out.A.middleRows<6>(6 * i);
    auto d = out.b.segment<6>(6 * i);
    rows.block<3, 3>(0, 6 * i) = rows.block<3, 3>(3, 6 * i + 3) = one;
    rows.block<3, 3>(3, 6 * i) = skew<double>(B.c);
    for (int k = body.v; k < body.v + body.nv; ++k) rows.col(first_speed + k) = -free.S[k];
    d << B.joint_turning, B.joint_moving + B.to_centre;
    if (body.parent == world) continue;
    const FreeBody& P = free.bodies[body.parent];
    rows.block<3, 3>(0, 6 * body.parent) = rows.block<3, 3>(3, 6 * body.parent + 3) = -one;
    rows.block<3, 3>(3, 6 * body.parent) = skew<double>(B.r - P.c);
    d.tail<3>() -= P.to_centre;
  }
}

// The rows of one constraint are its wrenches. Its b stands for A v̇, without what bodies do at v̇ = 0: here that is
// added.
void add_rows(const Model& model, const FreeBodies& free, const Constraint& law, const Rows& rows, int first,
              Equation& out) {
  const int m = law.rows(), first_speed = 6 * model.body_count();
  for (int k = 0; k < m; ++k) {
    auto row = out.A.row(first + k);
    for (std::size_t s = 0; s < law.bodies().size(); ++s) {
      const int body = law.bodies()[s];
      if (body == world) continue;
      const FreeBody& B = free.bodies[body];
      const Vec6<> wrench = rows.wrench(static_cast<int>(s), k);
      const Vec3<> n = wrench.head<3>(), f = wrench.tail<3>();
      row.segment<3>(6 * body) += (n - cross(B.c, f)).transpose();
      row.segment<3>(6 * body + 3) += f.transpose();
      out.b[first + k] += n.dot(B.turning_bias) + f.dot(B.moving_bias + B.to_centre);
    }
    for (std::size_t j = 0; j < law.velocities().size(); ++j)
      row[first_speed + law.velocities()[j]] += rows.coefficients(k, static_cast<int>(j));
  }
}

// In the order of dense_constraints.
void add_constraints(const System& system, const FreeBodies& free, const Movement<double>& now, const VecX<>& b,
                     Equation& out) {
  int first = 6 * system.model.body_count();
  out.b.tail(b.size()) = b;
  for (const Layer layer : {Layer::physical, Layer::control})
    for (const NamedConstraint& constraint : system.constraints) {
      if (constraint.layer != layer) continue;
      const Constraint& law = *constraint.law;
      Rows rows = rows_for(law);
      law.evaluate(now, rows);
      add_rows(system.model, free, law, rows, first, out);
      first += law.rows();
    }
}

int rank_of_rows(const MatX<>& A, const RankTolerance& tolerance) {
  if (A.size() == 0) return 0;
  Eigen::ColPivHouseholderQR<MatX<>> qr((unit_lengths(A).asDiagonal() * A).transpose());
  qr.setThreshold(tolerance.relative);
  return static_cast<int>(qr.rank());
}

}  // namespace

Motion absolute(const System& system, const VecX<>& q, const VecX<>& v, double t, const MotionOptions& options) {
  const Model& model = system.model;
  const Impressed now(system, q, v, t, options.baumgarte);
  const MatX<>& A = now.rows.A;
  const VecX<>& b = now.rows.b;
  const int joint_rows = 6 * model.body_count(), rows = static_cast<int>(A.rows());
  const FreeBodies free = free_bodies(model, q, v);
  Equation equation = empty_equation(model.body_count(), model.nv(), rows);
  add_inertias_and_forces(model, free, now.forces + now.springs + now.friction, equation);
  add_joints(model, free, equation);
  const std::vector<double> inputs = system.input_values();
  add_constraints(system, free, {now.kin, q, v, t, inputs}, b, equation);

  const int rank = rank_of_rows(equation.A, options.rank);
  const SaddlePoint solution = saddle_point(equation.M, equation.Q, equation.A, equation.b, rank);
  Motion out(model.nv(), rows);
  if (!solution.determined) {
    out.status = no_motion(equation).status;
    return out;
  }
  out.vdot = solution.x.tail(model.nv());
  out.Qc = A.transpose() * solution.lambda.tail(rows);
  conclude(A, b, rank - joint_rows, out);
  return out;
}

}  // namespace trammel

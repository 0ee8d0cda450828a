#include "support/textbook.h"

#include <fmt/core.h>

#include "trammel/model/configuration.h"
#include "trammel/model/positions.h"

namespace trammel::test {
namespace {

// Everything that the formulas are made of, at q.
struct Exponentials {
  std::vector<Vec6<>> xi;                  // ξ_i
  std::vector<Pose<>> E;                   // E_i
  std::vector<Mat6<>> inertia;             // M′_i
  std::vector<std::vector<bool>> carries;  // whether joint j carries body i, [i][j]

  Exponentials(const Model& model, const VecX<>& q) {
    Positions<> zero(model);
    positions<double>(model, neutral_configuration(model), zero);
    const int n = model.body_count();
    carries.assign(n, std::vector<bool>(n, false));
    for (int i = 0; i < n; ++i) {
      const Body& body = model.bodies()[i];
      if (body.nv != 1)
        throw Error(fmt::format("joint '{}' with {} coordinates", model.joint_name(i), body.nv),
                    "joints with one coordinate");
      // the twist of a joint as a velocity about the world's origin
      xi.push_back(motion_at<double>(zero.S[i], -zero.bodies[i].X_WB.p));
      const Pose<> exponential = exp_se3(xi[i] * q[i]);
      E.push_back(body.parent == world ? exponential : E[body.parent] * exponential);
      inertia.push_back(body.inertia.transformed(zero.bodies[i].X_WB).matrix());
      for (int at = i; at != world; at = model.bodies()[at].parent) carries[i][at] = true;
    }
  }

  Mat6<> A(int i, int j) const { return carries[i][j] ? adjoint(E[i].inverse() * E[j]) : Mat6<>(Mat6<>::Zero()); }
};

// ∂M_ij/∂q_k
double mass_derivative(const Exponentials& x, int i, int j, int k) {
  const Vec6<> bracket_i = motion_cross<double>(x.A(k, i) * x.xi[i], x.xi[k]);
  const Vec6<> bracket_j = motion_cross<double>(x.A(k, j) * x.xi[j], x.xi[k]);
  double sum = 0;
  for (std::size_t l = 0; l < x.xi.size(); ++l) {
    const int body = static_cast<int>(l);
    if (!x.carries[l][i] || !x.carries[l][j] || !x.carries[l][k]) continue;
    sum += (x.A(body, k) * bracket_i).dot(x.inertia[l] * (x.A(body, j) * x.xi[j]));
    sum += (x.A(body, i) * x.xi[i]).dot(x.inertia[l] * (x.A(body, k) * bracket_j));
  }
  return sum;
}

}  // namespace

TextbookDynamics textbook_dynamics(const Model& model, const VecX<>& q, const VecX<>& qdot) {
  const Exponentials x(model, q);
  const int n = model.nv();
  TextbookDynamics out{MatX<>::Zero(n, n), MatX<>::Zero(n, n), VecX<>::Zero(n)};

  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j)
      for (int l = 0; l < n; ++l)
        if (x.carries[l][i] && x.carries[l][j])
          out.M(i, j) += (x.A(l, i) * x.xi[i]).dot(x.inertia[l] * (x.A(l, j) * x.xi[j]));
    out.M(i, i) += model.coordinates()[i].rotor_inertia;
  }

  std::vector<MatX<>> dM(n, MatX<>(n, n));  // dM[k](i, j) = ∂M_ij/∂q_k
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) dM[k](i, j) = mass_derivative(x, i, j, k);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) out.C(i, j) += 0.5 * (dM[k](i, j) + dM[j](i, k) - dM[i](k, j)) * qdot[k];

  // a mass centre c moves with joint i by the velocity of ξ_i, carried to where it is now, at c
  Positions<> now(model);
  positions<double>(model, q, now);
  for (int i = 0; i < n; ++i) {
    const Vec6<> twist = adjoint(x.E[i]) * x.xi[i];
    for (int l = 0; l < n; ++l) {
      if (!x.carries[l][i]) continue;
      const Inertia<>& inertia = model.bodies()[l].inertia;
      const Vec3<> moment = now.bodies[l].X_WB.R * inertia.moment + now.bodies[l].X_WB.p * inertia.mass;  // m c
      out.G[i] -= model.gravity().dot(twist.tail<3>() * inertia.mass + cross<double>(twist.head<3>(), moment));
    }
  }
  return out;
}

}  // namespace trammel::test

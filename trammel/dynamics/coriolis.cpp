#include "trammel/dynamics/coriolis.h"

namespace trammel {
namespace {

// ad(V): ad(V) W = V × W
Mat6<> ad(const Vec6<>& V) {
  const Mat3<> w = skew<double>(V.head<3>());
  Mat6<> out;
  out << w, Mat3<>::Zero(), skew<double>(V.tail<3>()), w;
  return out;
}

// the matrix that takes W to W ×* F
Mat6<> cross_on(const Vec6<>& F) {
  const Mat3<> f = skew<double>(F.tail<3>());
  Mat6<> out;
  out << -skew<double>(F.head<3>()), -f, -f, Mat3<>::Zero();
  return out;
}

// Columns of the joints' motion about the world's origin, and their rates. The columns of a joint act one after the other,
// so each is carried along by those before it; only the components of ω that drive a quaternion are fixed in the body.
struct WorldColumns {
  Eigen::Matrix<double, 6, Eigen::Dynamic> S, S_rate;

  WorldColumns(const Model& model, const VecX<>& v, const Kinematics<>& kin) : S(6, model.nv()), S_rate(6, model.nv()) {
    for (int i = 0; i < model.body_count(); ++i) {
      const Body& body = model.bodies()[i];
      const Vec3<> p = kin.bodies[i].X_WB.p;
      const Vec6<> V_body = motion_at<double>(kin.motion[i].V, -p);
      for (int k = 0; k < body.nv; ++k) S.col(body.v + k) = motion_at<double>(kin.S[body.v + k], -p);
      for (int k = 0; k < body.nv; ++k) {
        Vec6<> V = V_body;
        if (!drives_quaternion(body.type, k))
          for (int later = k + 1; later < body.nv; ++later) V -= S.col(body.v + later) * v[body.v + later];
        S_rate.col(body.v + k) = motion_cross<double>(V, S.col(body.v + k));
      }
    }
  }
};

}  // namespace

MatX<> coriolis_matrix(const Model& model, const VecX<>& v, const Kinematics<>& kin) {
  const WorldColumns columns(model, v, kin);
  MatX<> C = MatX<>::Zero(model.nv(), model.nv());
  std::vector<int> on_the_way;  // columns that move body i
  for (int i = 0; i < model.body_count(); ++i) {
    on_the_way.clear();
    for (int at = i; at != world; at = model.bodies()[at].parent)
      for (int k = 0; k < model.bodies()[at].nv; ++k) on_the_way.push_back(model.bodies()[at].v + k);

    const Mat6<> I = model.bodies()[i].inertia.transformed(kin.bodies[i].X_WB).matrix();
    const Vec6<> V = motion_at<double>(kin.motion[i].V, -kin.bodies[i].X_WB.p);
    const Mat6<> B = 0.5 * (-ad(V).transpose() * I - I * ad(V) + cross_on(I * V));
    for (const int column : on_the_way) {
      const Vec6<> F = I * columns.S_rate.col(column) + B * columns.S.col(column);
      for (const int row : on_the_way) C(row, column) += columns.S.col(row).dot(F);
    }
  }
  return C;
}

}  // namespace trammel

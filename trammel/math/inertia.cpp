#include "trammel/math/inertia.h"

#include <Eigen/Eigenvalues>

namespace trammel {

Vec3<> principal_moments(const Symmetric3<>& about_com) {
  return Eigen::SelfAdjointEigenSolver<Mat3<>>(about_com.matrix(), Eigen::EigenvaluesOnly).eigenvalues();
}

bool is_physical(const Symmetric3<>& about_com, double tolerance) {
  const Vec3<> moments = principal_moments(about_com);
  return moments.allFinite() && moments[0] + moments[1] - moments[2] >= -tolerance * moments[2] && moments[2] >= 0;
}

bool is_semidefinite(const Symmetric3<>& about_com, double tolerance) {
  const Vec3<> moments = principal_moments(about_com);
  return moments.allFinite() && moments[0] >= -tolerance * moments[2] && moments[2] >= 0;
}

}  // namespace trammel

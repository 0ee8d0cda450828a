#include "errata/residuals.h"

namespace trammel::test {

double largest(const MatX<>& A) { return A.cwiseAbs().maxCoeff(); }

VecX<Jet> moving(const VecX<>& q, const VecX<>& v, const VecX<>& vdot) {
  VecX<Jet> out(q.size());
  for (int i = 0; i < q.size(); ++i) out[i] = Jet(q[i], v[i], vdot[i]);
  return out;
}

VecX<Jet> moving(const VecX<>& q, const VecX<>& v) { return moving(q, v, VecX<>::Zero(q.size())); }

}  // namespace trammel::test

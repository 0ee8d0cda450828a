#pragma once

#include "trammel/dynamics/forward_dynamics.h"
#include "trammel/motion/motion.h"
#include "trammel/system/system.h"

namespace trammel {

/// The room that the equation of motion of a system needs. Sized once; nothing allocates afterwards.
struct MotionWorkspace {
  explicit MotionWorkspace(const System& system);

  TreeWorkspace<> tree;
  std::vector<int> order;      // the constraints, physical ones first
  std::vector<int> first_row;  // where the rows of constraint `order[i]` begin
  int rows = 0, physical_rows = 0;
  std::vector<Rows> blocks;      // of constraint order[i]
  std::vector<Branch> branches;  // the bodies that feel constraint order[i]
  VecX<> weight;                 // by which each row is multiplied
  VecX<> phi, rate, b;           // of every row, unweighted
  VecX<> tau, h, r, y, column;
  Eigen::Matrix<double, 6, Eigen::Dynamic> wrenches;
  MatX<> Y;
  LayeredQr qr;
};

/// The motion of a system at (q, v, t) under its constraints, by the articulated factor of M:
///
///   Y = L⁻¹Aᵀ, a pass along the branches of each constraint;   h = L⁻¹Q
///   y = solve(b − Yᵀh), layer by layer;   v̇ = L⁻ᵀ(h + y);   Qc = L y
///
/// M and A are never formed.
void solve_motion(const System& system, const VecX<>& q, const VecX<>& v, double t, const RankTolerance& tolerance,
                  MotionWorkspace& work, Motion& out);

/// A Motion sized for the system, solved once.
[[nodiscard]] Motion solve_motion(const System& system, const VecX<>& q, const VecX<>& v, double t = 0,
                                  const RankTolerance& tolerance = {});

}  // namespace trammel

#pragma once

#include "trammel/motion/tree_motion.h"
#include "trammel/system/worst_error.h"

namespace trammel {

/// What can be said of a system's constraints at one state.
struct Diagnosis {
  /// A row that follows from others, by name: "loop[2]" for the third row of "loop".
  struct RedundantRow {
    std::string row;
    std::vector<std::string> follows_from;
    bool agrees = true;  // with what it follows from; the status is contradictory where some row does not
  };
  /// A row that almost follows from others. With a rank tolerance above `tolerance` it would count as redundant.
  struct NearlyRedundantRow {
    std::string row;
    double tolerance;
  };
  /// How far a constraint is from holding.
  struct Residual {
    std::string constraint;
    WorstError phi;   // of its rows, the worst φ,
    WorstError rate;  // and the worst φ̇ or ψ
  };

  int freedoms_before = 0;  // of the tree
  int rank = 0;
  int physical_rank = 0;      // of the rows that are not led,
  bool has_led_rows = false;  // and whether some are: of control and motion
  int freedoms_after = 0;
  Status status = Status::regular;
  std::vector<RedundantRow> redundant;
  std::vector<NearlyRedundantRow> nearly_redundant;
  std::string weakest_row;   // the kept row with the smallest pivot
  double weakest_pivot = 1;  // that pivot, over the norm of the largest physical row (LayeredQr::pivot)
  std::vector<Residual> residuals;
  std::vector<std::string>
      not_numbers;                  // constraints and forces that are not finite numbers; "the state" if that is not
  std::vector<std::string> jammed;  // constraints that do work, where their forces do not balance
  double balanced_part = 1;         // up to which part of these they do

  /// In words, one finding per line.
  std::string text() const;
};

/// "4 freedoms, 2 independent rows: 2 left"; where rows are led, "4 freedoms, 2 independent rows of constraints, 1 that is led: 1 left".
std::string count_of_rows(int freedoms, int physical_rank, int rank, bool has_led_rows);

/// With every row that is asked for, as if it held by itself, and the inputs of `data`.
Diagnosis diagnose(Data& data, const VecX<>& q, const VecX<>& v, double t = 0);
/// With the inputs that the author gave.
Diagnosis diagnose(const Problem& problem, const VecX<>& q, const VecX<>& v, double t = 0);
/// Of a system that is compiled for it.
Diagnosis diagnose(const System& system, const VecX<>& q, const VecX<>& v, double t = 0,
                   const MotionOptions& options = {});

}  // namespace trammel

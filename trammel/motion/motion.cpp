#include "trammel/motion/motion.h"

#include "trammel/motion/layered_qr.h"
#include "trammel/motion/pivot_thresholds.h"

namespace trammel {

std::string_view name_of(Status status) {
  switch (status) {
    case Status::regular:
      return "regular";
    case Status::redundant:
      return "redundant";
    case Status::nearly_redundant:
      return "nearly redundant";
    case Status::contradictory:
      return "contradictory";
    case Status::unsettled:
      return "unsettled";
    case Status::singular:
      return "singular";
    default:
      return "not a number";
  }
}

namespace {

Status verdict(const LayeredSolution& solution, double smallest_pivot, bool redundant, const RankTolerance& tolerance) {
  if (solution.physical_contradict || solution.control_contradict) return Status::contradictory;
  if (is_nearly_redundant(smallest_pivot, tolerance)) return Status::nearly_redundant;
  return redundant ? Status::redundant : Status::regular;
}

}  // namespace

Status verdict(const LayeredQr& qr, const LayeredSolution& solution, const RankTolerance& tolerance) {
  return verdict(solution, qr.smallest_pivot(), qr.rank() < qr.columns(), tolerance);
}

Status physical_verdict(const LayeredQr& qr, int physical_rows, const LayeredSolution& solution,
                        const RankTolerance& tolerance) {
  return verdict(solution, qr.smallest_physical_pivot(), qr.physical_rank() < physical_rows, tolerance);
}

}  // namespace trammel

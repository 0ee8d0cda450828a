#include "trammel/motion/motion.h"

#include "trammel/motion/layered_qr.h"

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

Status verdict(const LayeredQr& qr, const LayeredSolution& solution, const RankTolerance& tolerance) {
  if (solution.physical_contradict || solution.control_contradict) return Status::contradictory;
  if (qr.smallest_pivot() < tolerance.nearly) return Status::nearly_redundant;
  return qr.rank() < qr.columns() ? Status::redundant : Status::regular;
}

}  // namespace trammel

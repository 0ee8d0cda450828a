#include "trammel/simulate/column.h"

#include <array>

namespace trammel {
namespace {

struct Facts {
  ColumnKind kind;
  std::string_view prefix, symbol, unit;
};
constexpr std::array all{Facts{ColumnKind::time, "t", "t", "s"},
                         Facts{ColumnKind::coordinate, "q.", "q", "rad, m"},
                         Facts{ColumnKind::velocity, "v.", "v", "rad/s, m/s"},
                         Facts{ColumnKind::acceleration, "vdot.", "v̇", "rad/s², m/s²"},
                         Facts{ColumnKind::constraint_force, "Qc.", "Qc", "N·m, N"},
                         Facts{ColumnKind::error, "phi.", "φ", "m, rad"},
                         Facts{ColumnKind::error_rate, "phidot.", "φ̇", "m/s, rad/s"},
                         Facts{ColumnKind::multiplier, "lambda.", "λ", "N, N·m"},
                         Facts{ColumnKind::torque, "u.", "u", "N·m, N"},
                         Facts{ColumnKind::path_error, "path.", "φ", "m, rad"},
                         Facts{ColumnKind::angle, "angle.", "q", "rad"},
                         Facts{ColumnKind::position, "", "place", "m"},
                         Facts{ColumnKind::energy, "energy", "energy", "J"},
                         Facts{ColumnKind::work, "work", "work", "J"},
                         Facts{ColumnKind::rank, "rank", "rank", "rows"},
                         Facts{ColumnKind::pivot, "pivot", "pivot", "of the strongest"}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].kind != static_cast<ColumnKind>(i)) return false;
  return true;
}
static_assert(in_order(), "each kind has its line, in the order of the enumeration");

const Facts& facts(ColumnKind kind) { return all[static_cast<std::size_t>(kind)]; }

}  // namespace

std::string_view symbol_of(ColumnKind kind) { return facts(kind).symbol; }
std::string_view unit_of(ColumnKind kind) { return facts(kind).unit; }

Column Column::of(ColumnKind kind, const std::string& whose) { return {kind, std::string(facts(kind).prefix) + whose}; }
Column Column::of(ColumnKind kind) { return of(kind, ""); }

}  // namespace trammel

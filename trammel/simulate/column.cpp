#include "trammel/simulate/column.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include <fmt/core.h>

#include "trammel/dynamics/frame_motion.h"
#include "trammel/math/rotation.h"
#include "trammel/motion/layered_qr.h"
#include "trammel/motion/power_balance.h"
#include "trammel/motion/stages.h"
#include "trammel/motion/torques.h"
#include "trammel/simulate/singular_forces.h"

namespace trammel {
namespace {

// Notes the columns of a family, one after the other.
using Add = std::function<void(const std::string& whose, const std::string& unit)>;

// Writes the entries of a row, one after the other.
class Row {
 public:
  explicit Row(Eigen::Ref<VecX<>> row) : row_(row) {}
  void put(double x) { row_[next_++] = x; }
  template <class Vector>
  void put(const Eigen::MatrixBase<Vector>& x) {
    row_.segment(next_, x.size()) = x;
    next_ += static_cast<int>(x.size());
  }
  // Not a number where it is hidden.
  template <class Vector, class Hidden>
  void put(const Eigen::MatrixBase<Vector>& x, const Hidden& is_hidden) {
    for (int i = 0; i < x.size(); ++i) put(is_hidden(i) ? std::numeric_limits<double>::quiet_NaN() : x[i]);
  }
  bool is_full() const { return next_ == row_.size(); }

 private:
  Eigen::Ref<VecX<>> row_;
  int next_ = 0;
};

struct Family {
  ColumnKind kind;
  std::string_view shown;         // as the documentation writes it; its columns bear what stands before NAME or FRAME
  std::string_view symbol, unit;  // of all its columns, where they differ from joint to joint
  void (*list)(const ColumnTable& table, const Add& add);
  void (*write)(const ColumnTable& table, const Moment& now, Row& row);

  std::string prefix() const {
    return std::string(shown.substr(0, std::min({shown.find("NAME"), shown.find("FRAME"), shown.size()})));
  }
};

void add_each(std::span<const VariableInfo> variables, std::string_view behind_unit, const Add& add) {
  for (const VariableInfo& variable : variables)
    add(variable.name, variable.unit.empty() ? "" : std::string(variable.unit) + std::string(behind_unit));
}

// What v̇ of a velocity is multiplied with to be a power.
void add_forces(std::span<const VariableInfo> velocities, const Add& add) {
  for (const VariableInfo& velocity : velocities)
    add(velocity.name, velocity.unit == "rad/s" ? "N·m" : velocity.unit == "m/s" ? "N" : "");
}

enum class Of { error, rate, multiplier };

std::string unit_of(const RowInfo& row, Of what) {
  if (row.unit.empty()) return "";
  if (what == Of::multiplier) return row.unit == "rad" ? "N·m" : "N";
  return std::string(row.unit) + (what == Of::rate ? "/s" : "");
}

void add_held_rows(const ColumnTable& table, Of what, const Add& add) {
  for (const RowInfo& row : table.problem().rows().first(table.problem().held().rows))
    add(row.name, unit_of(row, what));
}

constexpr auto one = [](const ColumnTable&, const Add& add) { add("", ""); };

// Every family, in the order of a recording's columns.
const Family all_families[] = {
    {ColumnKind::time, "t", "t", "s", one, [](const ColumnTable&, const Moment& now, Row& row) { row.put(now.at.t); }},
    {ColumnKind::coordinate, "q.NAME", "q", "rad, m",
     [](const ColumnTable& table, const Add& add) { add_each(table.problem().coordinates(), "", add); },
     [](const ColumnTable&, const Moment& now, Row& row) { row.put(now.at.q + now.data.turns); }},
    {ColumnKind::velocity, "v.NAME", "v", "rad/s, m/s",
     [](const ColumnTable& table, const Add& add) { add_each(table.problem().velocities(), "", add); },
     [](const ColumnTable&, const Moment& now, Row& row) { row.put(now.at.v); }},
    {ColumnKind::acceleration, "vdot.NAME", "v̇", "rad/s², m/s²",
     [](const ColumnTable& table, const Add& add) {
       for (const VariableInfo& v : table.problem().velocities())
         add(v.name, v.unit.empty() ? "" : std::string(v.unit) + "²");
     },
     [](const ColumnTable&, const Moment& now, Row& row) { row.put(now.data.motion.vdot); }},
    {ColumnKind::constraint_force, "Qc.NAME", "Qc", "N·m, N",
     [](const ColumnTable& table, const Add& add) { add_forces(table.problem().velocities(), add); },
     [](const ColumnTable&, const Moment& now, Row& row) {
       row.put(now.data.motion.Qc, [&](int c) { return now.singular.velocity(c); });
     }},
    {ColumnKind::error, "phi.NAME[i]", "φ", "m, rad",
     [](const ColumnTable& table, const Add& add) { add_held_rows(table, Of::error, add); },
     [](const ColumnTable&, const Moment& now, Row& row) { row.put(held_phi(now.data)); }},
    {ColumnKind::error_rate, "phidot.NAME[i]", "φ̇", "m/s, rad/s",
     [](const ColumnTable& table, const Add& add) { add_held_rows(table, Of::rate, add); },
     [](const ColumnTable&, const Moment& now, Row& row) { row.put(held_rate(now.data)); }},
    {ColumnKind::multiplier, "lambda.NAME[i]", "λ", "N, N·m",
     [](const ColumnTable& table, const Add& add) { add_held_rows(table, Of::multiplier, add); },
     [](const ColumnTable& table, const Moment& now, Row& row) {
       row.put(held_multipliers(now.data), [&](int i) { return now.singular.row(table.problem().rows()[i]); });
     }},
    {ColumnKind::torque, "u.NAME", "u", "N·m, N",
     [](const ColumnTable& table, const Add& add) { add_each(table.problem().motors(), "", add); },
     [](const ColumnTable&, const Moment& now, Row& row) {
       if (now.data.motors) row.put(now.data.motors->torques.u);
     }},
    {ColumnKind::path_error, "path.NAME[i]", "φ", "m, rad",
     [](const ColumnTable& table, const Add& add) {
       for (const RowInfo& row : table.problem().rows().subspan(table.problem().held().rows))
         add(row.name, unit_of(row, Of::error));
     },
     [](const ColumnTable& table, const Moment& now, Row& row) {
       row.put(now.data.phi.tail(table.problem().asked().rows - table.problem().held().rows));
     }},
    {ColumnKind::input, "input.NAME", "input", "",
     [](const ColumnTable& table, const Add& add) { add_each(table.problem().inputs(), "", add); },
     [](const ColumnTable&, const Moment& now, Row& row) { row.put(now.data.inputs); }},
    {ColumnKind::angle, "angle.NAME", "q", "rad",
     [](const ColumnTable& table, const Add& add) {
       if (!table.angles()) return;
       for (const int i : table.problem().endless()) add(table.problem().coordinates()[i].name, "rad");
     },
     [](const ColumnTable& table, const Moment& now, Row& row) {
       if (!table.angles()) return;
       for (const int i : table.problem().endless()) row.put(now.at.q[i]);
     }},
    {ColumnKind::position, "FRAME.x", "place", "m",
     [](const ColumnTable& table, const Add& add) {
       for (const Frame& frame : table.frames())
         for (const char* axis : {".x", ".y", ".z"}) add(frame.name + axis, "m");
     },
     [](const ColumnTable& table, const Moment& now, Row& row) {
       for (const Frame& frame : table.frames()) row.put(now.data.tree.kin.pose(frame).p);
     }},
    {ColumnKind::frame_velocity, "FRAME.vx", "velocity", "m/s, rad/s",
     [](const ColumnTable& table, const Add& add) {
       for (const Frame& frame : table.velocities()) {
         for (const char* axis : {".vx", ".vy", ".vz"}) add(frame.name + axis, "m/s");
         for (const char* axis : {".wx", ".wy", ".wz"}) add(frame.name + axis, "rad/s");
       }
     },
     [](const ColumnTable& table, const Moment& now, Row& row) {
       for (const Frame& frame : table.velocities()) {
         const Vec6<> V = frame_velocity(now.data.tree.kin, frame);
         row.put(V.tail<3>());
         row.put(V.head<3>());
       }
     }},
    {ColumnKind::orientation, "FRAME.roll", "angle", "rad",
     [](const ColumnTable& table, const Add& add) {
       for (const Frame& frame : table.orientations())
         for (const char* angle : {".roll", ".pitch", ".yaw"}) add(frame.name + angle, "rad");
     },
     [](const ColumnTable& table, const Moment& now, Row& row) {
       for (const Frame& frame : table.orientations()) row.put(rpy_from_rotation(now.data.tree.kin.pose(frame).R));
     }},
    {ColumnKind::reaction, "reaction.NAME.fx", "reaction", "N, N·m",
     [](const ColumnTable& table, const Add& add) {
       for (const ColumnTable::RecordedReaction& reaction : table.reactions()) {
         const std::string& joint = table.problem().system().model.joint_name(reaction.body);
         for (const char* component : {".fx", ".fy", ".fz"}) add(joint + component, "N");
         for (const char* component : {".nx", ".ny", ".nz"}) add(joint + component, "N·m");
       }
     },
     [](const ColumnTable& table, const Moment& now, Row& row) {
       if (table.reactions().empty()) return;
       const std::span<const Vec6<>> all = joint_reactions(now.data);
       for (const ColumnTable::RecordedReaction& reaction : table.reactions()) {
         const int body = reaction.body;
         Mat3<> R_AW = Mat3<>::Identity();
         if (table.reaction_axes() == ReactionAxes::of_joint)
           R_AW = (now.data.tree.kin.bodies[body].X_WB.R * reaction.R_BL).transpose();
         const auto is_hidden = [&](int) { return now.singular.joint(body); };
         row.put(Vec3<>(R_AW * all[body].tail<3>()), is_hidden);
         row.put(Vec3<>(R_AW * all[body].head<3>()), is_hidden);
       }
     }},
    {ColumnKind::energy, "energy", "energy", "J", one,
     [](const ColumnTable&, const Moment& now, Row& row) { row.put(energy(now.at.v, now.data)); }},
    {ColumnKind::work, "work", "work", "J", one,
     [](const ColumnTable&, const Moment& now, Row& row) { row.put(now.work); }},
    {ColumnKind::channel_work, "work.NAME", "work", "J",
     [](const ColumnTable& table, const Add& add) {
       for (const PowerChannel& channel : power_channels(table.problem())) add(channel.name, "J");
     },
     [](const ColumnTable&, const Moment& now, Row& row) { row.put(now.works); }},
    {ColumnKind::rank, "rank", "rank", "rows", one,
     [](const ColumnTable&, const Moment& now, Row& row) { row.put(now.data.factors().rank()); }},
    {ColumnKind::pivot, "pivot", "pivot", "of the strongest", one,
     [](const ColumnTable&, const Moment& now, Row& row) {
       row.put(std::min(1.0, now.data.factors().smallest_pivot()));
     }},
    {ColumnKind::expression, "NAME", "expression", "",
     [](const ColumnTable& table, const Add& add) {
       for (const ColumnTable::NamedExpression& expression : table.expressions()) add(expression.name, "");
     },
     [](const ColumnTable& table, const Moment& now, Row& row) {
       if (table.expressions().empty()) return;
       now.data.turned_q = now.at.q + now.data.turns;  // as the coordinates are recorded
       const Movement<double> moment{now.data.tree.kin, now.data.turned_q, now.at.v, now.at.t, now.data.input_values()};
       for (const ColumnTable::NamedExpression& expression : table.expressions())
         row.put(expression.value.value(moment));
     }},
};

const Family& family_of(ColumnKind kind) {
  const auto* const found = std::ranges::find(all_families, kind, &Family::kind);
  assert(found != std::end(all_families));
  return *found;
}

Column column_of(const Family& family, const std::string& whose, std::string_view unit) {
  return {family.kind, family.prefix() + whose, std::string(family.symbol), std::string(unit)};
}

}  // namespace

Column Column::of(ColumnKind kind, const std::string& whose) { return of(kind, whose, family_of(kind).unit); }
Column Column::of(ColumnKind kind, const std::string& whose, std::string_view unit) {
  return column_of(family_of(kind), whose, unit);
}
Column Column::of(ColumnKind kind) { return of(kind, ""); }

ColumnTable::ColumnTable(const Problem& problem, const ExtraColumns& extra)
    : problem_(problem), angles_(extra.angles), axes_(extra.axes) {
  const auto find = [&](const std::vector<std::string>& names, std::vector<Frame>& out) {
    for (const std::string& name : names) out.push_back(problem.system().model.frame(name));
  };
  find(extra.frames, frames_);
  find(extra.velocities, velocities_);
  find(extra.orientations, orientations_);
  for (const RecordedExpression& recorded : extra.expressions) {
    const System& system = problem.system();
    expressions_.push_back(
        {recorded.name, BoundExpression(system.model, recorded.expression, recorded.start, system.input_names())});
  }
  for (const std::string& name : extra.reactions) {
    const Model& model = problem.system().model;
    const int body = model.joint(name);
    reactions_.push_back({body, model.frame(model.link_name(body)).X_BF.R});
  }
  for (const Family& family : all_families)
    family.list(*this, [&](const std::string& whose, const std::string& unit) {
      Column column = column_of(family, whose, unit.empty() ? family.unit : unit);
      // a frame 'work' and a force 'x' would both have work.x
      while (std::ranges::find(columns_, column.name, &Column::name) != columns_.end())
        column.name += fmt::format(" ({})", family.symbol);
      columns_.push_back(std::move(column));
    });
}

void ColumnTable::write(const Moment& moment, Eigen::Ref<VecX<>> row) const {
  assert(moment.data.has_motion());
  Row out(row);
  for (const Family& family : all_families) family.write(*this, moment, out);
  assert(out.is_full());
}

std::vector<std::string_view> ColumnTable::families() {
  std::vector<std::string_view> out;
  for (const Family& family : all_families) out.push_back(family.shown);
  return out;
}

}  // namespace trammel

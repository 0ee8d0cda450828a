#include "trammel/study/summary_tables.h"

#include <cmath>

#include <fmt/format.h>

namespace trammel {
namespace {

template <class Rows, class CellOf>
std::vector<std::string> cells(const Rows& rows, const CellOf& cell_of) {
  std::vector<std::string> out;
  for (const auto& row : rows) out.push_back(cell_of(row));
  return out;
}

template <class Rows>
std::vector<std::string> names_of(const Rows& rows) {
  return cells(rows, [](const auto& row) { return row.name; });
}

std::string error_cell(double x, bool exists) { return exists ? fmt::format("{:.1e}", x) : ResultTable::none; }
std::string with_unit(double x, const std::string& unit) {
  return unit.empty() ? fmt::format("{:.4g}", x) : fmt::format("{:.4g} {}", x, unit);
}
constexpr const char* unbounded = "unbounded";

// The size of a peak and its time, two columns under one title.
template <class Rows, class PeakOf>
void add_peak(ResultTable& table, const Rows& rows, const std::string& title, const std::string& unit, double rounding,
              const PeakOf& peak_of) {
  const auto exists = [&](const Peak& peak) { return peak.value > rounding; };
  table.add_column(title, unit, cells(rows, [&](const auto& row) {
                     const Peak peak = peak_of(row);
                     if (!peak.is_bounded()) return std::string(unbounded);
                     return exists(peak) ? fmt::format("{:.4g}", peak.value) : ResultTable::none;
                   }));
  table.add_column(title, "at s", cells(rows, [&](const auto& row) {
                     const Peak peak = peak_of(row);
                     return exists(peak) ? fmt::format("{:.3g}", peak.t) : ResultTable::none;
                   }));
}

template <class Rows>
void add_wrench_peaks(ResultTable& table, const Rows& rows, const Summary& summary) {
  add_peak(table, rows, "peak force", "N", summary.rounding_of_force(), [](const auto& row) { return row.peak.force; });
  add_peak(table, rows, "peak moment", "N·m", summary.rounding_of_moment(),
           [](const auto& row) { return row.peak.moment; });
  add_peak(table, rows, "peak multiplier", "", 0, [](const auto& row) { return row.peak.other; });
  table.add_column("", "", cells(rows, [](const auto& row) {
                     return row.peak.uniqueness == Uniqueness::unique ? "" : std::string(name_of(row.peak.uniqueness));
                   }));
}

}  // namespace

ResultTable constraint_table(const Summary& summary) {
  const std::vector<Summary::OfConstraint>& rows = summary.constraints;
  ResultTable out("constraint", cells(rows, [](const auto& c) { return c.name + (c.physical ? "" : " (control)"); }));
  const auto add = [&](const char* title, const char* per, Opening Summary::OfConstraint::*field) {
    out.add_column(title, std::string("m") + per,
                   cells(rows, [&](const auto& c) { return error_cell((c.*field).length, c.in_metres); }));
    out.add_column(title, std::string("rad") + per,
                   cells(rows, [&](const auto& c) { return error_cell((c.*field).angle, c.in_radians); }));
    out.add_column(title, *per ? std::string("1") + per : "",
                   cells(rows, [&](const auto& c) { return error_cell((c.*field).other, c.in_other); }));
  };
  add("open by", "", &Summary::OfConstraint::open_by);
  add("rate", "/s", &Summary::OfConstraint::rate);
  add_wrench_peaks(out, rows, summary);
  return out;
}

ResultTable velocity_table(const Summary& summary) {
  const std::vector<Summary::OfVelocity>& rows = summary.velocities;
  ResultTable out("joint", names_of(rows));
  const auto exists = [&](const Summary::OfVelocity& v) {
    return v.peak.value > (v.unit == "N·m" ? summary.rounding_of_moment() : summary.rounding_of_force());
  };
  out.add_column("peak constraint force", "", cells(rows, [&](const auto& v) {
                   if (!v.peak.is_bounded()) return std::string(unbounded);
                   return exists(v) ? with_unit(v.peak.value, v.unit) : ResultTable::none;
                 }));
  out.add_column("at", "", cells(rows, [&](const auto& v) {
                   return exists(v) ? fmt::format("{:.3g} s", v.peak.t) : ResultTable::none;
                 }));
  return out;
}

ResultTable joint_table(const Summary& summary) {
  ResultTable out("reaction in joint", names_of(summary.joints));
  add_wrench_peaks(out, summary.joints, summary);
  return out;
}

ResultTable motor_table(const std::vector<Summary::OfMotor>& rows) {
  ResultTable out("motor", names_of(rows));
  out.add_column("peak torque", "", cells(rows, [](const auto& m) {
                   return m.peak.is_bounded() ? with_unit(m.peak.value, m.unit) : std::string(unbounded);
                 }));
  out.add_column("at", "", cells(rows, [](const auto& m) { return fmt::format("{:.3g} s", m.peak.t); }));
  out.add_column("limit", "", cells(rows, [](const auto& m) {
                   return std::isfinite(m.limit) ? with_unit(m.limit, m.unit) : ResultTable::none;
                 }));
  return out;
}

}  // namespace trammel

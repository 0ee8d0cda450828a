#include "trammel/sweep/measure.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "trammel/sweep/measure_parser.h"

namespace trammel::sweep {
namespace {

using expression::Instruction;
using expression::Op;
using expression::Program;

std::string of_all(std::string_view unit) {
  return unit.find("·") == std::string_view::npos && unit.find('/') == std::string_view::npos
             ? std::string(unit)
             : "(" + std::string(unit) + ")";
}

// Of x^2.
std::string squared(const std::string& unit) { return unit.empty() ? "" : of_all(unit) + "²"; }

// The unit of a program's result, from those of its leaves: "" where it has none that is plain to see.
std::string unit_of(const Program& program, const std::vector<std::string>& leaves) {
  std::vector<std::string> units(program.registers());
  std::ranges::copy(leaves, units.begin());
  int own = program.first();
  for (const Instruction& i : program.code) {
    std::string& unit = units[own++];
    switch (i.op) {
      case Op::negate:
      case Op::abs:
        unit = units[i.a];
        break;
      case Op::add:
      case Op::subtract:
      case Op::min:
      case Op::max:
        if (units[i.a] == units[i.b]) unit = units[i.a];
        break;
      case Op::multiply:
        if (i.a == i.b) unit = squared(units[i.a]);
        break;
      default:
        break;
    }
  }
  return units[program.result];
}

std::string unit_of(Reduction reduction, const std::string& unit) {
  if (reduction == Reduction::argmax || reduction == Reduction::argmin) return "s";
  if (reduction == Reduction::integral) return unit.empty() ? "" : unit + "·s";
  return unit;
}

// The values of a column, or of a length, at all times.
std::vector<double> column_of(const Recording& recording, const AskedColumn& asked) {
  std::vector<double> out(recording.rows());
  if (!asked.is_length) {
    const int column = recording.column(asked.name);
    for (int row = 0; row < recording.rows(); ++row) out[row] = recording(row, column);
    return out;
  }
  for (int i = 0;; ++i) {
    const std::string name = asked.name + "[" + std::to_string(i) + "]";
    if (i > 0 && std::ranges::find(recording.names(), name) == recording.names().end()) break;
    const int column = recording.column(name);
    for (int row = 0; row < recording.rows(); ++row) out[row] += recording(row, column) * recording(row, column);
  }
  for (double& x : out) x = std::sqrt(x);
  return out;
}

}  // namespace

double Measure::of(const Recording& recording, std::span<const double> before) const {
  std::vector<std::vector<double>> values;
  for (const AskedColumn& asked : columns) values.push_back(column_of(recording, asked));
  const std::vector<double> t = column_of(recording, {"t"});
  ExpressionWorkspace work;
  std::vector<double> results, samples(recording.rows());
  for (const Reduced& reduced : reductions) {
    reduced.expression.make_room(work);
    const std::span<const Leaf> leaves = reduced.expression.leaves();
    std::vector<double> at(leaves.size());
    for (int row = 0; row < recording.rows(); ++row) {
      for (std::size_t k = 0; k < leaves.size(); ++k)
        at[k] = leaves[k].kind == LeafKind::time ? t[row] : values[leaves[k].component][row];
      samples[row] = reduced.expression.value(at, work);
    }
    results.push_back(sweep::reduced(reduced.reduction, reduced.p, t, samples));
  }
  result.make_room(work);
  std::vector<double> at;
  for (const Leaf& leaf : result.leaves())
    at.push_back(leaf.component >= 0 ? results[leaf.component] : before[-1 - leaf.component]);
  return result.value(at, work);
}

Measure parse_measure(const std::string& name, std::string_view text, const Place& where,
                      std::span<const Column> columns, std::span<const Measure> before) {
  const expression::Source source(text, where);
  std::vector<std::string> names;
  for (const Measure& measure : before) names.push_back(measure.name);
  MeasureParser parser(source, columns, names);
  Measure out{.name = name, .unit = "", .columns = {}, .reductions = {}, .result = parser.expression()};
  out.columns = parser.columns();
  out.reductions = parser.reductions();

  std::map<std::string, std::string> units;
  for (const Column& column : columns) units[column.name] = column.unit;
  std::vector<std::string> of_results;
  for (const Leaf& leaf : out.result.leaves()) {
    if (leaf.component < 0) {
      of_results.push_back(before[-1 - leaf.component].unit);
      continue;
    }
    const Measure::Reduced& reduced = out.reductions[leaf.component];
    std::vector<std::string> of_leaves;
    for (const Leaf& inner : reduced.expression.leaves()) {
      const AskedColumn asked = inner.kind == LeafKind::time ? AskedColumn{"t"} : out.columns[inner.component];
      of_leaves.push_back(units[asked.name + (asked.is_length ? "[0]" : "")]);
    }
    of_results.push_back(unit_of(reduced.reduction, unit_of(reduced.expression.program(), of_leaves)));
  }
  out.unit = unit_of(out.result.program(), of_results);
  return out;
}

}  // namespace trammel::sweep

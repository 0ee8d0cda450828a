#include "trammel/scenario/tables.h"

#include <algorithm>

#include <fmt/core.h>

#include "trammel/base/names.h"
#include "trammel/scenario/constants.h"

namespace trammel::scenario {
namespace {

using expression::Instruction;
using expression::Op;

// A file that cannot be read at all is the scenario's mistake.
std::shared_ptr<const Samples> read_file_of(const Value& value, SampleFiles& files) {
  const std::string& file = value.text("a file of samples");
  try {
    return files.read(file);
  } catch (const Error& error) {
    if (error.place().line > 0) throw;
    value.refuse(
        fmt::format("{} as {}, which cannot be read ({})", expression::shown(file), value.what(), error.what()),
        "a file of samples (CSV), by its path from the scenario's folder");
  }
}

const Samples::Column& column_over(const Value& value, const std::string& file, const Samples& samples) {
  std::vector<std::string> names;
  for (const Samples::Column& column : samples.columns) names.push_back(column.name);
  const std::string& name = value.text("the name of a column");
  const auto found = std::ranges::find(samples.columns, name, &Samples::Column::name);
  if (found == samples.columns.end())
    value.refuse(fmt::format("the column {}, which {} does not have", expression::shown(name), file),
                 allowed_names(name, names));
  if (found->fault) throw Error(*found->fault);
  const std::vector<double>& x = found->values;
  if (x.size() < 2) throw Error(Place{samples.file}, x.empty() ? "no sample" : "one sample", "two samples or more");
  for (std::size_t i = 1; i < x.size(); ++i)
    if (!(x[i] > x[i - 1]))
      throw Error(samples.place(i), fmt::format("{:g} behind {:g} in column '{}'", x[i], x[i - 1], name),
                  "values that rise from line to line");
  return *found;
}

Table read_table(const Value& value, SampleFiles& files) {
  const Map map(value, value.what(), {"file", "over", "interpolate", "beyond"});
  const std::shared_ptr<const Samples> samples = read_file_of(map.required("file"), files);
  const Samples::Column& over = column_over(map.required("over"), map.required("file").node().text, *samples);
  const std::vector<std::string> shapes{"cubic", "linear"}, ends{"refuse", "hold"};
  Curve::Shape shape = Curve::Shape::cubic;
  Curve::Beyond beyond = Curve::Beyond::refuse;
  if (const auto word = map.find("interpolate"); word && word->word(shapes) == "linear") shape = Curve::Shape::linear;
  if (const auto word = map.find("beyond"); word && word->word(ends) == "hold") beyond = Curve::Beyond::hold;
  Table out;
  for (const Samples::Column& column : samples->columns) {
    if (&column == &over) continue;
    if (column.fault)
      out.columns.push_back({column.name, nullptr, std::make_shared<const Error>(*column.fault)});
    else
      out.columns.push_back({column.name, std::make_shared<const Curve>(over.values, column.values, shape, beyond)});
  }
  if (out.columns.empty())
    throw Error(Place{samples->file}, fmt::format("no column besides '{}'", over.name), "columns of values over it");
  return out;
}

}  // namespace

std::map<std::string, Table, std::less<>> read_tables(const Value& value, SampleFiles& files) {
  std::map<std::string, Table, std::less<>> out;
  for (const auto& [key, table] : named_values(value, "table")) {
    check_plain_word(key, "table");
    if (is_reserved_word(key.text))
      throw Error(key.place, fmt::format("a table named '{}', a word of the language", key.text), "another name");
    out.emplace(key.text, read_table(table, files));
  }
  return out;
}

void check_reach(const Expression& expression, double duration) {
  const expression::Program& program = expression.program();
  const std::span<const Leaf> leaves = expression.leaves();
  if (std::ranges::any_of(program.code, [](const Instruction& i) { return i.op == Op::choose; })) return;
  for (const Instruction& i : program.code) {
    if (i.op != Op::curve || i.a >= std::ssize(leaves) || leaves[i.a].kind != LeafKind::time) continue;
    const Curve& curve = *program.curves[i.b];
    if (curve.reaches(0) && curve.reaches(duration)) continue;
    (i.origin < 0 ? expression.source() : *program.origins[i.origin])
        .refuse(i.at,
                fmt::format("a table from {:g} to {:g} s, in a run from 0 to {:g} s", curve.first(), curve.last(),
                            duration),
                "a table that reaches over the run, or beyond: hold");
  }
}

}  // namespace trammel::scenario

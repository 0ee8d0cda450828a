#pragma once

#include "trammel/scenario/samples.h"
#include "trammel/scenario/value.h"

namespace trammel::scenario {

/// tables: {path: {file: path.csv, over: time, interpolate: cubic, beyond: hold}}: each other column of the file is a curve over the one
/// that `over` names, path.x(t) in expressions (curve.h). Files are looked for beside the scenario's.
std::map<std::string, Table, std::less<>> read_tables(const Value& value, SampleFiles& files);

/// Refuses, where it stands, a column at the time itself that does not reach from 0 to `duration` (s). What `if` may choose between is not
/// looked at.
void check_reach(const Expression& expression, double duration);

}  // namespace trammel::scenario

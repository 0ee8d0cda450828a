#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "message.h"
#include "trammel/expression/curve.h"
#include "trammel/scenario/samples.h"

// Whatever the bytes are, the reader of samples gives columns of one length, or refuses them with a message of one line. Columns over one that
// rises are curves through their samples.

namespace {

bool rises(const std::vector<double>& x) {
  for (std::size_t i = 1; i < x.size(); ++i)
    if (!(x[i] > x[i - 1])) return false;
  return x.size() >= 2;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace trammel;
  try {
    const scenario::Samples samples = scenario::parse_samples({reinterpret_cast<const char*>(data), size}, "/fuzz.csv");
    const scenario::Samples::Column& over = samples.columns.front();
    for (const scenario::Samples::Column& column : samples.columns) {
      if (column.values.size() != samples.lines.size()) std::abort();
      if (column.fault) check_message(column.fault->what());
      if (over.fault || column.fault || !rises(over.values)) continue;
      const Curve curve(over.values, column.values, Curve::Shape::linear, Curve::Beyond::hold);
      if (curve.at(over.values.front()).f != column.values.front()) std::abort();
      (void)Curve(over.values, column.values, Curve::Shape::cubic, Curve::Beyond::refuse).at(over.values.back());
    }
  } catch (const Error& error) {
    check_message(error.what());
  }
  return 0;
}

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "message.h"
#include "trammel/expression/curve.h"
#include "trammel/expression/expression.h"

// Whatever the bytes are, the parser gives an expression that can be evaluated anywhere, or an Error with a message of
// one line. Anything else that is thrown, and anything that a sanitizer sees, is a finding; so is a value that depends
// on the way of evaluation.

namespace {

using namespace trammel;

std::map<std::string, Table, std::less<>> tables() {
  const std::vector<double> over{-1, 0, 0.5, 2}, values{3, 1e-3, -2, 4};
  const auto curve = [&](Curve::Shape shape, Curve::Beyond beyond) {
    return std::make_shared<const Curve>(over, values, shape, beyond);
  };
  Table path;
  path.columns = {{"x", curve(Curve::Shape::cubic, Curve::Beyond::hold)},
                  {"my y", curve(Curve::Shape::linear, Curve::Beyond::refuse)}};
  return {{"path", path}};
}

const Vocabulary vocabulary{.joints = {{"q1"}, {"q2"}, {"base", 7, 6}, {"joint-1"}, {"left.q1"}, {"fixed", 0, 0}},
                            .frames = {"tool", "left.tool"},
                            .constants = {{"r", 0.05}, {"w", 1.2566}},
                            .inputs = {"push"},
                            .tables = tables(),
                            .bare_start = true};

bool same(double a, double b) { return a == b || (a != a && b != b); }

void evaluate(const Expression& expression) {
  static ExpressionWorkspace work;
  expression.make_room(work);
  for (const double x : {0.0, 0.37, -2.5, 1e200}) {
    const std::size_t n = expression.leaves().size();
    std::vector<double> at(n), gradient(n);
    for (std::size_t k = 0; k < n; ++k) at[k] = x + 0.1 * static_cast<double>(k);
    std::vector<Jet> moving(n);
    for (std::size_t k = 0; k < n; ++k) moving[k] = Jet(at[k], 1, -1);
    const double value = expression.value(at, work);
    if (!same(value, expression.evaluate(moving, work).x)) std::abort();
    if (!same(value, expression.gradient(at, work, gradient))) std::abort();
  }
  for (const Expression& start : expression.starts()) evaluate(start);
}

template <class Parse>
void check(Parse&& parse, std::string_view text) {
  try {
    const Expression expression = parse(text, vocabulary, Place{"fuzz.yaml", 1, 1});
    evaluate(expression);
    expression.check_differentiable();
  } catch (const Error& error) {
    check_message(error.what());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(parse_expression, text);
  check(parse_equation, text);
  return 0;
}

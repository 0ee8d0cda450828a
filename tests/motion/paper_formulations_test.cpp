// Every formulation at a thousand states of each of the papers' robots.
#include <gtest/gtest.h>

#include "support/all_formulations.h"
#include "support/condition.h"
#include "support/histogram.h"
#include "support/paper_systems.h"
#include "support/random_robot.h"

namespace trammel {
namespace {

using namespace trammel::test;

class PaperFormulations : public ::testing::TestWithParam<std::pair<const char*, System (*)()>> {};

TEST_P(PaperFormulations, AgreeWithinTheirConditionAtAThousandStates) {
  const System system = GetParam().second();
  Random random(71);
  Histogram errors(std::string(GetParam().first) + ": apart from udwadia_kalaba, over eps·cond");
  int compared = 0, left_out = 0;
  while (compared < 1000) {
    const VecX<> q = random_configuration(random, system.model), v = random.vector(system.model.nv(), 3);
    const double t = random.uniform(0, 10);
    const std::vector<Answer> answers = all_answers(system, q, v, t);
    const Motion& reference = answers[0].motion;
    if (!comparable(reference)) {
      ++left_out;
      continue;
    }
    ++compared;
    const Equation e = dense_equation(system, q, v, t);
    const double bound = eps * condition(e, reference.rank);
    for (const Answer& answer : answers) {
      errors.see(answer.name, difference(answer.motion, reference) / bound);
      EXPECT_LT(difference(answer.motion, reference), 100 * bound) << answer.name << ", state " << compared;
    }
    errors.see("multipliers", difference(multipliers(e), reference) / bound);
    EXPECT_LT(difference(multipliers(e), reference), 100 * bound) << "multipliers, state " << compared;
  }
  std::printf("compared %d, left out %d nearly redundant or contradictory\n", compared, left_out);
}

INSTANTIATE_TEST_SUITE_P(Robots, PaperFormulations,
                         ::testing::Values(std::pair{"scara", &scara_on_helix}, std::pair{"parallel", &parallel_robot},
                                           std::pair{"serial", &serial_on_plane},
                                           std::pair{"two_link", &two_link_on_line}),
                         [](const auto& robot) { return robot.param.first; });

}  // namespace
}  // namespace trammel

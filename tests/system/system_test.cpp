#include "trammel/system/system.h"

#include <gtest/gtest.h>

#include "support/mechanisms.h"
#include "trammel/constraints/coincident.h"
#include "trammel/constraints/joint_speed.h"
#include "trammel/system/forces.h"

namespace trammel {
namespace {

using namespace trammel::test;

std::shared_ptr<const Constraint> held(int body) {
  return std::make_shared<Coincident>(BodyPoint(), BodyPoint(body, Vec3<>::Zero()));
}

TEST(System, TakesEveryNameOnce) {
  System system(build_model(chain(3)));
  system.constrain("hold", held(2));
  EXPECT_THROW(system.constrain("hold", held(1)), Error);
  const auto nothing = std::make_shared<FunctionForce>([](const Movement<double>&, VecX<>&) {});
  system.apply("hold", nothing);  // forces have names of their own
  EXPECT_THROW(system.apply("hold", nothing), Error);
  system.drive({.name = "motor", .velocity = 1});
  EXPECT_THROW(system.drive({.name = "motor", .velocity = 2}), Error);
  EXPECT_EQ(system.constraints.size() + system.forces.size() + system.actuators.size(), 3u);  // nothing half added
}

TEST(System, RefusesWhatActsOutsideTheModel) {
  System system(build_model(chain(3)));
  EXPECT_THROW(system.constrain("beyond", held(3)), Error);
  EXPECT_THROW(system.constrain("before", held(-2)), Error);
  const Model longer = build_model(chain(5));
  EXPECT_THROW(system.constrain("fast", std::make_shared<JointSpeed>(longer, 4, 1.0)), Error);
  EXPECT_THROW(system.drive({.name = "beyond", .velocity = 3}), Error);
  EXPECT_THROW(system.drive({.name = "before", .velocity = -1}), Error);
  EXPECT_TRUE(system.constraints.empty() && system.actuators.empty());
}

TEST(System, RefusesScalesLimitsAndWeightsThatAreNotAboveZero) {
  System system(build_model(chain(3)));
  for (const double scale : {0.0, -1.0, std::nan(""), unlimited})
    EXPECT_THROW(system.constrain("hold", held(1), Layer::control, scale), Error) << scale;
  EXPECT_THROW(system.drive({.name = "weak", .velocity = 0, .limit = 0}), Error);
  EXPECT_THROW(system.drive({.name = "free", .velocity = 0, .weight = 0}), Error);
  EXPECT_THROW(system.drive({.name = "dear", .velocity = 0, .weight = unlimited}), Error);
  system.drive({.name = "motor", .velocity = 0});
}

TEST(System, HasOneActuatorAVelocityAndSaysWhichStandsThere) {
  System system(build_model(chain(3)));
  system.drive({.name = "motor", .velocity = 1});
  try {
    system.drive({.name = "twin", .velocity = 1});
    FAIL() << "took a second actuator";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("'twin' where 'motor' stands"), std::string::npos) << error.what();
  }
}

TEST(System, KeepsItsInputsInTheirOrder) {
  System system(build_model(chain(3)));
  system.add_input("push");
  system.add_input("gain", 20);
  EXPECT_EQ(system.inputs.back().value, 20);
  EXPECT_EQ(system.input_names(), (std::vector<std::string>{"push", "gain"}));
  EXPECT_EQ(system.input_values(), (std::vector<double>{0, 20}));
  EXPECT_EQ(vocabulary_of(system).inputs, system.input_names());
  EXPECT_EQ(vocabulary_of(system).joints.size(), 3u);
}

TEST(System, RefusesInputsWhoseNameIsTakenOrWhoseValueIsNotFinite) {
  System system(build_model(chain(3)));
  system.add_input("push", 1);
  const auto message = [&](const std::string& name, double value) -> std::string {
    try {
      system.add_input(name, value);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message("push", 2), "found a second input named 'push'; allowed: a name that no other has");
  EXPECT_EQ(message("q2", 2), "found an input named like the joint 'q2'; allowed: another name");
  EXPECT_EQ(message("sin", 2), "found an input named 'sin', a word of the language; allowed: another name");
  EXPECT_EQ(message("pull", unlimited), "found value inf of input 'pull'; allowed: a finite number");
  EXPECT_EQ(message("pull", std::nan("")), "found value nan of input 'pull'; allowed: a finite number");
  EXPECT_EQ(system.inputs.size(), 1u);
}

TEST(System, MakesConstraintsOfTheModelsCouplings) {
  RobotDescription robot = chain(3);
  robot.couplings.push_back({"q2", "q1", -2, 0.5, {}});
  System system(build_model(robot));
  system.constrain_couplings();
  ASSERT_EQ(system.constraints.size(), 1u);
  EXPECT_EQ(system.constraints[0].name, "q2");
  EXPECT_EQ(system.constraints[0].law->rows(), 1);
  EXPECT_EQ(system.constraints[0].layer, Layer::physical);
}

}  // namespace
}  // namespace trammel

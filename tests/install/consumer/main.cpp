#include <iostream>

#include <trammel/model/build_model.h>

// An arm of two links that swings in the xz plane: built, checked, and asked for its freedoms.
int main() {
  using namespace trammel;
  RobotDescription arm{.name = "arm"};
  arm.links = {{.name = "upper", .mass = 2, .com = {0.25, 0, 0}, .inertia = {0.001, 0.04, 0.04}},
               {.name = "lower", .mass = 1, .com = {0.20, 0, 0}, .inertia = {0.001, 0.02, 0.02}}};
  arm.joints = {{.name = "shoulder", .parent = "world", .child = "upper", .axis = {0, 1, 0}},
                {.name = "elbow", .parent = "upper", .child = "lower", .at = {.p = {0.5, 0, 0}}, .axis = {0, 1, 0}}};
  const Model model = build_model(arm);
  std::cout << model.name() << " has " << model.nv() << " freedoms and " << model.moving_mass() << " kg\n";
}

#include <fstream>
#include <iostream>

#include "support/describe.h"

/// describe_mechanisms DIR: writes DIR/NAME.json for every mechanism that has a golden file; tools/golden/make goes on
/// from there.
int main(int argc, char** argv) {
  using namespace trammel;
  if (argc != 2) {
    std::cerr << "usage: describe_mechanisms DIR\n";
    return 1;
  }
  for (const RobotDescription& robot : test::golden_mechanisms()) {
    std::ofstream file(std::string(argv[1]) + "/" + robot.name + ".json");
    file << test::describe(build_model(robot)).dump(1) << '\n';
    if (!file) return 1;
  }
  return 0;
}

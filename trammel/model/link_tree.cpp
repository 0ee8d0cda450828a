#include "trammel/model/link_tree.h"

#include <algorithm>

#include <fmt/core.h>

namespace trammel {
namespace {

std::unordered_map<std::string, int> index_links(const RobotDescription& robot) {
  std::unordered_map<std::string, int> index;
  for (const Link& link : robot.links) index.emplace(link.name, static_cast<int>(index.size()));
  return index;
}

// A joint of the cycle that the parents of `link` run into.
const Joint& joint_in_circle(const RobotDescription& robot, const LinkTree& tree, int link) {
  std::vector<bool> seen(robot.links.size(), false);
  while (!seen[link]) {
    seen[link] = true;
    link = tree.index.at(robot.joints[tree.carrier[link]].parent);
  }
  return robot.joints[tree.carrier[link]];
}

}  // namespace

LinkTree find_tree(const RobotDescription& robot) {
  const std::size_t count = robot.links.size();
  LinkTree tree{-1, std::vector<int>(count, -1), std::vector<std::vector<int>>(count), index_links(robot)};
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    const Joint& joint = robot.joints[j];
    int& carrier = tree.carrier[tree.index.at(joint.child)];
    if (carrier >= 0)
      throw Error(joint.place,
                  fmt::format("joint '{}' as a second joint that carries link '{}' (after '{}')", joint.name,
                              joint.child, robot.joints[carrier].name),
                  "one joint for each link; close loops with constraints");
    carrier = static_cast<int>(j);
    tree.leaving[tree.index.at(joint.parent)].push_back(static_cast<int>(j));
  }

  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < count; ++i)
    if (tree.carrier[i] < 0) roots.push_back(i);
  if (roots.size() > 1)
    throw Error(robot.links[roots[1]].place,
                fmt::format("{} links that no joint carries, '{}' and '{}' among them", roots.size(),
                            robot.links[roots[0]].name, robot.links[roots[1]].name),
                "one root; join the others to it, if only by fixed joints");
  if (roots.empty()) {
    const Joint& joint = joint_in_circle(robot, tree, 0);
    throw Error(joint.place, fmt::format("joint '{}' in a circle of joints", joint.name),
                "a tree; close loops with constraints");
  }
  tree.root = static_cast<int>(roots[0]);

  // every link must hang on the root
  std::vector<bool> reached(count, false);
  std::vector<int> stack{tree.root};
  while (!stack.empty()) {
    const int link = stack.back();
    stack.pop_back();
    reached[link] = true;
    for (const int j : tree.leaving[link]) stack.push_back(tree.index.at(robot.joints[j].child));
  }
  const auto stray = std::ranges::find(reached, false);
  if (stray != reached.end()) {
    const Joint& joint = joint_in_circle(robot, tree, static_cast<int>(stray - reached.begin()));
    throw Error(joint.place, fmt::format("joint '{}' in a circle of joints", joint.name),
                "a tree; close loops with constraints");
  }
  return tree;
}

}  // namespace trammel

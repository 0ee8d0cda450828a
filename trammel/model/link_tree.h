#pragma once

#include <unordered_map>

#include "trammel/model/description.h"

namespace trammel {

/// The links of a description as a tree, by their numbers in it.
struct LinkTree {
  int root;
  std::vector<int> carrier;                    // for each link the joint that carries it; −1: the root
  std::vector<std::vector<int>> leaving;       // for each link the joints that leave it, in the author's order
  std::unordered_map<std::string, int> index;  // of a link, by name
};

/// Of a description that check_description passes. Throws Error where its links are no tree: a link that two joints carry,
/// two roots, a circle of joints.
LinkTree find_tree(const RobotDescription& robot);

}  // namespace trammel

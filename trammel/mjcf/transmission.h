#pragma once

#include "trammel/mjcf/tree.h"

namespace trammel::mjcf {

/// The fixed tendons of a model: sums of coordinates, by name.
using Tendons = std::map<std::string, JointSum>;
Tendons read_tendons(const Element& root, Reader& reader);

/// Connects and welds, by bodies or by sites, become constraints; equalities of joints and tendons equations. One without a name is called
/// after what it joins, "A to B"; one that is not active is left out, with a remark.
void read_equalities(const Element& root, const Tendons& tendons, Reader& reader);

/// Motors, position and velocity servos and general actuators of that kind, on a joint or a fixed tendon; others are left out, with a remark.
/// Returns their names in the order of MuJoCo's ctrl, "" of those that are left out.
std::vector<std::string> read_actuators(const Element& root, const Tendons& tendons, Reader& reader);

/// qpos0, the usual start where some joint does not begin at zero, and the keyframes.
void read_starts(const Element& root, const std::vector<std::string>& controls, Reader& reader);

/// A joint with one coordinate that an attribute names.
const Tree::JointFacts& joint_of(const Item& item, const char* attribute, const Tree& tree);

}  // namespace trammel::mjcf

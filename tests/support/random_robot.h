#pragma once

#include "support/random.h"
#include "trammel/model/build_model.h"
#include "trammel/model/configuration.h"

namespace trammel::test {

inline const std::span<const JointType> moving_joint_types = joint_types().first(joint_types().size() - 1);

Link random_link(Random& random, const std::string& name);

Joint random_joint(Random& random, JointType type, const std::string& name, const std::string& parent,
                   const std::string& child);

/// A tree of `bodies` bodies of general shape, each hung on a random earlier one by a joint of a random type.
RobotDescription random_robot(Random& random, int bodies, std::span<const JointType> types = moving_joint_types);

/// Angles over the full circle, displacements within a metre, quaternions over all rotations.
VecX<> random_configuration(Random& random, const Model& model);

}  // namespace trammel::test

#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/FreeJoint.hpp>
#include <dart/dynamics/PrismaticJoint.hpp>
#include <dart/dynamics/RevoluteJoint.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <memory>

#include "floating.h"
#include "serve.h"

/// DART behind the interface of serve.h, for trees. Its closures are impulses of a time step, which gives no acceleration to
/// compare: it has no ways under closures. A floating body's ω stands before its linear velocity, both in the body's axes.
namespace peers {
namespace {

namespace dyn = dart::dynamics;
using Vector = Eigen::VectorXd;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

Eigen::Isometry3d isometry(const Pose& X) {
  Eigen::Isometry3d out = Eigen::Isometry3d::Identity();
  out.linear() = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(X.R.data());
  out.translation() = Eigen::Map<const Eigen::Vector3d>(X.p.data());
  return out;
}

struct Room {
  explicit Room(const Mechanism& m) : mechanism(m), skeleton(dyn::Skeleton::create()) {
    skeleton->setGravity(Eigen::Map<const Eigen::Vector3d>(m.gravity.data()));
    for (const Body& body : m.bodies) add(body);
    for (const State& s : m.states) {
      q.push_back(coordinates(s));
      v.push_back(swapped(in_body(m, s, s.v)));
      force.push_back(swapped(in_body(m, s, s.u)));
      acceleration.push_back(swapped(accelerations_in_body(m, s, s.u)));
    }
  }

  void add(const Body& body) {
    dyn::BodyNode* parent = body.parent < 0 ? nullptr : nodes[index(body.parent)];
    dyn::BodyNode* node = nullptr;
    if (body.joint == JointKind::turning) node = make_about_z<dyn::RevoluteJoint>(parent);
    if (body.joint == JointKind::sliding) node = make_about_z<dyn::PrismaticJoint>(parent);
    if (body.joint == JointKind::floating) node = skeleton->createJointAndBodyNodePair<dyn::FreeJoint>(parent).second;
    if (!node) throw std::runtime_error("a joint that no tree of the comparison has");
    node->getParentJoint()->setTransformFromParentBodyNode(isometry(body.at));
    const auto& I = body.inertia;
    node->setInertia(
        dyn::Inertia(body.mass, Eigen::Map<const Eigen::Vector3d>(body.com.data()),
                     (Eigen::Matrix3d() << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]).finished()));
    nodes.push_back(node);
  }

  // Names of their own: DART speaks up, where the answers go, if it has to invent them.
  template <class Joint>
  std::pair<Joint*, dyn::BodyNode*> make(dyn::BodyNode* parent) {
    const std::string number = std::to_string(nodes.size());
    typename Joint::Properties properties;
    properties.mName = "j" + number;
    return skeleton->createJointAndBodyNodePair<Joint>(parent, properties,
                                                       dyn::BodyNode::AspectProperties("b" + number));
  }

  template <class Joint>
  dyn::BodyNode* make_about_z(dyn::BodyNode* parent) {
    const auto [joint, node] = make<Joint>(parent);
    joint->setAxis(Eigen::Vector3d::UnitZ());
    return node;
  }

  Vector coordinates(const State& s) const {
    Vector x(static_cast<Eigen::Index>(skeleton->getNumDofs()));
    for (const Body& body : mechanism.bodies) {
      const double* at = s.q.data() + body.q;
      if (body.joint == JointKind::floating)
        x.segment<6>(body.v) = dyn::FreeJoint::convertToPositions(isometry(joint_pose(body.joint, at)));
      else
        x[body.v] = *at;
    }
    return x;
  }

  // Linear before angular, or the other way round.
  Vector swapped(std::vector<double> x) const {
    for (const Body& body : mechanism.bodies)
      if (body.joint == JointKind::floating)
        std::swap_ranges(x.begin() + body.v, x.begin() + body.v + 3, x.begin() + body.v + 3);
    return Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size()));
  }
  std::vector<double> swapped_back(const Vector& x) const {
    const Vector y = swapped({x.data(), x.data() + x.size()});
    return {y.data(), y.data() + y.size()};
  }

  void place(int i) const {
    skeleton->setPositions(q[index(i)]);
    skeleton->setVelocities(v[index(i)]);
  }

  const Mechanism& mechanism;
  dyn::SkeletonPtr skeleton;
  std::vector<dyn::BodyNode*> nodes;
  std::vector<Vector> q, v, force, acceleration;
};
using Shared = std::shared_ptr<Room>;

Method forward(const Shared& r) {
  const auto run = [r](int i) {
    r->place(i);
    r->skeleton->setForces(r->force[index(i)]);
    r->skeleton->computeForwardDynamics();
  };
  const auto result = [r](int i) {
    return accelerations_out_of_body(r->mechanism, r->mechanism.states[index(i)],
                                     r->swapped_back(r->skeleton->getAccelerations()));
  };
  return {"computeForwardDynamics", run, result};
}

Method inverse(const Shared& r) {
  const auto run = [r](int i) {
    r->place(i);
    r->skeleton->setAccelerations(r->acceleration[index(i)]);
    r->skeleton->computeInverseDynamics();
  };
  const auto result = [r](int i) {
    return out_of_body(r->mechanism, r->mechanism.states[index(i)], r->swapped_back(r->skeleton->getForces()));
  };
  return {"computeInverseDynamics", run, result};
}

Method mass(const Shared& r) {
  const auto run = [r](int i) {
    r->skeleton->setPositions(r->q[index(i)]);
    r->skeleton->getMassMatrix();
  };
  const auto result = [r](int i) {
    const Vector product = r->skeleton->getMassMatrix() * r->force[index(i)];
    return out_of_body(r->mechanism, r->mechanism.states[index(i)], r->swapped_back(product));
  };
  return {"getMassMatrix", run, result};
}

std::vector<Method> methods(const Mechanism& mechanism, const std::string& task) {
  if (task == "constrained" || task == "ten_seconds" || task == "batch") return {};
  const auto room = std::make_shared<Room>(mechanism);
  if (task == "forward") return {forward(room)};
  if (task == "inverse") return {inverse(room)};
  return {mass(room)};
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) { return peers::serve(argc, argv, peers::methods); }

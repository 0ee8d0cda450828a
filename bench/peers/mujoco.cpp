#include <mujoco/mujoco.h>

#include <memory>

#include "drive.h"

/// MuJoCo behind the interface of serve.h, by its C interface. q and v are those of mechanism.h as they stand.
///
/// Of a tree it is timed by those parts of mj_forward that the task needs, called by hand; under closures by mj_forward
/// itself with contacts, limits, sensors and whatever else is not there turned off. Its rows are soft: they are made as
/// stiff as solimp allows (0.9999).
namespace peers {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

using Spec = std::unique_ptr<mjSpec, decltype(&mj_deleteSpec)>;

// Fills a specification. Bodies without mass are not allowed there: their joints are given to the body they carry.
class Builder {
 public:
  explicit Builder(const Mechanism& mechanism)
      : mechanism_(mechanism),
        children_(mechanism.bodies.size() + 1),
        closures_(as_points_and_poses(mechanism.closures)),
        spec_(mj_makeSpec(), mj_deleteSpec) {
    for (int i = 0; i < static_cast<int>(mechanism.bodies.size()); ++i)
      children_[index(mechanism.bodies[index(i)].parent + 1)].push_back(i);
    for (Closure& c : closures_) {
      move_to_massive(c.body_A, c.A);
      move_to_massive(c.body_B, c.B);
    }
  }

  Spec build() {
    spec_->compiler.inertiafromgeom = mjINERTIAFROMGEOM_FALSE;
    spec_->option.timestep = drive_step;
    copy(mechanism_.gravity, spec_->option.gravity);
    spec_->option.disableflags = mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_ACTUATION |
                                 mjDSBL_SPRING | mjDSBL_DAMPER | mjDSBL_SENSOR | mjDSBL_AUTORESET;
    mjsBody* world = mjs_findBody(spec_.get(), "world");
    add_sites(-1, world);
    for (const int child : children_[0]) add_body(child, world);
    for (std::size_t k = 0; k < closures_.size(); ++k) add_equality(k);
    return std::move(spec_);
  }

 private:
  template <std::size_t n>
  static void copy(const std::array<double, n>& from, double* to) {
    std::copy(from.begin(), from.end(), to);
  }

  template <class Placed>
  static void place(const Pose& X, Placed* out) {
    copy(X.p, out->pos);
    mju_mat2Quat(out->quat, X.R.data());
  }

  // A point of a body without mass is as well one of the body it carries, if it lies on the joint's axis.
  void move_to_massive(int& body, Pose& at) const {
    while (body >= 0 && mechanism_.bodies[index(body)].mass == 0) {
      body = children_[index(body + 1)].at(0);
      at = inverse(mechanism_.bodies[index(body)].at) * at;
      if (std::hypot(at.p[0], at.p[1]) > 1e-12) throw std::runtime_error("a closure on a body without mass");
    }
  }

  void add_sites(int body, mjsBody* out) {
    const auto site = [&](const Pose& X, const std::string& name) {
      mjsSite* added = mjs_addSite(out, nullptr);
      mjs_setName(added->element, name.c_str());
      place(X, added);
    };
    for (std::size_t k = 0; k < closures_.size(); ++k) {
      if (closures_[k].body_A == body) site(closures_[k].A, "A" + std::to_string(k));
      if (closures_[k].body_B == body) site(closures_[k].B, "B" + std::to_string(k));
    }
  }

  static void add_joints(const Body& body, const Pose& X, mjsBody* out) {
    const auto joint = [&](mjtJoint type, const Vector3& axis) {
      mjsJoint* added = mjs_addJoint(out, nullptr);
      added->type = type;
      copy(X.p, added->pos);
      copy(rotate(X, axis), added->axis);
    };
    if (body.joint == JointKind::floating) mjs_addFreeJoint(out);
    if (body.joint == JointKind::turning || body.joint == JointKind::universal) joint(mjJNT_HINGE, {0, 0, 1});
    if (body.joint == JointKind::universal) joint(mjJNT_HINGE, {1, 0, 0});
    if (body.joint == JointKind::sliding) joint(mjJNT_SLIDE, {0, 0, 1});
  }

  void add_body(int last, mjsBody* parent) {
    // the run of bodies without mass that ends with one that has some, each placed in the parent of the first
    std::vector<int> run{last};
    std::vector<Pose> at{mechanism_.bodies[index(last)].at};
    while (mechanism_.bodies[index(last)].mass == 0 && children_[index(last + 1)].size() == 1) {
      last = children_[index(last + 1)][0];
      run.push_back(last);
      at.push_back(at.back() * mechanism_.bodies[index(last)].at);
    }
    mjsBody* out = mjs_addBody(parent, nullptr);
    place(at.back(), out);
    for (std::size_t i = 0; i < run.size(); ++i)
      add_joints(mechanism_.bodies[index(run[i])], inverse(at.back()) * at[i], out);
    const Body& massive = mechanism_.bodies[index(last)];
    out->explicitinertial = true;
    out->mass = massive.mass;
    copy(massive.com, out->ipos);
    copy(massive.inertia, out->fullinertia);
    add_sites(last, out);
    for (const int child : children_[index(last + 1)]) add_body(child, out);
  }

  void add_equality(std::size_t k) {
    mjsEquality* out = mjs_addEquality(spec_.get(), nullptr);
    out->type = closures_[k].kind == ClosureKind::pose ? mjEQ_WELD : mjEQ_CONNECT;
    out->objtype = mjOBJ_SITE;
    mjs_setString(out->name1, ("A" + std::to_string(k)).c_str());
    mjs_setString(out->name2, ("B" + std::to_string(k)).c_str());
    copy(std::array{2 * drive_step, 1.0}, out->solref);
    copy(std::array{0.9999, 0.9999, 0.001, 0.5, 2.0}, out->solimp);
  }

  static Pose inverse(const Pose& X) {
    Pose out;
    for (std::size_t i = 0; i < 9; ++i) out.R[i] = X.R[3 * (i % 3) + i / 3];
    out.p = Vector3{} - rotate(out, X.p);
    return out;
  }

  const Mechanism& mechanism_;
  std::vector<std::vector<int>> children_;  // of body i at i + 1
  std::vector<Closure> closures_;
  Spec spec_;
};

// A model and its data.
struct Room {
  explicit Room(const Mechanism& m) : mechanism(m) {
    const Spec spec = Builder(m).build();
    model.reset(mj_compile(spec.get(), nullptr));
    if (!model) throw std::runtime_error(mjs_getError(spec.get()));
    data.reset(mj_makeData(model.get()));
    M.resize(index(model->nv * model->nv));
  }

  void place(const std::vector<double>& q, const std::vector<double>& v) const {
    std::copy(q.begin(), q.end(), data->qpos);
    std::copy(v.begin(), v.end(), data->qvel);
  }
  std::vector<double> vector(const double* x) const { return {x, x + model->nv}; }

  const Mechanism& mechanism;
  std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, decltype(&mj_deleteData)> data{nullptr, mj_deleteData};
  std::vector<double> M;
};
using Shared = std::shared_ptr<Room>;

Method forward(const Shared& r) {
  const auto run = [r](int i) {
    const State& s = r->mechanism.states[index(i)];
    const mjModel* m = r->model.get();
    mjData* d = r->data.get();
    r->place(s.q, s.v);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_makeM(m, d);
    mj_factorM(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 0, d->qfrc_bias);
    for (int k = 0; k < m->nv; ++k) d->qfrc_smooth[k] = s.u[index(k)] - d->qfrc_bias[k];
    mj_solveM(m, d, d->qacc, d->qfrc_smooth, 1);
  };
  return {"parts of mj_forward", run, [r](int) { return r->vector(r->data->qacc); }};
}

Method inverse(const Shared& r) {
  const auto run = [r](int i) {
    const State& s = r->mechanism.states[index(i)];
    const mjModel* m = r->model.get();
    mjData* d = r->data.get();
    r->place(s.q, s.v);
    std::copy(s.u.begin(), s.u.end(), d->qacc);
    mj_kinematics(m, d);
    mj_comPos(m, d);
    mj_comVel(m, d);
    mj_rne(m, d, 1, d->qfrc_inverse);
  };
  return {"parts of mj_inverse", run, [r](int) { return r->vector(r->data->qfrc_inverse); }};
}

// M stays in MuJoCo's sparse form.
Method mass(const Shared& r) {
  const auto run = [r](int i) {
    const State& s = r->mechanism.states[index(i)];
    r->place(s.q, s.v);
    mj_kinematics(r->model.get(), r->data.get());
    mj_comPos(r->model.get(), r->data.get());
    mj_makeM(r->model.get(), r->data.get());
  };
  const auto result = [r](int i) {
    mj_fullM(r->model.get(), r->data.get(), r->M.data());
    std::vector<double> out(index(r->model->nv), 0.0);
    for (std::size_t j = 0; j < r->M.size(); ++j)
      out[j / out.size()] += r->M[j] * r->mechanism.states[index(i)].u[j % out.size()];
    return out;
  };
  return {"mj_makeM", run, result};
}

// `exact` weighs the softness of each row by its true inertia instead of an estimate.
Method constrained(const Mechanism& mechanism, bool exact) {
  const auto r = std::make_shared<Room>(mechanism);
  if (exact) r->model->opt.enableflags |= mjENBL_DIAGEXACT;
  const auto run = [r](int i) {
    const State& s = r->mechanism.states[index(i)];
    r->place(s.q, s.v);
    mj_forward(r->model.get(), r->data.get());
  };
  return {exact ? "mj_forward, diagexact" : "mj_forward", run, [r](int) { return r->vector(r->data->qacc); }};
}

Method ten_seconds(const Shared& r) {
  const auto acceleration = [r](double torque, const std::vector<double>& now, const std::vector<double>& v) {
    r->place(now, v);
    r->data->qfrc_applied[r->mechanism.driven] = torque;
    mj_forward(r->model.get(), r->data.get());
    return r->data->qacc;
  };
  return driven_by("RK4 on mj_forward", r->mechanism, acceleration);
}

std::vector<Method> methods(const Mechanism& mechanism, const std::string& task) {
  if (task == "batch") return {};
  const auto room = std::make_shared<Room>(mechanism);
  if (task == "forward") return {forward(room)};
  if (task == "inverse") return {inverse(room)};
  if (task == "mass") return {mass(room)};
  if (task == "constrained") return {constrained(mechanism, false), constrained(mechanism, true)};
  return {ten_seconds(room)};
}

}  // namespace
}  // namespace peers

int main(int argc, char** argv) { return peers::serve(argc, argv, peers::methods); }

#include <filesystem>
#include <iostream>

#include "drive.h"
#include "peers/trammel_system.h"
#include "support/closed_mechanisms.h"
#include "support/paper_systems.h"
#include "trammel/assembly/assemble.h"
#include "trammel/dynamics/inverse_dynamics.h"
#include "trammel/dynamics/mass_matrix.h"
#include "trammel/simulate/simulate.h"

/// write_mechanisms FOLDER: the tests' mechanisms with seeded states and what trammel makes of them, a file each.
namespace trammel::bench {
namespace {

peers::Mechanism plain(const Model& model) {
  peers::Mechanism out;
  out.gravity = peers::plain(model.gravity());
  for (const Body& body : model.bodies()) {
    peers::Body b;
    b.parent = body.parent;
    b.joint = body.type == JointType::revolute    ? peers::JointKind::turning
              : body.type == JointType::prismatic ? peers::JointKind::sliding
              : body.type == JointType::universal ? peers::JointKind::universal
                                                  : peers::JointKind::floating;
    b.at = peers::plain(body.X_PF);
    b.mass = body.inertia.mass;
    b.com = peers::plain(body.inertia.com());
    const Symmetric3<> I = body.inertia.about_com();
    b.inertia = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
    b.q = body.q, b.v = body.v;
    out.bodies.push_back(b);
  }
  out.nq = model.nq(), out.nv = model.nv();
  return out;
}

peers::Closure join(peers::ClosureKind kind, const Frame& A, const Frame& B) {
  return {kind, A.body, B.body, peers::plain(A.X_BF), peers::plain(B.X_BF)};
}

const Frame at(const Vec3<>& p) { return {"", world, {Mat3<>::Identity(), p}}; }

std::vector<double> list(const VecX<>& x) { return {x.begin(), x.end()}; }

// States that are spread over the whole range where the mechanism is open, and about its posture q where it has loops.
void add_states(peers::Mechanism& mechanism, int count, const VecX<>* posture, double spread = 0.3) {
  const System system = peers::trammel_system(mechanism);
  const Model& model = system.model;
  test::Random random(1);
  while (static_cast<int>(mechanism.states.size()) < count) {
    VecX<> q = posture ? retract(model, *posture, random.vector(model.nv(), spread))
                       : test::random_configuration(random, model);
    VecX<> v = random.vector(model.nv(), 2);
    const VecX<> u = random.vector(model.nv(), 5);
    if (!system.constraints.empty()) {
      const Assembly closed = assemble(system, q, v);
      if (!closed.closed()) continue;
      q = closed.q, v = closed.v;
    }
    peers::State s{list(q), list(v), list(u), {}, {}, {}, {}};
    s.forward = list(forward_dynamics(model, q, v, u));
    s.inverse = list(inverse_dynamics(model, q, v, u));
    s.mass = list(mass_matrix(model, q) * u);
    s.constrained = list(solve_motion(system, q, v).vdot);
    mechanism.states.push_back(s);
  }
}

// An open arm, its frame `tip` held where it stands in a bent posture.
peers::Mechanism held(const Model& model, peers::ClosureKind kind) {
  peers::Mechanism out = plain(model);
  VecX<> q(model.nq());
  for (int i = 0; i < q.size(); ++i) q[i] = i % 4 == 3 ? -0.8 : i % 2 == 1 ? 0.9 : 0.4;
  Positions<> where(model);
  positions<double>(model, q, where);
  const Frame& tip = model.frame("tip");
  out.closures.push_back(join(kind, {"", world, where.pose(tip)}, tip));
  // assembly is cubic in the length of a chain: few states of long ones, near the posture
  const bool is_long = model.nv() > 32;
  add_states(out, is_long ? 3 : 100, &q, is_long ? 0.01 : 0.3);
  return out;
}

peers::Mechanism open(const Model& model) {
  peers::Mechanism out = plain(model);
  add_states(out, 100, nullptr);
  return out;
}

peers::Mechanism five_bar(peers::ClosureKind kind) {
  const test::Looped looped = test::five_bar();
  const Model& model = looped.system.model;
  peers::Mechanism out = plain(model);
  out.closures.push_back(join(kind, model.frame("left tip"), model.frame("right tip")));
  add_states(out, 100, &looped.q);
  return out;
}

peers::Mechanism three_rrr() {
  const test::Looped looped = test::three_rrr();
  const Model& model = looped.system.model;
  peers::Mechanism out = plain(model);
  for (const std::string arm : {"b", "c"})
    out.closures.push_back(join(peers::ClosureKind::hinge, model.frame(arm + " corner"), model.frame(arm + " tip")));
  add_states(out, 100, &looped.q);
  return out;
}

peers::Mechanism stewart() {
  const test::Looped looped = test::stewart();
  const Model& model = looped.system.model;
  peers::Mechanism out = plain(model);
  for (const std::string leg : {"1", "2", "3", "4", "5", "6"})
    out.closures.push_back(join(peers::ClosureKind::point, model.frame("ball" + leg), model.frame("socket" + leg)));
  add_states(out, 100, &looped.q);
  return out;
}

peers::Mechanism parallel(peers::ClosureKind kind) {
  const Model model = test::paper_robot("parallel", Vec3<>::Zero());
  peers::Mechanism out = plain(model);
  const Vec3<> bases[] = {{0, 0.25, 0}, {0.43, 0, 0}, {0.4269, 0.5005, 0}};
  for (int i = 0; i < 3; ++i)
    out.closures.push_back(join(kind, at(bases[i]), model.frame("root" + std::to_string(i + 1))));
  for (const std::string arm : {"2", "3"})
    out.closures.push_back(join(kind, model.frame("tip" + arm), model.frame("tip1")));
  const VecX<> start = test::parallel_start(model);
  add_states(out, 100, &start);
  return out;
}

// The parallel robot from its printed posture, driven by the motor of its first arm.
peers::Mechanism driven() {
  peers::Mechanism out = parallel(peers::ClosureKind::in_plane);
  const System system = peers::trammel_system(out);
  const Model model = test::paper_robot("parallel", Vec3<>::Zero());
  out.driven = model.bodies()[model.joint("qa1")].v;
  const Assembly closed = assemble(system, test::parallel_start(model), VecX<>::Zero(model.nv()));
  out.states.resize(1);
  out.states[0].q = list(closed.q);
  out.end_of_drive = list(peers::driven_run(out, {}).end.q);
  return out;
}

void write_all(const std::string& folder) {
  using peers::ClosureKind, peers::write;
  const Model arm = build_model(test::arm7());
  write(open(arm), folder + "/arm7");
  write(open(build_model(test::tree36())), folder + "/tree36");
  write(held(arm, ClosureKind::point), folder + "/pinned-arm7");
  write(held(arm, ClosureKind::pose), folder + "/held-arm7");
  write(parallel(ClosureKind::in_plane), folder + "/parallel");
  write(parallel(ClosureKind::point), folder + "/parallel-in-space");
  write(driven(), folder + "/parallel-driven");
  write(five_bar(ClosureKind::in_plane), folder + "/five-bar");
  write(five_bar(ClosureKind::point), folder + "/five-bar-in-space");
  write(three_rrr(), folder + "/3-RRR");
  write(stewart(), folder + "/Stewart");
  for (int n = 2; n <= 512; n *= 2)
    write(held(build_model(test::chain(n)), ClosureKind::point), folder + "/chain" + std::to_string(n));
}

}  // namespace
}  // namespace trammel::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: write_mechanisms FOLDER\n";
    return 1;
  }
  std::filesystem::create_directories(argv[1]);
  trammel::bench::write_all(argv[1]);
  return 0;
}

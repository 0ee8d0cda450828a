#pragma once

#include <array>
#include <fstream>
#include <iomanip>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

/// A mechanism and seeded states of it in plain numbers, as every engine gets them: no engine's own types, and no Eigen,
/// since each program of this folder is built with flags of its own. SI units.
namespace peers {

using Vector3 = std::array<double, 3>;

/// The pose of a frame in another: rows of the rotation, then the place of the origin.
struct Pose {
  std::array<double, 9> R{1, 0, 0, 0, 1, 0, 0, 0, 1};
  Vector3 p{};
};

/// A joint carries the frame M of its body relative to F on the parent.
///   turning    q = angle             v = q̇            M turns about z
///   sliding    q = displacement      v = q̇            M slides along z
///   universal  q = two angles        v = q̇            M turns about z of F, then about x of itself
///   floating   q = p, (w, x, y, z)   v = ṗ in F, ω in M
enum class JointKind { turning, sliding, universal, floating };
inline int coordinates_of(JointKind kind) {
  return kind == JointKind::floating ? 7 : kind == JointKind::universal ? 2 : 1;
}
inline int velocities_of(JointKind kind) {
  return kind == JointKind::floating ? 6 : kind == JointKind::universal ? 2 : 1;
}

/// A body, in its own frame M. Parents stand before their children, each branch to its end.
struct Body {
  int parent = -1;  // −1: the world
  JointKind joint = JointKind::turning;
  Pose at;  // F on the parent
  double mass = 0;
  Vector3 com{};
  std::array<double, 6> inertia{};  // xx yy zz xy xz yz, about the mass centre
  int q = 0, v = 0;                 // where its coordinates and velocities begin; set by read()
};

/// What holds a frame A of one body and a frame B of another together.
///   point     their origins meet: 3 rows
///   in_plane  the same along x and y of the world, which is enough in a planar mechanism: 2 rows
///   hinge     their origins and their z axes meet: 5 rows
///   pose      they coincide: 6 rows
enum class ClosureKind { point, in_plane, hinge, pose };
struct Closure {
  ClosureKind kind = ClosureKind::point;
  int body_A = -1, body_B = -1;
  Pose A, B;
};

/// A state, on the closures, with what trammel makes of it. `u` serves as forces and as accelerations.
struct State {
  std::vector<double> q, v, u;
  std::vector<double> forward;      // v̇ under the forces u, without the closures
  std::vector<double> inverse;      // the forces at the accelerations u, without the closures
  std::vector<double> mass;         // M u
  std::vector<double> constrained;  // v̇ under the closures, without forces
};

struct Mechanism {
  Vector3 gravity{};
  std::vector<Body> bodies;
  std::vector<Closure> closures;
  std::vector<State> states;
  int nq = 0, nv = 0;
  int driven = -1;                   // the velocity that is driven in a simulation of ten seconds, and
  std::vector<double> end_of_drive;  // q at its end, if there is one
};

/// The file is a list of numbers in the order of the declarations above, each list after its length.
class Writer {
 public:
  explicit Writer(const std::string& path) : file_(path) { file_ << std::setprecision(17); }
  void operator()(double x) { file_ << x << ' '; }
  template <std::size_t n>
  void operator()(const std::array<double, n>& list) {
    for (const double x : list) (*this)(x);
  }
  void operator()(const std::vector<double>& list) {
    for (const double x : list) (*this)(x);
  }
  void end_line() { file_ << '\n'; }

 private:
  std::ofstream file_;
};

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path), path_(path) {}
  void operator()(double& x) {
    if (!(file_ >> x)) throw std::runtime_error(path_ + " is not there or ends early");
  }
  void operator()(int& i) {
    double x = 0;
    (*this)(x);
    i = static_cast<int>(x);
  }
  template <std::size_t n>
  void operator()(std::array<double, n>& list) {
    for (double& x : list) (*this)(x);
  }
  void operator()(std::vector<double>& list, int length) {
    list.resize(static_cast<std::size_t>(length));
    for (double& x : list) (*this)(x);
  }
  int number() {
    int i = 0;
    (*this)(i);
    return i;
  }

 private:
  std::ifstream file_;
  std::string path_;
};

inline void write(const Mechanism& mechanism, const std::string& path) {
  Writer out(path);
  out(mechanism.gravity), out(mechanism.driven), out.end_line();
  out(static_cast<double>(mechanism.bodies.size())), out.end_line();
  for (const Body& body : mechanism.bodies) {
    out(body.parent), out(static_cast<double>(body.joint)), out(body.at.R), out(body.at.p);
    out(body.mass), out(body.com), out(body.inertia), out.end_line();
  }
  out(static_cast<double>(mechanism.closures.size())), out.end_line();
  for (const Closure& c : mechanism.closures) {
    out(static_cast<double>(c.kind)), out(c.body_A), out(c.A.R), out(c.A.p), out(c.body_B), out(c.B.R), out(c.B.p);
    out.end_line();
  }
  out(static_cast<double>(mechanism.states.size())), out.end_line();
  for (const State& s : mechanism.states) {
    for (const auto* list : {&s.q, &s.v, &s.u, &s.forward, &s.inverse, &s.mass, &s.constrained}) out(*list);
    out.end_line();
  }
  out(mechanism.end_of_drive), out.end_line();
}

inline Mechanism read(const std::string& path) {
  Reader in(path);
  Mechanism mechanism;
  in(mechanism.gravity), in(mechanism.driven);
  mechanism.bodies.resize(static_cast<std::size_t>(in.number()));
  for (Body& body : mechanism.bodies) {
    in(body.parent), body.joint = static_cast<JointKind>(in.number()), in(body.at.R), in(body.at.p);
    in(body.mass), in(body.com), in(body.inertia);
    body.q = mechanism.nq, body.v = mechanism.nv;
    mechanism.nq += coordinates_of(body.joint), mechanism.nv += velocities_of(body.joint);
  }
  mechanism.closures.resize(static_cast<std::size_t>(in.number()));
  for (Closure& c : mechanism.closures) {
    c.kind = static_cast<ClosureKind>(in.number());
    in(c.body_A), in(c.A.R), in(c.A.p), in(c.body_B), in(c.B.R), in(c.B.p);
  }
  mechanism.states.resize(static_cast<std::size_t>(in.number()));
  for (State& s : mechanism.states) {
    in(s.q, mechanism.nq);
    for (auto* list : {&s.v, &s.u, &s.forward, &s.inverse, &s.mass, &s.constrained}) in(*list, mechanism.nv);
  }
  if (mechanism.driven >= 0) in(mechanism.end_of_drive, mechanism.nq);
  return mechanism;
}

}  // namespace peers

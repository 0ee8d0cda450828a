#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "report/expected_force.h"
#include "report/random_run.h"
#include "support/worst.h"
#include "trammel/report/scene.h"
#include "trammel/scenario/scenario.h"

// The arrows of the page are what the recording says: its λ, at the point that is held.

namespace trammel {
namespace {

using namespace test;

class ArrowComparison {
 public:
  explicit ArrowComparison(const std::string& what) : points_(what + ", points"), forces_(what + ", forces") {}
  ~ArrowComparison() {
    EXPECT_LT(points_.value(), 1e-12);
    EXPECT_LT(forces_.value(), 1e-12);
  }
  ArrowComparison(const ArrowComparison&) = delete;
  ArrowComparison& operator=(const ArrowComparison&) = delete;

  // Every row of the recording in doubles, and the arrows in floats.
  void see(const Problem& problem, const Simulation& run, const std::vector<ExpectedForce>& expected) {
    const Recording& recording = run.recording;
    const Model& model = problem.system().model;
    const Scene scene = scene_of(problem, run, {}, recording.rows());
    std::size_t used = 0;
    for (const ExpectedForce& law : expected) {
      const int i = index_of(problem, law.name);
      if (i < 0) continue;  // motors track it
      const Scene::Arrow* const force = find(scene, law.name, false);
      const Scene::Arrow* const moment = find(scene, law.name, true);
      used += (force != nullptr) + (moment != nullptr);
      Data data(problem);
      Positions<> where(model);
      for (int row = 0; row < recording.rows(); ++row) {
        positions<double>(model, recording.state(row).q, where);
        const ExpectedForce::Wrench wanted =
            law.at({where, lambda_of(problem, recording, row, i), recording.inputs(row)});
        const WrenchAtPoint got = recorded_wrenches(recording, row, data)[i];
        ASSERT_EQ(got.body, law.body) << law.name;
        compare(wanted, got, law.name, row);
        compare_drawn(force, got.p_W, wanted.force, wanted.p, row);
        compare_drawn(moment, got.p_W, wanted.moment, wanted.p, row);
      }
      for (const Scene::Arrow* arrow : {force, moment})
        EXPECT_TRUE(!arrow || arrow->body == model.link_name(law.body)) << law.name;
    }
    EXPECT_EQ(used, scene.forces.size()) << "an arrow of nothing that is held";
  }

  int seen() const { return seen_; }

 private:
  static const Scene::Arrow* find(const Scene& scene, const std::string& name, bool is_moment) {
    const auto found = std::ranges::find_if(
        scene.forces, [&](const Scene::Arrow& arrow) { return arrow.name == name && arrow.is_moment == is_moment; });
    return found == scene.forces.end() ? nullptr : &*found;
  }

  // In problem.held(); −1 where it is not held.
  static int index_of(const Problem& problem, const std::string& name) {
    const std::vector<int>& held = problem.held().constraints;
    for (std::size_t i = 0; i < held.size(); ++i)
      if (problem.system().constraints[held[i]].name == name) return static_cast<int>(i);
    return -1;
  }

  // By the names of the columns.
  static VecX<> lambda_of(const Problem& problem, const Recording& recording, int row, int i) {
    const NamedConstraint& constraint = problem.system().constraints[problem.held().constraints[i]];
    const int rows = constraint.law->rows();
    VecX<> out(rows);
    for (int k = 0; k < rows; ++k)
      out[k] = recording(row, "lambda." + constraint.name + (rows == 1 ? "" : "[" + std::to_string(k) + "]"));
    return out;
  }

  void compare(const ExpectedForce::Wrench& wanted, const WrenchAtPoint& got, const std::string& name, int row) {
    const double size = wanted.force.norm() + wanted.moment.norm();
    if (!std::isfinite(size)) return;
    const double reach = 1 + wanted.p.norm();
    points_.see((got.p_W - wanted.p).norm() / reach);
    const double off = std::max((got.force - wanted.force).norm(), (got.moment - wanted.moment).norm() / reach);
    if (size > 0) forces_.see(off / size);
    EXPECT_LE(off, 1e-12 * size) << name << " at row " << row;
    ++seen_;
  }

  static void compare_drawn(const Scene::Arrow* arrow, const Vec3<>& p, const Vec3<>& vector, const Vec3<>& wanted_p,
                            int row) {
    if (!arrow || !(vector.norm() < 1e30)) return;  // floats end at 3e38
    ASSERT_GE(arrow->vector.size(), 3 * static_cast<std::size_t>(row) + 3);
    const float* const at = arrow->at.data() + 3 * row;
    const float* const drawn = arrow->vector.data() + 3 * row;
    EXPECT_LE((Vec3<>(at[0], at[1], at[2]) - wanted_p).norm(), 1e-6 * (1 + p.norm()));
    EXPECT_LE((Vec3<>(drawn[0], drawn[1], drawn[2]) - vector).norm(), 1e-6 * vector.norm() + 1e-12);
  }

  Worst points_, forces_;
  int seen_ = 0;
};

TEST(Arrows, AreTheRecordedForcesInRandomRuns) {
  ArrowComparison comparison("random runs");
  std::set<std::string> kinds;
  int moving = 0, turned = 0, driven = 0, shared = 0;
  const int count = 200;
  for (int seed = 0; seed < count; ++seed) {
    SCOPED_TRACE(seed);
    const RandomRun run = random_run(static_cast<unsigned>(seed));
    const Recording& recording = run.simulation.recording;
    if (recording.rows() == 0) continue;  // no motion at the start
    comparison.see(run.problem, run.simulation, run.expected);
    for (const std::string& kind : run.kinds) kinds.insert(kind);
    ++moving;
    driven += run.problem.driven();
    for (const int i : run.problem.endless()) turned += std::abs(recording.state(recording.rows() - 1).q[i]) > 7;
    for (const Scene::Arrow& arrow : scene_of(run.problem, run.simulation, {}).forces)
      shared += arrow.uniqueness == Uniqueness::shared;
  }
  // no case is left out by bad luck
  EXPECT_GT(moving, 0.95 * count);
  EXPECT_GT(comparison.seen(), 5 * count);
  EXPECT_GT(turned, count / 20);
  EXPECT_GT(driven, count / 20);
  EXPECT_GT(shared, count / 20);
  EXPECT_EQ(kinds.size(), RandomRun::all_kinds);
}

struct Example {
  std::string file;
  std::function<std::vector<ExpectedForce>(const System&)> expected;
};

// Every constraint of every example that puts a force on a body, as its file says it.
std::vector<Example> all_examples() {
  using namespace by_hand;
  const Frame ground{"world", world, {}};
  const auto point = [ground](const System& system, const std::string& name, const std::string& frame,
                              std::string_view axes) {
    return along_world(name, ground, system.model.frame(frame), axes);
  };
  const auto coincide = [](const System& system, const std::string& name, const std::string& first,
                           const std::string& second, std::string_view axes) {
    return along_world(name, system.model.frame(first), system.model.frame(second), axes);
  };
  using Expected = std::vector<ExpectedForce>;
  return {
      {"01-scara-helix", [=](const System& s) { return Expected{point(s, "tool path", "tool", "xyz")}; }},
      {"02-parallel-tracking",
       [=](const System& s) {
         return Expected{point(s, "base 1", "root1", "xy"), point(s, "base 2", "root2", "xy"),
                         point(s, "base 3", "root3", "xy"), coincide(s, "tips tip2", "tip1", "tip2", "xy"),
                         coincide(s, "tips tip3", "tip1", "tip3", "xy")};
       }},
      {"03-four-bar",
       [=](const System& s) {
         return Expected{hinge("loop", s.model.frame("ground pin"), s.model.frame("rocker pin"))};
       }},
      {"04-serial-inverse", [](const System&) { return Expected{}; }},
      {"05-two-link-line", [=](const System& s) { return Expected{point(s, "line", "tip", "xy")}; }},
      {"06-trammel-of-archimedes",
       [=](const System& s) {
         return Expected{point(s, "groove along x", "first slider", "y"),
                         point(s, "groove along y", "second slider", "x")};
       }},
      {"07-five-bar", [=](const System& s) { return Expected{coincide(s, "loop", "pen", "right tip", "xy")}; }},
      {"08-bead-on-a-wire",
       [=](const System& s) {
         return Expected{point(s, "high x", "high", "x"), point(s, "high z", "high", "z"),
                         point(s, "low x", "low", "x"), point(s, "low z", "low", "z")};
       }},
      {"09-double-pendulum-cartesian",
       [=](const System& s) {
         return Expected{distance("upper rod", ground, s.model.frame("upper")),
                         distance("lower rod", s.model.frame("upper"), s.model.frame("lower"))};
       }},
      {"10-slider-crank", [=](const System& s) { return Expected{coincide(s, "wrist", "rod end", "piston", "xy")}; }},
      {"11-3-rrr",
       [=](const System& s) {
         return Expected{hinge("hinge 2", s.model.frame("corner 2"), s.model.frame("tip 2")),
                         hinge("hinge 3", s.model.frame("corner 3"), s.model.frame("tip 3"))};
       }},
      {"12-stewart",
       [=](const System& s) {
         Expected out;
         for (const std::string leg : {"1", "2", "3", "4", "5", "6"})
           out.push_back(coincide(s, "ball " + leg, "rod " + leg, "corner " + leg, "xyz"));
         return out;
       }},
      {"13-chaplygin-sleigh",
       [=](const System& s) {
         const Frame& blade = s.model.frame("sleigh");
         return Expected{along("blade", blade, blade.body, blade.X_BF.R.col(1))};
       }},
      {"14-rolling-disc",
       [=](const System& s) {
         const Frame& disc = s.model.frame("disc");
         return Expected{rolls("wheel", disc, disc.X_BF.R.col(2), 0.5, 0, world, Vec3<>::UnitZ())};
       }},
      {"15-two-arms-one-bar",
       [=](const System& s) {
         return Expected{coincide(s, "left hand", "left.tip", "left end", "xy"),
                         coincide(s, "right hand", "right.tip", "right end", "xy")};
       }},
      {"16-mobile-robot",
       [=](const System& s) {
         Expected out;
         for (const std::string side : {"left", "right"}) {
           const Frame& wheel = s.model.frame(side + " wheel");
           out.push_back(rolls(side + " tyre", wheel, wheel.X_BF.R.col(1), 0.1, 0, world, Vec3<>::UnitZ()));
         }
         return out;
       }},
      {"17-tethered-satellites",
       [=](const System& s) { return Expected{distance("tether", s.model.frame("lower"), s.model.frame("upper"))}; }},
      {"18-serial-forward", [](const System&) { return Expected{}; }},
  };
}

TEST(Arrows, AreTheRecordedForcesInEveryExample) {
  ArrowComparison comparison("examples");
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(TRAMMEL_SOURCE_DIR "/examples"))
    if (entry.path().extension() == ".yaml") files.insert(entry.path().stem());
  for (const Example& example : all_examples()) {
    SCOPED_TRACE(example.file);
    files.erase(example.file);
    const Scenario scenario = read_scenario(TRAMMEL_SOURCE_DIR "/examples/" + example.file + ".yaml");
    const Simulation run = simulate(scenario.problem(), scenario.start, scenario.simulate);
    ASSERT_GT(run.recording.rows(), 1);
    comparison.see(scenario.problem(), run, example.expected(scenario.system));
  }
  EXPECT_TRUE(files.empty()) << *files.begin() << " is not in the table above";
}

}  // namespace
}  // namespace trammel

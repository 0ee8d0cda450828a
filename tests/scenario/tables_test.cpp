// Paths and forces from columns of samples.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "trammel/scenario/samples.h"
#include "trammel/scenario/scenario.h"

namespace trammel {
namespace {

// A file of its own in a folder of its own, which is taken away again.
class SampleFile {
 public:
  explicit SampleFile(const std::string& text) {
    static int count = 0;
    path_ = std::filesystem::temp_directory_path() /
            fmt::format("trammel_tables_{}_{}.csv", ::testing::UnitTest::GetInstance()->random_seed(), ++count);
    path_ += std::to_string(reinterpret_cast<std::uintptr_t>(this));
    std::ofstream(path_) << text;
  }
  ~SampleFile() { std::filesystem::remove(path_); }
  SampleFile(const SampleFile&) = delete;
  SampleFile& operator=(const SampleFile&) = delete;

  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

Scenario table_scenario(const std::string& text) {
  return read_scenario_text(text, "test.yaml", TRAMMEL_SOURCE_DIR "/robots");
}

Recording recording_of(const Scenario& scenario) {
  Simulation simulation = simulate(scenario.problem(), scenario.start, scenario.simulate);
  EXPECT_EQ(simulation.status, RunStatus::finished) << simulation.what;
  return std::move(simulation.recording);
}

constexpr double r = 0.05, w = 0.4 * std::numbers::pi;

std::string helix_samples(int count) {
  std::string out = "time,x,y,z\n";
  for (int i = 0; i < count; ++i) {
    const double t = 20.0 * i / (count - 1);
    out += fmt::format("{},{},{},{}\n", t, r * std::sin(w * t), 0.35 + r * std::cos(w * t), 0.02 * t);
  }
  return out;
}

std::string helix(const std::string& tables, const std::string& path) {
  return "robot: scara.urdf\n" + tables + "constraints:\n  - {name: tool path, point: tool, " + path +
         "}\n  - {name: heading, equation: q1 + q2 + q3 = 0}\n"
         "initial: {q: {q1: 30 deg, q2: -55 deg, q3: 24 deg}}\n"
         "simulate: {duration: 20 s, integrator: dop8, tolerance: 1e-12}\n"
         "record: {every: 37 ms, frames: [tool], velocities: [tool]}\n";
}

Recording run_of_samples(const std::string& file) {
  return recording_of(table_scenario(helix(fmt::format("tables: {{path: {{file: {}, over: time}}}}\n", file),
                                           "x: path.x(t), y: path.y(t), z: path.z(t)")));
}

double worst_beside(const Recording& a, const Recording& b, const std::string& column) {
  return (a[column] - b[column]).cwiseAbs().maxCoeff();
}

// Cubic splines are off by 5/384 h⁴ max|f⁗|; at not-a-knot ends, where four samples lie on one cubic, by h⁴/24 max|f⁗|.
TEST(Tables, AHelixOfTwoHundredSamplesIsTheFormulaToTheOrderOfTheSpline) {
  const Recording formula = recording_of(
      table_scenario(helix("", fmt::format("x: {0}*sin({1}*t), y: 0.35 + {0}*cos({1}*t), z: 0.02*t", r, w))));
  const SampleFile coarse(helix_samples(201)), fine(helix_samples(401));
  const Recording two_hundred = run_of_samples(coarse.path()), twice_as_many = run_of_samples(fine.path());
  for (const char* column : {"tool.x", "tool.y"}) {
    const double h = 0.1, bound = std::pow(h, 4) / 24 * r * std::pow(w, 4);
    const double error = worst_beside(two_hundred, formula, column);
    EXPECT_LT(error, bound) << column;
    const double order = std::log2(error / worst_beside(twice_as_many, formula, column));
    EXPECT_GT(order, 3.75) << column;
    EXPECT_LT(order, column[5] == 'x' ? 5.25 : 4.25) << column;  // f⁗ of the sine vanishes at the ends
  }
  EXPECT_LT(worst_beside(two_hundred, formula, "tool.z"), 1e-12);  // straight: met exactly
  EXPECT_LT(worst_beside(two_hundred, formula, "q.q1"), 1e-5);
}

TEST(Tables, LeadWithTheRatesOfTheirCurves) {
  const SampleFile file(helix_samples(201));
  const Recording out = run_of_samples(file.path());
  const scenario::Samples samples = [&] {
    scenario::SampleFiles files("");
    return *files.read(file.path());
  }();
  const Curve x(samples.columns[0].values, samples.columns[1].values, Curve::Shape::cubic, Curve::Beyond::refuse);
  const VecX<> t = out["t"], place = out["tool.x"], speed = out["tool.vx"];
  for (int row = 0; row < t.size(); ++row) {
    EXPECT_NEAR(place[row], x.at(t[row]).f, 1e-12);
    EXPECT_NEAR(speed[row], x.at(t[row]).df, 1e-12);
  }
}

TEST(Tables, GiveForcesOverTimesAndPlaces) {
  const SampleFile file("t,push\r\n0,2\r\n1,2\r\n# a remark\r\n2,-1\r\n\r\n3,-1\r\n");
  const SampleFile spring("\"how far\", pull \n-1,10\n0,0\n1,-40\n");
  const Scenario scenario = table_scenario(fmt::format(R"yaml(
tables:
  wind: {{file: {}, over: t, interpolate: linear, beyond: hold}}
  soft: {{file: {}, over: how far, interpolate: linear}}
bodies: {{cart: {{mass: 2}}}}
joints: [{{name: slide, prismatic: x, from: world, to: cart}}]
define: {{pull: soft.pull(slide)}}
forces: [{{joint: slide, force: wind.push(t) + pull}}]
initial: {{q: {{slide: -0.1}}}}
simulate: {{duration: 4 s, tolerance: 1e-11, step: 10 ms}}
record: {{expressions: {{pull: pull}}}}
)yaml",
                                                       file.path(), spring.path()));
  const Recording out = recording_of(scenario);
  const VecX<> t = out["t"], x = out["q.slide"], a = out["vdot.slide"];
  for (int row = 0; row < t.size(); ++row) {
    const double push = t[row] < 1   ? 2
                        : t[row] < 2 ? 5 - 3 * t[row]
                                     : -1,
                 pull = x[row] < 0 ? -10 * x[row] : -40 * x[row];
    EXPECT_NEAR(a[row], (push + pull) / 2, 1e-12);
    EXPECT_NEAR(out(row, "pull"), pull, 1e-12);
  }
}

std::string refusal_of_samples(const std::string& samples, const std::string& uses = "path.x(t)",
                               const std::string& table = "over: time") {
  const SampleFile file(samples);
  try {
    (void)table_scenario(
        fmt::format("robot: two-link.urdf\ntables:\n  path: {{{}, file: {}}}\nforces:\n  - {{joint: "
                    "q1, torque: \"{}\"}}\nsimulate: {{duration: 2 s}}\n",
                    table, file.path(), uses));
    return "";
  } catch (const Error& error) {
    std::string what = error.what();
    for (std::size_t at = what.find(file.path()); at != std::string::npos; at = what.find(file.path()))
      what.replace(at, file.path().size(), "FILE");
    return what;
  }
}

TEST(Tables, TellMistakesInFilesByTheirLine) {
  const std::string rise = "; allowed: values that rise from line to line",
                    number = "; allowed: a finite number, such as 1.5 or -2e-3, in SI units";
  EXPECT_EQ(refusal_of_samples("time,x\n0,1\n2,3\n"), "");
  EXPECT_EQ(refusal_of_samples("time,x\n0,1\n1,2\n1,3\n2,3\n"), "FILE:4: found 1 behind 1 in column 'time'" + rise);
  EXPECT_EQ(refusal_of_samples("# s\ntime,x\n\n0,1\n2,2\n1.5,3\n"),
            "FILE:6: found 1.5 behind 2 in column 'time'" + rise);
  EXPECT_EQ(refusal_of_samples("time,x\n0,1\n1,nan\n2,3\n"), "FILE:3:3: found 'nan' in column 'x'" + number);
  EXPECT_EQ(refusal_of_samples("time,x\n0,1\n1, \n2,3\n"), "FILE:3:4: found '' in column 'x'" + number);
  EXPECT_EQ(refusal_of_samples("time,x\n0,1\ninf,2\n"), "FILE:3:1: found 'inf' in column 'time'" + number);
  EXPECT_EQ(refusal_of_samples("time,x\n0,1.5e\n2,3\n"), "FILE:2:3: found '1.5e' in column 'x'" + number);
  EXPECT_EQ(refusal_of_samples("time,x,y\n0,1,2\n1,2\n2,3,4\n"),
            "FILE:3: found 2 values; allowed: 3, one for each column");
  EXPECT_EQ(refusal_of_samples("time,x\n0,1\n"), "FILE: found one sample; allowed: two samples or more");
  EXPECT_EQ(refusal_of_samples("time,x\n"), "FILE: found no sample; allowed: two samples or more");
  EXPECT_EQ(refusal_of_samples("time\n0\n1\n2\n"),
            "FILE: found no column besides 'time'; allowed: columns of values over it");
  EXPECT_EQ(refusal_of_samples("time,x,x\n0,1,2\n"), "FILE:1:8: found a second column 'x'; allowed: each name once");
  EXPECT_EQ(refusal_of_samples("0,1\n1,2\n"),
            "FILE:1:1: found the number 0 in the first line; allowed: the names of the columns");
  EXPECT_EQ(refusal_of_samples("time,,x\n"),
            "FILE:1:6: found a column without a name; allowed: a name for each column in the first line");
  EXPECT_EQ(refusal_of_samples("\"time,x\n0,1\n"),
            "FILE:1:1: found a quote that does not end on its line; allowed: \"text\"");
  // of columns that are not used, any text goes
  EXPECT_EQ(refusal_of_samples("time,x,note\n0,1,\"a, \"\"b\"\"\"\n2,3,c\n"), "");
}

TEST(Tables, TellMistakesInScenariosByTheirLine) {
  const std::string samples = "time,x\n0,1\n1.5,3\n";
  EXPECT_EQ(refusal_of_samples(samples),
            "test.yaml:5:26: found a table from 0 to 1.5 s, in a run from 0 to 2 s; allowed: a table that reaches over "
            "the run, or beyond: hold");
  EXPECT_EQ(refusal_of_samples(samples, "path.x(t)", "over: time, beyond: hold"), "");
  EXPECT_EQ(refusal_of_samples(samples, "if(t < 1.5, path.x(t), 0)"), "");
  EXPECT_EQ(refusal_of_samples(samples, "path.x(q1)"), "");
  EXPECT_EQ(refusal_of_samples(samples, "path.y(t)"),
            "test.yaml:5:26: found the column 'y' of the table 'path'; allowed: one of x");
  EXPECT_EQ(refusal_of_samples(samples, "1", "over: times"),
            "test.yaml:3:16: found the column 'times', which FILE does not have; allowed: one of time, x (did you mean "
            "'time'?)");
}

TEST(Tables, StayWithTheirScenarioWhenNumbersChange) {
  const SampleFile file("time,x\n0,1\n1,2\n2,5\n");
  const Scenario scenario = table_scenario(
      fmt::format("robot: two-link.urdf\nconstants: {{k: 2}}\ntables: {{path: {{file: {}, over: time}}}}\nforces: "
                  "[{{joint: q1, torque: k*path.x(t)}}]\nsimulate: {{duration: 2 s}}\n",
                  file.path()));
  std::filesystem::remove(file.path());  // not read again
  const Scenario other = scenario.with({{"constants.k", 3}});
  Kinematics<> kin(other.system.model);
  const VecX<> zero = VecX<>::Zero(2);
  kinematics<double>(other.system.model, zero, zero, kin);
  VecX<> tau = zero;
  other.system.forces[0].law->add_to(other.system.model, {kin, zero, zero, 1}, tau);
  EXPECT_NEAR(tau[0], 6, 1e-14);
}

}  // namespace
}  // namespace trammel

#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>

#include "trammel/assembly/assemble.h"
#include "trammel/figure/figure.h"
#include "trammel/simulate/simulate.h"
#include "trammel/urdf/urdf.h"

namespace trammel {

/// Everything that one YAML file says about a run (docs/scenario.md has every key with an example): the robots, what must
/// hold, what acts, what drives, the start, and how to run and record it.
struct Scenario {
  explicit Scenario(System what) : system(std::move(what)) {}

  std::string name;
  std::string file, text;  // as they were given
  System system;
  State start;                         // assembled, unless told not to
  bool assemble = true;                // as asked
  std::optional<Assembly> assembly{};  // what assembly did, where asked. Where it did not close, `start` is its nearest
                                       // state, and start(…) in expressions means the guess: the caller must say so
  SimulateOptions simulate;            // of duration 0 where the file does not say how to simulate
  std::vector<Figure> plots;           // yet to be drawn: x and the curves bear the names of recorded columns
  std::vector<Warning> warnings;       // of the robots' files
  std::map<std::string, Place> places{};  // of the constraints in the file, by their names

  /// What a run of it solves: the system, with the options of the run.
  Problem problem() const { return compile(system, motion_options(simulate)); }

  /// The scenario with other numbers, by the names that system.source->parameters() gives them: as if the file had said so. Throws Error
  /// where one is not known or makes no sense.
  Scenario with(const Changes& changes) const;

  /// The same scenario as if it had been read with these overrides, behind those that it was read with. Its file and those of its robots
  /// are not read again.
  Scenario with_overrides(const std::vector<std::string>& overrides) const;
};

/// Reads a scenario and builds what it describes. Files of robots are looked for beside the scenario's. Each override
/// "simulate.duration=5 s" puts a value in place of the one in the file, or where there is none; items of lists go by
/// their name or their number from 0 ("constraints.path.x=0"), and keys with dots stand in backquotes. Numbers that a robot's file
/// gives go by the names of Scenario::with ("bodies.forearm.mass=2").
///
/// What is wrong throws Error with file, line and column. Values are taken strictly: no unknown, missing or second keys,
/// no YAML anchors or tags; up to 10 MB, 32 levels and 100 000 values.
/// Files of robots are read by `robots`.
Scenario read_scenario(const std::filesystem::path& file, const std::vector<std::string>& overrides = {},
                       const UrdfOptions& robots = {});

/// The same from text. `file` stands in messages; files of robots are looked for in `folder`.
Scenario read_scenario_text(std::string text, const std::string& file, const std::filesystem::path& folder = {},
                            const std::vector<std::string>& overrides = {}, const UrdfOptions& robots = {});

/// Adds to a system what text cannot say: laws in code.
using AddToSystem = std::function<void(System&)>;

/// The system of a scenario alone, which has no controllers and no motors that are sampled. Its start is assembled only where start(…) is used, and must close then. `also` is called when everything
/// that the text says about constraints is there, and before the forces are; so it is with every change of a number by its name.
System read_system_text(std::string text, const std::string& file, const std::filesystem::path& folder = {},
                        AddToSystem also = {});

/// The message of an error and, if its line and column in this text are known, that line with a caret under the spot.
std::string with_caret(const Error& error, std::string_view text);

}  // namespace trammel

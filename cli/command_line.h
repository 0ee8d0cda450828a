#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the name that CLI11 gave it
class App;
}

namespace trammel::cli {

/// What a verb's run ends with.
enum Exit { done = 0, bad_input = 1, could_not_finish = 2 };

/// A scenario that could not be read; the message is complete, with the line and a caret.
struct BadScenario : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A verb and what it takes. Values are set when the command line is read, and must live until then.
class Verb {
 public:
  explicit Verb(CLI::App& app) : app_(&app) {}

  void argument(const std::string& name, std::string& value, const std::string& help);  // must be given
  void option(const std::string& name, std::string& value, const std::string& help);
  void option(const std::string& name, std::vector<std::string>& values, const std::string& help);  // may be repeated
  void flag(const std::string& name, bool& value, const std::string& help);
  /// An option whose text is read as soon as it is met: what is wrong with it is told before anything runs.
  void option(const std::string& name, const std::string& type, const std::function<void(const std::string&)>& read,
              const std::string& help);
  void hide();  // one for programs: neither help nor complaints tell of it

 private:
  CLI::App* app_;
};

/// trammel VERB …, by CLI11, whose large header this hides from the verbs.
class CommandLine {
 public:
  CommandLine();
  ~CommandLine();

  /// `run` is called when the verb was typed. It throws trammel::Error for bad input.
  Verb add(const std::string& name, const std::string& about, const std::string& example, std::function<Exit()> run);

  /// Reads what was typed and runs its verb.
  Exit run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
  Exit exit_ = done;
};

/// The command that was typed, as a shell would take it again.
const std::string& typed_command();

}  // namespace trammel::cli

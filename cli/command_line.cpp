#include "command_line.h"

#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>

#include "trammel/base/error.h"
#include "trammel/base/names.h"
#include "trammel/base/shell_word.h"
#include "trammel/base/version.h"

namespace trammel::cli {
namespace {

std::string typed;

std::string as_a_shell_takes_it(int argc, char** argv) {
  std::string out = "trammel";
  for (int i = 1; i < argc; ++i) out += " " + shell_word(argv[i]);
  return out;
}

// A word that is no verb gets the nearest one suggested.
void check_verb(const CLI::App& app, const std::string& word) {
  if (word.starts_with('-')) return;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands(nullptr)) {
    if (verb->get_name() == word) return;
    if (!verb->get_group().empty()) verbs.push_back(verb->get_name());
  }
  throw Error("verb '" + word + "'", allowed_names(word, verbs));
}

}  // namespace

const std::string& typed_command() { return typed; }

void Verb::argument(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value, help)->required();
}

void Verb::option(const std::string& name, std::string& value, const std::string& help) {
  app_->add_option(name, value, help);
}

void Verb::option(const std::string& name, std::vector<std::string>& values, const std::string& help) {
  app_->add_option(name, values, help)->take_all()->expected(1);
}

void Verb::hide() { app_->group(""); }

void Verb::flag(const std::string& name, bool& value, const std::string& help) { app_->add_flag(name, value, help); }

void Verb::option(const std::string& name, const std::string& type, const std::function<void(const std::string&)>& read,
                  const std::string& help) {
  app_->add_option_function<std::string>(name, read, help)->type_name(type);
}

CommandLine::CommandLine()
    : app_(std::make_unique<CLI::App>(
          "Constrained robot dynamics: say what must hold, get the motion and the force that makes it hold.")) {
  app_->name("trammel");
  app_->set_version_flag("--version", "trammel " + std::string(version()));
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

Verb CommandLine::add(const std::string& name, const std::string& about, const std::string& example,
                      std::function<Exit()> run) {
  CLI::App* verb = app_->add_subcommand(name, about);
  verb->footer("Example:\n  " + example);
  verb->callback([this, run = std::move(run)] { exit_ = run(); });
  return Verb(*verb);
}

Exit CommandLine::run(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << app_->help();
    return bad_input;
  }
  typed = as_a_shell_takes_it(argc, argv);
  check_verb(*app_, argv[1]);
  try {
    app_->parse(argc, argv);
    return exit_;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app_->exit(error);  // --help, --version
      return done;
    }
    std::cerr << "trammel: " << error.what() << "; trammel --help, trammel VERB --help tell more\n";
    return bad_input;
  }
}

}  // namespace trammel::cli

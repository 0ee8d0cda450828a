#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace trammel::cli {

/// How figures are left: as "svg", "pdf", "png", any of them.
using FigureFormats = std::vector<std::string>;

/// Adds --figures to a verb. What it names is checked as it is read, before anything runs: the formats, and that the program is
/// there which makes PDF and PNG.
void add_figures(CLI::App& verb, FigureFormats& formats);

}  // namespace trammel::cli

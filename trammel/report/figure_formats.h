#pragma once

#include <string>
#include <vector>

namespace trammel {

/// How figures are left: as "svg", "pdf", "png", any of them.
using FigureFormats = std::vector<std::string>;

/// "svg,pdf" as formats. Throws Error for others, and where the program is not there which makes PDF and PNG: before a run, not
/// after it.
FigureFormats read_figure_formats(const std::string& list);

}  // namespace trammel

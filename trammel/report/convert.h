#pragma once

#include <string>

namespace trammel {

/// Whether rsvg-convert, the program of librsvg, can be started.
bool can_convert_svg();

/// A picture in SVG as "pdf" or "png" (three pixels for each of the SVG's), by rsvg-convert. Throws std::runtime_error where it
/// fails, with what it said.
std::string converted_svg(const std::string& svg, const std::string& format);

}  // namespace trammel

#include "trammel/report/figure_formats.h"

#include <algorithm>
#include <sstream>

#include <fmt/core.h>

#include "trammel/base/error.h"
#include "trammel/report/convert.h"

namespace trammel {

FigureFormats read_figure_formats(const std::string& list) {
  FigureFormats out;
  std::istringstream words(list + ",");
  for (std::string word; std::getline(words, word, ',');) {
    if (word != "svg" && word != "pdf" && word != "png")
      throw Error(fmt::format("'{}' in --figures {}", word, list), "svg, pdf, png, or several, as in svg,pdf");
    if (std::ranges::find(out, word) == out.end()) out.push_back(word);
  }
  if (out != FigureFormats{"svg"} && !can_convert_svg())
    throw Error(fmt::format("--figures {}, but no program rsvg-convert to make them", list),
                "svg, or others where rsvg-convert is on the PATH (Debian has it in librsvg2-bin)");
  return out;
}

}  // namespace trammel

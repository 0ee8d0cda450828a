#pragma once

#include "trammel/report/figure_formats.h"
#include "trammel/study/reproduction.h"

namespace trammel {

/// A study as Markdown. Its figures are looked for beside it, as NAME-01.svg and so on, in the format that browsers show best of these.
std::string to_markdown(const std::string& name, const Reproduction& study, const FigureFormats& formats);

/// What the k-th figure of a study is called, from 0, without the ending.
std::string figure_stem(const std::string& name, std::size_t k);

/// A number where there is one.
std::string or_dash(const std::optional<double>& x);

}  // namespace trammel

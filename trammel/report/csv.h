#pragma once

#include <string>

#include "trammel/simulate/recording.h"

namespace trammel {

/// A recording as text: a line of names, then a line for each row, numbers with as many digits as it takes to read the
/// same number back. Names with commas, quotes or line breaks in them are quoted as RFC 4180 says.
std::string to_csv(const Recording& recording);

/// A text as an entry of a row: quoted as RFC 4180 says where it has blanks, commas, quotes or line breaks.
std::string csv_cell(const std::string& text);

}  // namespace trammel

#pragma once

#include "trammel/base/error.h"

namespace trammel::python {

/// An error of a scenario whose message shows the line, with a caret under the spot.
struct ShownError : Error {
  ShownError(const Error& error, std::string text) : Error(error), shown(std::move(text)) {}
  std::string shown;
};

}  // namespace trammel::python

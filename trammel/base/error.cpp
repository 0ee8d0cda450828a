#include "trammel/base/error.h"

#include <fmt/core.h>

namespace trammel {

std::string to_string(const Place& place) {
  std::string text = place.file;
  if (place.line > 0) text += fmt::format(":{}", place.line);
  if (place.line > 0 && place.column > 0) text += fmt::format(":{}", place.column);
  return text;
}

namespace {

/// A name or a file may hold a line break; the message that quotes it shows it as \n.
std::string on_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    if (c == '\n')
      line += "\\n";
    else if (c == '\r')
      line += "\\r";
    else
      line += c;
  }
  return line;
}

std::string compose(const Place& place, const std::string& found, const std::string& allowed) {
  const std::string where = to_string(place);
  return on_one_line(fmt::format("{}{}found {}; allowed: {}", where, where.empty() ? "" : ": ", found, allowed));
}

std::string lines(const std::vector<Error>& all) {
  std::string text;
  for (const Error& one : all) text += (text.empty() ? "" : "\n") + std::string(one.what());
  return text;
}

}  // namespace

Error::Error(const Place& place, const std::string& found, const std::string& allowed)
    : std::runtime_error(compose(place, found, allowed)),
      parts_(std::make_shared<const Parts>(Parts{place, found, allowed, {}})) {}

Error::Error(const std::vector<Error>& all)
    : std::runtime_error(lines(all)),
      parts_(std::make_shared<const Parts>(Parts{all.front().place(), all.front().found(), all.front().allowed(),
                                                 all.size() > 1 ? all : std::vector<Error>{}})) {}

}  // namespace trammel

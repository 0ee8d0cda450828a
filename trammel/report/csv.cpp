#include "trammel/report/csv.h"

#include <fmt/format.h>

namespace trammel {

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\n\r ") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + '"';
}

std::string to_csv(const Recording& recording) {
  fmt::memory_buffer out;
  const auto end = [&] { return std::back_inserter(out); };
  for (int c = 0; c < recording.columns(); ++c)
    fmt::format_to(end(), "{}{}", c == 0 ? "" : ",", csv_cell(recording.names()[c]));
  out.push_back('\n');
  for (int row = 0; row < recording.rows(); ++row) {
    for (int c = 0; c < recording.columns(); ++c) {
      if (c > 0) out.push_back(',');
      fmt::format_to(end(), "{}", recording(row, c));  // the shortest text that reads back as the same number
    }
    out.push_back('\n');
  }
  return fmt::to_string(out);
}

}  // namespace trammel

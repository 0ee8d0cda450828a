#include "trammel/study/result_table.h"

#include <algorithm>

#include <fmt/format.h>

namespace trammel {
namespace {

constexpr std::size_t name_width = 24, least_width = 8;

void end_line(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
  line += "\n";
}

// Characters, not bytes.
std::size_t length(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

void ResultTable::add_column(std::string title, std::string unit, std::vector<std::string> cells) {
  if (std::ranges::all_of(cells, [](const std::string& cell) { return cell.empty() || cell == none; })) return;
  std::size_t width = std::max(least_width, length(unit));
  for (const std::string& cell : cells) width = std::max(width, length(cell));
  // a title stands over all its columns
  std::size_t room = width;
  for (auto before = columns_.rbegin(); before != columns_.rend() && before->title == title; ++before)
    room += before->width + 1;
  if (room < length(title)) width += length(title) - room;
  columns_.push_back({std::move(title), std::move(unit), std::move(cells), width});
}

std::string ResultTable::title_line() const {
  std::string out = fmt::format("{:<{}}", title_, name_width);
  for (std::size_t i = 0; i < columns_.size();) {
    const std::size_t first = i;
    std::size_t room = 0;
    for (; i < columns_.size() && columns_[i].title == columns_[first].title; ++i) room += columns_[i].width + 1;
    out += fmt::format("{:>{}}", columns_[first].title, room);
  }
  end_line(out);
  return out;
}

std::string ResultTable::unit_line() const {
  if (std::ranges::all_of(columns_, [](const Column& column) { return column.unit.empty(); })) return "";
  std::string out = fmt::format("{:<{}}", "", name_width);
  for (const Column& column : columns_) out += fmt::format(" {:>{}}", column.unit, column.width);
  end_line(out);
  return out;
}

std::string ResultTable::text() const {
  std::string out = title_line() + unit_line();
  for (std::size_t row = 0; row < names_.size(); ++row) {
    out += fmt::format("{:<{}}", names_[row], name_width);
    for (const Column& column : columns_) out += fmt::format(" {:>{}}", column.cells[row], column.width);
    end_line(out);
  }
  return out;
}

}  // namespace trammel

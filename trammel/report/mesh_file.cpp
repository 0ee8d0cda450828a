#include "trammel/report/mesh_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/core.h>

namespace trammel {
namespace {

constexpr std::uintmax_t most_bytes = std::uintmax_t{64} << 20;

using Point = std::array<float, 3>;

// Takes triangles until there are too many, or one is not a number.
class Collector {
 public:
  explicit Collector(std::size_t most) : most_(most) {}

  bool add(const std::array<Point, 3>& triangle) {
    if (out.count() == most_) return fail(fmt::format("it has more than {} triangles", most_));
    for (const Point& corner : triangle) {
      if (!std::ranges::all_of(corner, [](float x) { return std::isfinite(x); })) return fail("it has a NaN");
      const auto [known, is_new] = index_.emplace(corner, static_cast<std::uint32_t>(index_.size()));
      if (is_new) out.vertices.insert(out.vertices.end(), corner.begin(), corner.end());
      out.corners.push_back(known->second);
    }
    return true;
  }
  bool fail(const std::string& why) {
    out = {.vertices = {}, .corners = {}, .problem = why};
    return false;
  }

  Triangles out;

 private:
  std::size_t most_;
  std::map<Point, std::uint32_t> index_;
};

// 80 bytes of anything, the number of triangles, and for each a normal, three corners and two bytes of anything.
constexpr std::size_t stl_head = 84, stl_triangle = 50;

std::size_t stl_count(std::string_view bytes) {
  std::uint32_t count = 0;
  if (bytes.size() >= stl_head) std::memcpy(&count, bytes.data() + 80, sizeof(count));
  return count;
}

void read_binary_stl(std::string_view bytes, Collector& into) {
  for (std::size_t i = 0; i < stl_count(bytes); ++i) {
    std::array<Point, 3> triangle{};
    std::memcpy(triangle.data(), bytes.data() + stl_head + i * stl_triangle + 12, sizeof(triangle));
    if (!into.add(triangle)) return;
  }
}

std::optional<Point> read_point(std::istream& words) {
  Point out{};
  for (float& x : out) {
    std::string word;
    words >> word;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), x);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  }
  return out;
}

void read_text_stl(const std::string& text, Collector& into) {
  std::istringstream words(text);
  std::array<Point, 3> triangle{};
  std::size_t corner = 0;
  for (std::string word; words >> word;) {
    if (word != "vertex") continue;
    const std::optional<Point> point = read_point(words);
    if (!point) return void(into.fail("it has a vertex without three numbers"));
    triangle[corner++ % 3] = *point;
    if (corner % 3 == 0 && !into.add(triangle)) return;
  }
}

// "v x y z" is a point; "f 1 2 3 …", "f 1/2/3 …" a face over points, counted from 1, or from the last one by negative numbers.
void read_obj(const std::string& text, Collector& into) {
  std::vector<Point> points;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "v") {
      const std::optional<Point> point = read_point(words);
      if (!point) return void(into.fail("it has a vertex without three numbers"));
      points.push_back(*point);
    }
    if (word != "f") continue;
    std::vector<Point> face;
    while (words >> word) {
      long at = 0;
      std::from_chars(word.data(), word.data() + word.size(), at);
      const long index = at < 0 ? static_cast<long>(points.size()) + at : at - 1;
      if (index < 0 || index >= static_cast<long>(points.size()))
        return void(into.fail(fmt::format("it has a face over vertex {}, which is not there", word)));
      face.push_back(points[static_cast<std::size_t>(index)]);
    }
    for (std::size_t i = 2; i < face.size(); ++i)
      if (!into.add({face[0], face[i - 1], face[i]})) return;
  }
}

}  // namespace

Triangles read_mesh_file(const std::string& path, std::size_t most) {
  Collector into(most);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > most_bytes) {
    into.fail(error ? error.message() : fmt::format("it has more than {} MB", most_bytes >> 20));
    return into.out;
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  const std::string bytes = content.str();
  std::string ending = std::filesystem::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending == ".obj")
    read_obj(bytes, into);
  else if (ending != ".stl")
    into.fail("only STL and OBJ are shown");
  else if (bytes.size() >= stl_head && bytes.size() == stl_head + stl_count(bytes) * stl_triangle)
    read_binary_stl(bytes, into);
  else if (bytes.starts_with("solid"))
    read_text_stl(bytes, into);
  else
    into.fail("its length is not that of an STL file");
  if (into.out.problem.empty() && into.out.count() == 0) into.fail("it has no triangles");
  return into.out;
}

}  // namespace trammel

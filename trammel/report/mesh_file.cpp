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

#include "trammel/report/collect_triangles.h"
#include "trammel/report/import_mesh.h"

namespace trammel {
namespace {

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

MeshFile read_mesh_file(const std::string& path, std::size_t most) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return {{}, "it is no regular file"};
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) return {{}, error.message()};
  if (size > most_mesh_bytes) return {{}, fmt::format("it has more than {} MB", most_mesh_bytes >> 20)};
  std::string ending = fs::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  if (ending != ".stl" && ending != ".obj") return import_mesh(path, most);
  std::string bytes(size, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(bytes.data(), static_cast<std::streamsize>(size));
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  if (ending == ".obj" && bytes.find("mtllib") != std::string::npos && can_import_meshes())
    return import_mesh(path, most);

  Collector into(most);
  if (ending == ".obj")
    read_obj(bytes, into);
  else if (bytes.size() >= stl_head && bytes.size() == stl_head + stl_count(bytes) * stl_triangle)
    read_binary_stl(bytes, into);
  else if (bytes.starts_with("solid"))
    read_text_stl(bytes, into);
  else
    into.fail("its length is not that of an STL file");
  if (into.problem.empty() && into.out.count() == 0) into.fail("it has no triangles");
  if (!into.problem.empty()) return {{}, into.problem};
  return {{std::move(into.out)}};
}

}  // namespace trammel

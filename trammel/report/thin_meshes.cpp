#include "trammel/report/thin_meshes.h"

#include <algorithm>

#ifdef TRAMMEL_MESHOPTIMIZER
#include <meshoptimizer.h>
#endif

namespace trammel {

#ifndef TRAMMEL_MESHOPTIMIZER

void thin_meshes(std::vector<ShownPart>&, std::size_t) {}
bool can_thin_meshes() { return false; }

#else

namespace {

constexpr std::size_t stride = 3 * sizeof(float);

std::size_t shown(const std::vector<ShownPart>& parts) {
  std::size_t sum = 0;
  for (const ShownPart& part : parts) sum += part.times * part.triangles->count();
  return sum;
}

std::size_t vertex_count(const Triangles& mesh) { return mesh.vertices.size() / 3; }

double size_of(const Triangles& mesh) {
  return static_cast<double>(meshopt_simplifyScale(mesh.vertices.data(), vertex_count(mesh), stride));
}

// Takes the corners unless nothing is left of the mesh, and the vertices that they use.
void keep(std::vector<std::uint32_t> corners, Triangles& mesh) {
  if (corners.empty()) return;
  std::vector<std::uint32_t> place(vertex_count(mesh), ~0u);
  std::vector<float> vertices;
  for (std::uint32_t& corner : corners) {
    std::uint32_t& at = place[corner];
    if (at == ~0u) {
      at = static_cast<std::uint32_t>(vertices.size() / 3);
      vertices.insert(vertices.end(), &mesh.vertices[3 * corner], &mesh.vertices[3 * corner] + 3);
    }
    corner = at;
  }
  mesh.vertices = std::move(vertices);
  mesh.corners = std::move(corners);
}

// `error`: m.
void simplify(const ShownPart& part, double error) {
  Triangles& mesh = *part.triangles;
  const double size = size_of(mesh) * part.scale;
  if (!(size > 0)) return;
  std::vector<std::uint32_t> corners(mesh.corners.size());
  corners.resize(meshopt_simplify(corners.data(), mesh.corners.data(), mesh.corners.size(), mesh.vertices.data(),
                                  vertex_count(mesh), stride, 0, static_cast<float>(error / size), 0u, nullptr));
  keep(std::move(corners), mesh);
}

void simplify_in_proportion(const ShownPart& part, double share) {
  Triangles& mesh = *part.triangles;
  const std::size_t target = 3 * static_cast<std::size_t>(share * static_cast<double>(mesh.count()));
  std::vector<std::uint32_t> corners(mesh.corners.size());
  corners.resize(meshopt_simplifySloppy(corners.data(), mesh.corners.data(), mesh.corners.size(), mesh.vertices.data(),
                                        vertex_count(mesh), stride, target, 1, nullptr));
  keep(std::move(corners), mesh);
}

}  // namespace

bool can_thin_meshes() { return true; }

void thin_meshes(std::vector<ShownPart>& parts, std::size_t most) {
  if (shown(parts) <= most) return;
  double largest = 0;
  for (const ShownPart& part : parts) largest = std::max(largest, size_of(*part.triangles) * part.scale);
  for (double error = 5e-4 * largest; shown(parts) > most && error < largest / 20; error *= 1.6)
    for (const ShownPart& part : parts) simplify(part, error);
  if (shown(parts) <= most) return;
  const double share = 0.98 * static_cast<double>(most) / static_cast<double>(shown(parts));
  for (const ShownPart& part : parts) simplify_in_proportion(part, share);
}

#endif

}  // namespace trammel

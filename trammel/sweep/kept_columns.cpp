#include "trammel/sweep/kept_columns.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include <fmt/core.h>

#include "trammel/report/csv.h"
#include "trammel/sweep/whole_file.h"

namespace trammel::sweep {
namespace {

namespace fs = std::filesystem;

constexpr long most_numbers = 8'000'000;  // at once in memory

// What NumPy wants in front of the numbers (format 1.0), a multiple of 64 bytes.
std::string npy_header(long rows, std::size_t columns, int times) {
  std::string text =
      fmt::format("{{'descr': '<f8', 'fortran_order': False, 'shape': ({}, {}, {}), }}", rows, columns, times);
  constexpr std::size_t in_front = 10;
  text.append(64 - (in_front + text.size() + 1) % 64, ' ');
  text += '\n';
  const auto size = static_cast<unsigned>(text.size());
  std::string out = "\x93NUMPY\x01";
  out += '\0';
  out += static_cast<char>(size & 0xff);
  out += static_cast<char>(size >> 8);
  return out + text;
}

// Calls work(part, first, last) for what each part has that no part before it has.
template <class Work>
long for_each_new(const SweepParts& parts, const Work& work) {
  long next = 0, rows = 0;
  for (const CaseRange& range : parts.ranges()) {
    const long first = std::max(next, range.begin);
    if (first >= range.end) continue;
    work(range, first);
    rows += range.end - first;
    next = range.end;
  }
  return rows;
}

// Of sorted numbers.
double quantile(const std::vector<double>& sorted, double part) {
  const double place = static_cast<double>(sorted.size() - 1) * part;
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::string band(std::vector<double>& values) {
  std::erase_if(values, [](double x) { return !std::isfinite(x); });
  if (values.empty()) return "0,,,,,,,,";
  double sum = 0;
  for (const double x : values) sum += x;
  std::ranges::sort(values);
  std::string out = fmt::format("{}", values.size());
  for (const double part : {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0}) out += fmt::format(",{}", quantile(values, part));
  return out + fmt::format(",{}", sum / static_cast<double>(values.size()));
}

}  // namespace

void for_each_row(const SweepParts& parts, const std::function<void(long, const std::string&)>& work) {
  for_each_new(parts, [&](const CaseRange& range, long first) {
    std::ifstream stream(parts.table_of(range), std::ios::binary);
    std::string line;
    std::getline(stream, line);
    for (long i = range.begin; i < range.end && std::getline(stream, line); ++i)
      if (i >= first) work(i, line);
  });
}

void write_kept(const SweepPlan& plan, const SweepParts& parts, const fs::path& path) {
  const long rows = for_each_new(parts, [](const CaseRange&, long) {});
  const std::size_t size = plan.keep.columns.size() * plan.kept_times * sizeof(double);
  WholeFile file(path);
  file.write(npy_header(rows, plan.keep.columns.size(), plan.kept_times));
  std::string values(size, 0);
  for_each_new(parts, [&](const CaseRange& range, long first) {
    std::ifstream stream(parts.kept_of(range), std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(size) * (first - range.begin));
    for (long i = first; i < range.end; ++i) {
      if (!stream.read(values.data(), static_cast<std::streamsize>(size)))
        throw std::runtime_error(fmt::format("{}: cannot be read whole", parts.kept_of(range).string()));
      file.write(values);
    }
  });
  file.commit();
}

void write_bands(const SweepPlan& plan, const fs::path& kept, const fs::path& path) {
  const long columns = static_cast<long>(plan.keep.columns.size()), times = plan.kept_times;
  const long row_size = columns * times * static_cast<long>(sizeof(double));
  std::ifstream stream(kept, std::ios::binary);
  unsigned char front[10] = {};
  stream.read(reinterpret_cast<char*>(front), sizeof front);
  const long header = 10 + front[8] + 256L * front[9];
  const long count = (static_cast<long>(fs::file_size(kept)) - header) / row_size;
  const double every = plan.base.simulate.record_every;
  const long together = std::clamp(most_numbers / std::max(1L, count), 1L, times);
  WholeFile file(path);
  file.write("column,t,count,min,p5,p25,median,p75,p95,max,mean\n");
  std::vector<double> values(together * count), at_once;
  for (long c = 0; c < columns; ++c)
    for (long k = 0; k < times; k += together) {
      const long n = std::min(together, times - k);
      for (long row = 0; row < count; ++row) {
        stream.seekg(header + row * row_size + (c * times + k) * static_cast<long>(sizeof(double)));
        stream.read(reinterpret_cast<char*>(&values[row * n]), n * static_cast<long>(sizeof(double)));
      }
      for (long j = 0; j < n; ++j) {
        at_once.clear();
        for (long row = 0; row < count; ++row) at_once.push_back(values[row * n + j]);
        file.write(fmt::format("{},{},{}\n", csv_cell(plan.keep.columns[c]), static_cast<double>(k + j) * every,
                               band(at_once)));
      }
    }
  file.commit();
}

}  // namespace trammel::sweep

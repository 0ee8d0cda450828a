#include "trammel/figure/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "trammel/figure/thin.h"
#include "trammel/figure/ticks.h"

namespace trammel {
namespace {

// Okabe and Ito's colours, without the yellow that is lost on white.
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"};
constexpr std::array dashes{"none", "7 3", "2 2", "9 3 2 3", "4 2", "12 4", "1 3"};

struct Look {
  const char *colour, *dash;
  double width;
};
constexpr Look wanted_look{"#222222", "4 3", 1}, limit_look{"#777777", "none", 1};

// Of every curve: the n-th of those that are not wanted ones has the n-th colour and dash.
std::vector<Look> looks_of(const Figure& figure) {
  std::vector<Look> out;
  std::size_t n = 0;
  for (const Figure::Curve& curve : figure.curves) {
    out.push_back(curve.wanted ? wanted_look : Look{colours[n % colours.size()], dashes[n % dashes.size()], 1.6});
    if (!curve.wanted) ++n;
  }
  return out;
}

// Far enough from the largest double that sums and differences of some values, and the room around them, stay finite.
constexpr double largest = std::numeric_limits<double>::max() / 32;
double bounded(double x) { return std::clamp(x, -largest, largest); }

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void see(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, bounded(x));
    high = std::max(high, bounded(x));
  }
  double width() const { return high - low; }
  double size() const { return std::max(std::abs(low), std::abs(high)); }
  bool is_flat() const { return !(width() > 1e-10 * size()); }  // a constant, but for rounding
  // Some room on both sides, and a width in any case.
  void widen() {
    if (!(low <= high)) low = 0, high = 1;
    const double room = is_flat() ? std::max(1e-12, size()) : 0.04 * width();
    low -= room;
    high += room;
  }
};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += c;
  }
  return out;
}

constexpr double left = 78, right = 700, top = 40, bottom = 360;

struct Tick {
  double value;
  std::string text;
};

std::vector<Tick> with_texts(const std::vector<double>& values) {
  const std::vector<std::string> texts = tick_texts(values);
  std::vector<Tick> out;
  for (std::size_t i = 0; i < values.size(); ++i) out.push_back({values[i], texts[i]});
  return out;
}

// From values to places on the page.
class Page {
 public:
  explicit Page(const Figure& figure) : log_y_(figure.log_y) {
    for (const Figure::Curve& curve : figure.curves)
      for (int i = 0; i < curve.x.size(); ++i) {
        const double y = height(curve.y[i]);
        if (!std::isfinite(y)) continue;
        x_.see(curve.x[i]);
        y_.see(y);
      }
    for (const double limit : figure.limits) y_.see(height(limit));
    if (figure.equal && !log_y_ && make_equal()) return;
    x_.widen();
    y_.widen();
    if (log_y_ && y_.width() < 2) y_ = {std::floor(y_.low), std::ceil(y_.high)};  // so that two decades have ticks
  }

  double x(double value) const { return left + (bounded(value) - x_.low) / x_.width() * (right - left); }
  double y(double value) const { return bottom - (bounded(height(value)) - y_.low) / y_.width() * (bottom - top); }
  bool shows(double value) const { return std::isfinite(height(value)); }

  std::vector<Tick> x_ticks() const { return with_texts(ticks(x_.low, x_.high, 8)); }
  std::vector<Tick> y_ticks() const {
    if (!log_y_) return with_texts(ticks(y_.low, y_.high, 6));
    std::vector<Tick> out;
    const int step = std::max(1, static_cast<int>(std::ceil(y_.width() / 7)));
    using Double = std::numeric_limits<double>;
    const int last = std::min(static_cast<int>(std::floor(y_.high)), Double::max_exponent10);
    for (int e = std::max(static_cast<int>(std::ceil(y_.low)), Double::min_exponent10); e <= last; e += step)
      out.push_back({std::pow(10, e), fmt::format("{:.4g}", std::pow(10, e))});
    return out;
  }

 private:
  double height(double value) const { return log_y_ ? std::log10(std::abs(value)) : value; }
  // Both axes to one scale: a constant gets its width from the other. Not where both are constants, or where that width is lost beside
  // the size of its values.
  bool make_equal() {
    Range x = x_, y = y_;
    if (x.is_flat() && y.is_flat()) return false;
    for (Range* range : {&x, &y})
      if (!range->is_flat()) range->widen();
    const double scale = std::max(x.width() / (right - left), y.width() / (bottom - top));
    const double more_x = scale * (right - left) - x.width(), more_y = scale * (bottom - top) - y.width();
    x.low -= more_x / 2, x.high += more_x / 2;
    y.low -= more_y / 2, y.high += more_y / 2;
    if (x.is_flat() || y.is_flat()) return false;
    x_ = x;
    y_ = y;
    return true;
  }

  bool log_y_;
  Range x_, y_;
};

void draw_axes(const Figure& figure, const Page& page, std::string& out) {
  for (const auto& [value, text] : page.x_ticks())
    out += fmt::format(
        "<path d='M{0:.2f} {1} V{2}' class='grid'/><text x='{0:.2f}' y='{3}' class='tick' "
        "text-anchor='middle'>{4}</text>\n",
        page.x(value), top, bottom, bottom + 16, text);
  for (const auto& [value, text] : page.y_ticks())
    out += fmt::format(
        "<path d='M{1} {0:.2f} H{2}' class='grid'/><text x='{3}' y='{4:.2f}' class='tick' "
        "text-anchor='end'>{5}</text>\n",
        page.y(value), left, right, left - 6, page.y(value) + 4, text);
  out += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' class='frame'/>\n", left, top, right - left,
                     bottom - top);
  out += fmt::format("<text x='{}' y='{}' class='label' text-anchor='middle'>{}</text>\n", (left + right) / 2,
                     bottom + 36, escaped(figure.x.label()));
  out += fmt::format("<text transform='translate(16 {}) rotate(-90)' class='label' text-anchor='middle'>{}</text>\n",
                     (top + bottom) / 2, escaped(figure.y.label()));
  out += fmt::format("<text x='{}' y='24' class='title'>{}</text>\n", left, escaped(figure.title));
}

std::string stroke(const std::string& path, const Look& look) {
  return fmt::format("<path d='{}' class='curve' stroke='{}' stroke-dasharray='{}' stroke-width='{}'/>\n", path,
                     look.colour, look.dash, look.width);
}

void draw_curve(const Figure::Curve& curve, const Page& page, const Look& look, std::string& out) {
  std::string path;
  bool lifted = true;
  for (const int i : drawn_points(curve.y, 600)) {
    if (!std::isfinite(curve.x[i]) || !page.shows(curve.y[i])) {
      lifted = true;
      continue;
    }
    path += fmt::format("{}{:.2f} {:.2f}", lifted ? 'M' : 'L', page.x(curve.x[i]), page.y(curve.y[i]));
    lifted = false;
  }
  out += stroke(path, look);
}

void draw_limits(const Figure& figure, const Page& page, std::string& out) {
  for (const double limit : figure.limits)
    if (page.shows(limit)) out += stroke(fmt::format("M{} {:.2f}H{}", left, page.y(limit), right), limit_look);
}

struct Key {
  std::string label;
  Look look;
};

std::vector<Key> keys_of(const Figure& figure) {
  std::vector<Key> out;
  const std::vector<Look> looks = looks_of(figure);
  for (std::size_t i = 0; i < looks.size(); ++i) out.push_back({figure.curves[i].label, looks[i]});
  if (!figure.limits.empty()) out.push_back({"limit", limit_look});
  return out;
}

// Lines of keys beneath the plot. Returns where the last one ends.
double draw_legend(const Figure& figure, std::string& out) {
  double x = left, y = bottom + 52;
  for (const Key& key : keys_of(figure)) {
    // characters, not bytes: those that go on with one before them begin with the bits 10
    const auto letters = std::ranges::count_if(key.label, [](char c) { return (c & 0xc0) != 0x80; });
    const double width = 48 + 6.8 * static_cast<double>(letters);
    if (x > left && x + width > right + 10) {
      x = left;
      y += 16;
    }
    out += stroke(fmt::format("M{:.0f} {}h28", x, y), key.look);
    out += fmt::format("<text x='{:.0f}' y='{}' class='tick'>{}</text>\n", x + 33, y + 4, escaped(key.label));
    x += width;
  }
  return y + 13;
}

}  // namespace

std::string to_svg(const Figure& figure) {
  const Page page(figure);
  std::string legend;
  const double height = draw_legend(figure, legend);
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='720' height='{0}' viewBox='0 0 720 {0}' "
      "font-family='sans-serif'>\n",
      height);
  out +=
      "<style>.grid{stroke:#ddd;stroke-width:.6;fill:none}.frame{stroke:#333;fill:none}.tick{font-size:11px;fill:#333}"
      ".label{font-size:12.5px;fill:#111}.title{font-size:14px;font-weight:bold;fill:#111}"
      ".curve{fill:none;stroke-linejoin:round}</style>\n"
      "<rect width='100%' height='100%' fill='white'/>\n";
  draw_axes(figure, page, out);
  out += fmt::format(
      "<clipPath id='plot'><rect x='{}' y='{}' width='{}' height='{}'/></clipPath><g clip-path='url(#plot)'>\n", left,
      top, right - left, bottom - top);
  draw_limits(figure, page, out);
  const std::vector<Look> looks = looks_of(figure);
  for (const bool wanted : {false, true})
    for (std::size_t i = 0; i < looks.size(); ++i)
      if (figure.curves[i].wanted == wanted) draw_curve(figure.curves[i], page, looks[i], out);
  return out + "</g>\n" + legend + "</svg>\n";
}

}  // namespace trammel

#include "trammel/report/figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "trammel/report/thin.h"

namespace trammel {
namespace {

// Okabe and Ito's colours, without the yellow that is lost on white.
constexpr std::array colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"};
constexpr std::array dashes{"", "7 3", "2 2", "9 3 2 3", "4 2", "12 4", "1 3"};

struct Range {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  void see(double x) {
    if (!std::isfinite(x)) return;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  // Some room on both sides, and a width in any case.
  void widen() {
    if (!(low <= high)) low = 0, high = 1;
    const double room = high > low ? 0.04 * (high - low) : std::max(1e-12, 0.1 * std::abs(high));
    low -= room;
    high += room;
  }
  double width() const { return high - low; }
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
    x_.widen();
    y_.widen();
    if (figure.equal) make_equal();
  }

  double x(double value) const { return left + (value - x_.low) / x_.width() * (right - left); }
  double y(double value) const { return bottom - (height(value) - y_.low) / y_.width() * (bottom - top); }
  bool shows(double value) const { return std::isfinite(height(value)); }

  std::vector<double> x_ticks() const { return ticks(x_.low, x_.high, 8); }
  std::vector<double> y_ticks() const {
    if (!log_y_) return ticks(y_.low, y_.high, 6);
    std::vector<double> out;
    const int step = std::max(1, static_cast<int>(std::ceil(y_.width() / 7)));
    for (int e = static_cast<int>(std::ceil(y_.low)); e <= y_.high; e += step) out.push_back(std::pow(10, e));
    return out;
  }

 private:
  double height(double value) const { return log_y_ ? std::log10(std::abs(value)) : value; }
  void make_equal() {
    const double scale = std::max(x_.width() / (right - left), y_.width() / (bottom - top));
    const double more_x = scale * (right - left) - x_.width(), more_y = scale * (bottom - top) - y_.width();
    x_.low -= more_x / 2, x_.high += more_x / 2;
    y_.low -= more_y / 2, y_.high += more_y / 2;
  }

  bool log_y_;
  Range x_, y_;
};

std::string tick_text(double value) { return fmt::format("{:.4g}", std::abs(value) < 1e-300 ? 0.0 : value); }

void draw_axes(const Figure& figure, const Page& page, std::string& out) {
  for (const double value : page.x_ticks())
    out += fmt::format(
        "<path d='M{0:.2f} {1} V{2}' class='grid'/><text x='{0:.2f}' y='{3}' class='tick' "
        "text-anchor='middle'>{4}</text>\n",
        page.x(value), top, bottom, bottom + 16, tick_text(value));
  for (const double value : page.y_ticks())
    out += fmt::format(
        "<path d='M{1} {0:.2f} H{2}' class='grid'/><text x='{3}' y='{4:.2f}' class='tick' "
        "text-anchor='end'>{5}</text>\n",
        page.y(value), left, right, left - 6, page.y(value) + 4, tick_text(value));
  out += fmt::format("<rect x='{}' y='{}' width='{}' height='{}' class='frame'/>\n", left, top, right - left,
                     bottom - top);
  out += fmt::format("<text x='{}' y='{}' class='label' text-anchor='middle'>{}</text>\n", (left + right) / 2,
                     bottom + 36, escaped(figure.x_label));
  out += fmt::format("<text transform='translate(16 {}) rotate(-90)' class='label' text-anchor='middle'>{}</text>\n",
                     (top + bottom) / 2, escaped(figure.y_label));
  out += fmt::format("<text x='{}' y='24' class='title'>{}</text>\n", left, escaped(figure.title));
}

void draw_curve(const Figure::Curve& curve, const Page& page, std::size_t index, std::string& out) {
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
  out += fmt::format("<path d='{}' class='curve' stroke='{}' stroke-dasharray='{}'/>\n", path,
                     colours[index % colours.size()], dashes[index % dashes.size()]);
}

// A row of keys beneath the plot, as many as fit.
void draw_legend(const Figure& figure, std::string& out) {
  double x = left;
  for (std::size_t i = 0; i < figure.curves.size(); ++i) {
    const double width = 34 + 6.6 * static_cast<double>(figure.curves[i].label.size());
    if (x + width > right + 20) {
      out += fmt::format("<text x='{:.0f}' y='{}' class='tick'>…</text>\n", x, bottom + 56);
      return;
    }
    out += fmt::format(
        "<path d='M{0:.0f} {1} h22' class='curve' stroke='{2}' stroke-dasharray='{3}'/><text x='{4:.0f}' "
        "y='{5}' class='tick'>{6}</text>\n",
        x, bottom + 52, colours[i % colours.size()], dashes[i % dashes.size()], x + 26, bottom + 56,
        escaped(figure.curves[i].label));
    x += width;
  }
}

}  // namespace

std::vector<double> ticks(double low, double high, int count) {
  const double rough = (high - low) / count, power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double nice : {1.0, 2.0, 5.0})
    if (nice * power >= rough) {
      step = nice * power;
      break;
    }
  std::vector<double> out;
  for (double k = std::ceil(low / step); k * step <= high; ++k) out.push_back(k * step);
  return out;
}

std::string to_svg(const Figure& figure) {
  const Page page(figure);
  std::string out =
      "<svg xmlns='http://www.w3.org/2000/svg' width='720' height='425' viewBox='0 0 720 425' "
      "font-family='sans-serif'>\n"
      "<style>.grid{stroke:#ddd;stroke-width:.6;fill:none}.frame{stroke:#333;fill:none}.tick{font-size:11px;fill:#333}"
      ".label{font-size:12.5px;fill:#111}.title{font-size:14px;font-weight:bold;fill:#111}"
      ".curve{fill:none;stroke-width:1.6;stroke-linejoin:round}</style>\n"
      "<rect width='720' height='425' fill='white'/>\n";
  draw_axes(figure, page, out);
  out += fmt::format(
      "<clipPath id='plot'><rect x='{}' y='{}' width='{}' height='{}'/></clipPath><g clip-path='url(#plot)'>\n", left,
      top, right - left, bottom - top);
  for (std::size_t i = 0; i < figure.curves.size(); ++i) draw_curve(figure.curves[i], page, i, out);
  out += "</g>\n";
  draw_legend(figure, out);
  return out + "</svg>\n";
}

}  // namespace trammel

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "figure2/print.h"

namespace dpsql {
namespace {

constexpr double kWidth = 960;
constexpr double kLeft = 64;
constexpr double kRight = 940;
constexpr double kPanelHeight = 250;
constexpr double kPanelGap = 118;
constexpr double kFirstTop = 138;
constexpr double kBarWidth = 21;

constexpr const char* kStyle =
    "<style>text{font-family:system-ui,'Segoe UI','DejaVu Sans',sans-serif;fill:#24292f}"
    ".title{font-size:19px;font-weight:600}.panel{font-size:15px;font-weight:600}"
    ".legend,.axis{font-size:13px}.group{font-size:14px;font-weight:600}"
    ".tick{font-size:12px;fill:#646e79;text-anchor:end}.note{font-size:12px;fill:#646e79}"
    ".axis,.group,.value{text-anchor:middle}.value{font-size:10px}</style>\n";

struct Ink {
  const char* name;  // in the series
  bool tight;
  const char* label;
  const char* colour;
};

constexpr std::array<Ink, 6> kInks = {{
    {"DPSQL+ basic", false, "DPSQL+ basic", "#cfd4da"},
    {"DPSQL+ RDP", false, "DPSQL+ RDP", "#9aa3ad"},
    {"DPSQL+ PLD", false, "DPSQL+ PLD", "#646e79"},
    {"ours rdp", false, "ours rdp, noise of DPSQL+", "#8fc1e3"},
    {"ours gdp", false, "ours gdp, noise of DPSQL+", "#1f6fb2"},
    {"ours gdp", true, "ours gdp, noise tight for the query", "#e08a2b"},
}};

// Where a number of queries stands: linear, or logarithmic from 1 on.
struct Scale {
  double top = 0;
  double most = 1;
  bool logarithmic = false;

  double HeightOf(double queries) const {
    const double share =
        logarithmic ? std::log(std::max(1.0, queries)) / std::log(most) : queries / most;
    return share * kPanelHeight;
  }
  double YOf(double queries) const { return top + kPanelHeight - HeightOf(queries); }
};

class Drawing {
 public:
  void Rectangle(double x, double y, double width, double height, const char* colour) {
    Line("<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>", x, y, width,
         height, colour);
  }
  void Rule(double y, const char* colour) {
    Line("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>", kLeft, y, kRight,
         y, colour);
  }
  // `look` is a class of the style sheet.
  void Text(double x, double y, const char* look, const std::string& text) {
    Line("<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">%s</text>", x, y, look, text.c_str());
  }
  template <typename... Values>
  void Line(const char* format, Values... values) {
    char text[512];
    std::snprintf(text, sizeof text, format, values...);
    svg_ += text;
    svg_ += '\n';
  }
  void Verbatim(const char* text) { svg_ += text; }
  const std::string& svg() const { return svg_; }

 private:
  std::string svg_;
};

const Series& SeriesOf(const std::vector<Series>& series, const Ink& ink) {
  return *std::find_if(series.begin(), series.end(), [&](const Series& one) {
    return one.name == ink.name && one.tight == ink.tight;
  });
}

void DrawHead(Drawing& drawing) {
  drawing.Text(kLeft, 34, "title",
               "The most queries of " + NameOf(kAsked) + " within a global budget");
  constexpr double kColumn = 292;
  for (std::size_t i = 0; i < kInks.size(); ++i) {
    const double x = kLeft + kColumn * static_cast<double>(i % 3);
    const double y = i < 3 ? 56 : 78;
    drawing.Rectangle(x, y, 12, 12, kInks.at(i).colour);
    drawing.Text(x + 18, y + 10.5, "legend", kInks.at(i).label);
  }
}

void DrawAxis(Drawing& drawing, const Scale& scale, std::size_t budget) {
  drawing.Text(kLeft, scale.top - 18, "panel",
               "Global budget " + NameOf(kBudgets.at(budget)) +
                   (scale.logarithmic ? ", logarithmic scale" : ""));
  const double step = scale.logarithmic ? 10 : 5;
  for (double tick = scale.logarithmic ? 1 : 0; tick <= scale.most;
       tick = scale.logarithmic ? tick * step : tick + step) {
    drawing.Rule(scale.YOf(tick), "#e6e9ec");
    drawing.Text(kLeft - 8, scale.YOf(tick) + 4, "tick",
                 std::to_string(static_cast<long long>(tick)));
  }
  drawing.Rule(scale.top + kPanelHeight, "#646e79");
  const double middle = 0.5 * (kLeft + kRight);
  drawing.Line("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#b4bbc2\"/>", middle,
               scale.top, middle, scale.top + kPanelHeight + 46);
}

// The bars of one column of the table around `middle`.
void DrawCluster(Drawing& drawing, const Scale& scale, const std::vector<Series>& series,
                 std::size_t column, double middle) {
  double x = middle - kBarWidth * 0.5 * static_cast<double>(kInks.size());
  for (const Ink& ink : kInks) {
    const Count count = SeriesOf(series, ink).counts.at(column);
    const auto queries = static_cast<double>(count.queries);
    const double y = scale.YOf(queries);
    drawing.Rectangle(x + 1, y, kBarWidth - 2, scale.HeightOf(queries), ink.colour);
    const std::string mark = count.queries == count.in_doubles ? "" : "†";
    drawing.Text(x + 0.5 * kBarWidth, y - 4, "value", std::to_string(count.queries) + mark);
    x += kBarWidth;
  }
}

void DrawPanel(Drawing& drawing, const std::vector<Series>& series, std::size_t budget) {
  const std::vector<Column> columns = Columns();
  double most = 0;
  for (const Ink& ink : kInks) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].budget != budget) continue;
      most = std::max(most, static_cast<double>(SeriesOf(series, ink).counts[i].queries));
    }
  }
  const bool logarithmic = most > 100;
  const Scale scale = {
      .top = kFirstTop + static_cast<double>(budget) * (kPanelHeight + kPanelGap),
      .most = logarithmic ? std::pow(10, std::ceil(std::log10(most))) : 5 * std::ceil(most / 5),
      .logarithmic = logarithmic};
  DrawAxis(drawing, scale, budget);
  const double bottom = scale.top + kPanelHeight;
  const double pitch = (kRight - kLeft) / (2 * kMostAggregates);
  double middle = kLeft + 0.5 * pitch;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].budget != budget) continue;
    const int n = columns[i].aggregates;
    DrawCluster(drawing, scale, series, i, middle);
    drawing.Text(middle, bottom + 20, "axis",
                 std::to_string(n) + (n > 1 ? " aggregates" : " aggregate"));
    if (n == (kMostAggregates + 1) / 2) {
      drawing.Text(middle, bottom + 42, "group", columns[i].grouped ? "GROUP BY" : "scalar");
    }
    middle += pitch;
  }
}

}  // namespace

std::string SvgOf(const std::vector<Series>& series) {
  Drawing drawing;
  const double height =
      kFirstTop + static_cast<double>(kBudgets.size()) * (kPanelHeight + kPanelGap) - 34;
  drawing.Line("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\">", kWidth,
               height);
  drawing.Verbatim(kStyle);
  drawing.Rectangle(0, 0, kWidth, height, "#ffffff");
  DrawHead(drawing);
  for (std::size_t budget = 0; budget < kBudgets.size(); ++budget) {
    DrawPanel(drawing, series, budget);
  }
  drawing.Text(kLeft, height - 12, "note",
               "† exact arithmetic; the published program's floating point admits one more");
  drawing.Verbatim("</svg>\n");
  return drawing.svg();
}

}  // namespace dpsql

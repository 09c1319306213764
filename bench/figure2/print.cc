#include "figure2/print.h"

#include <cstdio>

namespace dpsql {
namespace {

constexpr int kNameWidth = 26;
constexpr int kCountWidth = 5;

template <typename... Values>
std::string Printed(const char* format, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string WithoutTrailingSpace(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// A mark stands after its number, in the gap before the next.
std::string Cell(const Count& count) {
  const char* mark = count.queries == count.in_doubles ? " " : "†";
  return Printed("%*lld%s", kCountWidth, static_cast<long long>(count.queries), mark);
}

// One line of the head: a word above every `stride` columns.
template <typename Word>
std::string Head(const std::string& name, std::size_t stride, const Word& word) {
  std::string line = Printed("%-*s", kNameWidth, name.c_str());
  const std::vector<Column> columns = Columns();
  for (std::size_t i = 0; i < columns.size(); i += stride) {
    const int width = static_cast<int>(stride) * (kCountWidth + 1);
    const std::string text = word(columns[i]);
    line += stride == 1 ? Printed("%*s ", width - 1, text.c_str())
                        : Printed("    %-*s", width - 4, text.c_str());
  }
  return WithoutTrailingSpace(line);
}

std::string CountsOf(const std::vector<Series>& series) {
  std::string text = "The most queries of " + NameOf(kAsked) + " within a global budget\n\n";
  text += Head("global budget", 2 * kMostAggregates,
               [](const Column& column) { return NameOf(kBudgets.at(column.budget)); });
  text += Head("", kMostAggregates,
               [](const Column& column) { return column.grouped ? "GROUP BY" : "scalar"; });
  text += Head("aggregates in a query", 1,
               [](const Column& column) { return std::to_string(column.aggregates); });
  for (std::size_t i = 0; i < series.size(); ++i) {
    if (i == 0) text += "noise of DPSQL+\n";
    if (i > 0 && series[i].tight && !series[i - 1].tight) text += "noise tight for the query\n";
    std::string line = Printed("  %-*s", kNameWidth - 2, series[i].name.c_str());
    for (const Count& count : series[i].counts) line += Cell(count);
    text += WithoutTrailingSpace(line);
  }
  return text;
}

std::string NotesOf(const std::vector<Series>& series) {
  std::string text;
  const std::vector<Column> columns = Columns();
  for (const Series& one : series) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const Count& count = one.counts[i];
      if (count.queries == count.in_doubles || columns[i].grouped) continue;
      text +=
          Printed("† %s, %d aggregate%s: in floating point %lld, by a rounding error of delta.\n",
                  one.name.c_str(), columns[i].aggregates, columns[i].aggregates > 1 ? "s" : "",
                  static_cast<long long>(count.in_doubles));
    }
  }
  return text;
}

std::string NoiseCell(const QueryNoise& noise) {
  if (noise.sigma_count == 0) return Printed("%7.1f%7s%6s", noise.sigma_aggregate, "-", "-");
  return Printed("%7.1f%7.1f%6.0f", noise.sigma_aggregate, noise.sigma_count, noise.tau_above_k);
}

std::string NoiseTableOf(const std::vector<NoiseSeries>& noises) {
  constexpr int kWidth = 40;
  std::string head = Printed("%-*s", kWidth, "The noise of one query, sensitivities 1");
  std::string subhead(kWidth, ' ');
  for (int n = 1; n <= kMostAggregates; ++n) {
    head += Printed("%6d %-13s", n, n > 1 ? "aggregates" : "aggregate");
    subhead += Printed("%7s%7s%6s", "sigma", "count", "tau-k");
  }
  std::string text = WithoutTrailingSpace(head) + subhead + "\n";
  for (const NoiseSeries& one : noises) {
    text += Printed("  %-*s", kWidth - 2, one.name.c_str());
    for (const QueryNoise& noise : one.noises) text += NoiseCell(noise);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string TextOf(const std::vector<Series>& series, const std::vector<NoiseSeries>& noises) {
  return CountsOf(series) + "\n" + NotesOf(series) + "\n" + NoiseTableOf(noises);
}

std::string CsvOf(const std::vector<Series>& series) {
  std::string text =
      "accountant,noise,budget_epsilon,budget_delta,shape,aggregates,queries,in_doubles\n";
  const std::vector<Column> columns = Columns();
  for (const Series& one : series) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const EpsilonDelta budget = kBudgets.at(columns[i].budget);
      text +=
          Printed("%s,%s,%g,%g,%s,%d,%lld,%lld\n", one.name.c_str(), one.tight ? "tight" : "DPSQL+",
                  budget.epsilon, budget.delta, columns[i].grouped ? "grouped" : "scalar",
                  columns[i].aggregates, static_cast<long long>(one.counts[i].queries),
                  static_cast<long long>(one.counts[i].in_doubles));
    }
  }
  return text;
}

}  // namespace dpsql

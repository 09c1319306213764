#include "publish/format_footer.h"

#include "base/display.h"
#include "publish/format_cell.h"
#include "publish/format_number.h"
#include "publish/format_style.h"

namespace dpsql {
namespace {

std::string Counted(std::size_t count, const std::string& thing) {
  return Grouped(std::to_string(count)) + " " + thing + (count == 1 ? "" : "s");
}

// Of delta only where it may be what is missing.
std::string DescribeLeft(const Remaining& left) {
  const std::string epsilon = "left ε " + BriefNumber(left.epsilon);
  if (left.queries_like_this <= 0) {
    return epsilon + ", δ " + BriefNumber(left.delta) + ": too little for a new query like this";
  }
  return epsilon + ", about " + Grouped(std::to_string(left.queries_like_this)) +
         (left.queries_like_this == 1 ? " more query like this" : " more queries like this");
}

std::string SmallPrint(const std::string& text, const FooterLook& look) {
  return Styled(Wrapped(text, look.width), kDim, look.color) + "\n";
}

}  // namespace

PriceText DescribePrice(const Answer& answer, std::size_t columns_shown) {
  PriceText text;
  text.spent = Counted(answer.rows.size(), "row");
  if (columns_shown > 0 && columns_shown < answer.columns.size()) {
    text.spent += ", " + std::to_string(columns_shown) + " of " +
                  Counted(answer.columns.size(), "column") + " shown";
  }
  if (answer.price.doors == 0) {
    text.spent += "; no private table was read, nothing spent";
    return text;
  }
  if (answer.share_charged) {
    text.spent += "; stored answer " + answer.release + ", spent ε " +
                  BriefNumber(answer.price.epsilon) + ", δ " + BriefNumber(answer.price.delta) +
                  " of your share";
  } else if (answer.stored) {
    text.spent += "; stored answer " + answer.release + ", nothing spent";
  } else {
    text.spent += "; spent ε " + BriefNumber(answer.price.epsilon) + ", δ " +
                  BriefNumber(answer.price.delta) + " (" + answer.release + ")";
  }
  text.left = DescribeLeft(answer.remaining);
  return text;
}

std::string FooterLines(const Answer& answer, const FooterLook& look) {
  std::string lines = look.swamped ? SmallPrint(kSwampedLegend, look) : "";
  for (const std::string& notice : answer.notices) {
    lines += SmallPrint("note: " + Printable(notice), look);
  }
  const PriceText price = DescribePrice(answer, look.columns_shown);
  const std::string line = price.left.empty() ? price.spent : price.spent + "; " + price.left;
  if (look.width == 0 || TextWidth(line) <= look.width) return lines + line + "\n";
  lines += Wrapped(price.spent, look.width) + "\n";
  return price.left.empty() ? lines : lines + Wrapped(price.left, look.width) + "\n";
}

std::string FormatFooter(const Answer& answer) { return FooterLines(answer, {}); }

}  // namespace dpsql

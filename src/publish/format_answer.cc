#include "base/answer_json.h"
#include "base/check.h"
#include "dpsql/answer.h"
#include "publish/format_box.h"
#include "publish/format_markdown.h"
#include "publish/format_records.h"
#include "publish/format_rows.h"

namespace dpsql {

std::string FormatAnswer(const Answer& answer, const Look& look) {
  switch (look.format) {
    case Format::kBox:
      return look.expanded ? FormatRecords(answer, look) : FormatBox(answer, look);
    case Format::kCsv:
      return FormatCsv(answer);
    case Format::kJson:
      return AnswerToJson(answer) + "\n";
    case Format::kJsonLines:
      return FormatJsonLines(answer);
    case Format::kMarkdown:
      return FormatMarkdown(answer);
  }
  throw Bug("every format has a writer");
}

std::string FormatAnswer(const Answer& answer, Format format) {
  return FormatAnswer(answer, Look{.format = format});
}

}  // namespace dpsql

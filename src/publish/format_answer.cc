#include "base/answer_json.h"
#include "base/check.h"
#include "dpsql/answer.h"
#include "publish/format_box.h"

namespace dpsql {

std::string FormatAnswer(const Answer& answer, Format format) {
  switch (format) {
    case Format::kBox:
      return FormatBox(answer);
    case Format::kJson:
      return AnswerToJson(answer) + "\n";
  }
  throw Bug("every format has a writer");
}

}  // namespace dpsql

#include "sql/number_text.h"

#include <algorithm>

namespace dpsql {

bool IsNumber(std::string_view text) {
  const auto skip_digits = [&text] {
    const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(end);
    return end;
  };
  if (text.starts_with('-')) text.remove_prefix(1);
  std::size_t digits = skip_digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits += skip_digits();
  }
  if (digits == 0) return false;
  if (!text.starts_with('e') && !text.starts_with('E')) return text.empty();
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return skip_digits() > 0 && text.empty();
}

}  // namespace dpsql

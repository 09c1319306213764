#include "line_editor.h"

#include <histedit.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <iostream>
#include <utility>
#include <vector>

#include "interrupt.h"
#include "terminal.h"
#include "text_table.h"

namespace dpsql::cli {
namespace {

constexpr int kHistorySize = 1000;
constexpr std::size_t kMostListed = 100;

// The editor deletes characters, not bytes.
int CountCharacters(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;  // no continuation byte
  }));
}

// How far all candidates are the same.
std::string CommonPrefix(const std::vector<std::string>& candidates) {
  std::string prefix = candidates.front();
  for (const std::string& candidate : candidates) {
    const auto [end, _] =
        std::mismatch(prefix.begin(), prefix.end(), candidate.begin(), candidate.end());
    prefix.erase(end, prefix.end());
  }
  // Half a character is none.
  while (!prefix.empty() && (static_cast<unsigned char>(prefix.back()) & 0x80U) != 0) {
    prefix.pop_back();
  }
  return prefix;
}

}  // namespace

struct LineEditor::Impl {
  Impl(FILE* terminal, Completer complete) : screen(terminal), completer(std::move(complete)) {}

  FILE* screen;
  Completer completer;
  EditLine* editor = nullptr;
  History* history = nullptr;
  std::string prompt;
  bool interrupted = false;

  static Impl& Of(EditLine* editor) {
    Impl* self = nullptr;
    el_get(editor, EL_CLIENTDATA, &self);
    return *self;
  }

  static char* Prompt(EditLine* editor) { return Of(editor).prompt.data(); }

  // Ends the line where it stands; what it was is not looked at.
  static unsigned char OnInterrupt(EditLine* editor, int) {
    Of(editor).interrupted = true;
    el_cursor(editor, INT_MAX / 2);
    el_insertstr(editor, "^C");
    el_push(editor, "\n");
    return CC_REFRESH;
  }

  // What the terminal does where Ctrl-Z is no key; the editor takes care of it.
  static unsigned char OnSuspend(EditLine*, int) {
    StopGroup();
    return CC_REFRESH;
  }

  static unsigned char OnTab(EditLine* editor, int) {
    const LineInfo* line = el_line(editor);
    const std::string before(line->buffer, line->cursor);
    const std::string after(line->cursor, line->lastchar);
    Impl& self = Of(editor);
    const Completion completion = self.completer(before, after);
    if (completion.candidates.empty()) return CC_REFRESH_BEEP;
    const std::string typed = before.substr(before.size() - completion.replaced);
    if (completion.candidates.size() == 1) {
      const std::string& only = completion.candidates.front();
      return self.Replace(typed, only.ends_with('(') ? only : only + " ");
    }
    const std::string common = CommonPrefix(completion.candidates);
    if (common.size() > typed.size()) return self.Replace(typed, common);
    self.List(completion.candidates);
    return CC_REDISPLAY;
  }

  unsigned char Replace(const std::string& typed, const std::string& text) const {
    el_deletestr(editor, CountCharacters(typed));
    return el_insertstr(editor, text.c_str()) == 0 ? CC_REFRESH : CC_REFRESH_BEEP;
  }

  void List(std::vector<std::string> candidates) const {
    const std::size_t width = std::max<std::size_t>(TerminalWidth(fileno(screen)), 20);
    const std::size_t more = candidates.size() - std::min(candidates.size(), kMostListed);
    candidates.resize(candidates.size() - more);
    std::string text = "\n" + ListInColumns(candidates, width);
    if (more > 0) text += "and " + std::to_string(more) + " more\n";
    std::fputs(text.c_str(), screen);
  }
};

LineEditor::LineEditor(FILE* screen, Completer completer, bool plain)
    : impl_(std::make_unique<Impl>(screen, std::move(completer))) {
  Impl& self = *impl_;
  if (plain) return;
  self.history = history_init();
  HistEvent event;
  history(self.history, &event, H_SETSIZE, kHistorySize);
  history(self.history, &event, H_SETUNIQUE, 1);
  self.editor = el_init("dpsql", stdin, screen, stderr);
  el_set(self.editor, EL_CLIENTDATA, &self);
  el_set(self.editor, EL_PROMPT, &Impl::Prompt);
  el_set(self.editor, EL_EDITOR, "emacs");
  el_set(self.editor, EL_SIGNAL, 1);  // size changes, and a sane terminal when we are ended
  el_set(self.editor, EL_HIST, history, self.history);
  el_set(self.editor, EL_ADDFN, "dpsql-complete", "Complete the word", &Impl::OnTab);
  el_set(self.editor, EL_ADDFN, "dpsql-interrupt", "Drop the line", &Impl::OnInterrupt);
  el_set(self.editor, EL_ADDFN, "dpsql-suspend", "Stop until called back", &Impl::OnSuspend);
  el_set(self.editor, EL_BIND, "^I", "dpsql-complete", nullptr);
  el_set(self.editor, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_source(self.editor, nullptr);  // the user's own ~/.editrc
  // While a line is edited Ctrl-C is a key; at all other times it is a signal.
  el_set(self.editor, EL_SETTY, "-d", "-isig", nullptr);
  el_set(self.editor, EL_BIND, "^C", "dpsql-interrupt", nullptr);
  el_set(self.editor, EL_BIND, "^Z", "dpsql-suspend", nullptr);
}

LineEditor::~LineEditor() {
  if (impl_->editor == nullptr) return;
  el_end(impl_->editor);
  history_end(impl_->history);
}

LineRead LineEditor::Read(const std::string& prompt) {
  if (impl_->editor == nullptr) {
    std::fputs(prompt.c_str(), impl_->screen);
    std::fflush(impl_->screen);
    LineRead read;
    if (std::getline(std::cin, read.line)) read.kind = LineRead::Kind::kLine;
    return read;
  }
  impl_->prompt = prompt;
  impl_->interrupted = false;
  int size = 0;
  el_set(impl_->editor, EL_PREP_TERM, 1);  // before the prompt: keys that follow it are keys
  const char* text = el_gets(impl_->editor, &size);
  if (impl_->interrupted) return {.kind = LineRead::Kind::kInterrupted, .line = ""};
  if (text == nullptr || size <= 0) return {.kind = LineRead::Kind::kEnd, .line = ""};
  std::string line(text);
  if (line.ends_with('\n')) line.pop_back();
  return {.kind = LineRead::Kind::kLine, .line = std::move(line)};
}

void LineEditor::Remember(const std::string& entry) {
  if (impl_->editor == nullptr) return;
  HistEvent event;
  history(impl_->history, &event, H_ENTER, entry.c_str());
}

}  // namespace dpsql::cli

// Another project's program: it sees the installed headers and the installed library only.
#include <dpsql/error.h>

#include <cstdio>
#include <string>

int main() {
  dpsql::Error error;
  error.code = "V301";
  error.message = "unknown table";
  const std::string text = dpsql::RenderError(error, "SELECT 1");
  std::fputs(text.c_str(), stdout);
  return text.find("V301") == std::string::npos ? 1 : 0;
}

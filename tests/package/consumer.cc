// Another project's program: it sees the installed headers and the installed library only.
// Usage: consumer [FOLDER]   and with a folder makes the demo's shop in it.
#include <dpsql/demo.h>
#include <dpsql/error.h>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
  dpsql::Error error;
  error.code = "V301";
  error.message = "unknown table";
  const std::string text = dpsql::RenderError(error, "SELECT 1");
  std::fputs(text.c_str(), stdout);
  if (text.find("V301") == std::string::npos) return 1;
  return argc < 2 || dpsql::MakeDemoShop(argv[1]).ok() ? 0 : 1;
}

#include "support/postgresql_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pwd.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

namespace dpsql {
namespace {

namespace fs = std::filesystem;

// Debian keeps the programs of each version apart. The newest.
std::string Programs() {
  std::string found;
  int newest = 0;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator("/usr/lib/postgresql", none)) {
    const int version = std::atoi(entry.path().filename().c_str());
    if (version < newest || !fs::exists(entry.path() / "bin" / "initdb")) continue;
    newest = version;
    found = (entry.path() / "bin").string() + "/";
  }
  return found;
}

// PostgreSQL refuses to run as root; the Debian package brings a user for it.
std::string AsOwner() { return geteuid() == 0 ? "runuser -u postgres -- " : ""; }

struct Finished {
  int status = 0;
  std::string output;
};

Finished Shell(const std::string& command) {
  FILE* const pipe = popen(("cd / && " + command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no shell");
  Finished finished;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    finished.output.append(buffer.data(), n);
  }
  finished.status = pclose(pipe);
  return finished;
}

std::string Quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

void Must(const std::string& command) {
  const Finished finished = Shell(command);
  if (finished.status != 0) throw std::runtime_error(command + ": " + finished.output);
}

// One that nobody has now, and that somebody may take before the server does.
int FreePort() {
  const int socket_fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  const bool known = bind(socket_fd, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                     getsockname(socket_fd, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  close(socket_fd);
  if (!known) throw std::runtime_error("no free port");
  return ntohs(address.sin_port);
}

}  // namespace

std::string PostgreSqlServer::WhyNot() {
  if (Programs().empty()) return "no PostgreSQL server is installed (Debian's postgresql-15)";
  if (geteuid() == 0 && getpwnam("postgres") == nullptr) return "there is no user postgres";
  return "";
}

PostgreSqlServer::PostgreSqlServer() : port_(FreePort()) {
  const std::string why_not = WhyNot();
  if (!why_not.empty()) throw std::runtime_error(why_not);
  const std::string folder = folder_ / "";
  if (geteuid() == 0) {
    const passwd* const owner = getpwnam("postgres");
    if (chown(folder.c_str(), owner->pw_uid, owner->pw_gid) != 0) {
      throw std::runtime_error("the folder cannot be given away");
    }
  }
  fs::permissions(folder, fs::perms::owner_all | fs::perms::group_exec | fs::perms::others_exec);
  Must(AsOwner() + Programs() + "initdb -D " + folder_ / "data" +
       " -U postgres -E UTF8 --no-sync --locale=C.UTF-8 --locale-provider=icu --icu-locale=en-US "
       "--auth-local=trust --auth-host=scram-sha-256");
  constexpr int kMostPorts = 5;
  for (int tried = 1; !Starts(); ++tried) {
    if (tried == kMostPorts) throw std::runtime_error("somebody takes each port of the server");
    port_ = FreePort();
  }
}

// `timeout` ends the server of a test that was killed.
bool PostgreSqlServer::Starts() {
  Must(AsOwner() + "setsid timeout -s QUIT 7200 " + Programs() + "postgres -D " + folder_ / "data" +
       " -c fsync=off -c listen_addresses=127.0.0.1 -p " + std::to_string(port_) +
       " -c unix_socket_directories=" + folder_ / "" + " </dev/null >" + folder_ / "log" +
       " 2>&1 &");
  using std::chrono::steady_clock;
  const auto end = steady_clock::now() + std::chrono::seconds(60);
  while (Shell("psql -X -d " + Quoted(Url("postgres")) + " -c 'SELECT 1'").status != 0) {
    std::stringstream said;
    said << std::ifstream(folder_ / "log").rdbuf();
    if (said.str().find("could not bind") != std::string::npos) return false;
    if (steady_clock::now() > end) {
      throw std::runtime_error("the server does not start: " + said.str());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  std::ifstream(folder_ / "data/postmaster.pid") >> postmaster_;
  return true;
}

PostgreSqlServer::~PostgreSqlServer() {
  if (postmaster_ <= 0) return;
  Signal(SIGCONT);
  kill(postmaster_, SIGQUIT);
  for (int i = 0; i < 200 && kill(postmaster_, 0) == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

std::string PostgreSqlServer::Url(const std::string& user, const std::string& options) const {
  std::string host;
  for (const char c : folder_ / "") host += c == '/' ? std::string("%2F") : std::string(1, c);
  return "postgresql://" + user + "@" + host + ":" + std::to_string(port_) + "/postgres" +
         (options.empty() ? "" : "?" + options);
}

std::string PostgreSqlServer::TcpUrl(const std::string& user, const std::string& options) const {
  return "postgresql://" + user + "@127.0.0.1:" + std::to_string(port_) + "/postgres" +
         (options.empty() ? "" : "?" + options);
}

std::string PostgreSqlServer::Sql(const std::string& statements,
                                  const std::string& database) const {
  std::string url = Url("postgres");
  url.replace(url.rfind('/') + 1, std::string::npos, database);
  static std::atomic<int> number = 0;  // several threads may ask at once
  const std::string file = folder_ / ("statements" + std::to_string(++number) + ".sql");
  std::ofstream(file) << statements;
  const Finished finished =
      Shell("psql -XqAt -v ON_ERROR_STOP=1 -d " + Quoted(url) + " -f " + file);
  if (finished.status != 0) throw std::runtime_error(finished.output);
  return finished.output;
}

std::string PostgreSqlServer::SpeakTls() const {
  const std::string key = folder_ / "data/server.key";
  const std::string certificate = folder_ / "data/server.crt";
  Must(AsOwner() + "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes" +
       " -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1 -keyout " + key + " -out " +
       certificate);
  Sql("ALTER SYSTEM SET ssl = on");
  Sql("SELECT pg_reload_conf()");
  for (int i = 0; Sql("SHOW ssl") != "on\n"; ++i) {
    if (i == 1000) throw std::runtime_error("the server does not speak TLS");
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return certificate;
}

void PostgreSqlServer::Signal(int signal) const {
  const std::string parent = std::to_string(postmaster_);
  const std::string children = Shell("ps -o pid= --ppid " + parent).output;
  std::vector<pid_t> processes = {postmaster_};
  for (std::size_t at = 0; at < children.size(); at = children.find('\n', at) + 1) {
    processes.push_back(std::atoi(children.c_str() + at));
    if (children.find('\n', at) == std::string::npos) break;
  }
  for (const pid_t process : processes) {
    if (process > 0) kill(process, signal);
  }
}

}  // namespace dpsql

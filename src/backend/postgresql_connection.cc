#include "backend/postgresql_connection.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "base/check.h"

namespace dpsql {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// After a cancellation was sent; then the line is cut, which ends the statement on the server too.
constexpr milliseconds kPatience{2000};

constexpr const char* kStopped = "stopped";
constexpr const char* kNoAnswer = "the server did not answer in time";

constexpr const char* kTimeoutKeyword = "connect_timeout";
constexpr const char* kTimeoutVariable = "PGCONNECT_TIMEOUT";
constexpr int kMostSeconds = 5;

constexpr Oid kBoolean = 16;
constexpr Oid kDate = 1082;
constexpr Oid kTimestamp = 1114;

// Our texts have (BC) behind the day, PostgreSQL writes BC at the end.
void SpellDay(std::string& text) {
  constexpr std::string_view kBefore = " BC";
  if (!text.ends_with(kBefore)) return;
  text.resize(text.size() - kBefore.size());
  text.insert(std::min(text.find(' '), text.size()), " (BC)");
}

void DropNotice(void*, const PGresult*) {}

// What a connection has where the URL says nothing else. Probes go over a silent line each second;
// after three without an answer it is dead.
std::vector<std::pair<std::string, std::string>> Defaults() {
  std::vector<std::pair<std::string, std::string>> defaults = {
      {"keepalives", "1"},          {"keepalives_idle", "1"},
      {"keepalives_interval", "1"}, {"keepalives_count", "3"},
      {"tcp_user_timeout", "4000"}, {"fallback_application_name", "dpsql"},
  };
  if (std::getenv(kTimeoutVariable) == nullptr) {
    defaults.emplace_back(kTimeoutKeyword, std::to_string(kMostSeconds));
  }
  return defaults;
}

// What we must know of a URL before libpq has connected.
struct UrlFacts {
  std::vector<std::string> secrets;  // the passwords that it holds
  int patience = kMostSeconds;       // for a server that does not answer
};

// The seconds of the URL's connect_timeout, or else of the environment's, where they are few.
int PatienceOf(const char* timeout) {
  if (timeout == nullptr) timeout = std::getenv(kTimeoutVariable);
  const int seconds = timeout == nullptr ? 0 : std::atoi(timeout);
  return seconds > 0 ? std::min(seconds, kMostSeconds) : kMostSeconds;
}

// Nothing where libpq cannot read it.
std::optional<UrlFacts> ReadUrl(const LibPq& pq, const std::string& url) {
  char* words = nullptr;
  PQconninfoOption* const options = pq.PQconninfoParse(url.c_str(), &words);
  if (words != nullptr) pq.PQfreemem(words);
  if (options == nullptr) return std::nullopt;
  UrlFacts facts;
  for (const PQconninfoOption* option = options; option->keyword != nullptr; ++option) {
    const std::string_view keyword = option->keyword;
    const bool secret = keyword == "password" || keyword == "sslpassword";
    if (secret && option->val != nullptr) facts.secrets.emplace_back(option->val);
    if (keyword == kTimeoutKeyword) facts.patience = PatienceOf(option->val);
  }
  pq.PQconninfoFree(options);
  return facts;
}

std::string Without(const std::vector<std::string>& secrets, std::string text) {
  constexpr std::string_view kMask = "***";
  for (const std::string& secret : secrets) {
    if (secret.empty()) continue;
    for (std::size_t at = text.find(secret); at != std::string::npos;
         at = text.find(secret, at + kMask.size())) {
      text.replace(at, secret.size(), kMask);
    }
  }
  return text;
}

}  // namespace

PostgreSqlConnection::Opening PostgreSqlConnection::Open(const LibPq& library,
                                                         const std::string& url,
                                                         const DialLimits& limits) {
  auto facts = ReadUrl(library, url);
  // libpq's own words would repeat a part of the URL.
  if (!facts) return {.failure = {.text = "the URL is none that libpq can read"}};
  // What comes later wins.
  std::vector<std::pair<std::string, std::string>> parameters = Defaults();
  parameters.emplace_back("dbname", url);
  parameters.emplace_back("client_encoding", "UTF8");
  // Else the thread that is left behind at the limit might never end.
  if (limits.end) parameters.emplace_back(kTimeoutKeyword, std::to_string(facts->patience));
  const Dialled dialled = Dial(library, parameters, limits);
  if (dialled.handle == nullptr) {
    return {.failure = {.interrupted = dialled.stopped,
                        .text = dialled.stopped ? kStopped : kNoAnswer}};
  }
  std::unique_ptr<PostgreSqlConnection> opened(
      new PostgreSqlConnection(library, dialled.handle, std::move(facts->secrets)));
  if (library.PQstatus(dialled.handle) != CONNECTION_OK) {
    return {.failure = opened->Failure(library.PQerrorMessage(dialled.handle))};
  }
  return {.connection = std::move(opened)};
}

PostgreSqlConnection::PostgreSqlConnection(const LibPq& library, PGconn* handle,
                                           std::vector<std::string> secrets)
    : pq_(library),
      handle_(handle),
      cancel_(library.PQgetCancel(handle), library.PQfreeCancel),
      secrets_(std::move(secrets)),
      wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  Check(wake_ >= 0, "the system gives an eventfd");
  // From a password file, or the environment.
  if (const char* const password = pq_.PQpass(handle_)) secrets_.emplace_back(password);
  // By itself libpq writes notices to standard error.
  pq_.PQsetNoticeReceiver(handle_, DropNotice, nullptr);
  pq_.PQsetnonblocking(handle_, 1);
}

PostgreSqlConnection::~PostgreSqlConnection() {
  if (pq_.PQtransactionStatus(handle_) == PQTRANS_ACTIVE && !patience_) RequestCancel();
  if (silent_) shutdown(pq_.PQsocket(handle_), SHUT_RDWR);
  pq_.PQfinish(handle_);
  close(wake_);
}

std::string PostgreSqlConnection::server_encoding() const {
  const char* const name = pq_.PQparameterStatus(handle_, "server_encoding");
  return name == nullptr ? "" : name;
}

SqlFailure PostgreSqlConnection::Failure(const char* words) const {
  return {.text = Without(secrets_, words == nullptr ? "" : words)};
}

std::optional<SqlFailure> PostgreSqlConnection::RunScript(const std::string& statements) {
  Check(statements.find('\0') == std::string::npos, "a statement holds no NUL byte");
  return Execute([&] { return pq_.PQsendQuery(handle_, statements.c_str()) == 1; }, [](Row) {});
}

// The protocol with a parse message takes one statement and no more.
std::optional<SqlFailure> PostgreSqlConnection::Run(const std::string& sql,
                                                    const std::function<void(Row)>& consume) {
  Check(sql.find('\0') == std::string::npos, "a statement holds no NUL byte");
  const bool frozen = pq_.PQtransactionStatus(handle_) == PQTRANS_INTRANS;
  if (!frozen && !unusable_ && !stopped_) return Failure("there is no open transaction");
  constexpr int kNoParameters = 0;
  constexpr int kTextResult = 0;
  return Execute(
      [&] {
        return pq_.PQsendQueryParams(handle_, sql.c_str(), kNoParameters, nullptr, nullptr, nullptr,
                                     nullptr, kTextResult) == 1 &&
               pq_.PQsetSingleRowMode(handle_) == 1;
      },
      consume);
}

void PostgreSqlConnection::Stop() {
  stopped_ = true;
  eventfd_write(wake_, 1);
}

std::optional<SqlFailure> PostgreSqlConnection::Execute(const std::function<bool()>& send,
                                                        const std::function<void(Row)>& consume) {
  const SqlFailure interrupted{.interrupted = true, .text = kStopped};
  if (stopped_) return interrupted;
  if (unusable_) return Failure("an earlier statement of this connection has failed");
  unusable_ = true;  // also where `consume` throws
  if (!send()) return Failure(pq_.PQerrorMessage(handle_));
  std::optional<SqlFailure> failure = TakeResults(consume);
  if (stopped_) return interrupted;
  unusable_ = failure.has_value();
  return failure;
}

// The first failure of all results, or none.
std::optional<SqlFailure> PostgreSqlConnection::TakeResults(
    const std::function<void(Row)>& consume) {
  std::optional<SqlFailure> failure;
  for (;;) {
    const Wait wait = AwaitResult();
    if (wait == Wait::kGivenUp) return Failure(kNoAnswer);
    if (wait == Wait::kLost) return Failure(pq_.PQerrorMessage(handle_));
    const std::unique_ptr<PGresult, decltype(pq_.PQclear)> result(pq_.PQgetResult(handle_),
                                                                  pq_.PQclear);
    if (!result) return failure;
    switch (pq_.PQresultStatus(result.get())) {
      case PGRES_SINGLE_TUPLE:
        if (!stopped_) Consume(result.get(), consume);
        break;
      case PGRES_TUPLES_OK:
      case PGRES_COMMAND_OK:
        break;
      default:
        if (!failure) failure = Failure(pq_.PQresultErrorMessage(result.get()));
    }
    if (pq_.PQstatus(handle_) == CONNECTION_BAD) {
      return failure ? failure : Failure(pq_.PQerrorMessage(handle_));
    }
  }
}

void PostgreSqlConnection::Consume(const PGresult* result,
                                   const std::function<void(Row)>& consume) {
  const int columns = pq_.PQnfields(result);
  row_.resize(static_cast<std::size_t>(columns));
  for (int i = 0; i < columns; ++i) {
    std::optional<std::string>& cell = row_[static_cast<std::size_t>(i)];
    if (pq_.PQgetisnull(result, 0, i) != 0) {
      cell.reset();
      continue;
    }
    std::string_view text(pq_.PQgetvalue(result, 0, i),
                          static_cast<std::size_t>(pq_.PQgetlength(result, 0, i)));
    const Oid type = pq_.PQftype(result, i);
    if (type == kBoolean) text = text == "t" ? "true" : "false";
    if (!cell) cell.emplace();
    cell->assign(text);
    if (type == kDate || type == kTimestamp) SpellDay(*cell);
  }
  consume(row_);
}

// Ensures: after kAnswer, PQgetResult does not block.
PostgreSqlConnection::Wait PostgreSqlConnection::AwaitResult() {
  for (;;) {
    if (stopped_ && !patience_) RequestCancel();
    const auto end = End();
    if (end && steady_clock::now() >= *end) {
      silent_ = true;
      return Wait::kGivenUp;
    }
    const int unsent = pq_.PQflush(handle_);
    if (unsent < 0) return Wait::kLost;
    if (unsent == 0 && pq_.PQisBusy(handle_) == 0) return Wait::kAnswer;
    const Wait heard = Listen(unsent != 0);
    if (heard != Wait::kAnswer) return heard;
  }
}

// Sleeps until the server says something, or takes more, or Stop is called.
PostgreSqlConnection::Wait PostgreSqlConnection::Listen(bool unsent) {
  const auto interest = static_cast<short>(unsent ? POLLIN | POLLOUT : POLLIN);
  const int wake = patience_ ? -1 : wake_;  // poll passes over a negative one
  std::array<pollfd, 2> sources = {pollfd{.fd = pq_.PQsocket(handle_), .events = interest},
                                   pollfd{.fd = wake, .events = POLLIN}};
  int timeout = -1;
  if (const auto end = End()) {
    const auto left = std::chrono::ceil<milliseconds>(*end - steady_clock::now());
    timeout = std::max(0, static_cast<int>(left.count()));
  }
  if (poll(sources.data(), sources.size(), timeout) < 0) {
    return errno == EINTR ? Wait::kAnswer : Wait::kLost;
  }
  const bool heard = (sources[0].revents & ~POLLOUT) != 0;
  if (heard && pq_.PQconsumeInput(handle_) == 0) return Wait::kLost;
  return Wait::kAnswer;
}

// Until when the server is waited for.
std::optional<steady_clock::time_point> PostgreSqlConnection::End() const {
  if (patience_ && limit_) return std::min(*patience_, *limit_);
  return patience_ ? patience_ : limit_;
}

// PQcancel waits for the server, so it has a thread of its own, which may outlive this object.
void PostgreSqlConnection::RequestCancel() {
  patience_ = steady_clock::now() + kPatience;
  try {
    std::thread([cancel = cancel_, send = pq_.PQcancel] {
      std::array<char, 256> words{};
      send(cancel.get(), words.data(), static_cast<int>(words.size()));
    }).detach();
  } catch (const std::system_error&) {
    patience_ = steady_clock::now();  // No thread is to be had: cutting the line ends it as well.
  }
}

}  // namespace dpsql

#pragma once

#include <optional>
#include <string>

#include "dpsql/session.h"

namespace dpsql {

// The product as its users have it: a session with a policy and a ledger of its own on disk, gone
// at the end. The first refusal is kept; after it nothing more is asked.
class Asker {
 public:
  // `policy`: its text. It has no data label, so nothing is answered from storage.
  Asker(const std::string& database, const std::string& policy);
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;
  ~Asker();

  // SET statements, or nothing.
  void Set(const std::string& settings);

  // The answer, until the next question; null where it was refused. An answer from storage counts
  // as a refusal: nothing was computed for it.
  const Answer* Ask(const std::string& sql);

  const std::string& refusal() const { return refusal_; }
  std::size_t rows() const { return answer_ ? answer_->rows.size() : 0; }

 private:
  std::string folder_;
  std::optional<Session> session_;
  std::optional<Answer> answer_;
  std::string refusal_;
};

}  // namespace dpsql

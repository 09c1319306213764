#include "backend/server_line.h"

#include <netdb.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace dpsql {

ServerLine::ServerLine(const std::string& server, const std::string& default_port)
    : host_(server), port_(default_port) {
  const std::size_t bracket = server.rfind(']');
  const std::size_t colon = server.rfind(':');
  // Several colons without brackets are an address of IPv6 alone.
  const bool has_port = bracket == std::string::npos ? colon == server.find(':') : colon > bracket;
  if (colon != std::string::npos && has_port) {
    host_ = server.substr(0, colon);
    port_ = server.substr(colon + 1);
  }
  if (host_.starts_with('[') && host_.ends_with(']')) host_ = host_.substr(1, host_.size() - 2);
}

std::vector<ServerLine::Address> ServerLine::Find() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!known_.empty()) return known_;
  }
  return LookUp();
}

void ServerLine::NoteReached(const std::vector<Address>& addresses) {
  const std::lock_guard<std::mutex> lock(mutex_);
  known_ = addresses;
  reached_ = true;
}

void ServerLine::FindAnew() {
  std::vector<Address> found = LookUp();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!found.empty()) known_ = std::move(found);
}

std::vector<ServerLine::Address> ServerLine::LookUp() const {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* first = nullptr;
  if (getaddrinfo(host_.c_str(), port_.c_str(), &wanted, &first) != 0) return {};
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owned(first, freeaddrinfo);
  std::vector<Address> found;
  for (const addrinfo* one = first; one != nullptr; one = one->ai_next) {
    Address& address = found.emplace_back();
    address.size =
        static_cast<socklen_t>(std::min<std::size_t>(one->ai_addrlen, sizeof address.bytes));
    std::memcpy(&address.bytes, one->ai_addr, address.size);
  }
  return found;
}

}  // namespace dpsql

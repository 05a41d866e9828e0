#include "cli/event_input.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "dialect/dialect.h"

namespace grapnel::cli {

namespace {

constexpr std::string_view kBom = "\xEF\xBB\xBF";

/// Waits until there is something to read. Fails: LimitExceeded when the time is over.
Result<void> wait_readable(int fd, Deadline deadline, bool forever) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
    pollfd poll{fd, POLLIN, 0};
    const int ready = ::poll(&poll, 1, forever ? -1 : static_cast<int>(std::max<int64_t>(0, left.count())));
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) return fail_errno("cannot wait for input");
    if (ready == 0) return fail(Errc::LimitExceeded, "no complete JSON object arrived in time");
  }
}

Result<std::string> finish(std::string text, const ObjectScanner& scanner, std::string* behind) {
  const std::string_view rest = text::trim(std::string_view(text).substr(scanner.length()));
  if (behind != nullptr) *behind = rest;
  if (!rest.empty() && behind == nullptr) {
    return fail(Errc::BadInput, "there is more after the JSON object: '" + text::cap(rest, 20) + "'");
  }
  text.resize(scanner.length());
  return text;
}

/// The agent that a payload can only be of, or null.
const Dialect* host_of(const Json& payload) {
  const auto is_its_own = [&](const Dialect* dialect) {
    return !dialect->payload.recognised_by.empty() && payload.at_pointer(dialect->payload.recognised_by);
  };
  const auto found = std::ranges::find_if(all_dialects(), is_its_own);
  return found == all_dialects().end() ? nullptr : *found;
}

Result<std::string> refuse(std::string_view text) {
  const std::string_view start = text::trim(text);
  if (start.empty()) return fail(Errc::NotFound, "the payload is empty; it must be a JSON object");
  return fail(Errc::BadInput, "the payload must be a JSON object; it starts with '" + text::cap(start, 20) + "'");
}

}  // namespace

ObjectScanner::State ObjectScanner::scan(std::string_view bytes) {
  size_t at = 0;
  while (at < bytes.size() && (state_ == State::Before || state_ == State::Inside)) {
    if (state_ == State::Before) {
      start(bytes[at++]);
    } else if (in_string_) {
      at = skip_string(bytes, at);
    } else {
      at = skip_structure(bytes, at);
    }
  }
  length_ += at;
  return state_;
}

void ObjectScanner::start(char c) {
  const bool is_bom = bom_ < kBom.size() && c == kBom[bom_];
  if (is_bom) ++bom_;
  if (is_bom || c == ' ' || (c >= '\t' && c <= '\r')) return;
  state_ = c == '{' ? State::Inside : State::NoObject;
  depth_ = 1;
}

/// These two see every byte of a payload; members stay out of their loops.
size_t ObjectScanner::skip_string(std::string_view bytes, size_t at) {
  if (escaped_) {
    escaped_ = false;
    return at + 1;
  }
  while (at < bytes.size() && bytes[at] != '"' && bytes[at] != '\\') ++at;
  if (at == bytes.size()) return at;
  in_string_ = bytes[at] != '"';
  escaped_ = in_string_;
  return at + 1;
}

size_t ObjectScanner::skip_structure(std::string_view bytes, size_t at) {
  for (size_t depth = depth_; at < bytes.size(); ++at) {
    const char c = bytes[at];
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    depth_ = depth;
    if (depth == 0) state_ = State::Done;
    in_string_ = c == '"';
    if (depth == 0 || in_string_) return at + 1;
  }
  return at;
}

Result<std::string> read_object(int fd, const InputLimits& limits, std::string* rest) {
  const Deadline deadline = SteadyClock::now() + limits.timeout;
  const bool is_terminal = ::isatty(fd) == 1;
  ObjectScanner scanner;
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    if (auto ready = wait_readable(fd, deadline, is_terminal); !ready) return std::unexpected(ready.error());
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) return fail_errno("cannot read the payload");
    const std::string_view piece(buffer.data(), static_cast<size_t>(n));
    text += piece;
    const auto state = scanner.scan(piece);
    if (state == ObjectScanner::State::Done) return finish(std::move(text), scanner, rest);
    if (state == ObjectScanner::State::NoObject) return refuse(text);
    if (n == 0) return state == ObjectScanner::State::Before ? refuse(text) : Result<std::string>(std::move(text));
    if (text.size() > limits.max_bytes) {
      return fail(Errc::LimitExceeded, "the payload is larger than " + std::to_string(limits.max_bytes) + " bytes");
    }
  }
}

Result<std::string> read_payload(const Arguments& args, std::string& remark) {
  const std::string path = args.text("--input");
  const bool is_stdin = path.empty() || path == "-";
  const UniqueFd file(is_stdin ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!is_stdin && !file) return fail_errno("cannot open " + path);
  std::string rest;
  auto payload = read_object(is_stdin ? STDIN_FILENO : file.get(), {}, args.has("--bridge") ? &rest : nullptr);
  if (!rest.empty()) {
    remark = "there is more after the JSON object, which is not looked at: '" + text::cap(rest, 20) + "'";
  }
  return payload;
}

std::string dialect_of(const Arguments& args) {
  return args.has("--as") ? args.text("--as") : "canonical";
}

Result<Event> make_event(const Arguments& args, std::string payload) {
  auto json = Json::parse(std::move(payload));
  if (!json) return fail(json.error().code, "the payload is no valid JSON: " + json.error().to_string());
  const Dialect* host = args.has("--bridge") ? host_of(*json) : nullptr;
  if (host != nullptr && host->name != dialect_of(args)) return Event::from_native(host->name, std::move(*json));
  return Event::from_native(dialect_of(args), std::move(*json), args.text("EVENT"));
}

std::string project_of(const Event& event) {
  const auto project = event.get(Field::ProjectDir).as_string();
  return project ? *project : event.get(Field::Cwd).as_string().value_or("");
}

}  // namespace grapnel::cli

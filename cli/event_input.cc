#include "cli/event_input.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <memory>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "base/unique_fd.h"
#include "cli/client/object_scan.h"
#include "dialect/dialect.h"

namespace grapnel::cli {

namespace {

/// Waits until there is something to read. Fails: LimitExceeded when the time is over. `forever` is for a terminal,
/// where a person may type slowly.
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

/// The object without the text after it. `behind` receives that text; without it, extra text is an error.
Result<std::string> finish(std::string text, size_t length, std::string* behind) {
  const std::string_view rest = text::trim(std::string_view(text).substr(length));
  if (behind != nullptr) *behind = rest;
  if (!rest.empty() && behind == nullptr) {
    return fail(Errc::BadInput, "there is extra text after the JSON object: '" + text::cap(rest, 20) + "'");
  }
  text.resize(length);
  return text;
}

/// The agent that a payload must come from, because it has a member that only this agent writes; null when there is
/// none.
const Dialect* host_of(const Json& payload) {
  const auto is_its_own = [&](const Dialect* dialect) {
    return !dialect->payload.recognised_by.empty() && payload.at_pointer(dialect->payload.recognised_by);
  };
  const auto found = std::ranges::find_if(all_dialects(), is_its_own);
  return found == all_dialects().end() ? nullptr : *found;
}

/// The error for input that is not an object: NotFound when it is empty, so that a caller can treat this case in its
/// own way.
Result<std::string> refuse(std::string_view text) {
  const std::string_view start = text::trim(text);
  if (start.empty()) return fail(Errc::NotFound, "the payload is empty; it must be a JSON object");
  return fail(Errc::BadInput, "the payload must be a JSON object; it starts with '" + text::cap(start, 20) + "'");
}

}  // namespace

Result<std::string> read_object(int fd, const InputLimits& limits, std::string* rest) {
  const Deadline deadline = SteadyClock::now() + limits.timeout;
  const bool is_terminal = ::isatty(fd) == 1;
  ObjectScan scan{};
  std::string text;
  // Not on the stack, which may be as small as that; and not cleared, as most of it is never touched.
  constexpr size_t kPiece = size_t{64} << 10;
  const auto buffer = std::make_unique_for_overwrite<char[]>(kPiece);
  for (;;) {
    if (auto ready = wait_readable(fd, deadline, is_terminal); !ready) return std::unexpected(ready.error());
    const ssize_t n = ::read(fd, buffer.get(), kPiece);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n < 0) return fail_errno("cannot read the payload");
    const std::string_view piece(buffer.get(), static_cast<size_t>(n));
    text += piece;
    const ObjectState state = scan_object(&scan, piece.data(), piece.size());
    if (state == kObjectDone) return finish(std::move(text), scan.length, rest);
    if (state == kObjectMissing) return refuse(text);
    // An object that is cut off is returned as it is: the JSON reader can say where it is broken.
    if (n == 0) return state == kObjectBefore ? refuse(text) : Result<std::string>(std::move(text));
    if (text.size() > limits.max_bytes) {
      return fail(Errc::LimitExceeded, "the payload is larger than " + std::to_string(limits.max_bytes) + " bytes");
    }
  }
}

Result<std::string> read_payload(const Arguments& args, std::string& remark) {
  const std::string path = args.text("--input");
  const bool is_stdin = path.empty() || path == "-";
  // O_NONBLOCK: opening a named pipe without a writer must not hang. O_NOCTTY: a terminal must not become ours.
  const UniqueFd file(is_stdin ? -1 : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!is_stdin && !file) return fail_errno("cannot open " + path);
  std::string rest;
  auto payload = read_object(is_stdin ? STDIN_FILENO : file.get(), {}, args.has("--bridge") ? &rest : nullptr);
  if (!rest.empty()) {
    remark = "extra text after the JSON object is ignored: '" + text::cap(rest, 20) + "'";
  }
  return payload;
}

std::string dialect_of(const Arguments& args) {
  return args.has("--as") ? args.text("--as") : "canonical";
}

Result<Event> make_event(const Arguments& args, std::string payload) {
  auto json = Json::parse(std::move(payload));
  if (!json) return fail(json.error().code, "the payload is not valid JSON: " + json.error().to_string());
  const Dialect* host = args.has("--bridge") ? host_of(*json) : nullptr;
  // Some agents run the hook files of another agent with payloads of their own. The payload shows who really calls.
  if (host != nullptr && host->name != dialect_of(args)) return Event::from_native(host->name, std::move(*json));
  return Event::from_native(dialect_of(args), std::move(*json), args.text("EVENT"));
}

}  // namespace grapnel::cli

#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "grapnel/error.h"
#include "grapnel/event.h"

#include "cli/command.h"

/// An event from standard input or a file.
///
/// Some agents never close the pipe they write to, so the end of the input is not waited for: the JSON object says
/// itself where it ends (cli/client/object_scan.h). What is no JSON object from its first character on is refused at
/// once.
namespace grapnel::cli {

struct InputLimits {
  size_t max_bytes = size_t{64} << 20;
  std::chrono::milliseconds timeout{60000};  ///< for all of it; none on a terminal
};

/// Reads one JSON object. What is cut off in the middle comes back as it is, for the JSON reader to say where.
/// With `rest` what came behind it is put there, as far as it was read; otherwise that is an error.
/// Fails: NotFound when there is nothing, BadInput when there is something else, LimitExceeded, System.
Result<std::string> read_object(int fd, const InputLimits& limits, std::string* rest = nullptr);

/// The payload that `--input` names, or standard input. Fails as `read_object` does.
///
/// A bridged agent that says more than one object is answered by the first, which is its event: an error would let the
/// call pass unseen in most agents and lock it in others. What is wrong goes to `remark`.
Result<std::string> read_payload(const Arguments& args, std::string& remark);

/// The event of a verb: its payload in the dialect `--as`, named by EVENT or by itself. With `--bridge` an agent that
/// runs another agent's hook files is told by its payload.
Result<Event> make_event(const Arguments& args, std::string payload);

/// `--as`, or "canonical".
std::string dialect_of(const Arguments& args);

/// The project an event speaks of, or "".
std::string project_of(const Event& event);

}  // namespace grapnel::cli

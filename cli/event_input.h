#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "grapnel/error.h"
#include "grapnel/event.h"

#include "cli/command.h"

/// Reads an event from standard input or a file.
///
/// Some agents never close the pipe they write to, so we cannot wait for the end of the input: the braces of the JSON
/// object show where it ends (cli/client/object_scan.h). Input that does not start with an object is refused at once.
namespace grapnel::cli {

struct InputLimits {
  size_t max_bytes = size_t{64} << 20;
  std::chrono::milliseconds timeout{60000};  ///< for all of it; none on a terminal
};

/// Reads one JSON object. An object that is cut off is returned as it is, so that the JSON reader can report the place.
/// Text after the object goes to `rest`, as far as it was read; without `rest` it is an error.
/// Fails: NotFound when the input is empty, BadInput when it is not an object, LimitExceeded, System.
Result<std::string> read_object(int fd, const InputLimits& limits, std::string* rest = nullptr);

/// The payload from the file that `--input` names, or from standard input. Fails: like `read_object`.
///
/// If a bridged agent sends more than one object, the first one is its event and the rest is ignored, with a remark: an
/// error would let the call pass unseen in most agents and block it in others.
Result<std::string> read_payload(const Arguments& args, std::string& remark);

/// The event of a verb, from a payload in the dialect of `--as`. EVENT names the event, or else the payload does. With
/// `--bridge` the payload may show that another agent is calling, one that runs the hook files of the first.
Result<Event> make_event(const Arguments& args, std::string payload);

/// `--as`, or "canonical".
std::string dialect_of(const Arguments& args);

}  // namespace grapnel::cli

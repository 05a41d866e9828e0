#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "grapnel/json.h"

/// A hook of a policy that a worker runs. The machine names the hook and tells the event; the command is in the signed
/// bundle, so whoever can write jobs cannot choose what runs.
namespace grapnel::fleet {

struct Job {
  std::string id;    ///< follows from the event and the hook: the same job always has the same
  std::string hook;  ///< its name in the bundle
  std::string channel;
  std::string bundle;  ///< the one that the machine had; a worker takes it if it is still published
  int64_t version = 0;
  /// The event: the members of its record that tell what happened, with the payload that the hook sees.
  Json event;

  std::string to_text() const;
  /// Nothing if the text is no job.
  static std::optional<Job> parse(const std::string& text);
};

/// A job that a record wants. The machine adds channel and bundle. Nothing if there is no job with that place.
std::optional<Job> job_in(const Json& record, size_t place);

/// How far a job is, as workers say it. No state at all means that nobody has begun.
struct JobState {
  enum class Kind : uint8_t {
    Open,
    Failing,  ///< it failed and comes again
    Done,
    Dead,  ///< it failed too often, or cannot run at all; it is among the dead letters
  };
  Kind kind = Kind::Open;
  int64_t failures = 0;

  bool is_over() const { return kind == Kind::Done || kind == Kind::Dead; }
  std::string to_text() const;
  /// Open if the text is something else.
  static JobState parse(const std::string& text);
};

}  // namespace grapnel::fleet

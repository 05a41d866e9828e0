#pragma once

#include "decide/interpret.h"

namespace grapnel {

/// How much of an object was understood.
struct Reading {
  bool has_verdict = false;  ///< It decides something, maybe that the event may go on.
  bool has_known = false;    ///< It has a member that some dialect knows.
  bool has_unknown = false;  ///< It has members, but none that any dialect knows.
  bool is_doubtful = false;  ///< It seems to decide something, in words or places that no dialect has.

  /// What a hook said in several objects.
  void add(const Reading& other) {
    has_verdict |= other.has_verdict;
    has_known |= other.has_known;
    has_unknown |= other.has_unknown;
    is_doubtful |= other.is_doubtful;
  }
};

/// Reads the JSON object that a hook printed into `answer`, using the output rows of its event. A verdict that cannot
/// be understood is a failure of the hook; any other member of the wrong type is ignored with a complaint. A verdict in
/// the words of another dialect may ask or deny (hear.h).
Reading read_answer(const HookSpec& hook, const EventRow& row, const Json& object, HookAnswer& answer);

/// Whether the object has a member that the event reads.
bool holds_answer(const HookSpec& hook, const EventRow& row, const Json& object);

/// Whether the object asks or denies, in the words of any dialect.
bool says_no(const HookSpec& hook, const EventRow& row, const Json& object);

}  // namespace grapnel

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/error.h"

namespace grapnel {

/// What a condition of a query compares.
enum class QueryKey : uint8_t { Verdict, Tool, Event, Agent, Session, Project, Hook, Would, Id, Text };

/// One condition. Values of ids and sessions are beginnings; those of projects are directories, with all
/// below them, or only their names.
/// Tools are found by their name, in any case, or by their kind: `shell`, `read`, `edit`…
/// `Would` compares the verdict that hooks which only observe would have given; `any` stands for all of them.
struct QueryCondition {
  QueryKey key = QueryKey::Text;
  std::string value;
  bool is_negated = false;
  bool operator==(const QueryCondition&) const = default;
};

/// What to search for. An empty member is no condition. Times are compared as text: ISO 8601 in UTC, or the beginning
/// of one.
struct JournalQuery {
  std::string since = {};
  std::string until = {};  ///< not included
  std::string session = {};
  std::string agent = {};    ///< the name of a dialect
  std::string project = {};  ///< a directory: also events of projects below it
  std::string cwd = {};      ///< a directory, in the same way
  std::string event = {};
  std::string tool = {};
  std::string text = {};  ///< a part of the subject, in any case
  std::string hook = {};  ///< a hook that has a fate in the record
  std::string verdict = {};
  bool stops = false;         ///< only events that were denied or asked about
  std::string would = {};     ///< if not empty: only events at which a hook that observes would have done something
  std::string registry = {};  ///< a digest
  std::string id = {};        ///< an event's id
  /// More conditions. Those with the same key are alternatives, except texts, which must all occur, and negated ones,
  /// none of which may hold.
  std::vector<QueryCondition> where = {};
  int64_t after = 0;   ///< only entries with a greater number
  int64_t before = 0;  ///< only entries with a smaller number; 0: no condition
  size_t limit = 0;    ///< only the newest ones, at most this many; 0: all
};

/// A span of time, in milliseconds since 1970. `to` is not included.
struct TimeSpan {
  int64_t from = 0;
  int64_t to = 0;
  bool operator==(const TimeSpan&) const = default;
};

/// A time as records spell it (`2026-01-31T10:30:05.678Z`), or the beginning of one, in milliseconds since 1970; 0 if
/// it is none. And back.
int64_t ms_of(std::string_view time);
std::string time_of(int64_t ms);

}  // namespace grapnel

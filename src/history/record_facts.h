#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grapnel/decision.h"

namespace grapnel {

/// What a record says about one hook, as far as queries need it.
struct RunFacts {
  std::string name;
  HookFate::Kind fate = HookFate::Kind::Ran;
  Verdict verdict = Verdict::Pass;
  std::optional<Verdict> would;
  int64_t us = 0;
};

/// What the database keeps of a record. Everything else is read from the record's line when somebody asks for it.
struct RecordFacts {
  std::string id;
  std::string time;
  std::string event;
  std::string agent;
  std::string session;
  std::string agent_id;
  std::string agent_type;
  std::string parent;
  std::string cwd;
  std::string project;
  std::string tool;
  std::string call;
  std::string subject;
  std::string rewritten;
  std::string registry;
  std::string verdict_text;
  std::string origin;
  Verdict verdict = Verdict::Pass;
  std::optional<Verdict> would;
  int64_t lost = 0;
  bool in_background = false;
  bool is_rewritten = false;
  bool is_injected = false;      ///< hooks gave the agent context
  bool is_degraded = false;      ///< the agent could not be told everything
  bool is_ask_degraded = false;  ///< above all not that a person has to be asked
  std::vector<RunFacts> runs;

  bool has_failed_hook() const;
  /// Whether a person was asked about the call of this record: a hook said `ask`, and the agent could be told so.
  bool is_asked() const;
};

/// Reads a line of a record file. The members are read in one pass, without a `Json` for each of them, because an
/// import does this a million times. Returns nullopt if the line is no record.
std::optional<RecordFacts> read_facts(std::string line);

/// `pass`, `allow`, `ask`, `deny`; nothing for other words.
std::optional<Verdict> verdict_from(std::string_view name);

}  // namespace grapnel

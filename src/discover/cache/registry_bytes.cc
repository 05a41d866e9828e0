#include "discover/cache/registry_bytes.h"

#include "base/bytes.h"
#include "dialect/dialect.h"
#include "discover/cache/hook_heads.h"
#include "discover/cache/stamp_bytes.h"

namespace grapnel {

// One function for each struct serves both directions: `bytes` is a `ByteWriter` or a `ByteReader` (base/bytes.h).
//
// Each function takes its struct apart with a structured binding that names every member. A new member therefore does
// not compile until it is added here, and so it cannot be forgotten in the cache. Where the order of the calls differs
// from the order of the members, it only has to be the same for writing and reading, which it is by construction.

static void each_member(auto& bytes, SourcePos& pos) {
  auto& [file, line, column] = pos;
  bytes(file, line, column);
}

/// The parts of a matcher. A `Matcher` cannot exist without a pattern, so it is read into this first.
struct MatcherBytes {
  std::string pattern;
  MatchSyntax syntax = MatchSyntax::Exact;
  bool literal = false;
};

static void each_member(auto& bytes, MatcherBytes& matcher) {
  auto& [pattern, syntax, literal] = matcher;
  bytes(pattern, syntax, literal);
}

/// Writes the parts of the matchers, or reads them and makes matchers from them. Reading does not compile the patterns:
/// most are never needed.
static void each_matcher(auto& bytes, std::vector<Matcher>& matchers) {
  std::vector<MatcherBytes> parts;
  for (const Matcher& matcher : matchers) {
    parts.push_back({std::string(matcher.pattern()), matcher.syntax(), matcher.fell_back_to_literal()});
  }
  bytes(parts);
  if (!matchers.empty()) return;  // a reader starts with an empty list, so this was a writer
  matchers.reserve(parts.size());
  for (MatcherBytes& part : parts) {
    matchers.push_back(Matcher::known(std::move(part.pattern), part.syntax, part.literal));
  }
}

static void each_member(auto& bytes, ToolQuestion& question) {
  auto& [kinds, names] = question;
  bytes(kinds);
  each_matcher(bytes, names);
}
static void each_member(auto& bytes, CommandQuestion& question) {
  auto& [words, flags, effects] = question;
  bytes(words, flags, effects);
}
static void each_member(auto& bytes, PathQuestion& question) {
  auto& [patterns, effects] = question;
  each_matcher(bytes, patterns);
  bytes(effects);
}
static void each_member(auto& bytes, TextQuestion& question) {
  auto& [of, patterns] = question;
  bytes(of);
  each_matcher(bytes, patterns);
}
static void each_member(auto& bytes, InputQuestion& question) {
  auto& [pointer, patterns] = question;
  bytes(pointer);
  each_matcher(bytes, patterns);
}
static void each_member(auto& bytes, ChangedQuestion& question) {
  auto& [patterns] = question;
  each_matcher(bytes, patterns);
}
static void each_member(auto& bytes, Condition& condition) {
  auto& [op, parts, question, at] = condition;
  bytes(op, parts, question, at);
}
static void each_member(auto& bytes, RuleRewrite& rewrite) {
  auto& [input, command, max_lines, drop_lines, mask] = rewrite;
  bytes(input, command, max_lines, mask);
  each_matcher(bytes, drop_lines);
}
static void each_member(auto& bytes, Inject& inject) {
  auto& [text, file, how, budget] = inject;
  bytes(text, file, how, budget);
}

static void each_member(auto& bytes, CommandHandler& handler) {
  auto& [command, args, env, inject, takes_files] = handler;
  bytes(command, args, env, inject, takes_files);
}
static void each_member(auto& bytes, Debounce& debounce) {
  auto& [until_turn_ends, quiet] = debounce;
  bytes(until_turn_ends, quiet);
}
/// Callbacks are functions of the host. They never come from files, so the cache has none.
static void each_member(auto& /*bytes*/, CallbackHandler& /*handler*/) {}
static void each_member(auto& bytes, RuleHandler& handler) {
  auto& [verdict, reason, rewrite, inject, notify] = handler;
  bytes(verdict, reason, rewrite, inject, notify);
}
static void each_member(auto& bytes, WorkerHandler& handler) {
  auto& [start, idle, max_events] = handler;
  bytes(start, idle, max_events);
}
static void each_member(auto& bytes, HttpHandler& handler) {
  auto& [url, headers, allowed_env, allowed_hosts, allowed_urls, tls, loopback, others, retries, max_reply] = handler;
  bytes(url, headers, allowed_env, allowed_hosts, allowed_urls, tls, loopback, others, retries, max_reply);
}
static void each_member(auto& bytes, PromptHandler& handler) {
  auto& [prompt, model, goes_on] = handler;
  bytes(prompt, model, goes_on);
}
static void each_member(auto& bytes, AgentHandler& handler) {
  auto& [prompt, model, max_turns] = handler;
  bytes(prompt, model, max_turns);
}
static void each_member(auto& bytes, UnavailableHandler& handler) {
  auto& [type, prompt, model] = handler;
  bytes(type, prompt, model);
}

static void each_member(auto& bytes, Clause& clause) {
  auto& [subject, any_of, whole_too] = clause;
  bytes(subject, whole_too);
  each_matcher(bytes, any_of);
}
static void each_member(auto& bytes, FailurePolicy& policy) {
  auto& [on_timeout, on_failure, on_output, on_no_sandbox] = policy;
  bytes(on_timeout, on_failure, on_output, on_no_sandbox);
}
static void each_member(auto& bytes, SandboxFiles& files) {
  auto& [read, write] = files;
  bytes(read, write);
}
static void each_member(auto& bytes, Sandbox& sandbox) {
  auto& [is_off, word, network, files, memory, cpu_seconds, processes, leftovers, required] = sandbox;
  bytes(is_off, word, network, files, memory, cpu_seconds, processes, leftovers, required);
}

/// A dialect is a table in the program, so only its name is stored.
static void each_dialect(auto& bytes, const Dialect*& dialect) {
  std::string name(dialect == nullptr ? "" : dialect->name);
  bytes(name);
  if (dialect != nullptr) return;  // as above: a writer
  dialect = find_dialect(name);
}

static void each_member(auto& bytes, HookSpec& hook) {
  auto& [name, group, description, status_message, events, other_events, event_name, dialect, scope, source, clauses,
         when, handler, timeout, sequential, async, is_job, max_concurrent, priority, enabled, failure, max_blocks,
         once, unless_unchanged, cwd, project, trusted_as, detach, warm, debounce, identity, dedupe_key, definition,
         files, trust, digest, mode, unsure, unsure_unattended, answers, sandbox] = hook;
  bytes(name, group, description, status_message, events, other_events, event_name, scope, source, clauses, when,
        handler, timeout, sequential, async, is_job, max_concurrent, priority, enabled, failure, max_blocks, once, cwd,
        project, trusted_as, detach, warm, debounce, identity, dedupe_key, definition, files, trust, digest, mode,
        unsure, unsure_unattended, answers, sandbox);
  each_matcher(bytes, unless_unchanged);
  each_dialect(bytes, dialect);
}

static void each_member(auto& bytes, ConfigProblem& problem) {
  auto& [severity, message, at, hint] = problem;
  bytes(severity, message, at, hint);
}
static void each_member(auto& bytes, BrokenFile& file) {
  auto& [state, at, why, scope, project, good_name, good_from, good_hooks, was_trusted] = file;
  bytes(state, at, why, scope, project, good_name, good_from, good_hooks, was_trusted);
}
static void each_member(auto& bytes, TrackingNeeds& demands) {
  auto& [tracks_changes, guards_calls, counts_compactions, subjects] = demands;
  bytes(tracks_changes, guards_calls, counts_compactions);
  for (auto& events : subjects) bytes(events);
}

namespace {

/// Adds one hook and its own stamps. False when the bytes are damaged or name a dialect that does not exist.
bool read_hook(std::string_view bytes, const HookHead& head, Discovered& out) {
  if (quick_hash(bytes) != head.bytes.sum) return false;
  ByteReader reader(bytes);
  Sources::Stamps own;
  HookSpec& hook = out.registry.hooks.emplace_back();
  reader(hook, own);
  if (!own.empty()) out.sources.of_hooks[hook.source.file] = std::move(own);
  return reader.is_good() && reader.is_at_end() && hook.dialect != nullptr;
}

/// Reads the hooks that the heads name. A few hooks are read one by one; from more than `kFew` on, one large read is
/// cheaper than many small ones.
bool read_hooks(const std::vector<HookHead>& wanted, size_t total, const ReadHooks& hooks, Discovered& out) {
  constexpr size_t kFew = 8;
  const auto all = wanted.size() > kFew ? hooks(0, total) : std::nullopt;
  out.registry.hooks.reserve(wanted.size());
  for (const HookHead& head : wanted) {
    // Written so that damaged numbers cannot overflow.
    if (head.bytes.from > total || head.bytes.size > total - head.bytes.from) return false;
    const auto own = all ? std::nullopt : hooks(head.bytes.from, head.bytes.size);
    if (!all && !own) return false;
    if (!read_hook(all ? std::string_view(*all).substr(head.bytes.from, head.bytes.size) : *own, head, out))
      return false;
  }
  return true;
}

}  // namespace

RegistryBytes write_bytes(const Discovered& discovered) {
  RegistryBytes out;
  HeadWriter heads;
  TrackingNeeds demands;
  for (const HookSpec& hook : discovered.registry.hooks) {
    // Needs of all hooks go into the front, so that they are known even when most hooks are not read.
    demands.add(hook);
    const auto own = discovered.sources.of_hooks.find(hook.source.file);
    ByteWriter whole;
    whole(hook, own == discovered.sources.of_hooks.end() ? Sources::Stamps{} : own->second);
    const std::string bytes = whole.take();
    heads.add(hook, {quick_hash(bytes), static_cast<uint32_t>(out.hooks.size()), static_cast<uint32_t>(bytes.size())});
    out.hooks += bytes;
  }
  ByteWriter front;
  front(discovered.registry.problems, discovered.registry.broken, discovered.registry.digest, demands, heads.take());
  out.front = front.take();
  return out;
}

std::optional<Discovered> read_bytes(std::string_view front, const ReadHooks& hooks, const Event* only_event) {
  ByteReader reader(front);
  Discovered out;
  TrackingNeeds demands;
  reader(out.registry.problems, out.registry.broken, out.registry.digest, demands);
  const HookHeads heads(reader.next_text());
  if (!reader.is_good() || !reader.is_at_end() || !heads.is_good()) return std::nullopt;
  // An empty digest means that trust is still to be decided. The digest then needs every hook, not only those for this
  // event.
  const std::vector<HookHead> wanted = heads.concerning(out.registry.digest.empty() ? nullptr : only_event);
  if (!read_hooks(wanted, heads.hook_bytes(), hooks, out)) return std::nullopt;
  out.is_whole = wanted.size() == heads.size();
  if (!out.is_whole) out.demands_left_out = demands;
  return out;
}

}  // namespace grapnel

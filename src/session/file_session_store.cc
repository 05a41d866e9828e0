#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "grapnel/session_store.h"

#include "base/error.h"
#include "model/effects_json.h"
#include "os/files.h"
#include "session/approvals.h"
#include "session/stored_state.h"
#include "trust/private_file.h"
#include "trust/sha256.h"

namespace grapnel {

namespace {

// For hosts that start a new process for each event. The state of a session is one JSON file. Everything below up to
// the class converts between `SessionState` and that JSON. A member that is missing in a file of an older version is
// read as empty, so no conversion between versions is needed.

constexpr size_t kMaxState = size_t{16} << 20;
constexpr std::chrono::milliseconds kLockTimeout{10000};
/// An empty file of that name is beside the state of a session in which something is approved. Of ten thousand sessions
/// nearly none has approvals, and those who show them should not read all.
constexpr std::string_view kApprovedMark = ".approved";

Json to_json(const std::map<std::string, uint32_t>& counts) {
  std::vector<std::pair<std::string, Json>> members;
  for (const auto& [name, count] : counts) members.emplace_back(name, Json::number(int64_t{count}));
  return Json::object(members);
}

/// The reverse of `to_json`. Values that are not numbers are read as 0.
std::map<std::string, uint32_t> read_counts(const Json& stored) {
  std::map<std::string, uint32_t> counts;
  for (const JsonMember& member : stored.members()) {
    counts[member.key] = static_cast<uint32_t>(member.value.as_integer().value_or(0));
  }
  return counts;
}

Json to_json(const std::set<std::string>& names) {
  std::vector<Json> elements;
  for (const std::string& name : names) elements.push_back(Json::string(name));
  return Json::array(elements);
}

std::set<std::string> read_names(const Json& stored) {
  std::set<std::string> names;
  for (const Json& name : stored.elements()) names.insert(name.as_string().value_or(""));
  return names;
}

Json to_json(const std::vector<std::string>& texts) {
  std::vector<Json> elements;
  for (const std::string& text : texts) elements.push_back(Json::string(text));
  return Json::array(elements);
}

std::vector<std::string> read_texts(const Json& stored) {
  std::vector<std::string> texts;
  for (const Json& text : stored.elements()) texts.push_back(text.as_string().value_or(""));
  return texts;
}

Json to_json(const SessionState::Shared& shared) {
  return Json::object({{"call", Json::string(shared.call)},
                       {"changed", Json::string(shared.changed_call)},
                       {"use_id", Json::string(shared.use_id)},
                       {"routes", to_json(shared.routes)},
                       {"time", Json::number(shared.time_ms)},
                       {"decider", Json::number(shared.decider)},
                       {"decision", decision_to_stored(shared.decision)}});
}

SessionState::Shared read_shared(const Json& stored) {
  SessionState::Shared shared;
  shared.call = stored["call"].as_string().value_or("");
  shared.changed_call = stored["changed"].as_string().value_or("");
  shared.use_id = stored["use_id"].as_string().value_or("");
  shared.routes = read_texts(stored["routes"]);
  shared.time_ms = stored["time"].as_integer().value_or(0);
  shared.decider = stored["decider"].as_integer().value_or(0);
  shared.decision = decision_from_stored(stored["decision"]);
  return shared;
}

Json to_json(const std::map<std::string, SessionState::Deferred>& deferred) {
  std::vector<std::pair<std::string, Json>> members;
  for (const auto& [hook, entry] : deferred) {
    members.emplace_back(hook, Json::object({{"files", to_json(entry.files)},
                                             {"due", Json::number(entry.due_ms)},
                                             {"lease", Json::number(entry.lease_ms)}}));
  }
  return Json::object(members);
}

std::map<std::string, SessionState::Deferred> read_deferred(const Json& stored) {
  std::map<std::string, SessionState::Deferred> deferred;
  for (const JsonMember& member : stored.members()) {
    deferred[member.key] = {read_names(member.value["files"]), member.value["due"].as_integer().value_or(0),
                            member.value["lease"].as_integer().value_or(0)};
  }
  return deferred;
}

Json to_json(const SessionState::Approved& approved) {
  return Json::object({{"session", Json::string(approved.session)},
                       {"call", Json::string(approved.call)},
                       {"pattern", Json::string(approved.pattern)},
                       {"subject", Json::string(approved.subject)},
                       {"askers", to_json(approved.askers)},
                       {"time", Json::number(approved.time_ms)}});
}

SessionState::Approved read_approved(const Json& stored) {
  const auto text = [&](const char* key) { return stored[key].as_string().value_or(""); };
  return {text("session"),
          text("call"),
          text("pattern"),
          text("subject"),
          read_names(stored["askers"]),
          stored["time"].as_integer().value_or(0)};
}

/// What most sessions do not have is left out when it is empty.
Json to_json(const SessionState& state) {
  std::vector<std::pair<std::string, Json>> passed;
  for (const auto& [hook, digest] : state.passed) passed.emplace_back(hook, Json::string(digest));
  std::vector<std::pair<std::string, Json>> env;
  for (const auto& [name, value] : state.env) env.emplace_back(name, Json::string(value));
  std::vector<Json> remembered;
  for (const SessionState::Remembered& item : state.remembered) {
    remembered.push_back(Json::array({Json::string(item.key), decision_to_stored(item.decision)}));
  }
  std::vector<Json> shared;
  for (const SessionState::Shared& item : state.shared) shared.push_back(to_json(item));
  std::vector<Json> approved;
  for (const SessionState::Approved& item : state.approved) approved.push_back(to_json(item));
  std::vector<Json> unseen;
  for (const std::string& text : state.unseen) unseen.push_back(Json::string(text));
  return Json::object({{"version", Json::number(int64_t{1})},
                       {"shared", shared.empty() ? Json() : Json::array(shared)},
                       {"approved", approved.empty() ? Json() : Json::array(approved)},
                       {"project", state.project.empty() ? Json() : to_json(state.project)},
                       {"blocks", to_json(state.blocks)},
                       {"hook_blocks", to_json(state.hook_blocks)},
                       {"refusal", state.refusal.empty() ? Json() : Json::string(state.refusal)},
                       {"goes_on", state.goes_on ? Json::boolean(true) : Json()},
                       {"disabled", to_json(state.disabled)},
                       {"done", to_json(state.done)},
                       {"started", state.started_ms == 0 ? Json() : Json::number(state.started_ms)},
                       {"touched", to_json(state.touched)},
                       {"told", state.told.empty() ? Json() : to_json(state.told)},
                       {"unseen", unseen.empty() ? Json() : Json::array(unseen)},
                       {"passed", Json::object(passed)},
                       {"deferred", state.deferred.empty() ? Json() : to_json(state.deferred)},
                       {"env", Json::object(env)},
                       {"remembered", Json::array(remembered)}});
}

/// The reverse of `to_json`.
SessionState from_json(const Json& stored) {
  SessionState state;
  state.project = read_texts(stored["project"]);
  state.blocks = read_counts(stored["blocks"]);
  state.hook_blocks = read_counts(stored["hook_blocks"]);
  state.refusal = stored["refusal"].as_string().value_or("");
  state.goes_on = stored["goes_on"].as_bool().value_or(false);
  state.disabled = read_names(stored["disabled"]);
  state.done = read_names(stored["done"]);
  state.started_ms = stored["started"].as_integer().value_or(0);
  state.touched = read_names(stored["touched"]);
  state.told = read_names(stored["told"]);
  for (const Json& text : stored["unseen"].elements()) state.unseen.push_back(text.as_string().value_or(""));
  state.deferred = read_deferred(stored["deferred"]);
  for (const JsonMember& member : stored["passed"].members()) {
    state.passed[member.key] = member.value.as_string().value_or("");
  }
  for (const JsonMember& member : stored["env"].members()) {
    state.env.emplace_back(member.key, member.value.as_string().value_or(""));
  }
  for (const Json& item : stored["remembered"].elements()) {
    state.remembered.push_back({item.at(0).as_string().value_or(""), decision_from_stored(item.at(1))});
  }
  for (const Json& item : stored["approved"].elements()) state.approved.push_back(read_approved(item));
  for (const Json& item : stored["shared"].elements()) state.shared.push_back(read_shared(item));
  return state;
}

/// One file per session, named after a digest of the session's id, because the id may contain any characters. An update
/// holds a lock file beside it; a reader needs no lock, because the file is replaced in one step.
class FileSessionStore final : public SessionStore {
 public:
  FileSessionStore(std::string directory, const std::vector<std::string>& secrets)
      : directory_(std::move(directory)), mask_(secrets) {}

  Result<SessionState> load(const std::string& session_id) override {
    // The state says which hooks are switched off and what was decided before, so nobody else may write it.
    if (auto safe = check_private_directory(path_of(session_id)); !safe) return std::unexpected(safe.error());
    auto text = os::read_file(path_of(session_id), kMaxState);
    // A session without a file is a new one.
    if (!text && text.error().code == Errc::NotFound) return SessionState{};
    if (!text) return std::unexpected(text.error());
    auto json = Json::parse(std::move(*text));
    if (!json || !json->is_object())
      return fail(Errc::BadInput, path_of(session_id) + ": the session's state cannot be read");
    return from_json(*json);
  }

  Result<void> update(const std::string& session_id, const std::function<void(SessionState&)>& change) override {
    if (auto made = os::make_dirs(directory_, 0700); !made) return made;
    const std::string path = path_of(session_id);
    auto lock = os::lock_file(path + ".lock", kLockTimeout);
    if (!lock) return std::unexpected(lock.error());
    // Read again under the lock, so that no change of another process is lost.
    auto state = load(session_id);
    if (!state) return std::unexpected(state.error());
    const bool had_approvals = !state->approved.empty();
    change(*state);
    const bool has_approvals = !state->approved.empty();
    auto written = os::write_file_atomic(path, to_json(fit_for_storage(std::move(*state), mask_)).dump(), 0600);
    if (has_approvals) static_cast<void>(os::open_append(path + std::string(kApprovedMark), 0600));
    if (had_approvals && !has_approvals) ::unlink((path + std::string(kApprovedMark)).c_str());
    return written;
  }

 private:
  /// 128 bits of the digest are enough to tell sessions apart.
  std::string path_of(const std::string& session_id) const {
    return directory_ + "/" + Sha256().add(session_id).hex().substr(0, 32) + ".json";
  }

  std::string directory_;
  Mask mask_;
};

}  // namespace

std::vector<SessionState::Approved> stored_approvals(const std::string& directory) {
  std::vector<SessionState::Approved> out;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    if (entry.path().extension() != kApprovedMark) continue;
    const std::string mark = entry.path();
    const auto text = read_private_file(mark.substr(0, mark.size() - kApprovedMark.size()), kMaxState);
    if (!text || !*text) continue;
    const SessionState state = from_json(Json::parse(**text).value_or(Json()));
    out.insert(out.end(), state.approved.begin(), state.approved.end());
  }
  std::ranges::sort(out, {}, &SessionState::Approved::time_ms);
  return out;
}

std::unique_ptr<SessionStore> make_file_session_store(std::string directory, std::vector<std::string> secrets) {
  return std::make_unique<FileSessionStore>(std::move(directory), secrets);
}

}  // namespace grapnel

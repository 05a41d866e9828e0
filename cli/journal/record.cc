#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "cli/hook_text.h"
#include "cli/journal/journal_verbs.h"
#include "cli/yaml_text.h"
#include "os/files.h"

namespace grapnel::cli {

namespace {

/// What replaces a secret in a record. A text with it is not used as an expectation, because the hook will produce the
/// real text.
constexpr std::string_view kMasked = "***";

void replace_directory(std::string& text, const std::string& from, std::string_view to) {
  // An empty text, or "/" as the home directory, would be found everywhere.
  if (from.size() >= 2) text::replace_all(text, from, to);
}

/// Writes records as the cases of a test file (`*.hooktest.yaml`, see cli/hooktest/fixture.h). What happened then
/// becomes what the test expects.
class FixtureWriter {
 public:
  explicit FixtureWriter(const Environment& env) : home_(env.home()) {}

  /// A case with one event.
  void add_case(const Json& record) { out_ += "  - name: " + name_of(record) + "\n" + step_lines(record, "    "); }

  /// A case with one step for each event of a session.
  void add_session(const std::string& session, const std::vector<Json>& records) {
    out_ += "  - name: " + yaml_text(Json::string("session " + session)) + "\n    steps:\n";
    for (const Json& record : records) {
      out_ += "      - name: " + name_of(record) + "\n" + step_lines(record, "        ");
    }
  }

  std::string text() const { return "version: 1\ncases:\n" + out_; }

 private:
  /// The name of a case. It ends with the event's id, which makes it unique.
  static std::string name_of(const Json& record) {
    const std::string tool = text_of(record, "tool");
    return yaml_text(
        Json::string(text_of(record, "event") + (tool.empty() ? "" : " " + tool) + " " + text_of(record, "id")));
  }

  /// Replaces paths of this machine with the placeholders for the scratch directories of a test. The project comes
  /// first, because it is often below the home directory.
  std::string portable(std::string text, const Json& record) const {
    std::string project = text_of(record, "project");
    if (project.empty()) project = text_of(record["payload"], "cwd");
    replace_directory(text, project, "{project}");
    replace_directory(text, home_, "{home}");
    return text;
  }

  /// The lines of one step. The payload is JSON in a block, so that nothing in it needs quoting.
  std::string step_lines(const Json& record, const std::string& indent) const {
    std::string out = indent + "event: " + text_of(record, "event") + "\n";
    out += indent + "as: " + text_of(record, "dialect") + "\n";
    out += indent + "input: |-\n" + indent + "  " + portable(record["payload"].dump(), record) + "\n";
    out += indent + "expect:\n" + indent + "  verdict: " + text_of(record, "verdict") + "\n";
    for (const char* key : {"reason", "origin", "decided_by"}) {
      const std::string text = portable(text_of(record, key), record);
      if (text.empty() || text.find(kMasked) != std::string::npos) continue;
      out += indent + "  " + key + ": " + yaml_text(Json::string(text)) + "\n";
    }
    return out + fate_lines(record, indent + "  ");
  }

  /// The lines for the hooks' fates. Expectations go by name, so only the first hook of a name is written.
  std::string fate_lines(const Json& record, const std::string& indent) const {
    std::string lines;
    std::vector<std::string> seen;
    for (const Json& fate : record["hooks"].elements()) {
      const std::string name = portable(text_of(fate, "name"), record);
      if (std::ranges::find(seen, name) != seen.end()) continue;
      seen.push_back(name);
      lines += indent + "  " + yaml_text(Json::string(name)) + ": " + text_of(fate, "fate") + "\n";
    }
    return lines.empty() ? "" : indent + "hooks:\n" + lines;
  }

  std::string home_;
  std::string out_;
};

/// The id of the newest record, which may be about an async hook of an older event.
Result<std::string> newest_id(JournalReader& journal) {
  const auto newest = journal.find({.limit = 1});
  if (!newest) return std::unexpected(newest.error());
  if (newest->empty()) return fail(Errc::BadInput, "no event is on record");
  return text_of(newest->front().record, "id");
}

/// The record of an event, without those of its async hooks. Fails: BadInput when there is none, or more than one.
Result<Json> find_record(JournalReader& journal, const std::string& id) {
  const auto whole = id == "last" ? newest_id(journal) : find_id(journal, id);
  if (!whole) return std::unexpected(whole.error());
  const auto entries = journal.find({.id = *whole});
  if (!entries) return std::unexpected(entries.error());
  for (const JournalEntry& entry : *entries) {
    if (!entry.record["background"]) return entry.record;
  }
  return fail(Errc::BadInput, "no event on record has the id '" + printable(id) + "'");
}

/// Without the payload there is nothing to send in a test. Fails: BadInput.
Result<void> check_payload(const Json& record) {
  if (record["payload"].is_object()) return {};
  return fail(Errc::BadInput, "the payload of " + text_of(record, "id") +
                                  " is not on record; payloads are kept with GRAPNEL_PAYLOADS=full");
}

/// All events of a session, oldest first. Fails: BadInput when there is none.
Result<std::vector<Json>> events_of(JournalReader& journal, const std::string& session) {
  const auto entries = journal.find({.session = session});
  if (!entries) return std::unexpected(entries.error());
  std::vector<Json> out;
  for (const JournalEntry& entry : *entries) {
    if (!entry.record["background"] && entry.record["event"]) out.push_back(entry.record);
  }
  if (!out.empty()) return out;
  return fail(Errc::BadInput, "no session '" + printable(session) + "' is on record");
}

/// Adds a case for each event. Fails: BadInput.
Result<void> add_cases(FixtureWriter& writer, JournalReader& journal, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) {
    const auto record = find_record(journal, id);
    if (!record) return std::unexpected(record.error());
    if (auto usable = check_payload(*record); !usable) return usable;
    writer.add_case(*record);
  }
  return {};
}

Result<std::string> write_fixture(Invocation& in, JournalReader& journal) {
  FixtureWriter writer(in.env);
  if (auto added = add_cases(writer, journal, in.args.all("ID")); !added) return std::unexpected(added.error());
  if (!in.args.has("--session")) return writer.text();
  const auto session = find_session(journal, in.args.text("--session"));
  if (!session) return std::unexpected(session.error());
  const auto records = events_of(journal, *session);
  if (!records) return std::unexpected(records.error());
  for (const Json& record : *records) {
    if (auto usable = check_payload(record); !usable) return std::unexpected(usable.error());
  }
  writer.add_session(*session, *records);
  return writer.text();
}

}  // namespace

std::string fixture_text(const Environment& env, const std::vector<Json>& records) {
  FixtureWriter writer(env);
  for (const Json& record : records) writer.add_case(record);
  return writer.text();
}

Result<std::string> fixture_of(const Environment& env, JournalReader& journal, const std::vector<std::string>& ids) {
  FixtureWriter writer(env);
  if (auto added = add_cases(writer, journal, ids); !added) return std::unexpected(added.error());
  return writer.text();
}

int run_record(Invocation& in) {
  if (in.args.all("ID").empty() && !in.args.has("--session")) {
    return report_usage(in.console, "record", "which events? Give ids, `last`, or --session");
  }
  auto journal = open_journal(in);
  if (!journal) {
    in.console.say(printable(journal.error().to_string()));
    return kInternal;
  }
  const auto text = write_fixture(in, *journal);
  if (!text) return report_input(in.console, text.error().message);
  const std::string path = in.args.text("--output");
  const Json json = Json::object({{"path", path.empty() ? Json::null() : Json::string(path)},
                                  {"text", path.empty() ? Json::string(*text) : Json()}});
  const std::string told = in.args.has("--json") ? json.dump(JsonStyle::Pretty) + "\n" : path.empty() ? *text : "";
  if (path.empty()) {
    in.console.out(told);
    return kOk;
  }
  // An existing test file may contain work of a person, so it is never overwritten.
  if (os::stamp(path)) return report_input(in.console, printable(path) + " already exists");
  const auto written = os::write_file_atomic(path, *text, 0644);
  if (!written) return report_input(in.console, written.error().message);
  in.console.out(told);
  return kOk;
}

}  // namespace grapnel::cli

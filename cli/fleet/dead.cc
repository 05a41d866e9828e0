#include <algorithm>

#include "base/error.h"
#include "cli/fleet/fleet_verbs.h"
#include "cli/fleet/job_shipper.h"
#include "cli/hook_text.h"
#include "cli/session_ids.h"
#include "cli/table.h"
#include "fleet/keys.h"
#include "fleet/subjects.h"

// Jobs that workers gave up. They stay until somebody runs them again or drops them.
namespace grapnel::cli {

namespace {

constexpr std::chrono::milliseconds kDeadAnswer{5000};
constexpr size_t kShortJob = 8;

struct DeadLetter {
  std::string machine;
  std::string id;
  Json letter;  ///< as the worker wrote it
  int64_t sequence = 0;

  std::string text(std::string_view key) const { return letter[key].as_string().value_or(""); }
  std::string hook() const { return letter["job"]["hook"].as_string().value_or(""); }
  std::string subject() const { return letter["job"]["event"]["subject"].as_string().value_or(""); }
};

/// JetStream answers with ordinary base64.
std::string decoded(std::string text) {
  for (char& c : text) c = c == '+' ? '-' : c == '/' ? '_' : c;
  while (text.ends_with('=')) text.pop_back();
  return fleet::from_base64url(text).value_or("");
}

Result<Json> ask_stream(Courier& courier, const std::string& what, const Json& wish) {
  const auto answer =
      courier.request("$JS.API.STREAM." + what + "." + std::string(fleet::kDeadStream), wish.dump(), kDeadAnswer);
  if (!answer) return std::unexpected(answer.error());
  const Json said = Json::parse(answer->body).value_or(Json());
  if (!said["error"]) return said;
  return fail(Errc::Refused, said["error"]["description"].as_string().value_or("the server refused"));
}

/// The letter with that subject; nothing if it has gone since.
std::optional<DeadLetter> read_letter(Courier& courier, const std::string& subject) {
  const auto found = ask_stream(courier, "MSG.GET", Json::object({{"last_by_subj", Json::string(subject)}}));
  if (!found) return std::nullopt;
  const Json message = (*found)["message"];
  const auto letter = Json::parse(decoded(message["data"].as_string().value_or("")));
  const size_t dot = subject.rfind('.');
  const size_t first = subject.find('.') + 1;
  if (!letter || dot <= first) return std::nullopt;
  return DeadLetter{subject.substr(first, dot - first), subject.substr(dot + 1), *letter,
                    message["seq"].as_integer().value_or(0)};
}

/// All of them, the oldest first. Fails: Unavailable, Refused.
Result<std::vector<DeadLetter>> all_letters(Courier& courier) {
  std::vector<DeadLetter> out;
  for (int64_t offset = 0;;) {
    const auto info = ask_stream(
        courier, "INFO", Json::object({{"subjects_filter", Json::string("dead.>")}, {"offset", Json::number(offset)}}));
    if (!info) return std::unexpected(info.error());
    const Json subjects = (*info)["state"]["subjects"];
    for (const JsonMember& subject : subjects.members()) {
      if (auto letter = read_letter(courier, subject.key)) out.push_back(std::move(*letter));
    }
    offset += static_cast<int64_t>(subjects.size());
    if (subjects.size() == 0 || offset >= (*info)["total"].as_integer().value_or(0)) break;
  }
  std::ranges::sort(out, {}, &DeadLetter::sequence);
  return out;
}

Json letter_json(const DeadLetter& one, bool has_event) {
  return Json::object({{"id", Json::string(one.id)},
                       {"machine", Json::string(one.machine)},
                       {"hook", Json::string(one.hook())},
                       {"time", Json::string(one.text("time"))},
                       {"failures", one.letter["failures"] ? one.letter["failures"] : Json::number(int64_t{0})},
                       {"why", Json::string(one.text("why"))},
                       {"worker", Json::string(one.text("worker"))},
                       {"event", has_event ? one.letter["job"]["event"] : Json()}});
}

int print_letters(Invocation& in, const std::vector<DeadLetter>& letters) {
  std::vector<Json> list;
  for (const DeadLetter& one : letters) list.push_back(letter_json(one, false));
  const Json json = Json::object({{"dead", Json::array(list)}});
  if (letters.empty()) return print_done(in, json, "No job was given up.\n");
  Table table({{"job"}, {"time"}, {"machine", 12}, {"hook", 12}, {"failures", 0, Keep::Start, true}, {"why", 20}});
  for (const DeadLetter& one : letters) {
    table.add({{one.id.substr(0, kShortJob)},
               {one.text("time")},
               {one.machine},
               {one.hook()},
               {one.letter["failures"].dump()},
               {one.text("why")}});
  }
  return print_done(in, json, table.text(in.console));
}

int show(Invocation& in, const DeadLetter& one) {
  const Json event = one.letter["job"]["event"];
  std::string text = "job       " + one.id + "\nmachine   " + printable(one.machine) + "\nhook      " +
                     printable(one.hook()) + "\nfailures  " + one.letter["failures"].dump() + "\nwhy       " +
                     printable(one.text("why")) + "\ntime      " + printable(one.text("time")) + "  (" +
                     printable(one.text("worker")) + ")\nevent     " +
                     printable(event["event"].as_string().value_or("")) + " " + printable(one.subject()) +
                     "\nrecord    " + printable(event["id"].as_string().value_or("")) + "\n";
  return print_done(in, letter_json(one, true), text);
}

/// Puts the job into the queue again. Each step may be repeated: a letter goes last, and exactly the one that was read.
Result<void> retry(Courier& courier, const DeadLetter& one) {
  const auto job = fleet::Job::parse(one.letter["job"].dump());
  if (!job) return fail(Errc::BadInput, "the dead letter has no job that can be read");
  if (auto done = store_job_state(courier, one.machine, one.id, {}, kDeadAnswer); !done) return done;
  return store_job(courier, one.machine, *job, kDeadAnswer);
}

Result<void> drop(Courier& courier, const DeadLetter& one) {
  const auto done = ask_stream(courier, "MSG.DELETE", Json::object({{"seq", Json::number(one.sequence)}}));
  return done ? Result<void>() : std::unexpected(done.error());
}

/// The letters that are meant. Fails: BadInput.
Result<std::vector<DeadLetter>> meant(Invocation& in, std::vector<DeadLetter> letters, const std::string& name) {
  if (in.args.has("--all") && name.empty()) return letters;
  if (name.empty()) return fail(Errc::BadInput, "name the job, or give --all; `grapnel fleet dead` lists them");
  std::vector<std::string> ids;
  for (const DeadLetter& one : letters) ids.push_back(one.id);
  const auto id = id_meant_by(name, ids);
  if (!id) return std::unexpected(id.error());
  std::erase_if(letters, [&](const DeadLetter& one) { return one.id != *id; });
  if (id->empty() || letters.empty())
    return fail(Errc::BadInput, "no job '" + printable(name) + "' was given up; `grapnel fleet dead` lists them");
  return letters;
}

int change(Invocation& in, Courier& courier, const std::string& what, const std::vector<DeadLetter>& letters) {
  const bool is_retry = what == "retry";
  std::vector<Json> ids;
  for (const DeadLetter& one : letters) {
    if (is_retry) {
      if (auto done = retry(courier, one); !done) return report_failure(in, done.error());
    }
    if (auto done = drop(courier, one); !done) return report_failure(in, done.error());
    ids.push_back(Json::string(one.id));
  }
  const std::string count = count_text(letters.size(), "job");
  return print_done(in, Json::object({{is_retry ? "retried" : "dropped", Json::array(ids)}}),
                    is_retry ? count + " will run again.\n" : count + " dropped.\n");
}

}  // namespace

int fleet_dead(Invocation& in) {
  const auto words = words_of(in, 0, 2, "nothing, or show ID, retry ID or drop ID");
  if (!words) return kBadUsage;
  const std::string what = words->empty() ? "list" : words->front();
  const std::string name = words->size() > 1 ? words->back() : "";
  if (what != "list" && what != "show" && what != "retry" && what != "drop") {
    return report_input(in.console, "'" + printable(what) + "': write list, show, retry or drop");
  }
  const auto courier = FleetHome(in.env).connect("operator");
  if (!courier) return report_failure(in, courier.error());
  const auto letters = all_letters(**courier);
  if (!letters) return report_failure(in, letters.error());
  if (what == "list") return print_letters(in, *letters);
  const auto chosen = meant(in, *letters, name);
  if (!chosen) return report_failure(in, chosen.error());
  if (what != "show") return change(in, **courier, what, *chosen);
  if (chosen->size() != 1) return report_input(in.console, "name one job; `grapnel fleet dead` lists them");
  return show(in, chosen->front());
}

}  // namespace grapnel::cli

#include "cli/ui/export.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/text.h"
#include "cli/hook_text.h"
#include "cli/journal/journal_verbs.h"
#include "cli/journal/past_event.h"
#include "trust/sha256.h"

namespace grapnel::cli {

namespace {

constexpr size_t kMaxEvents = 5000;
constexpr size_t kMaxExplained = size_t{64} << 10;  ///< bytes of what is said about one event
constexpr size_t kMaxCell = 400;

constexpr std::string_view kStyle = R"(
:root { color-scheme: light dark; font: 14px/1.45 system-ui, sans-serif; }
body { margin: 1.5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: .2rem .6rem; border-bottom: 1px solid #8884; }
td.id, td.time { white-space: nowrap; font-variant-numeric: tabular-nums; }
td.what { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: .6rem; }
.deny { color: #c02020; font-weight: 600; }
.ask { color: #9a6700; font-weight: 600; }
.allow { color: #1a7f37; }
@media (prefers-color-scheme: dark) { .deny { color: #ff8080; } .ask { color: #e3b341; } .allow { color: #56d364; } }
)";

/// A shape besides the colour, for those who cannot tell the colours apart.
std::string_view sign_of(std::string_view verdict) {
  return verdict == "deny" ? "▲ " : verdict == "ask" ? "◆ " : verdict == "allow" ? "● " : "";
}

/// Text from a record: characters that are invisible or change the direction are spelled out, and nothing is markup.
std::string cell(std::string_view text) {
  return text::escape_markup(printable(text::cap(text, kMaxCell)));
}

/// Lines that are printable already.
std::string lines_html(const std::string& lines) {
  std::string out;
  const std::string capped = text::cap(lines, kMaxExplained);
  for (const std::string_view line : text::split(capped, '\n')) {
    out += text::escape_markup(printable(line)) + "\n";
  }
  return out;
}

/// The source that a policy allows a style by.
std::string style_source() {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string hex = sha256_of(kStyle);
  std::string out;
  // Three bytes are six hexadecimal digits and four of these; the last two bytes of 32 need one `=`.
  for (size_t at = 0; at < hex.size(); at += 6) {
    std::string part = hex.substr(at, 6);
    const size_t given = part.size();
    part.resize(6, '0');
    const unsigned long bits = std::stoul(part, nullptr, 16);
    const size_t digits = given == 6 ? 4 : given / 2 + 1;
    for (size_t i = 0; i < digits; ++i) out += kDigits[bits >> (18 - 6 * i) & 63];
    out.append(4 - digits, '=');
  }
  return "'sha256-" + out + "'";
}

std::string head_html(const std::string& title) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src " +
         style_source() +
         "; base-uri 'none'; form-action 'none'\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
         "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
         text::escape_markup(title) + "</title>\n<style>" + std::string(kStyle) + "</style>\n</head>\n";
}

std::string row_html(const JournalEntry& entry) {
  const Json& record = entry.record;
  const std::string status = status_word(record);
  const std::string verdict = text_of(record, "verdict");
  const std::string known = sign_of(verdict).empty() ? "" : " class=\"" + verdict + "\"";
  const std::string rewritten = text_of(record, "rewritten_subject");
  std::string why = text_of(record, "decided_by");
  if (const std::string reason = text_of(record, "reason"); !reason.empty()) why += (why.empty() ? "" : ": ") + reason;
  const std::string id = text_of(record, "id");
  const std::string place = "e" + std::to_string(entry.number);
  return "<tr><td class=\"time\">" + cell(text_of(record, "time")) + "<td class=\"id\"><a href=\"#" + place + "\">" +
         cell(id.substr(0, 8)) + "</a><td" + known + ">" + std::string(sign_of(verdict)) + cell(status) + "<td>" +
         cell(text_of(record, "event")) + "<td>" + cell(text_of(record, "tool")) + "<td class=\"what\">" +
         cell(text_of(record, "subject") + (rewritten.empty() ? "" : " → " + rewritten)) + "<td>" + cell(why) + "<td>" +
         cell(text_of(record, "session").substr(0, 12)) + "\n";
}

/// What `grapnel why` says, and the record itself.
Result<std::string> event_html(JournalReader& reader, const JournalEntry& entry, const Console& console) {
  const auto past = find_past_event(reader, text_of(entry.record, "id"));
  if (!past) return std::unexpected(past.error());
  return "<details id=\"e" + std::to_string(entry.number) + "\"><summary>" + cell(text_of(entry.record, "id")) + " " +
         cell(status_word(entry.record)) + " " + cell(text_of(entry.record, "subject")) + "</summary><pre>" +
         lines_html(why_text(*past, console, Zone::Utc)) + "</pre></details>\n";
}

std::string counts_text(const std::vector<JournalEntry>& entries) {
  std::map<std::string, size_t> counts;
  for (const JournalEntry& entry : entries) ++counts[status_word(entry.record)];
  std::string out = count_text(entries.size(), "event");
  for (const auto& [word, count] : counts) out += ", " + std::to_string(count) + " " + printable(word);
  return out;
}

}  // namespace

Result<std::string> export_html(JournalReader& reader, const JournalQuery& query) {
  JournalQuery newest = query;
  newest.limit = kMaxEvents;
  auto entries = reader.find(newest);
  if (!entries) return std::unexpected(entries.error());
  std::erase_if(*entries, [](const JournalEntry& entry) {
    return entry.record["background"].as_bool().value_or(false) || !entry.record["event"];
  });
  const Console console(Environment{"NO_COLOR=1", "TERM=dumb"});
  std::string out = head_html("Grapnel: " + counts_text(*entries));
  out += "<body>\n<h1>What hooks did</h1>\n<p>" + text::escape_markup(counts_text(*entries)) +
         ". Times are in UTC; secrets are masked as they are on record.</p>\n";
  if (entries->size() >= kMaxEvents) out += "<p>These are the newest; there are more on record.</p>\n";
  out += "<table>\n<tr><th>time<th>id<th>verdict<th>event<th>tool<th>subject<th>because<th>session\n";
  for (const JournalEntry& entry : *entries) out += row_html(entry);
  out += "</table>\n<h2>Each event</h2>\n";
  for (const JournalEntry& entry : *entries) {
    const auto event = event_html(reader, entry, console);
    if (!event) return std::unexpected(event.error());
    out += *event;
  }
  return out + "</body>\n</html>\n";
}

}  // namespace grapnel::cli

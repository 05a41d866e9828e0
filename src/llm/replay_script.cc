#include "llm/replay_script.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "llm/gemini_wire.h"
#include "llm/json_fields.h"

/// Reading a script: `parse_replay` splits it into lines, `parse_line` parses one line as JSON, and `LineReader` turns
/// the object into a turn. Both forms of a turn end as a list of chunks in Gemini's shape. Every error has the file,
/// the line and, where it is known, the column.
namespace grapnel::llm {

namespace {

/// The words of `stop` in hand-written turns.
struct StopWord {
  std::string_view word;
  StopReason reason;
};
constexpr auto kStopWords = std::to_array<StopWord>({
    {"end_turn", StopReason::EndTurn},
    {"tool_calls", StopReason::ToolCalls},
    {"max_tokens", StopReason::MaxTokens},
    {"refusal", StopReason::Refusal},
    {"other", StopReason::Other},
});

/// One member that a hand-written turn may have. `shape` completes the sentence "'x' has to be …".
struct Field {
  std::string_view name;
  bool (*is_well_formed)(const Json& value);
  std::string_view shape;
};

/// These functions check the shape of a member's value; `kFields` says which one applies.
bool is_text(const Json& value) {
  return value.is_string();
}

bool is_texts(const Json& value) {
  if (value.is_string()) return true;
  const auto elements = value.elements();
  return value.is_array() && std::ranges::all_of(elements.begin(), elements.end(), is_text);
}

bool is_object(const Json& value) {
  return value.is_object();
}

bool is_scripted_call(const Json& value) {
  return value["name"].is_string() && (!value["input"] || value["input"].is_object());
}

bool is_calls(const Json& value) {
  const auto elements = value.elements();
  return value.is_array() && std::ranges::all_of(elements.begin(), elements.end(), is_scripted_call);
}

bool is_stop(const Json& value) {
  return std::ranges::any_of(kStopWords, [&](const StopWord& w) { return value.equals_string(w.word); });
}

/// A new member needs a row here and a line in `read_written` or `chunks`. Members without a row are errors, because a
/// typing mistake would otherwise change what a test tests.
constexpr auto kFields = std::to_array<Field>({
    {"say", is_texts, "a text or a list of texts"},
    {"think", is_text, "a text"},
    {"call", is_text, "the name of a tool"},
    {"input", is_object, "an object"},
    {"id", is_text, "a text"},
    {"calls", is_calls, "a list of {\"name\": …, \"input\": {…}}"},
    {"usage", is_object, "{\"input\": tokens, \"output\": tokens}"},
    {"stop", is_stop, "end_turn, tool_calls, max_tokens, refusal or other"},
    {"expect", is_texts, "a text or a list of texts"},
    {"error", is_text, "a text"},
    {"hang", [](const Json& value) { return value.as_bool() == true; }, "true"},
    {"for", is_text, "the name of a subagent"},
});

std::vector<std::string> texts_of(const Json& value) {
  if (value.is_string()) return {string_of(value)};
  std::vector<std::string> out;
  for (const Json& element : value.elements()) out.push_back(string_of(element));
  return out;
}

/// Turns one line of the script into a turn. A line with a `method` is a recording, any other is written by hand.
class LineReader {
 public:
  LineReader(Json record, SourcePos at) : record_(std::move(record)), at_(std::move(at)) {}

  Result<ReplayTurn> read() const {
    auto turn = record_["method"] ? read_recorded() : read_written();
    if (!turn) return turn;
    turn->line = at_.line;
    if (record_["for"].is_string()) turn->lane = string_of(record_["for"]);
    return turn;
  }

 private:
  std::unexpected<Error> wrong(std::string message) const { return fail(Errc::BadInput, std::move(message), at_); }

  /// Recorded chunks are kept as they are. Calls that the agent never makes are accepted and dropped by `parse_replay`.
  Result<ReplayTurn> read_recorded() const {
    ReplayTurn turn;
    turn.method = string_of(record_["method"]);
    const Json response = record_["response"];
    if (turn.method == kStreamMethod) {
      if (!response.is_array()) return wrong("the response of a stream is a list of chunks");
      for (const Json& chunk : response.elements()) turn.chunks.push_back(chunk);
    } else if (turn.method == kWholeMethod) {
      if (!response.is_object()) return wrong("the response is an object");
      turn.chunks.push_back(response);
    } else if (turn.method != "countTokens" && turn.method != "embedContent") {
      return wrong("no such method: '" + turn.method + "'");
    }
    return turn;
  }

  /// Checks each member by itself, then the rules that concern several members.
  Result<void> check_fields() const {
    std::vector<std::string_view> names;
    for (const Field& field : kFields) names.push_back(field.name);
    for (const JsonMember& member : record_.members()) {
      const auto* const field = std::ranges::find(kFields, member.key, &Field::name);
      if (field == kFields.end()) {
        const std::string_view near = text::nearest(member.key, names);
        return wrong("a model turn has no '" + member.key + "'" +
                     (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
      }
      if (!field->is_well_formed(member.value)) {
        return wrong("'" + member.key + "' has to be " + std::string(field->shape));
      }
    }
    if (record_["input"] && !record_["call"]) return wrong("'input' belongs to a 'call'");
    const std::array<std::string_view, 6> acts = {"say", "think", "call", "calls", "error", "hang"};
    const bool has_act = std::ranges::any_of(acts, [&](auto name) { return static_cast<bool>(record_[name]); });
    if (!has_act && !record_["stop"]) return wrong("a model turn has a 'say', 'call', 'calls', 'error' or 'hang'");
    return {};
  }

  /// Hand-written turns become the chunks that Gemini would send, so that both forms are played by the same decoder.
  Result<ReplayTurn> read_written() const {
    if (auto checked = check_fields(); !checked) return std::unexpected(checked.error());
    ReplayTurn turn;
    turn.expect = texts_of(record_["expect"]);
    turn.error = string_of(record_["error"]);
    turn.hangs = record_["hang"].as_bool() == true;
    for (const ModelChunk& chunk : chunks()) turn.chunks.push_back(to_gemini_response(chunk));
    return turn;
  }

  /// `name` is apart because the short form has it in `call`.
  static ToolCallPart read_call(const Json& name, const Json& call) {
    return {string_of(call["id"]), string_of(name), call["input"] ? call["input"] : Json::object(), ""};
  }

  /// The answer in the order in which a model streams it: thought, text, calls, usage, end.
  std::vector<ModelChunk> chunks() const {
    std::vector<ModelChunk> out;
    if (record_["think"]) out.emplace_back(TextDelta{string_of(record_["think"]), true});
    for (const std::string& text : texts_of(record_["say"])) out.emplace_back(TextDelta{text});
    if (record_["call"]) out.emplace_back(read_call(record_["call"], record_));
    for (const Json& call : record_["calls"].elements()) out.emplace_back(read_call(call["name"], call));
    if (const Json usage = record_["usage"]) {
      out.emplace_back(ModelUsage{count_of(usage["input"]), count_of(usage["output"])});
    }
    for (const StopWord& word : kStopWords) {
      if (record_["stop"].equals_string(word.word)) out.emplace_back(word.reason);
    }
    return out;
  }

  Json record_;
  SourcePos at_;
};

/// Blank lines and comments.
bool is_skipped(std::string_view line) {
  return line.empty() || line.starts_with('#') || line.starts_with("//");
}

Result<ReplayTurn> parse_line(std::string_view line, const SourcePos& at) {
  auto record = Json::parse(std::string(line));
  if (!record) {
    // The JSON parser counts columns from the start of the trimmed line.
    Error error = record.error();
    error.at = SourcePos{at.file, at.line, at.column + (error.at ? error.at->column - 1 : 0)};
    return std::unexpected(std::move(error));
  }
  if (!record->is_object()) return fail(Errc::BadInput, "a model turn is a JSON object on one line", at);
  return LineReader(*record, at).read();
}

}  // namespace

Result<std::vector<ReplayTurn>> parse_replay(std::string_view text, const std::string& file) {
  std::vector<ReplayTurn> turns;
  uint32_t number = 0;
  for (const std::string_view raw : text::split(text, '\n')) {
    ++number;
    const std::string_view line = text::trim(raw);
    if (is_skipped(line)) continue;
    const auto column = static_cast<uint32_t>(line.data() - raw.data()) + 1;
    auto turn = parse_line(line, {file, number, column});
    if (!turn) return std::unexpected(std::move(turn.error()));
    // Recordings also contain calls that count tokens or compute embeddings.
    const bool is_asked_for = turn->method.empty() || turn->method == kStreamMethod || turn->method == kWholeMethod;
    if (is_asked_for) turns.push_back(std::move(*turn));
  }
  return turns;
}

}  // namespace grapnel::llm

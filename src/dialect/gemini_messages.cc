#include "dialect/gemini_messages.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace grapnel {

namespace {

constexpr std::string_view kUser = "user";

std::string text_or_empty(const Json& value) {
  return value.as_string().value_or("");
}

bool is_thought(const Json& part) {
  return part["thought"].as_bool() == true;
}
bool is_text(const Json& part) {
  return part["text"].is_string() && !is_thought(part);
}
bool is_call(const Json& part) {
  return part["functionCall"].is_object();
}
bool is_result(const Json& part) {
  return part["functionResponse"].is_object();
}

Json written_text(std::string_view text) {
  return Json::object({{"text", Json::string(text)}});
}

Json make_turn(const Json& role, const std::vector<Json>& parts) {
  return Json::object({{"role", role}, {"parts", Json::array(parts)}});
}

/// An item of the contents in the form of a turn: texts and bare parts are the user's.
Json as_turn(const Json& item) {
  if (item["role"].is_string() && item["parts"].is_array()) return item;
  return make_turn(Json::string(kUser), {item.is_string() ? written_text(text_or_empty(item)) : item});
}

/// Hooks know three roles; every other role is `user`.
std::string hook_role(const Json& role) {
  const bool is_kept = role.equals_string("model") || role.equals_string("system");
  return is_kept ? text_or_empty(role) : std::string(kUser);
}

/// The member of a response that has the result: `output` or `error` if it is the only member, else "".
std::string_view result_key(const Json& response) {
  if (response.size() != 1) return "";
  if (response["error"]) return "error";
  return response["output"] ? "output" : "";
}

/// The result of a tool as text: a string as it is, anything else as JSON.
std::string result_text(const Json& part) {
  const Json response = part["functionResponse"]["response"];
  const std::string_view key = result_key(response);
  const Json value = key.empty() ? response : response[key];
  return value.is_string() ? text_or_empty(value) : value.dump();
}

/// The same result with another content. An error stays an error.
Json with_result_text(const Json& part, std::string_view text) {
  const std::string_view key = result_key(part["functionResponse"]["response"]);
  const Json response = Json::object({{key.empty() ? "output" : key, Json::string(text)}});
  return part.with("functionResponse", part["functionResponse"].with("response", response));
}

/// A message in a hook's list.
struct Message {
  std::string role;  ///< "" if the hook left it out
  std::string content;
  std::string result_id;  ///< of the tool call whose result it is
};

/// A message that the hook saw, and the place that it came from.
struct Seen {
  Message message;
  size_t turn = 0;
  std::optional<size_t> part = {};  ///< for a result
};

/// The place of a call of a tool.
struct CallPlace {
  size_t turn = 0;
  size_t part = 0;
};

/// The text of a message: a string, or a list of texts and of parts that have some. Nothing if it has no text at all.
std::optional<std::string> content_of(const Json& content) {
  if (!content.is_array()) return content.as_string();
  std::string text;
  for (const Json& part : content.elements()) text += text_or_empty(part.is_object() ? part["text"] : part);
  return text;
}

/// The messages of a hook's list; whatever has no content is none.
std::vector<Message> read_messages(const Json& list) {
  std::vector<Message> out;
  for (const Json& item : list.elements()) {
    if (auto content = content_of(item["content"])) {
      out.push_back({text_or_empty(item["role"]), std::move(*content), text_or_empty(item["functionResponse"]["id"])});
    }
  }
  return out;
}

bool says_the_same(const Message& message, const Message& seen) {
  return message.content == seen.content && (message.role.empty() || message.role == seen.role) &&
         (message.result_id.empty() || message.result_id == seen.result_id);
}

/// A conversation, taken apart into what hooks see and what they do not.
class Conversation {
 public:
  explicit Conversation(const Json& contents) {
    for (const Json& item : gemini_items(contents)) {
      if (!item.is_object() && !item.is_string()) continue;
      turns_.push_back(as_turn(item));
      std::vector<Json>& parts = parts_.emplace_back();
      for (const Json& part : turns_.back()["parts"].elements()) parts.push_back(part);
      look_at(turns_.size() - 1);
    }
  }

  Json messages() const {
    std::vector<Json> out;
    for (const Seen& seen : seen_) {
      Json message =
          Json::object({{"role", Json::string(seen.message.role)}, {"content", Json::string(seen.message.content)}});
      if (seen.part) {
        const Json result = parts_[seen.turn][*seen.part]["functionResponse"];
        message = message.with("functionResponse", Json::object({{"id", result["id"]}, {"name", result["name"]}}));
      }
      out.push_back(message);
    }
    return Json::array(out);
  }

  const std::vector<Json>& turns() const { return turns_; }
  const std::vector<std::vector<Json>>& parts() const { return parts_; }
  const std::vector<Seen>& seen() const { return seen_; }

  /// The call that the result at this place answers. Ids decide; without them, the calls of the nearest turn that has
  /// any are answered in their order.
  std::optional<CallPlace> call_of(size_t turn, size_t part) const {
    const std::string id = text_or_empty(parts_[turn][part]["functionResponse"]["id"]);
    const auto before = parts_[turn].begin() + static_cast<std::ptrdiff_t>(part);
    const auto ordinal = std::count_if(parts_[turn].begin(), before, is_result);
    for (size_t t = turn; t-- > 0;) {
      std::ptrdiff_t calls = 0;
      for (size_t p = 0; p < parts_[t].size(); ++p) {
        if (!is_call(parts_[t][p])) continue;
        const bool is_it = id.empty() ? calls == ordinal : parts_[t][p]["functionCall"]["id"].equals_string(id);
        if (is_it) return CallPlace{t, p};
        ++calls;
      }
      if (id.empty() && calls > 0) break;
    }
    return std::nullopt;
  }

 private:
  /// Notes what hooks see of a turn. A turn that has only images is a message without text, so that hooks can keep it.
  void look_at(size_t turn) {
    const std::string role = hook_role(turns_[turn]["role"]);
    std::string text;
    for (const Json& part : parts_[turn]) text += is_text(part) ? text_or_empty(part["text"]) : "";
    bool needs_text = !text.empty();
    bool has_images = false;
    const size_t before = seen_.size();
    for (size_t p = 0; p < parts_[turn].size(); ++p) {
      const Json& part = parts_[turn][p];
      if (is_result(part)) {
        seen_.push_back({{role, result_text(part), text_or_empty(part["functionResponse"]["id"])}, turn, p});
      } else if (is_text(part)) {
        if (std::exchange(needs_text, false)) seen_.push_back({{role, text, ""}, turn});
      } else {
        has_images |= !is_call(part) && !is_thought(part);
      }
    }
    const bool is_unseen = seen_.size() == before;
    if (is_unseen && has_images && std::ranges::none_of(parts_[turn], is_call)) seen_.push_back({{role, "", ""}, turn});
  }

  std::vector<Json> turns_;
  std::vector<std::vector<Json>> parts_;  ///< of each turn
  std::vector<Seen> seen_;
};

/// Builds the contents for a list of messages, in the list's order.
class Rebuild {
 public:
  Rebuild(const Conversation& base, std::vector<Message> wanted)
      : base_(base), wanted_(std::move(wanted)), places_(wanted_.size()), turn_states_(base.turns().size()) {
    find_places();
    for (const auto& place : places_) {
      if (place) keep_call_of(base_.seen()[*place]);
    }
  }

  std::vector<Json> contents() {
    if (changes_nothing()) return base_.turns();
    for (size_t k = 0; k < wanted_.size(); ++k) put(k);
    flush();
    return std::move(out_);
  }

 private:
  /// What has become of a turn so far.
  struct TurnState {
    std::set<size_t> calls;  ///< the parts that are calls to send
    bool has_put_calls = false;
    bool has_put_rest = false;
  };
  /// Whose text is sent for a turn.
  enum class TextOf : uint8_t { Nobody, Turn, Hook };

  /// Finds the message that each wanted one stands for, the most certain ones first.
  void find_places() {
    std::vector<bool> is_taken(base_.seen().size());
    const auto take = [&](size_t k, size_t place) {
      places_[k] = place;
      is_taken[place] = true;
    };
    const auto each_open = [&](const auto& find) {
      for (size_t k = 0; k < wanted_.size(); ++k) {
        if (places_[k]) continue;
        if (const auto place = find(k)) take(k, *place);
      }
    };
    const auto first_free = [&](const auto& fits) -> std::optional<size_t> {
      for (size_t i = 0; i < is_taken.size(); ++i) {
        if (!is_taken[i] && fits(base_.seen()[i])) return i;
      }
      return std::nullopt;
    };
    const auto in_place = [&](size_t k, const auto& fits) -> std::optional<size_t> {
      const bool is_free = k < is_taken.size() && !is_taken[k];
      return is_free && fits(base_.seen()[k]) ? std::optional(k) : std::nullopt;
    };
    each_open([&](size_t k) {
      return in_place(k, [&](const Seen& seen) { return says_the_same(wanted_[k], seen.message); });
    });
    each_open([&](size_t k) {
      const std::string& id = wanted_[k].result_id;
      return first_free([&](const Seen& seen) { return !id.empty() && seen.message.result_id == id; });
    });
    each_open([&](size_t k) {
      return first_free([&](const Seen& seen) { return says_the_same(wanted_[k], seen.message); });
    });
    if (wanted_.size() != base_.seen().size()) return;
    each_open([&](size_t k) {
      const std::string& role = wanted_[k].role;
      return in_place(k, [&](const Seen& seen) { return !seen.part && (role.empty() || role == seen.message.role); });
    });
  }

  void keep_call_of(const Seen& seen) {
    if (!seen.part) return;
    if (const auto call = base_.call_of(seen.turn, *seen.part)) turn_states_[call->turn].calls.insert(call->part);
  }

  bool changes_nothing() const {
    if (wanted_.size() != base_.seen().size()) return false;
    for (size_t k = 0; k < wanted_.size(); ++k) {
      if (places_[k] != k || wanted_[k].content != base_.seen()[k].message.content) return false;
    }
    return true;
  }

  void put(size_t k) {
    const Message& message = wanted_[k];
    if (!places_[k]) {
      flush();
      if (message.content.empty()) return;
      role_ = Json::string(message.role.empty() ? kUser : message.role);
      open_.push_back(written_text(message.content));
      return;
    }
    const Seen& seen = base_.seen()[*places_[k]];
    if (!seen.part) return put_text(k, seen);
    if (const auto call = base_.call_of(seen.turn, *seen.part)) put_calls(call->turn);
    begin(seen.turn);
    const Json& part = base_.parts()[seen.turn][*seen.part];
    open_.push_back(message.content == seen.message.content ? part : with_result_text(part, message.content));
    put_parts(seen.turn, TextOf::Nobody, false);
  }

  /// The text of a turn with its other parts. Its calls follow at once if the next message is one of their results.
  void put_text(size_t k, const Seen& seen) {
    begin(seen.turn);
    const bool has_calls = k + 1 < wanted_.size() && answers(k + 1, seen.turn);
    const bool is_changed = wanted_[k].content != seen.message.content;
    put_parts(seen.turn, is_changed ? TextOf::Hook : TextOf::Turn, has_calls, wanted_[k].content);
  }

  /// Whether a wanted message is the result of a call in this turn.
  bool answers(size_t k, size_t turn) const {
    if (!places_[k]) return false;
    const Seen& seen = base_.seen()[*places_[k]];
    if (!seen.part) return false;
    const auto call = base_.call_of(seen.turn, *seen.part);
    return call && call->turn == turn;
  }

  /// The calls of a turn whose results follow, unless they are there already.
  void put_calls(size_t turn) {
    if (turn_states_[turn].has_put_calls) return;
    begin(turn);
    put_parts(turn, TextOf::Nobody, true);
  }

  /// Adds parts of a turn to the open one, in their order. Results are not among them: each is a message of its own.
  /// Images and thoughts are added once, with whatever comes first.
  void put_parts(size_t turn, TextOf text_of, bool with_calls, std::string_view new_text = {}) {
    TurnState& state = turn_states_[turn];
    const std::vector<Json>& parts = base_.parts()[turn];
    bool needs_text = text_of == TextOf::Hook && !new_text.empty();
    const auto put_new_text = [&] {
      if (std::exchange(needs_text, false)) open_.push_back(written_text(new_text));
    };
    if (std::ranges::none_of(parts, is_text)) put_new_text();
    for (size_t p = 0; p < parts.size(); ++p) {
      if (is_text(parts[p])) {
        if (text_of == TextOf::Turn) open_.push_back(parts[p]);
        put_new_text();
      } else if (is_call(parts[p])) {
        if (with_calls && !state.has_put_calls && state.calls.contains(p)) open_.push_back(parts[p]);
      } else if (!is_result(parts[p]) && !state.has_put_rest) {
        open_.push_back(parts[p]);
      }
    }
    state.has_put_rest = true;
    state.has_put_calls |= with_calls;
  }

  /// Continues the turn that was written last if it has the same origin; otherwise begins another one.
  void begin(size_t turn) {
    if (source_ == turn) return;
    flush();
    source_ = turn;
    role_ = base_.turns()[turn]["role"];
  }

  void flush() {
    if (!open_.empty()) out_.push_back(make_turn(role_, open_));
    open_.clear();
    source_.reset();
  }

  const Conversation& base_;
  std::vector<Message> wanted_;
  std::vector<std::optional<size_t>> places_;  ///< for each wanted message, the one the hook saw
  std::vector<TurnState> turn_states_;

  std::vector<Json> out_;
  std::optional<size_t> source_;  ///< of the open turn; nothing for a new one
  Json role_;
  std::vector<Json> open_;  ///< the parts of the turn that is being written
};

}  // namespace

std::vector<Json> gemini_items(const Json& contents) {
  std::vector<Json> items;
  if (contents.is_array()) {
    for (const Json& item : contents.elements()) items.push_back(item);
  } else if (contents && !contents.is_null()) {
    items.push_back(contents);
  }
  return items;
}

Json gemini_messages_of(const Json& contents) {
  return Conversation(contents).messages();
}

Json gemini_contents_of(const Json& messages, const Json& contents) {
  const Conversation base(contents);
  return Json::array(Rebuild(base, read_messages(messages)).contents());
}

}  // namespace grapnel

#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "grapnel/json.h"

#include "json/edit.h"

namespace grapnel {

/// How a counterexample is shown.
static void showValue(const Json& value, std::ostream& os) {
  os << value.dump();
}

namespace {

constexpr JsonReadOptions kComments{.comments = true};

/// Any bytes, often such as need escapes or are no UTF-8.
rc::Gen<std::string> any_text() {
  const auto piece = rc::gen::oneOf(rc::gen::string<std::string>(),
                                    rc::gen::elementOf(std::vector<std::string>{"a", "key", "\"", "\\", "\n", "\u00e9",
                                                                                "\U0001f600", "\xff", "/", "~", "//"}));
  return rc::gen::map(rc::gen::scale(0.1, rc::gen::container<std::vector<std::string>>(piece)),
                      [](const std::vector<std::string>& pieces) {
                        std::string out;
                        for (const std::string& p : pieces) out += p;
                        return out;
                      });
}

rc::Gen<Json> any_value(int depth) {
  const auto scalar = rc::gen::oneOf(
      rc::gen::just(Json::null()), rc::gen::map(rc::gen::arbitrary<bool>(), [](bool b) { return Json::boolean(b); }),
      rc::gen::map(rc::gen::arbitrary<int64_t>(), [](int64_t n) { return Json::number(n); }),
      rc::gen::map(rc::gen::arbitrary<double>(), [](double n) { return Json::number(n); }),
      rc::gen::map(any_text(), [](const std::string& s) { return Json::string(s); }));
  if (depth == 0) return scalar;
  const auto inner = rc::gen::scale(0.2, rc::gen::lazy([depth] { return any_value(depth - 1); }));
  const auto array = rc::gen::map(rc::gen::scale(0.2, rc::gen::container<std::vector<Json>>(inner)),
                                  [](const std::vector<Json>& elements) { return Json::array(elements); });
  using Members = std::vector<std::pair<std::string, Json>>;
  const auto object = rc::gen::map(rc::gen::scale(0.2, rc::gen::container<Members>(rc::gen::pair(any_text(), inner))),
                                   [](const Members& members) { return Json::object(members); });
  return rc::gen::oneOf(scalar, array, object);
}

rc::Gen<Json> any_object() {
  return rc::gen::map(any_value(2), [](const Json& v) { return v.is_object() ? v : Json::object({{"v", v}}); });
}

/// A comment or white space, now and then nothing.
std::string any_gap() {
  return *rc::gen::elementOf(std::vector<std::string>{"", "", " ", "\n", "\r\n", "\n    ", "\t", " // note\n",
                                                      "/* note */", " /* a\n b */ ", "\n  // own line\n  "});
}

/// The same value with gaps and trailing commas strewn in.
std::string spell_loosely(const Json& value) {
  std::string out = any_gap();
  if (value.is_object()) {
    out += "{" + any_gap();
    size_t left = value.size();
    for (const JsonMember& member : value.members()) {
      out += Json::string(member.key).dump() + any_gap() + ":" + spell_loosely(member.value);
      if (--left > 0 || *rc::gen::arbitrary<bool>()) out += "," + any_gap();
    }
    out += "}";
  } else if (value.is_array()) {
    out += "[" + any_gap();
    size_t left = value.size();
    for (const Json& element : value.elements()) {
      out += spell_loosely(element);
      if (--left > 0 || *rc::gen::arbitrary<bool>()) out += "," + any_gap();
    }
    out += "]";
  } else {
    out += value.raw();
  }
  return out + any_gap();
}

RC_GTEST_PROP(JsonProperty, EveryStyleReadsBackAsTheSameValue, ()) {
  const Json value = *any_value(3);
  for (const JsonStyle style : {JsonStyle::Compact, JsonStyle::Spaced, JsonStyle::Pretty}) {
    const auto again = Json::parse(value.dump(style));
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == value);
    RC_ASSERT(again->dump() == value.dump());
  }
}

RC_GTEST_PROP(JsonProperty, CompactTextIsPassedOnByteForByte, ()) {
  const std::string text = (*any_value(3)).dump();
  RC_ASSERT(Json::parse(text)->dump() == text);
}

RC_GTEST_PROP(JsonProperty, GapsDoNotChangeTheValue, ()) {
  const Json value = *any_value(3);
  const std::string text = spell_loosely(value);
  const auto loose = Json::parse(text, kComments);
  RC_ASSERT(loose.has_value());
  RC_ASSERT(*loose == value);
  RC_ASSERT(loose->dump() == value.dump());
}

RC_GTEST_PROP(JsonProperty, StringsComeBackAsTheyWere, ()) {
  const std::string text = *any_text();
  const Json value = Json::string(text);
  const std::string valid = *value.as_string();
  RC_ASSERT(Json::string(valid).dump() == value.dump());
  RC_ASSERT(value.equals_string(valid));
  RC_ASSERT(Json::parse(value.dump())->as_string() == valid);
}

RC_GTEST_PROP(JsonProperty, DoublesComeBackAsTheyWere, (double n)) {
  RC_ASSERT(Json::number(n).as_number() == n);
}

RC_GTEST_PROP(JsonProperty, MergingIsSettingOneByOne, ()) {
  const Json base = *any_object();
  const Json patch = *any_object();
  Json one_by_one = base;
  for (const JsonMember& member : patch.members()) one_by_one = one_by_one.with(member.key, member.value);
  RC_ASSERT(base.merged(patch) == one_by_one);
}

RC_GTEST_PROP(JsonProperty, WithAndWithout, ()) {
  const Json base = *any_object();
  const Json value = *any_value(1);
  const std::string key = *Json::string(*any_text()).as_string();
  RC_ASSERT(base.with(key, value)[key] == value);
  RC_ASSERT(base.without(key)[key].is_missing());
  RC_ASSERT(base.with(key, value).without(key) == base.without(key));
}

RC_GTEST_PROP(JsonProperty, SettingANewMemberAndRemovingItRestoresTheBytes, ()) {
  const Json base = (*any_object()).without("new member");
  const std::string text = spell_loosely(base);
  const Json value = *any_value(1);
  const auto set = json::set_value(text, "/new member", value);
  RC_ASSERT(set.has_value());
  RC_ASSERT(Json::parse(*set, kComments)->at_pointer("/new member") == value);
  RC_ASSERT(json::remove_value(*set, "/new member").value_or("failed") == text);
}

RC_GTEST_PROP(JsonProperty, AppendingAnElementAndRemovingItRestoresTheBytes, ()) {
  const Json base =
      Json::object({{"list", Json::array(*rc::gen::scale(0.1, rc::gen::container<std::vector<Json>>(any_value(1))))}});
  const std::string text = spell_loosely(base);
  const Json value = *any_value(1);
  const auto set = json::set_value(text, "/list/-", value);
  RC_ASSERT(set.has_value());
  const std::string last = "/list/" + std::to_string(base["list"].size());
  RC_ASSERT(Json::parse(*set, kComments)->at_pointer(last) == value);
  RC_ASSERT(json::remove_value(*set, last).value_or("failed") == text);
}

RC_GTEST_PROP(JsonProperty, RemovingAnyMemberLeavesTheOthers, ()) {
  const Json base = *any_object();
  RC_PRE(base.size() > 0);
  const std::string text = spell_loosely(base);
  const size_t which = *rc::gen::inRange<size_t>(0, base.size());
  const Json::Members members = base.members();
  auto at = members.begin();
  for (size_t i = 0; i < which; ++i) ++at;
  std::string pointer = "/";
  for (const char c : (*at).key) pointer += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  const auto removed = json::remove_value(text, pointer);
  RC_ASSERT(removed.has_value());
  RC_ASSERT(Json::parse(*removed, kComments).value() == base.without((*at).key));
}

RC_GTEST_PROP(JsonProperty, ReplacingAMemberTouchesNothingElse, ()) {
  const Json base = (*any_object()).with("it", *any_value(1));
  const std::string text = spell_loosely(base);
  const Json value = *any_value(1);
  const Json old = Json::parse(text, kComments).value()["it"];
  const auto set = json::set_value(text, "/it", value);
  RC_ASSERT(set.has_value());
  RC_ASSERT(set->starts_with(text.substr(0, old.begin_offset())));
  RC_ASSERT(set->ends_with(text.substr(old.end_offset())));
  RC_ASSERT(Json::parse(*set, kComments).value() == base.with("it", value));
}

}  // namespace
}  // namespace grapnel

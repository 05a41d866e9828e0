#include "discover/formats/rule_compare.h"

#include <algorithm>
#include <span>

// Decides "whenever `narrow` is met, `wide` is met, too" from the texts of two conditions. The answer may be no
// although yes is true: patterns are compared only in simple cases, and then a warning is missing. A wrong yes would be
// worse, because it would make people remove a rule that they need.
namespace grapnel {

namespace {

/// Whether the pattern matches only its own text.
bool is_literal(const Matcher& matcher) {
  const bool is_regex = matcher.syntax() == MatchSyntax::StrictRegex;
  return !is_regex && matcher.pattern().find_first_of("\\*?[](){}!@+") == std::string_view::npos;
}

/// Whether `wide` matches all that `narrow` matches: they are equal, `wide` matches everything, or `narrow` is a
/// literal text that `wide` matches.
bool covers(const Matcher& wide, const Matcher& narrow) {
  if (wide.syntax() == narrow.syntax() && wide.pattern() == narrow.pattern()) return true;
  if (wide.syntax() != MatchSyntax::StrictRegex && (wide.pattern() == "**" || wide.pattern() == "*")) return true;
  return is_literal(narrow) && wide.try_match(narrow.pattern()) == MatchOutcome::Yes;
}

/// A list matches if one of its patterns does, so each narrow pattern needs a wide one that covers it.
bool covers(const std::vector<Matcher>& wide, const std::vector<Matcher>& narrow) {
  return std::ranges::all_of(narrow, [&](const Matcher& one) {
    return std::ranges::any_of(wide, [&](const Matcher& other) { return covers(other, one); });
  });
}

template <typename T>
bool contains_all(const std::vector<T>& wide, const std::vector<T>& narrow) {
  return std::ranges::all_of(narrow, [&](const T& one) { return std::ranges::find(wide, one) != wide.end(); });
}

/// For lists of which one element must be met. An empty list asks nothing, so it covers everything. Otherwise every
/// choice of `narrow` must be a choice of `wide`.
template <typename T>
bool covers_choice(const std::vector<T>& wide, const std::vector<T>& narrow) {
  return wide.empty() || (!narrow.empty() && contains_all(wide, narrow));
}

/// The same for the leading words of commands: `git` covers `git push`.
bool covers_words(const std::vector<std::vector<std::string>>& wide,
                  const std::vector<std::vector<std::string>>& narrow) {
  if (wide.empty()) return true;
  if (narrow.empty()) return false;
  return std::ranges::all_of(narrow, [&](const auto& one) {
    return std::ranges::any_of(wide, [&](const auto& other) {
      return other.size() <= one.size() && std::ranges::equal(other, std::span(one).first(other.size()));
    });
  });
}

/// Compares two questions. Questions of different kinds are never comparable.
struct Covers {
  const Question& narrow;

  template <typename Q>
  bool operator()(const Q& wide) const {
    const Q* own = std::get_if<Q>(&narrow);
    return own != nullptr && is_covered(wide, *own);
  }

  static bool is_covered(const ToolQuestion& wide, const ToolQuestion& narrow) {
    const bool is_any = std::ranges::any_of(wide.names, [](const Matcher& name) { return name.pattern() == "*"; });
    return is_any || (contains_all(wide.kinds, narrow.kinds) && covers(wide.names, narrow.names));
  }
  static bool is_covered(const CommandQuestion& wide, const CommandQuestion& narrow) {
    return covers_words(wide.words, narrow.words) && covers_choice(wide.flags, narrow.flags) &&
           covers_choice(wide.effects, narrow.effects);
  }
  static bool is_covered(const PathQuestion& wide, const PathQuestion& narrow) {
    return covers(wide.patterns, narrow.patterns);
  }
  static bool is_covered(const TextQuestion& wide, const TextQuestion& narrow) {
    return wide.of == narrow.of && covers(wide.patterns, narrow.patterns);
  }
  static bool is_covered(const InputQuestion& wide, const InputQuestion& narrow) {
    return wide.pointer == narrow.pointer && covers(wide.patterns, narrow.patterns);
  }
  static bool is_covered(const ChangedQuestion& wide, const ChangedQuestion& narrow) {
    return covers(wide.patterns, narrow.patterns);
  }
};

/// Goes through the operators from those that lose nothing to those that do. A wide `all` needs every part, and a
/// narrow `any` is done if every alternative suffices. After that one part is enough: of a wide `any`, or of a narrow
/// `all`, which demands at least that part. Two negations swap sides.
bool implies_one(const Condition& narrow, const Condition& wide) {
  using Op = Condition::Op;
  const auto narrow_implies = [&](const Condition& part) { return implies_one(narrow, part); };
  const auto implies_wide = [&](const Condition& part) { return implies_one(part, wide); };
  if (wide.op == Op::All) return std::ranges::all_of(wide.parts, narrow_implies);
  if (narrow.op == Op::Any && std::ranges::all_of(narrow.parts, implies_wide)) return true;
  if (wide.op == Op::Any && std::ranges::any_of(wide.parts, narrow_implies)) return true;
  if (narrow.op == Op::All) return std::ranges::any_of(narrow.parts, implies_wide);
  if (wide.op == Op::Not && narrow.op == Op::Not) return implies_one(wide.parts.front(), narrow.parts.front());
  if (wide.op != Op::Ask || narrow.op != Op::Ask) return false;
  return std::visit(Covers{narrow.question}, wide.question);
}

}  // namespace

bool implies(const Boxed<Condition>& narrow, const Boxed<Condition>& wide) {
  if (!wide) return true;
  // Without a condition a rule always matches, like an `all` without parts.
  return implies_one(narrow ? *narrow : Condition{}, *wide);
}

}  // namespace grapnel

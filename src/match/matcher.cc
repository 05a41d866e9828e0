#include "match/matcher.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "base/error.h"
#include "base/text.h"
#include "match/compiled_pattern.h"

namespace grapnel {

// A `Matcher` is a shared pointer to an `Impl`. A pattern that is read from a file is compiled at once, because its
// mistakes must be reported. A pattern that comes from the cache is known to be correct, and is compiled only if an
// event asks for it; most are never asked.

namespace {

constexpr size_t kMaxPattern = size_t{64} << 10;

/// What people should know about how the syntax compares, for `describe`.
std::string_view remark_on(MatchSyntax syntax) {
  switch (syntax) {
    case MatchSyntax::NamesOrRegex:
      return " (whole)";
    case MatchSyntax::GlobBash:
      return " (* crosses /)";
    case MatchSyntax::GlobMatchBase:
      return " (base name)";
    case MatchSyntax::NamesOrSearch:
    case MatchSyntax::ListOrSearch:
    case MatchSyntax::WordsOrSearch:
    case MatchSyntax::SearchRegex:
    case MatchSyntax::StrictRegex:
      return " (search)";
    default:
      return "";
  }
}

}  // namespace

/// The pattern and its compiled form, which is made when somebody first needs it.
struct Matcher::Impl {
  Impl(std::string text, MatchSyntax how, bool means_itself, const match::Form* compiled = nullptr)
      : pattern(std::move(text)), syntax(how), literal(means_itself), made(compiled) {}
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl() { delete made.load(); }

  /// The compiled form; made on the first call.
  const match::Form& form() const {
    const match::Form* form = made.load(std::memory_order_acquire);
    return form != nullptr ? *form : make();
  }

  std::string pattern;
  MatchSyntax syntax;
  bool literal;  // the regex is bad and stands for itself

 private:
  /// Compiles without a lock. If two threads do it at once, the first one publishes its form and the other uses that. A
  /// pattern that no longer compiles matches everything, so that its guard runs instead of being skipped.
  const match::Form& make() const {
    auto compiled =
        match::compile_pattern(pattern, syntax, literal ? match::Engines::AtOnce : match::Engines::WhenNeeded);
    auto mine = std::make_unique<const match::Form>(compiled ? std::move(compiled->form) : match::Form(match::Any{}));
    const match::Form* other = nullptr;
    if (!made.compare_exchange_strong(other, mine.get(), std::memory_order_acq_rel)) return *other;
    return *mine.release();
  }

  mutable std::atomic<const match::Form*> made;
};

Result<Matcher> Matcher::compile(std::string_view pattern, MatchSyntax syntax) {
  if (pattern.size() > kMaxPattern) return fail(Errc::LimitExceeded, "the pattern is longer than 65536 bytes");
  auto compiled = match::compile_pattern(pattern, syntax);
  if (!compiled) return std::unexpected(std::move(compiled.error()));
  // The `Impl` owns the form only after it has been constructed, so until then `form` does.
  auto form = std::make_unique<const match::Form>(std::move(compiled->form));
  auto impl = std::make_shared<const Impl>(std::string(pattern), syntax, compiled->literal, form.get());
  static_cast<void>(form.release());
  return Matcher(std::move(impl));
}

Matcher Matcher::known(std::string pattern, MatchSyntax syntax, bool literal) {
  return Matcher(std::make_shared<const Impl>(std::move(pattern), syntax, literal));
}

MatchOutcome Matcher::try_match(std::string_view subject) const {
  return match::apply_pattern(impl_->form(), subject);
}

bool Matcher::matches_everything() const {
  return std::holds_alternative<match::Any>(impl_->form());
}

bool Matcher::is_about_base_name() const {
  const auto* form = std::get_if<match::Globs>(&impl_->form());
  return form != nullptr && std::ranges::all_of(form->any_of, &match::Glob::is_about_base_name);
}

/// Only a plain list of names qualifies; a regex with names beside it can match more.
std::optional<std::vector<std::string>> Matcher::exact_names() const {
  const auto* form = std::get_if<match::OneOf>(&impl_->form());
  return form ? std::optional(form->names.all()) : std::nullopt;
}

bool Matcher::fell_back_to_literal() const {
  return impl_->literal;
}

std::string_view Matcher::pattern() const {
  return impl_->pattern;
}

MatchSyntax Matcher::syntax() const {
  return impl_->syntax;
}

/// The order matters: a pattern that was taken literally is also a list of names, but people should learn why.
std::string Matcher::describe() const {
  if (matches_everything()) return "anything";
  if (impl_->literal) return "literally " + impl_->pattern + " (not a valid regex)";
  if (const auto names = exact_names()) return "exactly " + text::join(*names, " or ");
  if (impl_->syntax == MatchSyntax::Command) return "a command like " + impl_->pattern;
  const bool glob = std::holds_alternative<match::Globs>(impl_->form());
  return (glob ? "glob " + impl_->pattern : "regex /" + impl_->pattern + "/") + std::string(remark_on(impl_->syntax));
}

}  // namespace grapnel

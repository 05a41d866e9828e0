#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

/// Where secrets are in a text. Each source file of this folder knows one way in which secrets are told:
///
///   shapes.cc         by themselves: tokens with a known prefix, private keys, passwords in URLs, webhooks
///   random_words.cc   by themselves: long words that nobody would think of
///   named_values.cc   by a name in front, in any file format: `API_TOKEN=…`, `"password": "…"`, `<secret>…</secret>`
///   prose.cc          by the words around them: "the password is …"
///   commands.cc       by the option or the place in a command: `curl -u a:…`, `sshpass -p …`
///
/// names.h says which names are telling, and values.h judges a value that such a name leads to. The search is written
/// by hand: it runs for every event, and compiling regular expressions would cost more than the event itself. All pure;
/// Thread: any.
namespace grapnel::mask {

/// The bytes of a secret, [begin, end).
struct Span {
  size_t begin;
  size_t end;
  bool operator==(const Span&) const = default;
};
using Spans = std::vector<Span>;

/// Each of these adds what it finds, in any order. Spans may overlap.
void find_shapes(std::string_view text, Spans& out);
void find_random_words(std::string_view text, Spans& out);
void find_named_values(std::string_view text, Spans& out);
void find_in_prose(std::string_view text, Spans& out);
void find_in_commands(std::string_view text, Spans& out);

/// Whether the value of a member with this name is a secret.
bool is_secret_member(std::string_view name, std::string_view value);

/// What is searched for. Identifiers and paths look random and are none.
enum class Search : uint8_t { All, AllButRandom };

/// All of them, in order and without overlaps. A secret that was found in one place is found wherever else it stands in
/// the text.
Spans find_secrets(std::string_view text, Search search = Search::All);

}  // namespace grapnel::mask

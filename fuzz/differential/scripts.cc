#include "scripts.h"

#include <array>
#include <string_view>

namespace grapnel::differential {

namespace {

/// `%s` is the script, `%q` the script in single quotes.
const std::vector<std::string> kWrappers = {
    "env %s",
    "nice %s",
    "nohup %s",
    "timeout 5 %s",
    "setsid -w %s",
    "command %s",
    "exec %s",
    "! %s",
    "time %s",
    "time -p %s",
    "! ! %s",
    "env -i PATH=/bin %s",
    "env - %s",
    "stdbuf -o0 %s",
    "ionice %s",
    "chrt -o 0 %s",
    "taskset 1 %s",
    "prlimit %s",
    "setarch x86_64 %s",
    "flock /tmp/l %s",
    "X=1 %s",
    "xargs %s < /dev/null",
    "echo . | xargs %s",
    "coproc %s",
    "%s &",
    "busybox env %s",
    "exec -a x %s",
    "\\command %s",
    "env -S '%s'",
    "nice -n 3 timeout -k 1 2 %s",
    "bash -c %q",
    "sh -c %q",
    "bash -ec %q x y",
    "bash +x -c %q",
    "eval %q",
    "eval -- %q",
    "builtin eval %q",
    "trap %q EXIT",
    "trap -- %q 0",
    "x=%q; eval \"$x\"",
    "x=%q; bash -c \"$x\"",
    "bash <<< %q",
    "echo %q | sh",
    "printf %s %q | bash",
    "set -- %q; eval \"$1\"",
    "f() { eval \"$1\"; }; f %q",
    "X=%q bash -c 'eval \"$X\"'",
    "export X=%q; sh -c 'eval \"$X\"'",
    "find . -maxdepth 0 -exec sh -c %q \\;",
    "echo a | xargs -I{} sh -c %q",
    "shopt -s expand_aliases; alias z=%q\neval z",
    "mapfile -t a <<< %q; eval \"${a[0]}\"",
    "read -r x <<< %q; eval \"$x\"",
    "printf -v x %s %q; eval \"$x\"",
    "a=(%q); eval \"${a[@]}\"",
    "declare x=%q; eval \"$x\"",
    "x=%q; y=x; eval \"${!y}\"",
    "bash -c 'eval \"$0\"' %q",
    "PROMPT_COMMAND=%q bash -ic :",
    "BASH_ENV=/tmp/e; echo %q > /tmp/e; export BASH_ENV; bash -c :",
    "echo %q > /tmp/x; sh /tmp/x",
    "echo %q > /tmp/x; . /tmp/x",
    "cat > /tmp/x <<'E'\n%s\nE\nbash /tmp/x",
    "bash <<'E'\n%s\nE",
    "bash <<E\n%s\nE",
    "source <(echo %q)",
    ". /dev/stdin <<< %q",
    "( %s )",
    "{ %s; }",
    "if true; then %s; fi",
    "if %s; then :; fi",
    "for i in 1; do %s; done",
    "while :; do %s; break; done",
    "until %s; do break; done",
    "f() { %s; }; f",
    "function f { %s; }\nf",
    "f() ( %s ); f",
    "case x in x) %s;; esac",
    "case x in (y) ;; *) %s ;& z) ;; esac",
    "echo $( %s )",
    "echo \"$( %s )\"",
    "echo `%s`",
    "cat <( %s )",
    "x=$( %s )",
    "[[ -n $( %s ) ]]",
    "(( $( %s ) + 1 ))",
    "true && %s",
    "false || %s",
    ": | %s",
    "select i in 1; do %s; break; done <<< 1",
    "for ((i=0;i<1;i++)); do %s; done",
    "cd sub; cd ..; %s",
    "cd /; cd home/me/project; %s",
    "pushd sub; popd; %s",
    "if [ 1 ]; then\n%s\nelse\n:\nfi",
    "trap '%s' DEBUG; :",
    "let 'a[$( %s )]'",
    "test -v 'a[$( %s )]'",
    "${x:-$( %s )}",
    "echo > /dev/null; %s",
    "%s # comment",
    "# comment\n%s",
    "%s;",
    "\t%s",
    "set -e; %s",
    "set -x; %s",
    "x=1 y=2; %s",
    "perl -e 'system(shift)' %q",
    "awk 'BEGIN { system(ARGV[1]) }' %q",
};

/// The words that guards are about: their spelling is what an attacker changes.
constexpr auto kWords = std::to_array<std::string_view>(
    {"rm",  "git",    "push",        "--force", "-f",  "-rf", "-r",  "-R", "--recursive", ".env", "/etc",
     "etc", "commit", "--no-verify", "-n",      "cat", "cp",  "tee", "mv", "bash",        "sh",   "eval"});

std::string quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string hex(char c) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
}

std::string replaced(std::string text, std::string_view what, const std::string& with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

}  // namespace

std::string Scripts::wrapped(const std::string& script) {
  return replaced(replaced(any(kWrappers), "%q", quoted(script)), "%s", script);
}

/// Another spelling of one word.
std::string Scripts::respelled(const std::string& script) {
  const std::string_view word = kWords[below(kWords.size())];
  std::vector<size_t> places;
  for (size_t at = script.find(word); at != std::string::npos; at = script.find(word, at + 1)) places.push_back(at);
  if (places.empty()) return script;
  const size_t at = places[below(places.size())];
  const size_t cut = below(word.size());
  const std::string head(word.substr(0, cut));
  const std::string tail(word.substr(cut));
  std::string escaped;
  for (const char c : word) escaped += below(2) == 0 ? hex(c) : std::string(1, c);
  const std::vector<std::string> spellings = {head + "''" + tail,
                                              head + "\"\"" + tail,
                                              "'" + head + "'" + tail,
                                              head + "\"" + tail + "\"",
                                              head + "\\" + tail,
                                              head + "\\\n" + tail,
                                              "$'" + escaped + "'",
                                              head + "$@" + tail,
                                              head + "${z}" + tail,
                                              head + "``" + tail,
                                              head + "$()" + tail,
                                              "$(echo " + std::string(word) + ")",
                                              "`printf " + head + "`" + tail,
                                              "${z:-" + std::string(word) + "}",
                                              "${z-" + head + "}" + tail,
                                              head + "{" + tail + ",}",
                                              "{" + head + "," + std::string(word) + "}",
                                              head + "[" + tail.substr(0, 1) + "]" + tail.substr(1),
                                              head + "?" + tail.substr(1),
                                              "*" + tail,
                                              "\"$(printf '%s' " + std::string(word) + ")\"",
                                              "$\"" + std::string(word) + "\"",
                                              "/bin/" + std::string(word),
                                              "/bin/../bin/" + std::string(word),
                                              "./" + std::string(word),
                                              "//" + std::string(word)};
  std::string out = script;
  out.replace(at, word.size(), any(spellings));
  if (below(4) != 0) return out;
  // A variable that is set in front of it.
  const std::string value = "v=" + quoted(word) + "; ";
  out = script;
  return value + out.replace(at, word.size(), below(2) == 0 ? "$v" : "\"${v}\"");
}

std::string Scripts::joined(const std::string& script) {
  const std::vector<std::string> signs = {"; ", " && ", " || ", " | ", " & ", "\n", " |& ", "; ! "};
  return below(2) == 0 ? script + any(signs) + any(seeds_) : any(seeds_) + any(signs) + script;
}

/// One character too few or too many.
std::string Scripts::damaged(std::string script) {
  if (script.empty()) return script;
  const size_t at = below(script.size());
  constexpr std::string_view kSigns = " \t\n'\"\\$`(){}[]<>|&;#*?~!=-+,:@%^/.";
  switch (below(3)) {
    case 0:
      return script.erase(at, 1);
    case 1:
      return script.insert(at, 1, kSigns[below(kSigns.size())]);
    default:
      return script.insert(at, 1, script[at]);
  }
}

std::string Scripts::next() {
  std::string script = any(seeds_);
  for (size_t left = 1 + below(4); left > 0; --left) {
    switch (below(8)) {
      case 0:
        script = joined(script);
        break;
      case 1:
        script = damaged(script);
        break;
      case 2:
      case 3:
      case 4:
        script = respelled(script);
        break;
      default:
        script = wrapped(script);
    }
  }
  return script;
}

std::vector<std::string> Scripts::shorter(const std::string& script) {
  std::vector<std::string> out;
  for (size_t length = script.size() / 2; length > 0; length /= 2) {
    for (size_t at = 0; at + length <= script.size(); at += length)
      out.push_back(std::string(script).erase(at, length));
  }
  return out;
}

}  // namespace grapnel::differential

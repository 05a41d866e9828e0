#include "call/mention.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "call/flags.h"
#include "shell/word_scan.h"

/// The words are in tables, separated by spaces. They are compared as whole words: `rm` is not in `confirm`. Tables
/// list what the standard libraries of common languages call a thing.
namespace grapnel::call {

namespace {

/// Functions of other languages that do what a command does.
struct SynonymRow {
  std::string_view program;
  std::string_view words;
};
constexpr auto kSynonyms = std::to_array<SynonymRow>({
    {"rm",
     "rm rmtree unlink unlinkSync rmSync rmdir rmdirSync removedirs rimraf rm_r rm_rf rm_f remove_all remove_tree "
     "remove_dir_all remove_entry remove_dir os.remove fs.rm File.delete FileUtils Remove-Item delete_file removeSync "
     "Deno.remove "
     "file_delete delete-directory delete-file"},
    {"rmdir", "rmdir rmdirSync rmtree removedirs"},
    {"mv", "mv rename renameSync move"},
    {"cp", "cp copy copyfile copy2 copytree copyFileSync cpSync"},
    {"chmod", "chmod chmodSync lchmod"},
    {"chown", "chown chownSync lchown"},
    {"kill", "kill killpg pkill"},
    {"curl", "curl urlopen urllib requests httpx aiohttp http https fetch axios LWP Net::HTTP HTTParty"},
    {"wget", "wget urlopen urllib requests httpx aiohttp http https fetch axios LWP Net::HTTP HTTParty"},
    {"dd", "dd"},
    {"shutdown", "shutdown poweroff reboot halt"},
});

/// Words for deleting everything below a directory, however the option is spelled.
constexpr std::string_view kRecursiveWords =
    "recursive rmtree rm_r rm_rf rimraf removedirs remove_all remove_tree remove_dir_all rmSync rmdirSync removeSync "
    "remove_entry remove_entry_secure remove_dir "
    "Deno.remove Recurse walk rglob finddepth File::Find delete-directory";
/// The same in languages that say it with more than one word: Tcl and Vim.
constexpr auto kDeletingPhrases = std::to_array<std::string_view>({"file delete", "call delete("});
constexpr auto kRecursivePhrases = std::to_array<std::string_view>({"file delete -force", "'rf'", "\"rf\""});
constexpr std::string_view kDestructionWords =
    "rm rmtree unlink unlinkSync rmSync rmdir rmdirSync removedirs rimraf rm_r rm_rf rm_f remove_all remove_tree "
    "remove_dir_all os.remove fs.rm File.delete FileUtils Remove-Item truncate ftruncate truncateSync mkfs dd shred "
    "wipefs drop DROP DELETE TRUNCATE reset clean force shutdown reboot poweroff halt";
constexpr std::string_view kWritingWords =
    "write w wb a ab w+ r+ a+ x writelines writeFile writeFileSync appendFile appendFileSync write_text write_bytes "
    "dump "
    "save to_csv copy copyfile copy2 copytree copyFileSync cpSync move rename renameSync replace mkdir makedirs "
    "mkdirSync "
    "touch chmod chown symlink link ln mv cp tee install sed -i put_contents file_put_contents File.write IO.write "
    "Set-Content Out-File extractall unpack_archive savefig to_json dd spew print-to-file syswrite fwrite fputs once "
    "output import system run call Popen qx";
constexpr std::string_view kNetworkWords =
    "curl wget ssh scp rsync nc ncat socket urlopen urllib requests httpx aiohttp http https ftp ftplib fetch axios "
    "LWP "
    "Net::HTTP HTTParty connect websocket smtplib telnetlib paramiko download clone push pull";

/// What makes text from something else: in other languages…
constexpr std::string_view kDecoders =
    "b64decode b32decode b16decode a85decode b85decode base64 fromhex unhexlify fromCharCode fromCodePoint atob rot13 "
    "rot_13 chr pack bytes bytearray decompress Buffer.from reversed reverse translate maketrans [::-1]";
/// …and what runs text there, or names a function with it.
constexpr std::string_view kRunners =
    "exec execSync execFile eval system popen Popen spawn spawnSync subprocess check_output check_call getattr "
    "__import__ "
    "importlib qx Function public_send instance_eval ctypes";

/// The decoders that usually stand for a text that somebody hides, and what opens files.
constexpr std::string_view kCodeMakers = "unhexlify fromhex rot13 rot_13 swapcase";
constexpr std::string_view kNumberMakers = "chr pack fromCharCode fromCodePoint bytes bytearray printf sprintf";
constexpr std::string_view kOpeners =
    "open readFile readFileSync read_text read_bytes File.read IO.read file_get_contents slurp fopen cat";

/// Libraries that read a file without its name.
struct LibraryRow {
  std::string_view file;
  std::string_view words;
};
constexpr auto kLibraries = std::to_array<LibraryRow>({{".env", "dotenv Dotenv dotenvy godotenv load_dotenv"}});

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether `part` stands in `text` with a boundary where one is asked for.
bool has_bounded(std::string_view text, std::string_view part, bool before, bool behind) {
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    const size_t end = at + part.size();
    const bool begins = !before || at == 0 || !is_word_character(text[at - 1]);
    const bool ends = !behind || end == text.size() || !is_word_character(text[end]);
    if (begins && ends) return true;
  }
  return false;
}

/// Calls `use(content, between)` for each string in the code: what it holds, with escapes such as `\x72` replaced, and
/// the code since the string before. A quote that never closes ends with the line.
template <class Use>
void for_strings(std::string_view code, Use use) {
  size_t before = 0;
  for (size_t i = 0; i < code.size(); ++i) {
    const char quote = code[i];
    if (quote != '"' && quote != '\'' && quote != '`') continue;
    size_t end = i + 1;
    while (end < code.size() && code[end] != quote && code[end] != '\n') end += code[end] == '\\' ? 2 : 1;
    end = std::min(end, code.size());
    use(shell::decode_escapes(code.substr(i + 1, end - i - 1), shell::Escapes::Ansi), code.substr(before, i - before));
    i = end;
    before = std::min(end + 1, code.size());
  }
}

/// The contents of all strings in the code, one behind the other. Behind them, the same with a line for each group of
/// strings that the code joins.
std::string strings_of(std::string_view code) {
  std::string out;
  std::string joined;
  for_strings(code, [&](const std::string& content, std::string_view between) {
    if (between.find_first_not_of(" \t+.~&") != std::string_view::npos) joined += '\n';
    joined += content;
    out += content;
  });
  return out + '\n' + joined;
}

/// Whether options with this letter stand in the text: `-r`, `-rf`.
bool has_letter(std::string_view text, char letter) {
  for (size_t at = text.find('-'); at != std::string_view::npos; at = text.find('-', at + 1)) {
    if (at > 0 && (is_word_character(text[at - 1]) || text[at - 1] == '-')) continue;
    size_t end = at + 1;
    while (end < text.size() && is_word_character(text[end])) ++end;
    const std::string_view letters = text.substr(at + 1, end - at - 1);
    if (letters.size() <= 4 && letters.contains(letter)) return true;
  }
  return false;
}

/// Whether an abbreviation of the option stands in the text: `--rec`. The name is without its dashes.
bool has_abbreviation(std::string_view text, std::string_view name) {
  for (size_t at = text.find("--"); at != std::string_view::npos; at = text.find("--", at + 2)) {
    if (at > 0 && (is_word_character(text[at - 1]) || text[at - 1] == '-')) continue;
    size_t end = at + 2;
    while (end < text.size() && (is_word_character(text[end]) || text[end] == '-')) ++end;
    if (end > at + 2 && name.starts_with(text.substr(at + 2, end - at - 2))) return true;
  }
  return false;
}

/// Whether a word of the text begins with a plus, as a refspec that forces does: `+main`.
bool has_plus_word(std::string_view text) {
  for (size_t at = text.find('+'); at != std::string_view::npos; at = text.find('+', at + 1)) {
    const bool begins = at > 0 && std::string_view(" \t'\"`(,").contains(text[at - 1]);
    if (begins && at + 1 < text.size() && is_word_character(text[at + 1])) return true;
  }
  return false;
}

/// A piece of a glob without wildcards.
struct Part {
  std::string_view text;
  bool begins_name = false;  ///< it stands at the begin of a file's or directory's name…
  bool ends_name = false;    ///< …or at its end
};

/// The pieces of a glob that have no wildcard and no slash, without those of a single character.
std::vector<Part> pieces_of_glob(std::string_view glob) {
  constexpr std::string_view kWild = "*?[]{}!(),|\\";
  std::vector<Part> parts;
  size_t from = 0;
  for (size_t i = 0; i <= glob.size(); ++i) {
    const bool is_end = i == glob.size() || glob[i] == '/' || kWild.contains(glob[i]);
    if (!is_end) continue;
    const Part part{.text = glob.substr(from, i - from),
                    .begins_name = from == 0 || glob[from - 1] == '/',
                    .ends_name = i == glob.size() || glob[i] == '/'};
    if (part.text.size() > 1) parts.push_back(part);
    from = i + 1;
  }
  return parts;
}

/// The pieces of which one is in every name that the glob matches: the longest one, or all of them if the glob has
/// alternatives.
std::vector<Part> needed_parts(std::string_view glob) {
  std::vector<Part> parts = pieces_of_glob(glob);
  const bool has_alternatives = glob.find_first_of("{[(|!\\") != std::string_view::npos;
  if (has_alternatives || parts.empty()) return parts;
  return {*std::ranges::max_element(parts, {}, [](const Part& part) { return part.text.size(); })};
}

/// The globs among the strings of the code that are about hidden names.
std::vector<std::string> hidden_globs(std::string_view code) {
  std::vector<std::string> out;
  if (!code.contains('*') && !code.contains('?')) return out;
  for (size_t at = code.find('.'); at != std::string_view::npos; at = code.find('.', at + 1)) {
    const bool begins = at > 0 && std::string_view("'\"`/ <").contains(code[at - 1]);
    const size_t end = std::min(code.find_first_of("'\"`/ )>", at), code.size());
    const std::string_view name = code.substr(at, end - at);
    if (begins && name.size() > 2 && is_word_character(name[1]) && name.find_first_of("*?[") != std::string_view::npos)
      out.push_back(text::to_lower(name));
  }
  return out;
}

/// Whether some name fits both globs, of which `*` and `?` are the wildcards; behind a bracket they may be anything.
bool may_share_name(std::string_view one, std::string_view other) {
  if (one.empty()) return other.find_first_not_of('*') == std::string_view::npos;
  if (other.empty()) return may_share_name(other, one);
  if (std::string_view("[{(").contains(one[0]) || std::string_view("[{(").contains(other[0])) return true;
  if (one[0] == '*') return may_share_name(one.substr(1), other) || may_share_name(one, other.substr(1));
  if (other[0] == '*') return may_share_name(other, one);
  if (one[0] != '?' && other[0] != '?' && one[0] != other[0]) return false;
  return may_share_name(one.substr(1), other.substr(1));
}

}  // namespace

Mentions::Mentions(std::string_view text, bool hides_words)
    : code_(text), strings_(strings_of(text)), hides_words_(hides_words) {}

Mentions Mentions::of_code(std::string_view code) {
  Mentions out(code, false);
  out.hides_words_ = out.has_any(kDecoders) && out.has_any(kRunners);
  out.hides_names_ = out.has_any(kCodeMakers) && out.has_any(kOpeners);
  return out;
}

bool Mentions::has_word(std::string_view word) const {
  return has_bounded(code_, word, true, true) || has_bounded(strings_, word, true, true);
}

std::string_view Mentions::find_any(std::string_view words) const {
  for (const std::string_view word : text::split(words, ' ')) {
    if (has_word(word)) return word;
  }
  return "";
}

std::string Mentions::command_word(const std::vector<std::string>& pattern) const {
  if (pattern.empty()) return "*";
  if (hides_words_) return text::join(pattern, " ");
  std::vector<std::string_view> words;
  for (const std::string& word : pattern) {
    if (!word.contains('*') && !word.starts_with('-')) words.push_back(word);
  }
  if (words.empty()) return "*";
  // The words behind the program say what is meant: `push` of `git push`. A library may do it without the program.
  if (words.size() > 1) {
    const bool has_all = std::ranges::all_of(words.begin() + 1, words.end(), [&](auto w) { return has_word(w); });
    return has_all ? std::string(words[1]) : "";
  }
  const std::string_view program = words[0].substr(words[0].rfind('/') + 1);
  if (program == "rm") {
    for (const std::string_view phrase : kDeletingPhrases) {
      if (code_.contains(phrase)) return std::string(phrase);
    }
  }
  const auto* const row = std::ranges::find(kSynonyms, program, &SynonymRow::program);
  return std::string(find_any(row == kSynonyms.end() ? program : row->words));
}

bool Mentions::flag(std::string_view flag) const {
  if (hides_words_) return true;
  return std::ranges::any_of(spellings_of(flag), [&](std::string_view one) { return has_spelling(one); });
}

bool Mentions::has_spelling(std::string_view flag) const {
  const std::string_view name = flag.substr(std::min(flag.find_first_not_of('-'), flag.size()));
  if (name.empty()) return true;
  const bool is_recursive = name == "r" || name == "R" || name == "recursive";
  const auto has_phrase = [&](std::string_view phrase) { return code_.contains(phrase); };
  // Git has other words for both: `+main`, and a directory without hooks.
  if (name == "force" && has_word("git") && has_plus_word(code_)) return true;
  if (name == "no-verify" && has_word("git") && text::to_lower(code_).contains("hookspath")) return true;
  if (is_recursive && (has_any(kRecursiveWords) || std::ranges::any_of(kRecursivePhrases, has_phrase))) return true;
  if (flag.starts_with("--")) {
    return has_word(name) || has_bounded(code_, name, true, false) || has_abbreviation(code_, name) ||
           has_abbreviation(strings_, name);
  }
  return std::ranges::any_of(name,
                             [&](char letter) { return has_letter(code_, letter) || has_letter(strings_, letter); });
}

std::vector<std::string> Mentions::shell_texts(std::string_view code) {
  const bool runs_text = code.find_first_of("|`") != std::string_view::npos || of_code(code).has_any(kRunners);
  std::vector<std::string> out;
  if (!runs_text) return out;
  for_strings(code, [&](std::string content, std::string_view) {
    if (content.find_first_of("$`'\"\\{") != std::string::npos) out.push_back(std::move(content));
  });
  return out;
}

bool Mentions::destruction() const {
  return hides_words_ || has_any(kDestructionWords);
}

bool Mentions::writing() const {
  return hides_words_ || code_.contains('>') || has_any(kWritingWords) || has_any(kRunners) ||
         has_any(kDestructionWords);
}

bool Mentions::network() const {
  return hides_words_ || has_any(kNetworkWords);
}

bool Mentions::has_part(std::string_view part, bool begins_name, bool ends_name) const {
  // Names of files are compared without regard to case, as some file systems do it.
  const std::string wanted = text::to_lower(part);
  return has_bounded(text::to_lower(code_), wanted, begins_name, ends_name) ||
         has_bounded(text::to_lower(strings_), wanted, begins_name, ends_name);
}

std::vector<std::string_view> Mentions::parts_of(std::string_view glob) {
  std::vector<std::string_view> out;
  for (const Part& part : needed_parts(glob)) out.push_back(part.text);
  return out;
}

bool Mentions::has_codes(std::string_view part) const {
  return std::ranges::all_of(part, [&](char c) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    const auto code = static_cast<unsigned char>(c);
    const std::string hex = {kDigits[code >> 4U], kDigits[code & 15U]};
    return has_word(std::to_string(code)) || has_word("0x" + hex);
  });
}

std::string Mentions::path(std::string_view glob) const {
  const std::vector<Part> parts = needed_parts(glob);
  if (parts.empty() || hides_words_ || hides_names_) return std::string(glob);
  for (const Part& part : parts) {
    if (has_part(part.text, part.begins_name, part.ends_name)) return std::string(part.text);
  }
  for (const LibraryRow& library : kLibraries) {
    const bool is_asked = std::ranges::find(parts, library.file, &Part::text) != parts.end();
    if (is_asked && has_any(library.words)) return std::string(find_any(library.words));
  }
  for (const Part& part : parts) {
    if (has_any(kNumberMakers) && has_codes(part.text)) return std::string(part.text);
    if (has_part(std::string(part.text.rbegin(), part.text.rend()), false, false)) return std::string(part.text);
  }
  // `glob('.e*')` stands for names, too.
  const std::string name = text::to_lower(glob.substr(glob.rfind('/') + 1));
  for (const std::string& one : hidden_globs(code_)) {
    if (may_share_name(one, name)) return one;
  }
  return "";
}

bool Mentions::only_prints(std::string_view code) {
  constexpr auto kPrints =
      std::to_array<std::string_view>({"print", "console.log", "puts", "echo", "say", "printf", "println"});
  std::string_view rest = text::trim(code);
  const auto is_call = [&](std::string_view word) {
    return rest.starts_with(word) && rest.size() > word.size() && !is_word_character(rest[word.size()]);
  };
  const auto* const found = std::ranges::find_if(kPrints, is_call);
  if (found == kPrints.end()) return false;
  rest = text::trim(rest.substr(found->size()));
  if (rest.ends_with(';')) rest = text::trim(rest.substr(0, rest.size() - 1));
  if (rest.starts_with('(') && rest.ends_with(')')) rest = text::trim(rest.substr(1, rest.size() - 2));
  if (rest.size() < 2 || (rest[0] != '"' && rest[0] != '\'') || rest.back() != rest[0]) return false;
  const std::string_view inside = rest.substr(1, rest.size() - 2);
  // Anything that a language may replace in a string, and a second string, is more than a plain string.
  return inside.find_first_of(std::string("\\`$#@{}%") + rest[0]) == std::string_view::npos;
}

}  // namespace grapnel::call

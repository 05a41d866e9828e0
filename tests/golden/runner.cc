#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/wait.h>

#include "golden/transcript.h"

/// Runs transcripts against the command that was just built: `golden_runner [--update] BIN SOURCE FILE-OR-DIRECTORY...`
namespace grapnel::golden {

namespace fs = std::filesystem;

namespace {

constexpr const char* kHome = "/home/you";  // what the temporary home is called in transcripts

#ifdef GRAPNEL_PORTABLE
/// What a build with POSIX alone says about each hook, and no transcript has (docs/platforms.md).
constexpr const char* kSaidOfGroups[] = {"    contained by group\n", "\"contained\":\"group\","};
#endif

std::string read_all(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_all(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

std::string quoted(const std::string& text) {
  return "'" + text + "'";
}

/// A home directory with a project in it, for one transcript.
class Sandbox {
 public:
  Sandbox(fs::path bin, fs::path source) : bin_(std::move(bin)), source_(std::move(source)) {
    std::string pattern = fs::canonical(fs::temp_directory_path()) / "grapnel_golden_XXXXXX";
    home_ = ::mkdtemp(pattern.data());
    fs::create_directories(home_ / "project");
    fs::create_directories(home_ / ".run");
  }
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  ~Sandbox() { fs::remove_all(home_); }

  void put(const File& file) const {
    const bool in_home = file.path.starts_with("~/");
    const fs::path path = in_home ? home_ / file.path.substr(2) : home_ / "project" / file.path;
    std::string text;
    for (const std::string& line : file.lines) text += line + "\n";
    write_all(path, text);
    if (text.starts_with("#!")) fs::permissions(path, fs::perms::owner_all);
  }

  /// What the command prints, as a transcript has it.
  Lines run(const Step& step, bool one_output) const {
    const std::string script = home_ / ".step";
    const std::string out = home_ / ".out";
    const std::string err = home_ / ".err";
    write_all(script, step.script());
    const std::string command = "cd " + quoted(home_ / "project") + " && env -i " + environment() +
                                " timeout -k 2 300 bash " + quoted(script) + " </dev/null >" + quoted(out) + " 2>" +
                                (one_output ? "&1" : quoted(err));
    const int status = std::system(command.c_str());
    Lines lines = split_lines(masked(read_all(out)));
    for (const std::string& line : one_output ? Lines{} : split_lines(masked(read_all(err)))) {
      lines.push_back(line.empty() ? "!" : "! " + line);
    }
    while (!lines.empty() && lines.back().empty()) lines.pop_back();
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 255;
    if (code != 0) lines.push_back("[exit " + std::to_string(code) + "]");
    return lines;
  }

 private:
  std::string environment() const {
    const char* path = std::getenv("PATH");
    const std::string home = home_.string();
    return "PATH=" + quoted(bin_.string() + ":" + (path != nullptr ? path : "/usr/bin:/bin")) +
           " HOME=" + quoted(home) + " XDG_STATE_HOME=" + quoted(home + "/.local/state") +
           " XDG_CONFIG_HOME=" + quoted(home + "/.config") + " XDG_RUNTIME_DIR=" + quoted(home + "/.run") +
           " SOURCE=" + quoted(source_.string()) + " LC_ALL=C.UTF-8 TERM=dumb";
  }

  std::string masked(std::string text) const {
    const std::string home = home_.string();
    for (size_t at; (at = text.find(home)) != std::string::npos;) text.replace(at, home.size(), kHome);
#ifdef GRAPNEL_PORTABLE
    for (const std::string said : kSaidOfGroups) {
      for (size_t at; (at = text.find(said)) != std::string::npos;) text.erase(at, said.size());
    }
#endif
    return text;
  }

  fs::path bin_, source_, home_;
};

void print_lines(const char* title, const Lines& lines) {
  std::printf("  %s\n", title);
  for (const std::string& line : lines) std::printf("    %s\n", line.c_str());
}

/// Runs every step; those that print something else get it as their new expectation. Returns how many did.
size_t run_steps(Transcript& transcript, const Sandbox& sandbox, const std::string& name) {
  size_t failures = 0;
  for (const auto& part : transcript.parts) {
    const auto* file = std::get_if<File>(&part);
    if (file != nullptr && !transcript.is_page) sandbox.put(*file);
  }
  for (auto& part : transcript.parts) {
    const auto* file = std::get_if<File>(&part);
    if (file != nullptr && transcript.is_page) sandbox.put(*file);
    auto* step = std::get_if<Step>(&part);
    if (step == nullptr) continue;
    Lines actual = sandbox.run(*step, transcript.is_page);
    if (matches(step->expected, actual)) continue;
    ++failures;
    std::printf("%s:%zu: %s\n", name.c_str(), step->line, step->command.front().c_str());
    print_lines("expected", step->expected);
    print_lines("actual", actual);
    step->expected = std::move(actual);
  }
  return failures;
}

std::vector<fs::path> transcripts_in(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(path)) {
    const bool is_wanted = entry.path().extension() == ".txt" || entry.path().extension() == ".md";
    if (is_wanted && entry.path().filename() != "README.md" && entry.path().filename() != "CMakeLists.txt") {
      out.push_back(entry.path());
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

int run_all(std::vector<std::string> words) {
  const bool update = !words.empty() && words.front() == "--update";
  if (update) words.erase(words.begin());
  if (words.size() < 3) {
    std::fprintf(stderr, "usage: golden_runner [--update] BIN-DIRECTORY SOURCE-DIRECTORY FILE-OR-DIRECTORY...\n");
    return 2;
  }
  size_t files = 0;
  size_t failures = 0;
  for (size_t i = 2; i < words.size(); ++i) {
    for (const fs::path& path : transcripts_in(words[i])) {
      ++files;
      Transcript transcript = read_transcript(read_all(path), path.extension() == ".md");
      const size_t failed =
          run_steps(transcript, Sandbox(fs::absolute(words[0]), fs::absolute(words[1])), path.filename());
      failures += failed;
      if (update && failed > 0) write_all(path, transcript.print());
    }
  }
  std::printf("%zu files, %zu differences%s\n", files, failures, update ? ", updated" : "");
  return files > 0 && (failures == 0 || update) ? 0 : 1;
}

}  // namespace grapnel::golden

int main(int argc, char** argv) {
  return grapnel::golden::run_all(std::vector<std::string>(argv + 1, argv + argc));
}

#include "record/own_records.h"

#include <unistd.h>

#include <sys/stat.h>

namespace grapnel {

// Without XDG_RUNTIME_DIR the directory is in /tmp, where others may create a file of that name first. A path that is
// not our own directory is not used.
std::string lost_records_dir(const Environment& env) {
  if (env.get("XDG_RUNTIME_DIR").starts_with('/')) return env.runtime_dir();
  const std::string_view set = env.get("TMPDIR");
  std::string path = (set.empty() ? "/tmp" : std::string(set)) + "/grapnel-" + std::to_string(::geteuid());
  struct stat st;
  const bool is_strange = ::lstat(path.c_str(), &st) == 0 && (!S_ISDIR(st.st_mode) || st.st_uid != ::geteuid());
  return is_strange ? "" : path;
}

std::vector<std::string> secret_patterns(const Environment& env) {
  return {std::string(env.get("GRAPNEL_MASK"))};
}

std::unique_ptr<RecordSink> open_records(const Environment& env) {
  // An unknown word must not make records contain more than they would without it, so it means "off".
  const std::string_view wanted = env.get("GRAPNEL_PAYLOADS");
  return make_file_record_sink(
      env.state_dir(),
      {.secrets = secret_patterns(env),
       .payloads = wanted.empty() ? KeepPayloads::Digest : keep_payloads_from(wanted).value_or(KeepPayloads::Off),
       .fallback_dir = lost_records_dir(env)});
}

}  // namespace grapnel

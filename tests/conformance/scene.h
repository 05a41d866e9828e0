#pragma once

#include <memory>
#include <string>
#include <vector>

#include "grapnel/engine.h"

#include "conformance/case.h"
#include "conformance/fired.h"
#include "conformance/scripted_http_client.h"
#include "os/temp_dir.h"

namespace grapnel::conformance {

/// The world of one case: a home, a project and a managed root of its own, the files and environment the case asks for,
/// and an engine over them. Steps of a case share the scene.
class Scene {
 public:
  explicit Scene(const Case& the_case, Way way = Way::Engine);
  /// Lets commands find the server that listens at that socket.
  void use_server(const std::string& socket) const;
  /// Marks every command hook warm, for commands.
  void make_hooks_warm() { is_warm_ = true; }
  /// The shells of hooks read their input before they begin; most hooks of cases do not look at it.
  void make_hooks_patient();

  /// Plays the case with all its steps; returns what is not as wanted, or "".
  std::string play();
  /// What commands said, event by event, as if the case lay nowhere.
  const std::vector<std::string>& said() const { return said_; }

 private:
  std::string play_step(const Json& step);
  void make_engine(const Json& json);
  std::vector<std::string> environment_of(const Json& json) const;
  void trust_project(const Json& json);
  void write_files(const Json& files);
  /// A file that is as it was is not written again, so that a case that is played twice changes nothing.
  std::string put_if_new(std::string_view name, std::string_view content, mode_t mode = 0644) const;
  void clear_step_files();
  std::string switch_hooks(const Json& step);
  std::string check_registry(const Json& step) const;
  std::string fire(const Json& step);
  CommandWorld command_world() const;
  std::string check_fired(const Json& want, const Fired& fired);
  std::string check_decision(const Json& want, const Json& decision) const;
  std::string check_count(const Json& want, std::string_view key, size_t got) const;
  std::string check_wire(const Json& want, const WireAnswer& answer) const;
  std::string check_stdin(const Json& want) const;
  std::string check_files(const Json& want) const;
  std::string check_notices(const Json& want);
  std::string check_posts(const Json& want);
  std::string without_root(std::string text) const;

  const Case& case_;
  Way way_;
  testing::TempDir root_;
  Json json_;                                   ///< the case with its places filled in
  std::shared_ptr<ScriptedHttpClient> poster_;  ///< nothing where the case has no replies
  std::unique_ptr<Engine> engine_;
  std::vector<std::string> notices_;
  std::vector<std::string> said_;
  bool is_warm_ = false;
  bool is_patient_ = false;
};

}  // namespace grapnel::conformance

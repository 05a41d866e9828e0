#pragma once

#include <string>
#include <string_view>

#include "grapnel/engine.h"

/// The options of C hosts: JSON objects become the structs of the C++ library. A member that is not known or has the
/// wrong type is an error, so that no misspelt option is ignored.
namespace grapnel::abi {

/// The options of grapnel_open.
struct OpenOptions {
  EngineOptions engine;
  bool journal = false;
  std::string journal_dir = {};  ///< "" for the place of the command
};
Result<OpenOptions> read_open_options(std::string_view json);

/// The options of grapnel_register, without the function.
struct HookOptions {
  CallbackHook hook;
  /// The agent in whose words the callback reads events and answers; "" for those of rule files.
  std::string dialect = {};
};
Result<HookOptions> read_hook_options(std::string_view json);

}  // namespace grapnel::abi

#pragma once

#include <mutex>
#include <set>
#include <string>

#include "grapnel/engine.h"

namespace grapnel::agent {

/// Tells the model about hooks in steps, so that it reads no more than it needs: what hooks there are (the system
/// prompt), then the document of a hook when it runs for the first time. What is in scripts is never told. Only formats
/// that have such a document, HOOK.md, take part. Thread: any.
class Disclosure {
 public:
  /// The first step: the names, purposes and events of all hooks with a document; "" if there are none.
  static std::string overview(const Engine& engine);

  /// The second step: adds to the decision's context the documents of the hooks that ran, unless the model knows them
  /// or will not read the context of this decision.
  void add_documents(EventKind kind, const Engine& engine, Decision& decision);

  /// The model has forgotten what it read.
  void forget();

 private:
  std::mutex mutex_;
  std::set<std::string> told_;  ///< paths of documents
};

}  // namespace grapnel::agent

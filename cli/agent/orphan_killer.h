#pragma once

namespace grapnel::cli {

/// Sees to it that no process outlives a killed agent: hooks and tools run in groups of their own, which a SIGKILL of
/// the agent does not reach.
///
/// A small process of a session of its own waits for the end of the agent, whatever it is, and then kills everything
/// that carries the agent's mark in its environment (`kOrphanMarkVariable`), however deep below it was started.
///
/// To be called first of all, with the program's own arguments: it may start the program anew. A machine that has no
/// room for one more process has no guard.
void start_orphan_killer(char** argv);

}  // namespace grapnel::cli

#pragma once

namespace grapnel::cli {

/// Makes sure that no process outlives a killed agent. Hooks and tools run in their own process groups, which a SIGKILL
/// of the agent does not reach.
///
/// A small process in its own session waits until the agent ends, for whatever reason. Then it kills every process that
/// carries a mark of the agent, however deep in the tree it was started: a variable in its environment
/// (`kOrphanMarkVariable`), or a limit that programs cannot take off.
///
/// Call this before anything else, with the program's own arguments: it may execute the program again. If the process
/// cannot be created, the agent runs without it.
void start_orphan_killer(char** argv);

}  // namespace grapnel::cli

#pragma once

#include "grapnel_agent/tool.h"

/// The built-in tools, one file each. All of them stay inside the workspace, respect the context's timeout and output
/// limit, and stop when it is cancelled. Errors are texts that tell the model what it can do about them.
///
///   tool_answer.h   builds results and applies the output limit
///   text_file.h     reads and writes files
///   file_walk.h     visits the files below a directory
///   html_text.h     extracts the text of a web page
///   net/address.h   tells public addresses from private ones
namespace grapnel::agent {

Tool make_shell_tool();
Tool make_read_tool();
Tool make_write_tool();
Tool make_edit_tool();
Tool make_glob_tool();
Tool make_grep_tool();
Tool make_fetch_tool();
Tool make_todo_tool();
Tool make_subagent_tool();

}  // namespace grapnel::agent

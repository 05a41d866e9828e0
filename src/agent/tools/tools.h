#pragma once

#include "grapnel_agent/tool.h"

/// The built-in tools, one file each. All of them keep to the workspace, take no longer than the context allows, stop
/// when it is cancelled and say no more than fits. What goes wrong is told to the model in words it can act on.
///
///   tool_answer.h   results and their limits
///   text_file.h     files that tools read and write
///   file_walk.h     the files below a directory
///   html_text.h     what a web page says
///   address.h       addresses nobody but this machine should ask
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

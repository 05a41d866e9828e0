#!/usr/bin/env python3
"""Nobody rewrites what others have pulled: `git push --force` to a shared branch is denied."""
import shlex

from kit import serve

SHARED = {"main", "master", "release"}


def judge(event):
    words = shlex.split(event.get("tool_input", {}).get("command", ""))
    forced = {"--force", "-f"} & set(words)
    if words[:2] == ["git", "push"] and forced and SHARED & set(words):
        return {"verdict": "deny", "reason": "A shared branch is not force-pushed; use --force-with-lease on your own."}


serve(judge)

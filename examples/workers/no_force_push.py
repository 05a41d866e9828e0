#!/usr/bin/env python3
"""Denies `git push --force` to a shared branch, because others have already pulled it."""
import shlex

from kit import serve

SHARED = {"main", "master", "release"}


def judge(event):
    words = shlex.split(event.get("tool_input", {}).get("command", ""))
    forced = {"--force", "-f"} & set(words)
    if words[:2] == ["git", "push"] and forced and SHARED & set(words):
        return {"verdict": "deny", "reason": "A shared branch is not force-pushed; use --force-with-lease on your own."}


serve(judge)

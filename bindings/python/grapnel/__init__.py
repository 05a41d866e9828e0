"""Grapnel: hooks for AI agents. Events go in, decisions come out; docs/python.md explains it.

    from grapnel import Engine

    with Engine(work_dir=".") as engine:
        @engine.on("PreToolUse", tools="Bash")
        def no_force_push(event):
            if "push --force" in event["tool_input"]["command"]:
                return {"verdict": "deny", "reason": "Force pushes need a human."}

        decision = engine.fire({"event": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "git push --force"}})
        if decision.denied:
            print(decision.reason)
"""

from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from ._library import GrapnelError, tool_access
    from .aio import AsyncEngine
    from .decision import Decision, HookFate, Text
    from .engine import Answer, Engine, Event

__all__ = ["Answer", "AsyncEngine", "Decision", "Engine", "Event", "GrapnelError", "HookFate", "Text", "tool_access", "__version__"]

_MODULES = {
    "_library": ("GrapnelError", "tool_access"),
    "aio": ("AsyncEngine",),
    "decision": ("Decision", "HookFate", "Text"),
    "engine": ("Answer", "Engine", "Event"),
}


# The library is loaded when it is first needed, so that a worker (grapnel.worker) starts fast.
def __getattr__(name: str) -> Any:
    import importlib

    for module, names in _MODULES.items():
        if name in names:
            return getattr(importlib.import_module("." + module, __name__), name)
    raise AttributeError(f"module 'grapnel' has no attribute '{name}'")

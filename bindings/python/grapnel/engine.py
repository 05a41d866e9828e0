"""The engine for programs that block. AsyncEngine (aio.py) is the same for asyncio."""

from __future__ import annotations

import asyncio
import atexit
import inspect
import itertools
import json
import os
import weakref
from typing import Any, Callable, Iterable, Mapping, Optional, Sequence, TypeVar, Union

from . import _library
from ._library import CALLBACK, DONE, LATER, LIBRARY, RELEASE, call, encode, take
from .decision import Decision

Event = Mapping[str, Any]
"""An event in canonical names: {"event": "PreToolUse", "tool_name": "Bash", "tool_input": {...}}."""
Answer = Optional[Mapping[str, Any]]
"""What a callback returns: {"verdict": "deny", "reason": "..."}, or None for no opinion."""
Function = TypeVar("Function", bound=Callable[..., Any])

DEFAULT_TIMEOUT = 60.0

_numbers = itertools.count(1)
_callbacks: dict[int, tuple[weakref.ref[BaseEngine], Callable[..., Any]]] = {}
_open: weakref.WeakSet[BaseEngine] = weakref.WeakSet()


def send_answer(handle: int, answer: Any) -> None:
    text = None if answer is None else json.dumps(answer).encode()
    LIBRARY.grapnel_answer(handle, text, 0 if text is None else len(text))


def send_failure(handle: int, error: BaseException) -> None:
    LIBRARY.grapnel_fail(handle, (str(error) or type(error).__name__).encode())


# Threads of the library call this. No exception may leave it.
def _ask(user: int, handle: int, event: bytes, length: int) -> int:
    try:
        reference, function = _callbacks.get(user, (None, None))
        engine = reference() if reference else None
        if engine is None or function is None:  # it was removed, or its engine is closed
            return DONE
        parsed = json.loads(event)
        if inspect.iscoroutinefunction(function):
            return engine._ask_later(function, parsed, handle)
        answer = json.dumps(function(parsed)).encode()
    except BaseException as error:
        send_failure(handle, error)
        return DONE
    LIBRARY.grapnel_answer(handle, answer, len(answer))
    return DONE


_ASK = CALLBACK(_ask)
# The library does not tell when a callback is released: a thread that was left behind would do so while the interpreter
# ends, which ends such a thread in the middle.
_NO_RELEASE = RELEASE(0)


def name_of(event: Union[Event, str], name: Optional[str]) -> Optional[bytes]:
    return encode(name if name is not None or isinstance(event, str) else event.get("event"))


def payload_of(event: Union[Event, str]) -> bytes:
    return event.encode() if isinstance(event, str) else json.dumps(event).encode()


class BaseEngine:
    """What both engines have."""

    def __init__(
        self,
        *,
        project_dir: Union[str, os.PathLike[str], None] = None,
        project_parts: Sequence[str] = (),
        work_dir: Union[str, os.PathLike[str], None] = None,
        configs: Iterable[Mapping[str, Any]] = (),
        env: Optional[Mapping[str, str]] = None,
        session_dir: Union[str, os.PathLike[str], None] = None,
        use_hook_files: bool = True,
        reload_interval: Optional[float] = None,
        journal: Union[bool, str, os.PathLike[str]] = False,
        record_unmatched: bool = False,
        self_protection: Optional[bool] = None,
        filter_secrets: bool = False,
        places: Optional[Mapping[str, str]] = None,
        limits: Optional[Mapping[str, int]] = None,
    ) -> None:
        given = {
            "project_dir": None if project_dir is None else os.fspath(project_dir),
            "project_parts": list(project_parts) or None,
            "work_dir": None if work_dir is None else os.fspath(work_dir),
            "configs": [dict(config) for config in configs] or None,
            "env": None if env is None else dict(env),
            "session_dir": None if session_dir is None else os.fspath(session_dir),
            "use_hook_files": use_hook_files,
            "reload_interval_ms": None if reload_interval is None else round(reload_interval * 1000),
            "journal": journal if isinstance(journal, bool) else os.fspath(journal),
            "record_unmatched": record_unmatched,
            "self_protection": self_protection,
            "filter_secrets": filter_secrets,
            "places": None if places is None else dict(places),
            "limits": None if limits is None else dict(limits),
        }
        options = json.dumps({name: value for name, value in given.items() if value is not None})
        self._numbers: dict[str, int] = {}  # of its callbacks, by their names
        self._handle: int = call("open", options.encode())
        _open.add(self)

    def on(
        self,
        *events: str,
        name: Optional[str] = None,
        tools: str = "",
        timeout: float = DEFAULT_TIMEOUT,
        priority: int = 100,
        on_failure: str = "open",
        last_in_first: bool = False,
        dialect: Optional[str] = None,
    ) -> Callable[[Function], Function]:
        """A decorator that makes a function a hook. It gets the event and returns an answer, or None.

        After `timeout` seconds it has failed; 0 is no limit. `on_failure` says what happens then, or if it raises:
        "open" lets the event pass, "ask" asks a person, "closed" denies it.
        """

        def register(function: Function) -> Function:
            hook: dict[str, Any] = {
                "name": name or getattr(function, "__name__", "callback"),
                "events": list(events),
                "tools": tools,
                "timeout_ms": round(timeout * 1000),
                "priority": priority,
                "on_failure": on_failure,
                "last_in_first": last_in_first,
            }
            if dialect is not None:
                hook["dialect"] = dialect
            number = next(_numbers)
            _callbacks[number] = (weakref.ref(self), function)
            try:
                call("register", self._handle, json.dumps(hook).encode(), _ASK, number, _NO_RELEASE)
            except BaseException:
                del _callbacks[number]
                raise
            self._numbers[hook["name"]] = number
            return function

        return register

    def off(self, name: str) -> bool:
        """Removes a callback. False if there is none of that name."""
        is_removed = bool(LIBRARY.grapnel_unregister(self._handle, name.encode()))
        _callbacks.pop(self._numbers.pop(name, 0), None)
        return is_removed

    def explain(self, event: Union[Event, str], *, name: Optional[str] = None, dialect: Optional[str] = None) -> list[dict[str, Any]]:
        """Which hooks would run for this event, which would not, and why. Runs nothing."""
        payload = payload_of(event)
        listed: list[dict[str, Any]] = json.loads(
            take(call("explain", self._handle, encode(dialect), name_of(event, name), payload, len(payload)))
        )
        return listed

    def hooks(self) -> list[dict[str, Any]]:
        """All configured hooks."""
        listed: list[dict[str, Any]] = json.loads(take(call("hooks", self._handle)))
        return listed

    def problems(self) -> list[dict[str, Any]]:
        """The mistakes in hook files."""
        listed: list[dict[str, Any]] = json.loads(take(call("problems", self._handle)))
        return listed

    def reload(self) -> None:
        """Reads all hook files again."""
        call("reload", self._handle)

    def set_enabled(self, enabled: bool, name: Optional[str] = None) -> None:
        """Switches all hooks on or off, or those of a name."""
        call("enable", self._handle, encode(name), int(enabled))

    @property
    def enabled(self) -> bool:
        return bool(LIBRARY.grapnel_is_enabled(self._handle))

    def journal(self, on: Union[bool, str, os.PathLike[str]]) -> None:
        """Starts or stops the records that `grapnel why` reads: True, False, or a directory for them."""
        directory = None if isinstance(on, bool) else os.fspath(on)
        call("journal", self._handle, int(on is not False), encode(directory))

    def _close(self) -> None:
        LIBRARY.grapnel_close(self._handle)
        for number in self._numbers.values():
            _callbacks.pop(number, None)
        self._numbers.clear()

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            self._close()

    def _ask_later(self, function: Callable[..., Any], event: Event, handle: int) -> int:
        raise NotImplementedError


class Engine(BaseEngine):
    """The hook engine. Every method may be called from any thread."""

    def fire(self, event: Union[Event, str], *, name: Optional[str] = None, dialect: Optional[str] = None) -> Decision:
        """Runs the hooks of an event, and waits until they have answered."""
        payload = payload_of(event)
        text = call("fire", self._handle, encode(dialect), name_of(event, name), payload, len(payload))
        return Decision.from_json(json.loads(take(text)))

    def close(self) -> None:
        """Ends the engine. Events that other threads have fired are cancelled."""
        self._close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # There is no loop to use, so a coroutine gets one of its own, in the thread of the callback.
    def _ask_later(self, function: Callable[..., Any], event: Event, handle: int) -> int:
        send_answer(handle, asyncio.run(function(event)))
        return DONE


@atexit.register
def _close_all() -> None:
    for engine in list(_open):
        engine._close()


__all__ = ["Answer", "BaseEngine", "Engine", "Event", "LATER", "_library"]

"""The functions of grapnel.h, through ctypes. Texts go in and out as str; a failure is a GrapnelError."""

from __future__ import annotations

import ctypes
import pathlib
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_size_t, c_uint32, c_void_p
from typing import Any, Optional

DONE = 0
LATER = 1
ABI_VERSION = 1

CALLBACK = CFUNCTYPE(c_int, c_void_p, c_void_p, c_char_p, c_size_t)
RELEASE = CFUNCTYPE(None, c_void_p)
NOTIFY = CFUNCTYPE(None, c_void_p)
FIRED = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)


class GrapnelError(Exception):
    """`code` is the kind of failure, such as "bad input" or "closed"; the text is for people."""

    def __init__(self, text: str) -> None:
        code, separator, message = text.partition(": ")
        super().__init__(message if separator else text)
        self.code = code if separator else "internal"


def _load() -> ctypes.CDLL:
    beside = pathlib.Path(__file__).parent / "_native" / "libgrapnel.so.1"
    try:
        library = ctypes.CDLL(str(beside) if beside.exists() else "libgrapnel.so.1")
    except OSError as error:
        raise ImportError(f"grapnel: libgrapnel.so.1 is neither in {beside.parent} nor in the system: {error}") from error
    errors = POINTER(c_void_p)
    event = [c_void_p, c_char_p, c_char_p, c_char_p, c_size_t]
    for name, result, arguments in (
        ("abi_version", c_uint32, []),
        ("version", c_char_p, []),
        ("open", c_void_p, [c_char_p, errors]),
        ("close", None, [c_void_p]),
        ("free", None, [c_void_p]),
        ("fire", c_void_p, [*event, errors]),
        ("fire_async", c_void_p, [*event, FIRED, c_void_p, errors]),
        ("cancel", None, [c_void_p]),
        ("release", None, [c_void_p]),
        ("register", c_int, [c_void_p, c_char_p, CALLBACK, c_void_p, RELEASE, errors]),
        ("unregister", c_int, [c_void_p, c_char_p]),
        ("answer", c_int, [c_void_p, c_char_p, c_size_t]),
        ("fail", c_int, [c_void_p, c_char_p]),
        ("is_cancelled", c_int, [c_void_p]),
        ("on_cancel", None, [c_void_p, NOTIFY, c_void_p]),
        ("explain", c_void_p, [*event, errors]),
        ("hooks", c_void_p, [c_void_p, errors]),
        ("problems", c_void_p, [c_void_p, errors]),
        ("reload", c_int, [c_void_p, errors]),
        ("enable", c_int, [c_void_p, c_char_p, c_int, errors]),
        ("is_enabled", c_int, [c_void_p]),
        ("journal", c_int, [c_void_p, c_int, c_char_p, errors]),
        ("tool_access", c_char_p, [c_char_p, c_char_p]),
    ):
        function = getattr(library, "grapnel_" + name)
        function.restype = result
        function.argtypes = arguments
    if library.grapnel_abi_version() < ABI_VERSION:
        raise ImportError("grapnel: the library is older than this package; install both from the same release")
    return library


LIBRARY = _load()


def take(text: int) -> str:
    """The text that the library returned, which is freed."""
    try:
        return ctypes.string_at(text).decode()
    finally:
        LIBRARY.grapnel_free(text)


def call(name: str, *arguments: Any) -> Any:
    """Calls a function that may fail. Its last parameter, the place for an error, is added."""
    error = c_void_p()
    result = getattr(LIBRARY, "grapnel_" + name)(*arguments, ctypes.byref(error))
    if error.value:
        raise GrapnelError(take(error.value))
    return result


def encode(text: Optional[str]) -> Optional[bytes]:
    return None if text is None else text.encode()


def tool_access(tool: str, dialect: Optional[str] = None) -> str:
    """What a tool can do to the machine: "readonly", "write", "execute" or "mcp"."""
    access: bytes = LIBRARY.grapnel_tool_access(encode(dialect), encode(tool))
    return access.decode()

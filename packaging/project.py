"""What all packages share: the version, the date, the architectures, and which installed file belongs to which package.

The version is the one of CMakeLists.txt. The date is SOURCE_DATE_EPOCH, else that of the commit, so that the same commit
gives the same bytes.
"""
import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUMMARY = "hooks for AI agents, one engine for all of them"
# Who makes the packages. Set GRAPNEL_MAINTAINER for a release; the project has no address of its own.
MAINTAINER = os.environ.get("GRAPNEL_MAINTAINER", "The Grapnel authors <grapnel@example.org>")
PROGRAMS = ("grapnel", "grapnel-engine", "grapnel-journal", "grapnel-ui", "grapnel-agent")


@dataclass(frozen=True)
class Architecture:
    debian: str  # also the name in the tarball
    npm: str
    wheel: str


ARCHITECTURES = {
    a.debian: a
    for a in (
        Architecture("amd64", "x64", "x86_64"),
        Architecture("arm64", "arm64", "aarch64"),
    )
}


def version():
    text = (ROOT / "CMakeLists.txt").read_text()
    return re.search(r"project\(grapnel VERSION (\S+)", text).group(1)


def epoch():
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    return int(subprocess.check_output(["git", "-C", str(ROOT), "log", "-1", "--format=%ct"], text=True))


def release_notes():
    """The changelog's section about the version; before the release, what is not released yet."""
    for name in (version(), "Unreleased"):
        done = subprocess.run([str(ROOT / "tools/release-notes"), name], capture_output=True, text=True)
        if done.returncode == 0:
            return done.stdout
    raise SystemExit("dist: CHANGELOG.md says nothing about this version")


def is_static(program):
    """Whether a program needs no loader, and so runs on every Linux. Reads the program headers of a 64-bit ELF file."""
    data = Path(program).read_bytes()
    offset, size, count = (int.from_bytes(data[a:b], "little") for a, b in ((32, 40), (54, 56), (56, 58)))
    kinds = [int.from_bytes(data[offset + i * size:offset + i * size + 4], "little") for i in range(count)]
    return 3 not in kinds  # PT_INTERP


def portable_programs(stage):
    """The programs that may go into packages for every Linux. The others are in the Debian packages only."""
    return [stage / "usr/bin" / name for name in PROGRAMS
            if (stage / "usr/bin" / name).exists() and is_static(stage / "usr/bin" / name)]


def files_below(folder):
    """All files and links below the folder, sorted, with their paths relative to it."""
    return sorted(p.relative_to(folder) for p in Path(folder).rglob("*") if p.is_symlink() or not p.is_dir())

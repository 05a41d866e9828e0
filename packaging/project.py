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
MAINTAINER = "The Grapnel authors <grapnel@localhost.localdomain>"
PROGRAMS = ("grapnel", "grapnel-engine", "grapnel-journal", "grapnel-ui", "grapnel-agent")


@dataclass(frozen=True)
class Architecture:
    debian: str  # also the name in the tarball
    npm: str
    wheel: str
    triplet: str


ARCHITECTURES = {
    a.debian: a
    for a in (
        Architecture("amd64", "x64", "x86_64", "x86_64-linux-gnu"),
        Architecture("arm64", "arm64", "aarch64", "aarch64-linux-gnu"),
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


def files_below(folder):
    """All files and links below the folder, sorted, with their paths relative to it."""
    return sorted(p.relative_to(folder) for p in Path(folder).rglob("*") if p.is_symlink() or not p.is_dir())

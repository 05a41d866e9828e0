"""grapnel-VERSION-linux-ARCH.tar.xz: programs, man page, completions, licences and install.sh."""
import shutil

from archive import write_tar_xz
from project import ROOT, portable_programs, version

# What of the installed tree is in the tarball: not the library for C++, which needs Debian's libraries.
SHARED = ("share/man", "share/bash-completion", "share/zsh", "share/fish", "share/grapnel")


def make(stage, facts, work, out, architecture):
    name = f"grapnel-{version()}-linux-{architecture.debian}"
    root = work / name
    (root / "bin").mkdir(parents=True)
    for program in portable_programs(stage):
        shutil.copy2(program, root / "bin" / program.name)
    for folder in SHARED:
        shutil.copytree(stage / "usr" / folder, root / folder)
    doc = root / "share/doc/grapnel"
    doc.mkdir(parents=True)
    for file in (ROOT / "LICENSE", ROOT / "CHANGELOG.md", *facts):
        shutil.copy2(file, doc / file.name)
    shutil.copy2(ROOT / "packaging/tarball/install.sh", root / "install.sh")
    write_tar_xz(root, name, out / f"{name}.tar.xz")

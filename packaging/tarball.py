"""grapnel-VERSION-linux-ARCH.tar.xz: programs, man page, completions, licences and install.sh."""
import shutil

from archive import write_tar_xz
from project import PROGRAMS, ROOT, version

# What of the installed tree is in the tarball: not the library for C++, which needs Debian's libraries.
SHARED = ("share/man", "share/bash-completion", "share/zsh", "share/fish", "share/grapnel")


def make(stage, facts, work, out, architecture):
    name = f"grapnel-{version()}-linux-{architecture.debian}"
    root = work / name
    for program in PROGRAMS:
        if (stage / "usr/bin" / program).exists():
            (root / "bin").mkdir(parents=True, exist_ok=True)
            shutil.copy2(stage / "usr/bin" / program, root / "bin" / program)
    for folder in SHARED:
        shutil.copytree(stage / "usr" / folder, root / folder)
    doc = root / "share/doc/grapnel"
    doc.mkdir(parents=True)
    for file in (ROOT / "LICENSE", ROOT / "CHANGELOG.md", *facts):
        shutil.copy2(file, doc / file.name)
    shutil.copy2(ROOT / "packaging/tarball/install.sh", root / "install.sh")
    write_tar_xz(root, name, out / f"{name}.tar.xz")

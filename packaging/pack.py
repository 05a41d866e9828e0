#!/usr/bin/env python3
"""Makes packages from an installed tree:  packaging/pack.py ARCH BUILD STAGE OUT

ARCH is amd64 or arm64, BUILD the folder of the build (for the list of libraries), STAGE what `cmake --install` wrote into
DESTDIR, OUT where packages go. The same STAGE gives the same bytes. tools/dist calls it.
"""
import shutil
import sys
import tempfile
from pathlib import Path

import deb
import npm
import sbom
import tarball
import wheel
from project import ARCHITECTURES, PROGRAMS

MAN_LINKS = [name for name in (*PROGRAMS, "grapnel-fleet") if name != "grapnel"]


def complete(stage):
    """Every program has a man page; all are one."""
    for name in MAN_LINKS:
        link = stage / f"usr/share/man/man1/{name}.1"
        if (stage / "usr/bin" / name).exists() and not link.is_symlink():
            link.symlink_to("grapnel.1")


def main():
    if len(sys.argv) != 5 or sys.argv[1] not in ARCHITECTURES:
        sys.exit(__doc__)
    architecture = ARCHITECTURES[sys.argv[1]]
    build, stage, out = (Path(word).resolve() for word in sys.argv[2:])
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="grapnel-pack.") as folder:
        work = Path(folder)
        copy = work / "stage"
        shutil.copytree(stage, copy, symlinks=True)
        complete(copy)
        facts = (work / "grapnel.cdx.json", work / "third-party-licences.txt")
        sbom.write_sbom(build, facts[0])
        sbom.write_licences(build, facts[1])
        for kind in (tarball, deb, npm, wheel):
            place = work / kind.__name__
            place.mkdir()
            kind.make(copy, facts, place, out, architecture)
        shutil.copyfile(facts[0], out / f"grapnel-{architecture.debian}.cdx.json")


main()

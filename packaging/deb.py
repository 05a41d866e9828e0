"""The Debian packages. Each row of PACKAGES says which installed files belong to a package; a file that belongs to none is an
error, so that nothing is forgotten."""
import fnmatch
import os
import re
import shutil
import subprocess
import textwrap
import time
from dataclasses import dataclass, field

from archive import gzip_bytes
from project import MAINTAINER, ROOT, epoch, files_below, release_notes, version


@dataclass(frozen=True)
class Package:
    name: str
    files: tuple
    section: str
    summary: str
    about: str
    fields: dict = field(default_factory=dict)
    same: bool = False  # Multi-Arch: same


PACKAGES = (
    Package(
        "grapnel-agent", ("bin/grapnel-agent", "share/grapnel/hello.replay", "share/man/man1/grapnel-agent.1"),
        "utils", "reference agent of Grapnel, and its way to models and HTTP hooks",
        "A small agent for the terminal whose every step passes the hooks of\n Grapnel. Hooks of the kinds \"http\" and \"prompt\" are run by it, too.",
        {"Recommends": "ca-certificates", "Enhances": "grapnel"}),
    Package(
        "grapnel-fleet", ("bin/grapnel-fleet", "lib/systemd/user/*", "share/man/man1/grapnel-fleet.1"),
        "utils", "one policy and one log for many machines with Grapnel",
        "Connects machines with Grapnel over NATS: records go to one place, signed\n policies come from there.",
        {"Depends": "grapnel", "Recommends": "ca-certificates"}),
    Package(
        "grapnel",
        ("bin/*", "share/man/*", "share/bash-completion/*", "share/zsh/*", "share/fish/*", "share/grapnel/*"),
        "utils", "one hook engine for AI agents",
        "Runs the hooks of Claude Code, Gemini CLI, Codex, Kimi and other agents\n with one engine: guards refuse"
        " dangerous tool calls, other hooks add\n context, format and notify. It keeps a journal, explains every"
        " decision,\n and shows both in the terminal and in a page.",
        {"Recommends": "grapnel-agent", "Suggests": "bash-completion, git"}),
    Package(
        "libgrapnel1", ("lib/*/libgrapnel.so.*",), "libs", "hook engine for AI agents, C library",
        "The library lets a program run hooks itself, without starting a process\n for each event. Its interface is plain C.",
        {"shlibs": "libgrapnel 1 libgrapnel1"}, same=True),
    Package(
        "libgrapnel-dev",
        ("include/*", "lib/*/libgrapnel.so", "lib/*/*.a", "lib/*/cmake/*", "lib/*/pkgconfig/*"),
        "libdevel", "hook engine for AI agents, development files",
        "Headers, the static library for C++, and files for CMake and pkg-config.",
        {"Depends": "libre2-dev, libpcre2-dev, libmd-dev, libyaml-cpp-dev, libutf8proc-dev, libtree-sitter-dev, libssl-dev"},
        same=True),
)

OVERRIDES = {"grapnel": ("statically-linked-binary",), "grapnel-agent": ("statically-linked-binary", "embedded-library")}
WHY_STATIC = ("The programs are static on purpose: a hook runs at every tool call, and a"
              " static\n# program starts in half the time. The list of what is in them comes with the release.")


def package_of(path):
    for package in PACKAGES:
        if any(fnmatch.fnmatch(str(path), pattern) for pattern in package.files):
            return package
    raise SystemExit(f"dist: no Debian package has {path}; add it to packaging/deb.py")


def changelog(name):
    """Debian's form of the release notes: their points, as they are."""
    date = time.strftime("%a, %d %b %Y %H:%M:%S +0000", time.gmtime(epoch()))
    points = []
    is_point = False
    for line in release_notes().splitlines():
        line = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", line).replace("**", "").rstrip()
        if line.startswith("- "):
            points.append(line[2:])
        elif line.startswith("  ") and is_point:
            points[-1] += " " + line.strip()
        is_point = line.startswith(("- ", "  "))
    points = [textwrap.fill(p, 78, initial_indent="  * ", subsequent_indent="    ", break_long_words=False) for p in points]
    body = "\n".join(points) or "  * New version."
    return f"{name} ({version()}) stable; urgency=medium\n\n{body}\n\n -- {MAINTAINER}  {date}\n"


def copyright_text():
    return f"""Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: grapnel
Comment: Licences of the libraries in the static programs are in
 third-party-licences.txt.gz beside this file.

Files: *
Copyright: {time.gmtime(epoch()).tm_year} The Grapnel authors
License: Apache-2.0

License: Apache-2.0
 On Debian systems, the full text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
"""


def needed(path):
    text = subprocess.run(["readelf", "-dW", str(path)], check=True, capture_output=True, text=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", text)


def of_this_machine(path, root):
    """The object of this machine that was made of the same sources."""
    inside = str(path.relative_to(root)).replace("aarch64-linux-gnu", "x86_64-linux-gnu")
    own = ROOT / "build/stage/amd64" / inside
    if [n for n in needed(path) if not n.startswith("ld-")] != [n for n in needed(own) if not n.startswith("ld-")]:
        raise SystemExit(f"dist: {path.name} needs other libraries than on amd64")
    return own


def shared_depends(root, architecture):
    """What shared objects in the package need, as dpkg-shlibdeps finds it. Of another architecture, it is what the same objects
    of this machine's need: both are the same sources with the same libraries."""
    objects = [p for p in sorted(root.rglob("*")) if p.is_file() and not p.is_symlink() and p.read_bytes()[:4] == b"\x7fELF"]
    objects = [p for p in objects if needed(p)]
    if not objects:
        return ""
    if architecture.debian != "amd64":
        objects = [of_this_machine(p, root) for p in objects]
    place = root.parent / "shlibs"
    (place / "debian").mkdir(parents=True, exist_ok=True)
    (place / "debian/control").write_text("Source: grapnel\n\nPackage: grapnel\nArchitecture: any\n")
    text = subprocess.run(["dpkg-shlibdeps", "--ignore-missing-info", "-O", *objects], cwd=place, check=True,
                          capture_output=True, text=True).stdout
    return text.strip().removeprefix("shlibs:Depends=")


def control(package, root, architecture, size):
    fields = dict(package.fields)
    shlibs = fields.pop("shlibs", None)
    depends = [fields.pop("Depends", ""), shared_depends(root, architecture)]
    if package.name == "libgrapnel-dev" and any(root.rglob("libgrapnel.so")):
        depends.insert(0, f"libgrapnel1 (= {version()})")
    depends = ", ".join(d for d in depends if d)
    lines = [f"Package: {package.name}", f"Version: {version()}", f"Architecture: {architecture.debian}",
             f"Maintainer: {MAINTAINER}", f"Installed-Size: {size}", f"Section: {package.section}", "Priority: optional"]
    if package.name != "grapnel":
        lines.insert(1, "Source: grapnel")
    if package.same:
        lines.append("Multi-Arch: same")
    if depends:
        lines.append(f"Depends: {depends}")
    lines += [f"{name}: {value}" for name, value in fields.items()]
    lines.append(f"Description: {package.summary}\n {package.about}")
    return "\n".join(lines) + "\n", shlibs


def write_documents(package, root, facts):
    doc = root / "usr/share/doc" / package.name
    doc.mkdir(parents=True)
    (doc / "copyright").write_text(copyright_text())
    (doc / "changelog.gz").write_bytes(gzip_bytes(changelog("grapnel").encode()))
    if package.name in OVERRIDES:
        place = root / "usr/share/lintian/overrides"
        place.mkdir(parents=True)
        (place / package.name).write_text(
            f"# {WHY_STATIC}\n" + "".join(f"{package.name}: {tag} *\n" for tag in OVERRIDES[package.name]))
        for file in facts:
            (doc / (file.name + ".gz")).write_bytes(gzip_bytes(file.read_bytes()))


def finish_files(root):
    """Man pages are compressed, modes and dates are the same everywhere."""
    for page in sorted((root / "usr/share/man").rglob("*.1")) if (root / "usr/share/man").exists() else []:
        if page.is_symlink():
            target = os.readlink(page)
            page.unlink()
            page.with_suffix(".1.gz").symlink_to(target + ".gz")
        else:
            page.with_suffix(".1.gz").write_bytes(gzip_bytes(page.read_bytes()))
            page.unlink()
    for path in sorted(root.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.is_dir() or "bin" in path.parts[-2:-1] else 0o644)


def make_one(package, stage, paths, facts, work, out, architecture):
    root = work / package.name
    for path in paths:
        target = root / "usr" / path
        if package.name == "grapnel" and str(path).startswith("share/zsh/site-functions"):
            target = root / "usr/share/zsh/vendor-completions" / path.name  # where Debian's zsh looks
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(stage / "usr" / path, target, follow_symlinks=False)
    write_documents(package, root, facts)
    finish_files(root)
    size = sum((p.stat().st_size + 1023) // 1024 if p.is_file() and not p.is_symlink() else 1 for p in root.rglob("*"))
    text, shlibs = control(package, root, architecture, size)
    debian = root / "DEBIAN"
    debian.mkdir()
    (debian / "control").write_text(text)
    if shlibs:
        (debian / "shlibs").write_text(f"{shlibs} (>= {version()})\n")
        (debian / "triggers").write_text("activate-noawait ldconfig\n")
    sums = subprocess.check_output("find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum", shell=True, cwd=root)
    (debian / "md5sums").write_bytes(sums)
    for path in debian.iterdir():
        path.chmod(0o644)
    for path in [root, *root.rglob("*")]:
        os.utime(path, (epoch(), epoch()), follow_symlinks=False)
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o755)
    target = out / f"{package.name}_{version()}_{architecture.debian}.deb"
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", str(root), str(target)],
                   check=True, stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch())})


def make(stage, facts, work, out, architecture):
    by_package = {}
    for path in files_below(stage / "usr"):
        by_package.setdefault(package_of(path).name, []).append(path)
    for package in PACKAGES:
        if package.name in by_package:
            make_one(package, stage, by_package[package.name], facts, work, out, architecture)

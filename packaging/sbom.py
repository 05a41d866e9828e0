"""Which foreign code is in our programs, as a CycloneDX list and with its licences.

Archives are read from the link commands of the build, so that a new library appears by itself. What a compiler adds
silently and what is only headers is in IMPLICIT. The packages of the page are those of its lock file, without its bundler.
"""
import json
import re
import subprocess
import time
from pathlib import Path

from project import PROGRAMS, ROOT, epoch, version

# Package (as on the machine that builds): where it is used.
IMPLICIT = {
    "libc6-dev": "every program but grapnel",
    "musl-dev": "grapnel",
    "libtomlplusplus-dev": "headers",
    "libboost-dev": "headers",
}
# The same of the compiler: they are on this machine, also when the other packages are unpacked for another architecture.
COMPILER = ("libstdc++-12-dev", "libgcc-12-dev")
GRAMMAR = re.compile(r"grammar=tree-sitter-bash-(\S+)")


def linked_archives(build):
    """The archives of the system that the programs link."""
    targets = [f"cli/{name}" for name in PROGRAMS]
    text = subprocess.check_output(["ninja", "-C", str(build), "-t", "commands", *targets], text=True)
    return sorted(set(re.findall(r"/(?:usr/)?lib/\S+?\.a\b", text)))


def root_of(build):
    """Where the libraries are: of a cross build, in the folder of tools/arm64-root, else "" for this machine."""
    found = re.search(r"^GRAPNEL_ARM64_ROOT:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M)
    return found.group(1) if found else ""


def query(root, *words):
    return subprocess.run(["dpkg-query", f"--admindir={root}/var/lib/dpkg", *words], capture_output=True, text=True)


def debian_package(root, path):
    done = query(root, "-S", path)
    if done.returncode != 0:
        raise SystemExit(f"dist: no Debian package has {path}, which the programs link")
    return done.stdout.split(":")[0]


def source_of(root, package):
    """(source package, its version), or None if the package is not installed."""
    done = query(root, "-W", "-f", "${db:Status-Status}|${source:Package}|${source:Version}\n", package)
    for line in done.stdout.splitlines():
        status, name, number = line.split("|")
        if status == "installed":
            return name, number
    return None


def debian_sources(build):
    """Source package -> (version, the file with its licences)."""
    found = {}
    root = root_of(build)
    places = {package: root for package in {debian_package(root, a) for a in linked_archives(build)} | set(IMPLICIT)}
    if root:
        del places["musl-dev"]  # cli/client/CMakeLists.txt uses it for this machine only
    places |= {f"{package}-arm64-cross" if root else package: "" for package in COMPILER}
    for package, place in sorted(places.items()):
        source = source_of(place, package)
        if source is None and package != "musl-dev":  # without musl, the C library of the system takes its place
            raise SystemExit(f"dist: {package} is linked but not installed")
        if source:
            found[source[0]] = (source[1], f"{place}/usr/share/doc/{package}/copyright")
    return found


def page_packages(cache):
    """The npm packages in the page, from what npm wrote when it installed them."""
    lock = json.loads((cache / "node_modules/.package-lock.json").read_text())
    found = {}
    for path, entry in lock["packages"].items():
        name = path.removeprefix("node_modules/")
        if "esbuild" in name:  # the bundler: it is not in the bundle
            continue
        found[name] = (entry["version"], entry.get("license", "NOASSERTION"))
    return found


def cache_value(build, name):
    return re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.M).group(1)


def page_cache(build):
    import hashlib
    lock = (ROOT / "cli/ui/page/package-lock.json").read_bytes()
    return Path(cache_value(build, "GRAPNEL_BASH_GRAMMAR")).parent / f"page-{hashlib.sha256(lock).hexdigest()[:12]}"


def grammar_version():
    return GRAMMAR.search((ROOT / "tools/setup").read_text()).group(1)


def component(kind, name, number, licence=None):
    purl = f"pkg:{kind}/{name.replace('@', '%40')}@{number.replace('+', '%2B').replace(':', '%3A')}"
    entry = {"type": "library", "name": name, "version": number,
             "purl": purl + ("?arch=source&distro=debian-12" if kind.startswith("deb") else "")}
    if licence:
        entry["licenses"] = [{"expression": licence}]
    return entry


def write_sbom(build, target):
    parts = [component("deb/debian", name, number) for name, (number, _) in sorted(debian_sources(build).items())]
    parts.append(component("npm", "tree-sitter-bash", grammar_version(), "MIT"))
    parts += [component("npm", name, number, licence)
              for name, (number, licence) in sorted(page_packages(page_cache(build)).items())]
    sbom = {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch())),
            "component": {"type": "application", "name": "grapnel", "version": version(),
                          "licenses": [{"license": {"id": "Apache-2.0"}}]},
        },
        "components": parts,
    }
    target.write_text(json.dumps(sbom, indent=2) + "\n")


def licence_text(folder):
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.name.lower().startswith(("license", "licence", "copying")):
            return path.read_text(errors="replace")
    return "This package has no file with its licence; its package.json names it.\n"


def write_licences(build, target):
    """The licences of all these, as their authors ask for."""
    parts = []
    for name, (number, copyright_file) in sorted(debian_sources(build).items()):
        file = Path(copyright_file)
        parts.append((f"{name} {number}", file.read_text(errors="replace") if file.exists() else "See Debian's package.\n"))
    cache = page_cache(build)
    parts.append((f"tree-sitter-bash {grammar_version()}", licence_text(cache.parent / f"tree-sitter-bash-{grammar_version()}")))
    for name, (number, licence) in sorted(page_packages(cache).items()):
        parts.append((f"{name} {number} ({licence})", licence_text(cache / "node_modules" / name)))
    rule = "=" * 100
    target.write_text("Grapnel's programs contain code of these projects.\n\n"
                      + "\n".join(f"{rule}\n{name}\n{rule}\n{text}" for name, text in parts))

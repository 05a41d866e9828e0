"""The npm packages: `grapnel`, which people install, and `@grapnel/linux-ARCH` with the programs, which npm picks for the
machine. What Node.js code imports is in `grapnel`, too."""
import json
import shutil

from archive import write_tar_gz
from project import ARCHITECTURES, ROOT, portable_programs, version

HOME = ROOT / "packaging/npm"


def describe(name, **more):
    return {"name": name, "version": version(), "description": "One hook engine for AI agents",
            "license": "Apache-2.0", **more}


def write_json(path, value):
    path.write_text(json.dumps(value, indent=2) + "\n")


def make_platform(stage, facts, root, out, architecture):
    (root / "bin").mkdir(parents=True)
    for program in portable_programs(stage):
        shutil.copy2(program, root / "bin" / program.name)
    native = stage / "native"  # libraries for Node.js and Python, if they were built
    if native.exists():
        shutil.copytree(native, root / "lib")
    if (stage / "usr/share/grapnel").exists():
        shutil.copytree(stage / "usr/share/grapnel", root / "share/grapnel")
    for file in (ROOT / "LICENSE", *facts):
        shutil.copy2(file, root / file.name)
    write_json(root / "package.json", describe(
        f"@grapnel/linux-{architecture.npm}", os=["linux"], cpu=[architecture.npm],
        preferUnplugged=True, files=["bin", "lib", "share", "grapnel.cdx.json", "third-party-licences.txt"]))
    write_tar_gz(root, "package", out / f"grapnel-linux-{architecture.npm}-{version()}.tgz")


def make_main(stage, root, out):
    binding = stage / "node"  # the package for Node.js code, if it was built
    described = {}
    if binding.exists():
        shutil.copytree(binding, root, ignore=shutil.ignore_patterns("native"))
        described = json.loads((root / "package.json").read_text())
    (root / "bin").mkdir(parents=True)
    shutil.copy2(HOME / "grapnel.js", root / "bin/grapnel")
    (root / "bin/grapnel").chmod(0o755)
    shutil.copy2(HOME / "postinstall.cjs", root / "postinstall.cjs")
    shutil.copy2(ROOT / "LICENSE", root / "LICENSE")
    (root / "README.md").write_text((HOME / "README.md").read_text())
    described.pop("private", None)
    described.pop("files", None)
    described.update(describe(
        "grapnel", bin={"grapnel": "bin/grapnel"},
        scripts={**described.get("scripts", {}), "postinstall": "node postinstall.cjs"},
        optionalDependencies={f"@grapnel/linux-{a.npm}": version() for a in ARCHITECTURES.values()}))
    write_json(root / "package.json", described)
    write_tar_gz(root, "package", out / f"grapnel-{version()}.tgz")


def make(stage, facts, work, out, architecture):
    make_platform(stage, facts, work / "platform", out, architecture)
    make_main(stage, work / "main", out)

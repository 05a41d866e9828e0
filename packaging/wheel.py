"""The Python wheel: the programs, and the package `grapnel` if its library was built. A wheel is a zip archive with a list of
its files, so nothing but Python is needed to make one."""
import base64
import hashlib

from archive import write_zip
from project import ROOT, SUMMARY, portable_programs, version


def tag(architecture, has_library):
    """Static programs run with every C library. A library that was built on Debian 12 needs its glibc or a newer one."""
    if has_library:
        return f"py3-none-manylinux_2_36_{architecture.wheel}"
    return f"py3-none-manylinux_2_17_{architecture.wheel}.musllinux_1_1_{architecture.wheel}"


def python_files(stage):
    package = stage / "python/grapnel"
    for path in sorted(package.rglob("*")) if package.exists() else []:
        inside = path.relative_to(package)
        if path.is_file() and "__pycache__" not in inside.parts and inside.parts[0] != "_native":
            yield f"grapnel/{inside}", path.read_bytes(), False


def record_line(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def make(stage, facts, work, out, architecture):
    files = list(python_files(stage))
    native = stage / "native"
    has_library = bool(files) and native.exists()
    if has_library:
        files += [(f"grapnel/_native/{p.name}", p.read_bytes(), False)
                  for p in sorted(native.iterdir()) if p.suffix != ".node"]
    else:
        files = []  # without its library the Python package cannot be imported
    name = f"grapnel-{version()}"
    for program in portable_programs(stage):
        files.append((f"{name}.data/scripts/{program.name}", program.read_bytes(), True))
    for path in sorted((stage / "usr/share/grapnel").iterdir()):
        files.append((f"{name}.data/data/share/grapnel/{path.name}", path.read_bytes(), False))
    one = tag(architecture, has_library)
    platforms = one.removeprefix("py3-none-").split(".")
    info = f"{name}.dist-info"
    files += [
        (f"{info}/METADATA", (f"Metadata-Version: 2.1\nName: grapnel\nVersion: {version()}\nSummary: {SUMMARY}\n"
                              "License: Apache-2.0\nRequires-Python: >=3.9\nDescription-Content-Type: text/markdown\n\n"
                              + (ROOT / "packaging/npm/README.md").read_text().replace("npm install --global grapnel", "pip install grapnel")
                              .split("\nThe package runs")[0] + "\n").encode(), False),
        (f"{info}/WHEEL", ("Wheel-Version: 1.0\nGenerator: grapnel\nRoot-Is-Purelib: false\n"
                           + "".join(f"Tag: py3-none-{p}\n" for p in platforms)).encode(), False),
        (f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes(), False),
        *((f"{info}/{file.name}", file.read_bytes(), False) for file in facts),
    ]
    record = "".join(record_line(n, d) for n, d, _ in files) + f"{info}/RECORD,,\n"
    write_zip([*files, (f"{info}/RECORD", record.encode(), False)], out / f"{name}-{one}.whl")

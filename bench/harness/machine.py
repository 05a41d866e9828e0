"""Describes the machine without names that identify it, because results are committed."""
import os
import re


def _read(path):
    try:
        with open(path) as file:
            return file.read()
    except OSError:
        return ""


def _find(pattern, text, otherwise="unknown"):
    found = re.search(pattern, text, re.MULTILINE)
    return found.group(1).strip() if found else otherwise


def describe():
    cpuinfo = _read("/proc/cpuinfo")
    flags = _find(r"^flags\s*:(.*)$", cpuinfo, "")
    return {
        "cpu": _find(r"^model name\s*:(.*)$", cpuinfo),
        "cores": os.cpu_count(),
        "virtual": " hypervisor" in " " + flags,
        "memory_gb": round(int(_find(r"^MemTotal:\s+(\d+)", _read("/proc/meminfo"), "0")) / 2**20),
        "kernel": ".".join(os.uname().release.split(".")[:2]),
        "system": _find(r'^PRETTY_NAME="(.*)"$', _read("/etc/os-release")),
    }

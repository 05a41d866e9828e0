"""Archives whose bytes depend on nothing but their content: sorted, one date, one owner, no other metadata."""
import gzip
import io
import lzma
import tarfile
import time
import zipfile
from pathlib import Path

from project import epoch, files_below


def tar_bytes(folder, prefix):
    """A tar archive of the folder's files, below `prefix`."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in files_below(folder):
            info = tar.gettarinfo(str(Path(folder) / path), f"{prefix}/{path}")
            if info.islnk():  # two names of one file: both are written
                info.type, info.linkname, info.size = tarfile.REGTYPE, "", (Path(folder) / path).stat().st_size
            info.mtime, info.uid, info.gid, info.uname, info.gname = epoch(), 0, 0, "root", "root"
            info.mode = 0o777 if info.issym() else 0o755 if info.mode & 0o100 else 0o644
            if info.isreg():
                with open(Path(folder) / path, "rb") as file:
                    tar.addfile(info, file)
            else:
                tar.addfile(info)
    return out.getvalue()


def write_tar_xz(folder, prefix, target):
    Path(target).write_bytes(lzma.compress(tar_bytes(folder, prefix), preset=6))


def gzip_bytes(data):
    out = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=out, mtime=0, compresslevel=9) as file:
        file.write(data)
    return out.getvalue()


def write_tar_gz(folder, prefix, target):
    Path(target).write_bytes(gzip_bytes(tar_bytes(folder, prefix)))


def write_zip(entries, target):
    """`entries`: (name, bytes, is_program), written in the order given."""
    date = time.gmtime(max(epoch(), 315532800))[:6]  # zip knows no date before 1980
    with zipfile.ZipFile(target, "w") as file:
        for name, data, is_program in entries:
            info = zipfile.ZipInfo(name, date)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.create_system = 3
            info.external_attr = (0o100755 if is_program else 0o100644) << 16
            file.writestr(info, data, compresslevel=9)

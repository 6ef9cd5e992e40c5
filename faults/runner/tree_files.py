"""The files of a tree as {relative path: (bytes, executable)}: of the working tree, of a commit, of an archive."""

import hashlib
import io
import os
import pathlib
import subprocess
import tarfile

from .errors import CannotRun

PROBE = "faults/fault_probe.h"
PROBE_IN_OLD_TREES = "props/faults/fault_probe.h"  # and in the patches of their time
OF_NO_SOURCE = (".git", "build")


def git(root, *arguments):
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True)
    if done.returncode != 0:
        raise CannotRun(f"git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def files_of_working_tree(root):
    """What git ignores is left out; in a tree without git, the builds."""
    root = pathlib.Path(root)
    try:
        listed = os.fsdecode(git(root, "ls-files", "-z", "-co", "--exclude-standard")).split("\0")
    except CannotRun:
        listed = [relative for relative, entry in entries(root, OF_NO_SOURCE) if entry.is_file()]
    files = {}
    for relative in filter(None, listed):
        path = root / relative
        if path.is_file():
            files[relative] = (path.read_bytes(), bool(path.stat().st_mode & 0o100))
    return files


def commit_of(root, name):
    try:
        return git(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").decode().strip()
    except CannotRun:
        raise CannotRun(f"there is no commit '{name}'") from None


def files_of_commit(root, commit):
    """With the probe's header at every place that a patch may include it from: `--tree` plants today's patches into old
    trees, `--record-before` those of then."""
    files = unpacked(git(root, "archive", commit))
    if PROBE not in files:
        if PROBE_IN_OLD_TREES not in files:
            files[PROBE_IN_OLD_TREES] = ((pathlib.Path(root) / PROBE).read_bytes(), False)
        files[PROBE] = files[PROBE_IN_OLD_TREES]
    return files


def unpacked(archive_bytes):
    with tarfile.open(fileobj=io.BytesIO(archive_bytes)) as archive:
        return {member.name: (archive.extractfile(member).read(), bool(member.mode & 0o100))
                for member in archive.getmembers() if member.isfile()}


def packed(files):
    archive_bytes = io.BytesIO()
    with tarfile.open(fileobj=archive_bytes, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for relative, (content, executable) in files.items():
            member = tarfile.TarInfo(relative)
            member.size, member.mode = len(content), 0o755 if executable else 0o644
            archive.addfile(member, io.BytesIO(content))
    return archive_bytes.getvalue()


def digest_of(files):
    what = hashlib.sha256()
    for relative, (content, executable) in sorted(files.items()):
        what.update(f"{relative} {executable} {hashlib.sha256(content).hexdigest()}\n".encode(errors="surrogateescape"))
    return what.hexdigest()[:16]


def entries(folder, left_out=(), above=""):
    """(relative path, os.DirEntry) of all that is there; what is in a folder comes before it. Links are not followed."""
    for entry in os.scandir(folder):
        relative = above + entry.name
        if relative in left_out:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from entries(entry.path, left_out, relative + "/")
        yield relative, entry

"""The scratch copy of the tree and its builds. It is kept between faults and between runs: a file that is the same keeps
its time stamp, so that a fault costs the build of what it changed."""

import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import time

from .errors import CannotRun, DoesNotBuild

PROBE = "props/faults/fault_probe.h"
ABSENT = ".absent-before-the-patch"


def git(root, *arguments):
    done = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True)
    if done.returncode != 0:
        raise CannotRun(f"git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def files_of_working_tree(root):
    """{relative path: (bytes, executable)}, what is ignored left out."""
    listed = git(root, "ls-files", "-z", "-co", "--exclude-standard").decode().split("\0")
    files = {}
    for relative in filter(None, listed):
        path = pathlib.Path(root) / relative
        if path.is_file():
            files[relative] = (path.read_bytes(), os.access(path, os.X_OK))
    return files


def commit_of(root, name):
    try:
        return git(root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}").decode().strip()
    except CannotRun:
        raise CannotRun(f"there is no commit '{name}'") from None


def files_of_commit(root, commit):
    with tarfile.open(fileobj=io.BytesIO(git(root, "archive", commit))) as archive:
        files = {member.name: (archive.extractfile(member).read(), bool(member.mode & 0o100))
                 for member in archive.getmembers() if member.isfile()}
    files.setdefault(PROBE, ((pathlib.Path(root) / PROBE).read_bytes(), False))
    return files


class Scratch:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.tree = self.folder / "tree"
        self.originals = self.folder / "originals"  # of the files that a planted patch changed
        self.being_copied = self.folder / "originals.new"
        self.mark = self.folder / "copied"
        self.tree.mkdir(parents=True, exist_ok=True)

    def fill(self, files):
        self.restore()
        self.mark.unlink(missing_ok=True)
        for relative, (content, executable) in files.items():
            path = self.tree / relative
            if not (path.is_file() and path.read_bytes() == content):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(content)
            if executable != os.access(path, os.X_OK):
                path.chmod(0o755 if executable else 0o644)
        for path in list(self.tree.rglob("*")):
            relative = path.relative_to(self.tree)
            if relative.parts[0] != "build" and path.is_file() and str(relative) not in files:
                path.unlink()
        what = hashlib.sha256()
        for relative, (content, executable) in sorted(files.items()):
            what.update(f"{relative} {executable} {hashlib.sha256(content).hexdigest()}\n".encode(errors="surrogateescape"))
        self.mark.write_text(what.hexdigest()[:16])

    def copied(self):
        """Which files the tree was filled with; empty when it was not filled to the end."""
        return self.mark.read_text() if self.mark.is_file() else ""

    def plant(self, fault):
        """The originals of the patched files are kept until restore()."""
        apply_patch(self.tree, fault.patch, fault.name, dry_run=True)
        shutil.rmtree(self.being_copied, ignore_errors=True)
        for relative in fault.files():
            kept = self.being_copied / relative
            kept.parent.mkdir(parents=True, exist_ok=True)
            if (self.tree / relative).exists():
                shutil.copyfile(self.tree / relative, kept)
            else:
                kept.with_name(kept.name + ABSENT).touch()
        os.rename(self.being_copied, self.originals)  # all of them or none
        apply_patch(self.tree, fault.patch, fault.name)

    def restore(self):
        """With a new time stamp: what was built from the patched file is older. Also after an interruption: while the
        originals were copied the tree was not changed yet."""
        shutil.rmtree(self.being_copied, ignore_errors=True)
        for kept in self.originals.rglob("*"):
            target = self.tree / kept.relative_to(self.originals)
            if kept.name.endswith(ABSENT):
                target.with_name(kept.name.removesuffix(ABSENT)).unlink(missing_ok=True)
            elif kept.is_file():
                if not target.exists() or target.read_bytes() != kept.read_bytes():
                    shutil.copyfile(kept, target)
        shutil.rmtree(self.originals, ignore_errors=True)

    def build_folder(self, preset):
        """Where ./dev has it in a checkout: the compiler's words are the same, so both share ccache's objects."""
        return self.tree / "build" / preset

    def program(self, preset, path):
        return self.build_folder(preset) / path

    def targets(self, preset):
        """Configures when needed; the targets that the tree has."""
        folder = self.build_folder(preset)
        if not (folder / "build.ninja").exists():
            self._run(["cmake", "--preset", preset, "-B", str(folder), "-S", str(self.tree)])
        listed = subprocess.run(["ninja", "-C", str(folder), "-t", "targets", "all"], capture_output=True, text=True)
        return {line.split(":")[0] for line in listed.stdout.splitlines() if line.endswith(": phony")}

    def build(self, targets_by_preset, jobs=2):
        """Gives the seconds it took."""
        start = time.monotonic()
        for preset, targets in sorted(targets_by_preset.items()):
            self.targets(preset)
            self._run(["ninja", "-C", str(self.build_folder(preset)), f"-j{jobs}", *sorted(targets)])
        return time.monotonic() - start

    def _run(self, command):
        environment = dict(os.environ, CCACHE_NOHASHDIR="1", CCACHE_BASEDIR=str(self.tree))
        done = subprocess.run(command, cwd=self.tree, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise DoesNotBuild(f"{' '.join(command[:5])} failed:\n{(done.stdout + done.stderr)[-3000:]}")


def apply_patch(tree, patch, name, dry_run=False):
    if not re.search(rb"(?m)^(?:---|\+\+\+) [ab]/\S", pathlib.Path(patch).read_bytes()):
        raise CannotRun(f"the patch of {name} does not apply: it changes no file")
    command = ["patch", "-p1", "--silent", "--force", "--forward", "--fuzz=0", "--no-backup-if-mismatch",
               "--reject-file=-", "-i", str(patch)] + (["--dry-run"] if dry_run else [])
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True)
    if done.returncode != 0:
        lines = (done.stdout + done.stderr).strip().splitlines() or ["patch says nothing"]
        told = [line for line in lines if re.search(r"FAILED|can't find|malformed|Reversed|garbage", line)]
        raise CannotRun(f"the patch of {name} does not apply: {(told or lines)[0].strip()}")

"""The scratch copy of the tree and its builds. It is kept between faults and between runs: a file that is the same keeps
its time stamp, so that a fault costs the build of what it changed."""

import os
import pathlib
import subprocess
import tarfile
import time

from .errors import CannotRun, DoesNotBuild
from .planting import BUILDS, apply_patch
from .tree_copy import TreeCopy
from .tree_files import digest_of, packed, unpacked


class Scratch:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.tree = self.folder / "tree"
        self.copy = TreeCopy(self.tree, left_out=(BUILDS,))
        self.archive = self.folder / "files.tar"  # what the tree was filled with
        self.mark = self.folder / "copied"  # its digest, when the tree was filled to the end

    def fill(self, files):
        self.mark.unlink(missing_ok=True)
        self.copy.hold(files)
        self.archive.write_bytes(packed(files))
        self.mark.write_text(digest_of(files))

    def copied(self):
        """The digest of the files that the tree was filled with; empty when it was not filled to the end."""
        return self.mark.read_text() if self.mark.is_file() else ""

    def plant(self, fault):
        """Returns the files that differ now, until restore()."""
        try:
            apply_patch(self.tree, fault.patch, fault.name)
        except CannotRun:
            self.restore()
            raise
        return self.copy.differences()

    def restore(self):
        """Also after any interruption, the tree holds again what it was filled with."""
        if self.copy.files is not None:
            self.copy.make_equal()
        elif self.copied():
            self.copy.hold(self.archived())

    def archived(self):
        try:
            files = unpacked(self.archive.read_bytes())
        except (OSError, tarfile.TarError):
            files = {}
        if digest_of(files) != self.copied():
            raise CannotRun(f"{self.archive} is damaged; start anew without --resume")
        return files

    def build_folder(self, preset):
        """Where ./dev has it in a checkout: the compiler's arguments are the same, so both share ccache's objects."""
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
        """Returns the seconds it took."""
        start = time.monotonic()
        for preset, targets in sorted(targets_by_preset.items()):
            self.targets(preset)
            self._run(["ninja", "-C", str(self.build_folder(preset)), f"-j{jobs}", *sorted(targets)])
        return time.monotonic() - start

    def _run(self, command):
        environment = dict(os.environ, CCACHE_NOHASHDIR="1", CCACHE_DEPEND="1", CCACHE_BASEDIR=str(self.tree))
        done = subprocess.run(command, cwd=self.tree, env=environment, capture_output=True, text=True)
        if done.returncode != 0:
            raise DoesNotBuild(f"{' '.join(command[:5])} failed:\n{(done.stdout + done.stderr)[-3000:]}")

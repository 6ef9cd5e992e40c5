"""A folder that holds just the files that it was given, and is brought back to that whatever was done to it: by a patch,
of which only the program `patch` can tell all that it changes, or by a program that ran there."""

import os
import pathlib
import stat

from .tree_files import entries


class TreeCopy:
    """`files`: as in tree_files.py, None until they are known. `left_out`: entries of the folder's top that are ignored."""

    def __init__(self, folder, left_out=()):
        self.folder, self.left_out, self.files = pathlib.Path(folder), left_out, None
        self.stamps = {}  # of files that were found equal
        self.folder.mkdir(parents=True, exist_ok=True)

    def hold(self, files):
        self.files = files
        self.parents = {str(parent) for relative in files for parent in pathlib.PurePosixPath(relative).parents}
        self.stamps = {}
        self.make_equal()

    def differences(self):
        """The paths in which the folder differs from its files: changed, made, gone, of another mode."""
        extra, _, unlike = self._compare()
        return sorted(extra + unlike)

    def make_equal(self):
        """Returns what was different. It has a new time stamp: what was built from it is older."""
        extra, strays, unlike = self._compare()
        for relative in extra:
            os.unlink(self.folder / relative)
        for relative in strays:
            os.rmdir(self.folder / relative)
        for relative in unlike:
            self._write(self.folder / relative, *self.files[relative])
        return sorted(extra + unlike)

    def _compare(self):
        """Files that ought not to be there, folders that ought not, files that are not as they ought to be."""
        extra, strays, there = [], [], set()
        for relative, entry in entries(self.folder, self.left_out):
            if entry.is_dir(follow_symlinks=False):
                strays += [relative] if relative not in self.parents else []
            elif relative not in self.files:
                extra.append(relative)
            elif self._is_alike(relative, entry):
                there.add(relative)
        return extra, strays, [relative for relative in self.files if relative not in there]

    def _is_alike(self, relative, entry):
        found, (content, executable) = entry.stat(follow_symlinks=False), self.files[relative]
        stamp = (found.st_ctime_ns, found.st_ino, found.st_size, found.st_mode)
        if self.stamps.get(relative) == stamp:
            return True
        if not stat.S_ISREG(found.st_mode) or bool(found.st_mode & 0o100) != executable:
            return False
        with open(entry.path, "rb") as file:
            if file.read() != content:
                return False
        self.stamps[relative] = stamp
        return True

    @staticmethod
    def _write(path, content, executable):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_symlink() or not path.is_file() or path.read_bytes() != content:
            if os.path.lexists(path):
                path.unlink()
            path.write_bytes(content)
        path.chmod(0o755 if executable else 0o644)

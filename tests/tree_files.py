# SPDX-License-Identifier: MIT
"""The files of a tree: those that git knows or would take, or, without git or a checkout, all but what is built."""
import os
import subprocess


def of_git(root):
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], check=True,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, universal_newlines=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return []
    return [path for path in listed.split("\n") if path]


def of_folders(root):
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in ("build", "env", ".git", "__pycache__")]
        found += [os.path.relpath(os.path.join(folder, name), root).replace(os.sep, "/") for name in names]
    return found


def files_of(root):
    checkout = os.path.exists(os.path.join(root, ".git"))
    found = (of_git(root) if checkout else []) or of_folders(root)
    return sorted({path for path in found if os.path.isfile(os.path.join(root, path))})

#!/usr/bin/env python3
"""T59: a ledger on a network disk. Usage: network_disk.py BUILD SHIM

The shim tells dpsql on which kind of disk its ledger would lie: on those of a network no question
is answered, nothing is made and the exit code is 5; on a local one it is.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
NETWORK = {"NFS": "6969", "SMB": "517b", "CIFS": "ff534d42", "SMB2": "fe534d42", "Ceph": "c36400",
           "AFS": "5346414f", "kAFS": "6b414653", "Coda": "73757245", "Lustre": "bd00bd0",
           "GPFS": "47504653", "9p": "1021997", "vboxsf": "786f4256", "GFS2": "1161970",
           "OCFS2": "7461636f", "BeeGFS": "19830326", "OrangeFS": "20030528",
           "PanFS": "aad7aaea", "NCP": "564c"}
LOCAL = {"ext4": "ef53", "XFS": "58465342", "tmpfs": "1021994"}


def main():
    build, shim = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
    folder = pathlib.Path(tempfile.mkdtemp())
    subprocess.run([build / "tools/duckdb-load", "shop.duckdb", SOURCE / "tools/demo/shop.sql"],
                   cwd=folder, check=True)
    shutil.copy(SOURCE / "tools/demo/shop.toml", folder)
    failures = []

    def ask(name, kind):
        environment = {**os.environ, "LD_PRELOAD": str(shim), "DISK_KIND": kind}
        return subprocess.run(
            [build / "dpsql", "shop.duckdb", "--policy", "shop.toml", "--ledger",
             f"{name}.ledger", "-c", "SELECT count(*) FROM customer"],
            cwd=folder, env=environment, capture_output=True, text=True, timeout=60)

    def examined(kind):
        """What `dpsql doctor` says of it."""
        environment = {**os.environ, "LD_PRELOAD": str(shim), "DISK_KIND": kind}
        return subprocess.run(
            [build / "dpsql", "doctor", "shop.duckdb", "--policy", "shop.toml", "--ledger",
             "none.ledger"],
            cwd=folder, env=environment, capture_output=True, text=True, timeout=60).stdout

    for name, kind in NETWORK.items():
        if "is on a network disk" not in examined(kind):
            failures.append(f"{name}: {examined(kind)}")
        done = ask(name, kind)
        if done.returncode != 5 or "a network disk cannot hold" not in done.stderr:
            failures.append(f"{name}: exit {done.returncode}, {done.stdout}{done.stderr}")
        failures += [f"{path.name} was made" for path in folder.glob(f"{name}.ledger*")]
    for name, kind in LOCAL.items():
        done = ask(name, kind)
        if done.returncode != 0 or not (folder / f"{name}.ledger").exists():
            failures.append(f"{name}: exit {done.returncode}, {done.stdout}{done.stderr}")
    shutil.rmtree(folder)
    for failure in failures:
        print(f"FAILED: {failure}")
    print(f"{len(NETWORK)} kinds of network disk, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

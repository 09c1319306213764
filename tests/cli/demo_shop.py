"""The shop of `dpsql demo` in a folder, as shop.duckdb and shop.toml."""

import subprocess


def make_shop(source, build, folder):
    demo = source / "tools/demo"
    subprocess.run([build / "tools/duckdb-load", "shop.duckdb", demo / "shop.sql"], cwd=folder,
                   check=True, capture_output=True, timeout=60)
    (folder / "shop.toml").write_text((demo / "shop.toml").read_text())

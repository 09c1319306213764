"""The part of a build backend that `pip download` calls, and nothing more.

pip asks every source archive for its metadata before it keeps the file. We want one header out of
the archive and never build it, so this answers with the least metadata there is: no compiler, no
CMake and no further package is fetched or run.
"""

from pathlib import Path

_DIST_INFO = "duckdb-1.5.6.dist-info"
_METADATA = "Metadata-Version: 2.1\nName: duckdb\nVersion: 1.5.6\n"


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    dist_info = Path(metadata_directory) / _DIST_INFO
    dist_info.mkdir(parents=True, exist_ok=True)
    (dist_info / "METADATA").write_text(_METADATA, encoding="utf-8")
    return _DIST_INFO


def get_requires_for_build_wheel(config_settings=None):
    return []


def _refuse(*_args, **_kwargs):
    raise RuntimeError("this stand-in builds nothing")


build_editable = _refuse
build_sdist = _refuse
build_wheel = _refuse
get_requires_for_build_editable = get_requires_for_build_wheel
get_requires_for_build_sdist = get_requires_for_build_wheel
prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel

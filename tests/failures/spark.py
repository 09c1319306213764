#!/usr/bin/env python3
"""A Spark server that fails in the middle of a question. Usage: spark.py BUILD

Cut off, behind a line that drops all without a word, too slow, without room for what it shuffles,
stopped, killed: each time `dpsql` itself must say one fixed text, exit with 4 within seconds, and keep
what was paid. Ctrl-C ends the question on the server too. Runs under a Python that has pyspark,
for its jars. Exits with 77, which ctest shows as skipped, where Spark, Java or the driver is missing.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from house import (ENDLESS, FAILED, GROUPED, House, TOO_LONG, check_failed, check_interrupted,
                   in_a_network_of_its_own, make_files, set_loopback, wait_for)
from proxy import Proxy
from spark_process import SparkServer, url, why_not

SKIPPED = 77
TIMEOUT_SECONDS = 12  # with what a session of Spark needs before its first statement
HASTY = f'timeout = "{TIMEOUT_SECONDS} s"'


def under_way(house, server):
    """A question that the server works on, when it was paid, and the budget before it."""
    before = house.budget()
    running = house.start(ENDLESS)
    wait_for(lambda: house.is_paid(before), "the question is paid", 60)
    paid = time.monotonic()
    # What a session begins with takes a second or two; nothing but the question takes longer.
    time.sleep(4)
    wait_for(lambda: server.load() > 0.3, "the server works on it", 60)
    return running, paid, before


def wait_until_idle(server):
    wait_for(lambda: server.load() < 0.15, "nothing runs on the server", 15)


def cut_off(house, server, proxy):
    running, _, before = under_way(house, server)
    since = time.monotonic()
    proxy.cut()
    return check_failed(house, running, before, since, FAILED)


def dropped(house, server):
    """Nothing passes on the line any more, and nobody says so."""
    running, _, before = under_way(house, server)
    since = time.monotonic()
    set_loopback("down")
    took = check_failed(house, running, before, since, FAILED)
    assert "cannot be reached" in house.incidents(), house.incidents()
    return took


def interrupted(house, server):
    running, _, before = under_way(house, server)
    took = check_interrupted(house, running, before)
    wait_until_idle(server)
    return took


def too_slow(house, server):
    running, paid, before = under_way(house, server)
    took = check_failed(house, running, before, paid + TIMEOUT_SECONDS, TOO_LONG)
    wait_until_idle(server)
    return took


def stopped(house, server):
    running, paid, before = under_way(house, server)
    with server.stopped():
        return check_failed(house, running, before, paid + TIMEOUT_SECONDS, TOO_LONG)


def without_disk(house, server):
    house.answers()  # with all that Spark writes but the shuffle
    before = house.budget()
    with server.full_disk(1 << 12):
        running = house.start(GROUPED)
        wait_for(lambda: server.log.no_room or running.has_ended(), "the disk is full", 60)
        assert server.log.no_room, "it ended before the server had no room"
        took = check_failed(house, running, before, server.log.no_room, FAILED)
    assert "File too large" in house.incidents(), house.incidents()
    return took


def killed(house, server):
    running, _, before = under_way(house, server)
    since = time.monotonic()
    server.process.kill()
    return check_failed(house, running, before, since, FAILED)


def house_of(build, folder, address, query=""):
    return House(build, folder, url(address), query=query,
                 source=f'source = "{folder.parent}/visit.parquet"')


def check_first(build, folder, server):
    house = house_of(build, folder / "house", server.address)
    yield "without room for the shuffle", without_disk(house, server)
    hasty = house_of(build, folder / "hasty", server.address, HASTY)
    yield "too slow", too_slow(hasty, server)
    yield "Ctrl-C", interrupted(house, server)
    with Proxy(("127.0.0.1", 0), server.address) as proxy:
        yield "cut off", cut_off(house_of(build, folder / "far", proxy.address), server, proxy)


def check_dropped(build, folder, server):
    yield "dropped", dropped(house_of(build, folder / "silent", server.address), server)


def check_stopped(build, folder, server):
    hasty = house_of(build, folder / "stopped", server.address, HASTY)
    yield "stopped", stopped(hasty, server)


def check_server_killed(build, folder, server):
    yield "server killed", killed(house_of(build, folder / "killed", server.address), server)


# A server that could not be told goes on with the question: the next one has a new server.
CHECKS = (check_first, check_stopped, check_server_killed)


def run(build, folder, checks):
    for check in checks:
        with SparkServer(folder / check.__name__) as server:
            for what, took in check(build, folder, server):
                print(f"{what}: {took:.1f} s", flush=True)


def main(build, alone=""):
    build = Path(build).resolve()
    if alone:
        set_loopback("up")
        run(build, Path(alone), (check_dropped,))
        return 0
    if why_not():
        print(f"skipped: {why_not()}")
        return SKIPPED
    if subprocess.run([build / "tests/spark_engine_test", "--has-driver"], check=False).returncode != 0:
        print("skipped: there is no ADBC driver for Spark; run tools/bootstrap/bootstrap.sh --spark")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(build, folder)
        if not in_a_network_of_its_own(__file__, build, folder):
            print("dropped: skipped, there is no network of its own")
        run(build, folder, CHECKS)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

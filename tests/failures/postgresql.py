#!/usr/bin/env python3
"""A PostgreSQL server that fails in the middle of a question. Usage: postgresql.py BUILD

Mute before it is asked, killed, ended by an administrator, cut off, behind a line that drops all,
stopped, too slow, and without room on its disk: each time `dpsql` itself must say one fixed text, exit
with 4 within seconds, and keep what was paid. Ctrl-C ends the question on the server too. Exits with 77,
which ctest shows as skipped, where no server is installed.
"""

import sys
import tempfile
import time
from pathlib import Path

from house import (COUNTED, ENDLESS, FAILED, GROUPED, House, TOO_LONG, check_failed, check_interrupted,
                   check_killed, in_a_network_of_its_own, make_files, set_loopback, wait_for)
from postgresql_server import PostgreSqlServer, url, why_not
from proxy import Proxy

SKIPPED = 77
TIMEOUT_SECONDS = 2
HASTY = f'timeout = "{TIMEOUT_SECONDS} s"'
# A machine that is busy may need more than the first until the server is seen at work.
STOPPED_AFTER_SECONDS = (3, 12, 48)


def under_way(house, server, sql=ENDLESS):
    """A question that the server works on, and the budget before it."""
    before = house.budget()
    running = house.start(sql)
    wait_for(lambda: running.has_ended() or house.is_paid(before) and server.is_running(),
             "the server works on it")
    return running, before


def wait_until_idle(server):
    wait_for(lambda: not server.is_running(), "nothing runs on the server", 5)


def ended_by_an_administrator(house, server, function, words):
    running, before = under_way(house, server)
    since = time.monotonic()
    server.end_ours(function)
    took = check_failed(house, running, before, since, FAILED)
    assert words in house.incidents(), house.incidents()
    wait_until_idle(server)
    return took


def cut_off(house, server, proxy):
    running, before = under_way(house, server)
    since = time.monotonic()
    proxy.cut()
    took = check_failed(house, running, before, since, FAILED)
    wait_until_idle(server)
    return took


def mute_after_the_schema(house, proxy, seconds, message):
    """Nobody answers the connection of the question itself, which is paid meanwhile."""
    before = house.budget()
    running = house.start(COUNTED)
    wait_for(lambda: proxy.mute_since or running.has_ended(), "the question connects")
    return check_failed(house, running, before, proxy.mute_since + seconds, message)


def interrupted_while_it_connects(house, proxy):
    before = house.budget()
    running = house.start(COUNTED)
    wait_for(lambda: house.is_paid(before), "the question is paid")
    # Sooner than the connection is given up.
    took = check_interrupted(house, running, before, 2)
    assert proxy.mute_since
    return took


def interrupted(house, server):
    running, before = under_way(house, server)
    took = check_interrupted(house, running, before)
    wait_until_idle(server)
    return took


def stopped(house_of, server):
    for seconds in STOPPED_AFTER_SECONDS:
        house = house_of(f"stopped{seconds}", query=f'timeout = "{seconds} s"')
        running, before = under_way(house, server)
        with server.stopped():
            if running.has_ended():
                continue
            # The limit counts from the payment on, which was before now.
            took = check_failed(house, running, before, time.monotonic() + seconds, TOO_LONG)
        wait_until_idle(server)
        return took
    raise AssertionError("the server was never seen at work")


def too_slow(house, server):
    before = house.budget()
    running = house.start(ENDLESS)
    wait_for(lambda: house.is_paid(before), "the question is paid")
    took = check_failed(house, running, before, time.monotonic() + TIMEOUT_SECONDS, TOO_LONG)
    wait_until_idle(server)
    return took


def without_disk(house, server):
    before = house.budget()
    with server.full_disk():
        running = house.start(GROUPED)
        took = check_failed(house, running, before, running.started, FAILED)
    assert "File too large" in house.incidents(), house.incidents()
    return took


def program_killed(house, server):
    check_killed(house)
    wait_until_idle(server)
    return 0.0


def killed(house, server):
    running, before = under_way(house, server)
    since = time.monotonic()
    server.kill()
    return check_failed(house, running, before, since, FAILED)


def check_all(build, folder, server):
    def house_of(name, address=server.folder, query=""):
        return House(build, folder / name, url(address), query=query)

    house, hasty = house_of("house"), house_of("hasty", query=HASTY)
    (folder / "line").mkdir()
    with Proxy(f"{folder}/line/.s.PGSQL.5432", f"{server.folder}/.s.PGSQL.5432") as proxy:
        yield "cut off", cut_off(house_of("far", folder / "line"), server, proxy)
    for place, query, check in (
            ("mute", "", lambda *of: mute_after_the_schema(*of, 0, FAILED)),
            ("late", HASTY, lambda *of: mute_after_the_schema(*of, TIMEOUT_SECONDS, TOO_LONG)),
            ("told", "", interrupted_while_it_connects)):
        (folder / place).mkdir()
        with Proxy(f"{folder}/{place}/.s.PGSQL.5432", f"{server.folder}/.s.PGSQL.5432", 1) as proxy:
            asked = house_of(f"{place}-house", folder / place, query)
            yield f"{place} while it connects", check(asked, proxy)
    yield "backend ended", ended_by_an_administrator(house, server, "pg_terminate_backend",
                                                     "administrator command")
    yield "statement cancelled", ended_by_an_administrator(house, server, "pg_cancel_backend",
                                                           "user request")
    yield "too slow", too_slow(hasty, server)
    yield "stopped", stopped(house_of, server)
    yield "Ctrl-C", interrupted(house, server)
    yield "no room on the disk", without_disk(house, server)
    yield "program killed", program_killed(house, server)
    house.answers()
    yield "server killed", killed(house, server)


def dropped(build, folder):
    """Nothing passes on the line any more, and nobody says so. In a network of its own."""
    set_loopback("up")
    settings = ("autovacuum=off", "work_mem=64kB", "listen_addresses=127.0.0.1")
    with PostgreSqlServer(folder / "server", settings) as server:
        server.load(folder / "visit.csv")
        house = House(build, folder / "house", "postgresql://reader@127.0.0.1/postgres")
        running, before = under_way(house, server)
        since = time.monotonic()
        set_loopback("down")
        took = check_failed(house, running, before, since, FAILED)
        assert "timed out" in house.incidents(), house.incidents()
    print(f"dropped: {took:.1f} s")


def main(build, only=""):
    build = Path(build).resolve()
    if why_not():
        print(f"skipped: {why_not()}")
        return SKIPPED
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        make_files(build, folder)
        if only:
            dropped(build, folder)
            return 0
        in_a_network_of_its_own(__file__, build, "dropped")
        with PostgreSqlServer(folder / "server") as server:
            server.load(folder / "visit.csv")
            for what, took in check_all(build, folder, server):
                print(f"{what}: {took:.1f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

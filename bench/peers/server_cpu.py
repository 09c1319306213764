"""What a server takes, whose work is not in the process that asks it."""
import os
import pathlib

TICKS = os.sysconf("SC_CLK_TCK")


def seconds_below(process):
    """CPU time of a process, of all below it, and of those of them that ended and were waited for."""
    while True:
        before, after = times_below(process), times_below(process)
        if before.keys() == after.keys():  # else one of them ended between two readings
            return sum(before.values()) / TICKS


def times_below(process):
    """Process to its ticks. Fields of proc(5), stat: parent, utime, stime, cutime, cstime."""
    parents, times = {}, {}
    for file in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text(encoding="ascii", errors="replace").rpartition(")")[2].split()
        except OSError:  # it ended
            continue
        number = int(file.parent.name)
        parents[number], times[number] = int(fields[1]), sum(map(int, fields[11:15]))
    return {number: ticks for number, ticks in times.items() if is_below(number, process, parents)}


def is_below(number, process, parents):
    while number != process and number in parents:
        number = parents[number]
    return number == process

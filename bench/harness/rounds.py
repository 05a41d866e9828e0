"""Interleaved rounds: in every round, each host is asked for samples of each of its series.

A host is a process that answers one line with one line. The order is shuffled in each round, so that all series meet the
same noise, and only one host works at a time.
"""
import collections
import os
import random
import subprocess
import time

Series = collections.namedtuple("Series", "name host ask samples every")
# name: `scenario/by-whom`; ask: what to ask the host for; every: 3 means only in every third round.


class Host:
    """A process that answers each line with one line."""

    def __init__(self, argv, env=None):
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer or answer == "unknown":
            raise RuntimeError(f"{self.process.args[0]}: no answer to {line!r}")
        return answer

    def cpu(self):
        """The CPU ticks that the process and its finished children have used."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            return sum(int(x) for x in stat.read().rsplit(")", 1)[1].split()[11:15])

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Noise:
    """CPU time used by others during the run, in percent of all cores: other processes, and other guests of the hypervisor."""

    def __init__(self, hosts):
        self.hosts = hosts
        self.start = self.now()

    def now(self):
        with open("/proc/stat") as stat:
            ticks = [int(x) for x in stat.readline().split()[1:9]]
        own = sum(os.times()[:2]) * os.sysconf("SC_CLK_TCK") + sum(host.cpu() for host in self.hosts)
        busy = sum(ticks[:3]) + ticks[5] + ticks[6]
        return sum(ticks), busy - own, ticks[7]

    def percent(self):
        total, others, stolen = (b - a for a, b in zip(self.start, self.now()))
        return {"others": round(100 * max(0, others) / total, 1), "stolen": round(100 * stolen / total, 1)}


def run(hosts, series, rounds, seconds, progress, seed=1):
    """Samples by series and round, in nanoseconds. Ends after that many rounds or seconds; the first round only warms up."""
    rng = random.Random(seed)
    samples = {one.name: {} for one in series}
    for one in series:
        hosts[one.host].ask(f"{one.ask} 1")
    end = time.monotonic() + seconds
    for number in range(rounds):
        if time.monotonic() > end:
            break
        order = [one for one in series if number % one.every == 0]
        rng.shuffle(order)
        for one in order:
            answer = hosts[one.host].ask(f"{one.ask} {one.samples}")
            samples[one.name][number] = [float(x) for x in answer.split()]
        progress(number + 1)
    return samples

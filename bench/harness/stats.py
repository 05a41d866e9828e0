"""Medians, p99 and their confidence intervals. Nothing here assumes a shape of the noise."""
import math
import random

RESAMPLES = 600


def quantile(values, share):
    """The smallest value for which at least that share of all values is not larger."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, math.ceil(share * len(ordered)) - 1))]


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def median_interval(values):
    """The 95 % interval by order statistics: the number of values below the median has a binomial distribution."""
    ordered = sorted(values)
    spread = 1.96 * math.sqrt(len(ordered)) / 2
    low = max(0, math.floor(len(ordered) / 2 - spread))
    high = min(len(ordered) - 1, math.ceil(len(ordered) / 2 + spread))
    return ordered[low], ordered[high]


def ratio_interval(rounds, base_rounds, seed=1):
    """The ratio of two medians with its 95 % interval, by resampling rounds that both took part in.

    Both arguments map the number of a round to its samples. A round is drawn for both at once, because both met the same
    noise in it.
    """
    shared = sorted(rounds.keys() & base_rounds.keys())
    if not shared:
        return None
    rng = random.Random(seed)

    def ratio(numbers):
        return (median([x for n in numbers for x in rounds[n]])
                / median([x for n in numbers for x in base_rounds[n]]))

    found = [ratio(rng.choices(shared, k=len(shared))) for _ in range(RESAMPLES)]
    return ratio(shared), quantile(found, 0.025), quantile(found, 0.975)

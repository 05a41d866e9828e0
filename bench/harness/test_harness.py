"""Tests of the harness: statistics, verdicts, and that the page shows the results.

    python3 -m unittest discover -s bench -p 'test_*.py' -t bench
"""
import random
import unittest

from harness import counts, report, stats, table


class Statistics(unittest.TestCase):
    def test_quantiles_are_values_that_were_measured(self):
        for values, share, want in [([3, 1, 2], 0.5, 2), ([1, 2, 3, 4], 0.99, 4), (list(range(1, 101)), 0.99, 99), ([7], 0.01, 7)]:
            self.assertEqual(stats.quantile(values, share), want)

    def test_median_interval_holds_the_median(self):
        values = list(range(101))
        self.assertEqual(stats.median(values), 50)
        low, high = stats.median_interval(values)
        self.assertTrue(35 <= low < 50 < high <= 65, (low, high))

    def test_median_interval_covers_in_19_of_20_runs(self):
        rng = random.Random(7)
        runs = [stats.median_interval([rng.expovariate(1) for _ in range(60)]) for _ in range(400)]
        covered = sum(low <= 0.6931 <= high for low, high in runs) / len(runs)
        self.assertGreater(covered, 0.92)

    def test_ratio_cancels_what_both_met(self):
        rng = random.Random(3)
        noise = {n: rng.uniform(1, 3) for n in range(200)}
        ratio, low, high = stats.ratio_interval({n: [2 * x] for n, x in noise.items()}, {n: [x] for n, x in noise.items()})
        self.assertAlmostEqual(ratio, 2)
        self.assertAlmostEqual(low, 2)
        self.assertAlmostEqual(high, 2)

    def test_ratio_needs_shared_rounds(self):
        self.assertIsNone(stats.ratio_interval({0: [1]}, {1: [1]}))


class Counts(unittest.TestCase):
    def test_what_fails_and_what_is_told(self):
        for note, was, now, want in [
            ("the same", 1000, 1000, None),
            ("less than five percent more is let pass", 1000, 1049, None),
            ("six percent more fails", 1000, 1060, True),
            ("a little less is not worth a word", 1000, 951, None),
            ("six percent fewer are told", 1000, 940, False),
        ]:
            with self.subTest(note):
                found = list(counts.compare({"path": was}, {"path": now}))
                self.assertEqual([is_failure for _, is_failure in found], [] if want is None else [want])

    def test_paths_that_come_or_go_fail(self):
        self.assertEqual([f for _, f in counts.compare({"old": 1}, {"new": 1})], [True, True])


class Report(unittest.TestCase):
    def test_verdicts(self):
        for note, args, want in [
            ("clearly under", (0.9, 0.8, 0.95, 1), "yes"),
            ("clearly over", (1.2, 1.1, 1.3, 1), "**no**"),
            ("under, but the interval reaches over", (0.98, 0.9, 1.1, 1), "yes (within noise)"),
            ("over, but the interval reaches under", (1.02, 0.9, 1.1, 1), "**no** (within noise)"),
        ]:
            with self.subTest(note):
                self.assertEqual(report.verdict(*args), want)

    def test_rows_name_series_that_somebody_measures(self):
        known = {one.name for one in table.all_series(True)}
        for row in table.ROWS:
            if row.unit != "MB":
                self.assertIn(row.measured, known)

    def test_page_and_results_agree(self):
        for path, text in report.files():
            with self.subTest(path), open(path) as file:
                self.assertEqual(file.read(), text, "run bench/report")


if __name__ == "__main__":
    unittest.main()

"""Whether luck decides about a mark: a grader's draws of each task, and its right answers on each of them.

python -m tests.luck [SEEDS [TASK ...]]
"""

import sys
from collections.abc import Iterator

from coursekit.checking.judge import judge
from coursekit_grade.edges import called
from tests.checking.judging import EXERCISES, RIGHT, defined


def unlucky(name: str, seeds: range) -> Iterator[str]:
    """What went wrong: a seed without cases, or on whose cases a right answer is refused."""
    answers = [EXERCISES[name].right, *(defined(name, source) for task, source in RIGHT if task == name)]
    for seed in seeds:
        try:
            task, _ = EXERCISES[name].fresh(seed)
        except ValueError as error:
            yield f"{name}, seed {seed}: {error}"
            continue
        for k, answer in enumerate(answers):
            if said := judge(task, called(answer, task.cases), tell=False).sentence:
                yield f"{name}, seed {seed}, right answer {k}: {said}"


def main(seeds: str = "2000", *names: str) -> None:
    found = 0
    for name in names or EXERCISES:
        for wrong in unlucky(name, range(int(seeds))):
            print(wrong, flush=True)
            found += 1
        print(f"{name}: {seeds} seeds", flush=True)
    sys.exit(found > 0)


if __name__ == "__main__":
    main(*sys.argv[1:])

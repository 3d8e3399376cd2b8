"""Whoever hands in again meets other cases; a run that goes on, and who changed nothing, the same ones."""

from coursekit_grade import classroom
from coursekit_grade.changes import marks
from coursekit_grade.classroom import Results, grade_class
from coursekit_grade.intake import Submission
from tests.grading.stand_in import stand_in


class Seeds:
    """A course that keeps which seeds were drawn from."""

    assignment = "01-topic"

    def __init__(self):
        self.points, self.seeds = {"01-topic": {"update": 2}}, []

    def drawn(self, assignment, seed):
        self.seeds.append(seed)
        return self


def run(out, found, finish=True):
    course, results = Seeds(), Results(out, 7)
    done = [g for g, _ in grade_class(found, course, results, sandbox=False, executor=Here())]
    if finish:
        results.finish(marks(done), [])
    return course.seeds


class Here(classroom.Executor):
    def submit(self, call, *given, **named):
        future = classroom.Future()
        future.set_result(stand_in(*given, **named))
        return future


def handed_in(student, source):
    return Submission(student, "", "1.ipynb", "01-topic", digest=classroom._digest(source), read=lambda: source)


def test_whoever_hands_in_again_meets_other_cases(tmp_path):
    ann, bo, again = handed_in("Ann", b"1"), handed_in("Bo", b"1"), handed_in("Ann", b"2")
    assert run(tmp_path / "out", [ann, bo], finish=False) == [7, 7]
    assert run(tmp_path / "out", [again, bo]) == [7]  # what came of the first was in no finished run
    assert run(tmp_path / "out", [again, bo]) == []
    third = [handed_in("Ann", b"0"), handed_in("Cy", b"0")]
    (new, first) = run(tmp_path / "out", third, finish=False)
    assert (new != 7, first) == (True, 7)
    assert run(tmp_path / "out", [*third, handed_in("Ann", b"3")]) == [new]  # goes on with what it drew
    [newer] = run(tmp_path / "out", [handed_in("Ann", b"4")])
    assert newer not in (7, new)

"""The tasks of the course, by assignment. An assignment has its name from its folder."""

from coursekit.grading.task import Task
from coursekit.grading.tasks import perceptron

ASSIGNMENTS: dict[str, tuple[Task, ...]] = {"02-perceptron": perceptron.TASKS}

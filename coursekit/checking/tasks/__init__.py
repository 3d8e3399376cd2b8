"""The tasks of the course, by assignment. An assignment has its name from its folder."""

from coursekit.checking.tasks import (
    descent,
    linear_classifiers,
    losses,
    multiclass,
    perceptron,
    real_data,
    regularization,
    sgd,
    svm,
)
from coursekit.checking.tasks.judge import Task

ASSIGNMENTS: dict[str, tuple[Task, ...]] = {
    "01-linear-classifiers": linear_classifiers.TASKS,
    "02-perceptron": perceptron.TASKS,
    "03-losses": losses.TASKS,
    "04-gradient-descent": descent.TASKS,
    "05-stochastic-gradient-descent": sgd.TASKS,
    "06-regularization": regularization.TASKS,
    "07-support-vector-machines": svm.TASKS,
    "08-multiclass": multiclass.TASKS,
    "09-real-data": real_data.TASKS,
}

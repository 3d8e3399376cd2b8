"""What a solver cannot take it names: the argument, the rule and what came."""

from functools import partial

import numpy as np
from sklearn.svm import SVC

import coursekit as ck
from coursekit.core.steps import Schedule
from tests.faults import faults, refused

X, Y = [[0.0, 1.0], [1.0, 0.0], [2.0, 2.0]], [-1, 1, 1]
HUGE = [[1e200, 0.0], [1.0, 0.0], [2.0, 2.0]]
ETA = ck.steps.constant(0.1)
RISK = ck.Objective(X, Y, loss=ck.losses.squared, penalty=ck.penalties.lq(0.7))
descend = partial(ck.gradient_descent, RISK, ETA)
BLOBS, IRIS = ck.datasets.blobs(20), ck.datasets.load("iris")


@faults(__file__)
def test_bad_arguments_are_named(call, said, error):
    refused(call, said, error, globals(), np=np, SVC=SVC, steps=ck.steps, Schedule=Schedule)

"""Shared by the tests of plots."""

import matplotlib.pyplot as plt
import pytest


@pytest.fixture
def ax():
    yield plt.subplots(figsize=(7, 6))[1]
    plt.close("all")

"""Cases that are drawn for tasks: exact, with both classes, and with as many ties as were asked for."""

import numpy as np
import pytest

from coursekit_grade.draws import labels, quarters, scene


@pytest.mark.parametrize(("n", "d", "ties"), [(5, 2, 0), (6, 2, 2), (4, 1, 1), (7, 4, 3)])
def test_draws(n, d, ties):
    seen = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        drawn, y = quarters(rng, n, d), labels(rng, n)
        assert drawn.shape == (n, d)
        assert np.array_equal(drawn * 4, np.round(drawn * 4))
        assert set(y) == {-1.0, 1.0}
        assert len(y) == n
        X, theta = scene(rng, n, d, ties)
        assert ((X @ theta[:-1] + theta[-1] == 0) == (np.arange(n) < ties)).all()
        unit = theta / np.linalg.norm(theta[:-1])
        assert (X[:ties] @ unit[:-1] + unit[-1] == 0).all()
        assert len(set(theta)) == d + 1
        assert d == 1 or {*np.sign(theta[:-1])} >= {-1.0, 1.0}
        assert abs(theta[:-1].sum()) >= 0.5
        seen.append((drawn.min(), drawn.max(), y[0], y[-1]))
    assert np.ptp(seen, axis=0).all()
    assert (min(low for low, *_ in seen), max(high for _, high, *_ in seen)) == (-2, 2)

"""The solutions against coursekit, scikit-learn, differences and searches, and what the text promises of the cases."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime, minimize_scalar
from sklearn.linear_model import Lasso, LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import coursekit as ck
from coursekit.algorithms.multiclass import Votes
from tests.checking.judging import HOME, SEEDS, drawn

approx = pytest.approx


def solved(name):
    return HOME[name].space[name]


@pytest.fixture(params=SEEDS)
def task(request):
    return lambda name: drawn(name, request.param)


@pytest.fixture
def cases(task):
    """cases(name): those of a task, each with what the solution returns as its last."""
    return lambda name: [(*case, solved(name)(*case)) for case in task(name).cases]


def scores(X, theta):
    return X @ theta[:-1] + theta[-1]


def test_01_linear_classifiers(task):
    nearest = 0
    for X, _, theta, offset in task("cell").cases:
        f = X @ theta + offset
        ways = np.abs(f) / np.hypot(*X.T)
        assert f.all()
        assert np.diff(np.sort(ways))[0] > 0.04
        nearest += ways.argmin() != np.abs(f).argmin()
    assert nearest >= 4
    ties = [y[scores(X, theta) == 0] for X, y, theta in task("training_error").cases]
    assert set(np.concatenate(ties)) == {-1.0, 1.0}
    assert {len(X) for X, _ in task("decision").cases} > {1}


def test_02_perceptrons_cycles_and_bounds_are_those_of_coursekit(cases):
    for X, y, passes, (thetas, mistakes, made) in cases("perceptron"):
        trace = ck.perceptron(X, y, passes)
        k = trace.mistakes
        assert np.array_equal(thetas[:k], trace.thetas)
        assert np.array_equal(mistakes[:k], trace.visits[trace.when])
        assert trace.cycle or (len(thetas) == k and made == trace.passes)
    for X, y, passes, length in cases("cycle"):
        assert length == ck.perceptron(X, y, passes).cycle
    for X, y, theta, (R, gamma, limit) in cases("bound"):
        best = ck.mistake_bound(X, y)
        assert approx(best.R) == R
        assert gamma <= best.gamma * (1 + 1e-12) or gamma <= 0
        assert gamma == approx(min(y * scores(X, theta)) / np.sqrt(theta @ theta))
        assert limit == (approx(R**2 / gamma**2) if gamma > 0 else np.inf)
    for X, y, (order, mistakes) in cases("worst_order"):
        assert ck.perceptron(X, y, 99, order=[int(i) for i in order]).mistakes == mistakes
        assert mistakes <= ck.mistake_bound(X, y).mistakes * (1 + 1e-9)


def test_02_cases(task):
    signs = [(np.sign(y * scores(x, theta)), y) for theta, x, y in task("update").cases]
    assert set(signs) >= {(0.0, -1.0), (0.0, 1.0)}
    assert {sign for sign, _ in signs} == {-1.0, 0.0, 1.0}
    assert {np.sign(min(y * scores(X, theta))) for X, y, theta in task("bound").cases} == {-1.0, 0.0, 1.0}
    assert {length for [length] in task("cycle").right} > {None, 1}
    assert all(set(y) == {-1.0, 1.0} for _, y, _ in task("first_fault").cases)
    faults = [visit for visit, _ in task("first_fault").right]
    assert min(faults) == 0 < 3 < max(faults)
    assert {bool(harmless) for _, harmless in task("ripple").right} == {True, False}


def test_03_losses_and_slopes_are_those_of_coursekit_and_differences(cases):
    for y, f, parts in cases("losses"):
        for loss, part in zip(ck.losses.KNOWN.values(), parts, strict=True):
            assert_allclose(part, loss(y * f))
    derived = lambda z: max(0.0, 1 - z[0]) ** 2, lambda z: np.exp(-z[0]), lambda z: np.log2(1 + np.exp(-z[0]))
    for z, parts in cases("slopes"):
        for loss, part in zip(derived, parts, strict=True):
            assert_allclose(part, [approx_fprime([v], loss, 1e-7)[0] for v in z], rtol=1e-5, atol=1e-5)
    for X, y, theta, (wrong, total, most) in cases("error_bound"):
        assert wrong <= most <= total == ck.Objective(X, y, offset=False).value(theta) * len(y)
    for X, y, eta, steps, theta in cases("walk"):
        path = ck.gradient_descent(ck.Objective(X, y), ck.steps.constant(eta), steps)
        np.testing.assert_array_equal(theta, path.thetas[min(steps, len(path.thetas) - 1)])
    for X, y, theta, (pulls, _, _) in cases("hardest_pull"):
        slopes = [ck.Objective(X, y).slope_at(theta, i) for i in range(len(y))]
        assert_allclose(pulls, np.linalg.norm(slopes, axis=1))
    for x, y, (far, mistakes) in cases("defeat"):
        for place, wrong in ((far - 1, 0), (far, mistakes)) if far - 1 > max(x) else ((far, mistakes),):
            X, labels = np.append(x, place)[:, None], np.append(y, 1)
            assert np.sum(labels * scores(X, ck.least_squares(X, labels)) <= 0) == wrong
    z = np.array([-2.0, -0.5, 0.25, 1.0, 3.0])
    for loss in ck.losses.KNOWN.values():
        assert (solved("worst_dip")(z, loss(z)) < 1e-12) == (loss is not ck.losses.zero_one)


def test_03_cases(task):
    assert {0.0, 1.0} < set(np.concatenate([y * f for y, f in task("losses").cases]))
    totals = [total for _, total, _ in task("error_bound").right]
    assert {np.sign(t % 1 - 0.5) for t in totals if t % 1} == {-1.0, 1.0}
    assert any(t % 1 == 0 for t in totals)
    assert {because for *_, because in task("hardest_pull").right} == {1, 2}
    assert all(x[y > 0].min() > x[y < 0].max() for x, y in task("defeat").cases)
    assert max(far for far, _ in task("defeat").right) < 250
    assert any(len(z) < 3 for z, _ in task("worst_dip").cases)
    for (X, y), (new, _) in zip(task("mail_filter").cases, task("mail_filter").right, strict=True):
        assert (X.shape, y.sum(), new.shape) == ((120, 8), 0, (240, 8))


def test_04_gradients_and_steps_are_those_of_coursekit_and_differences(cases):
    for X, y, theta, gradients in cases("gradients"):
        for loss, gradient in zip(("squared", "hinge", "logistic"), gradients, strict=True):
            risk = ck.Objective(X, y, getattr(ck.losses, loss))
            assert_allclose(gradient, risk.slope(theta), atol=1e-12)
            if loss != "hinge":
                assert_allclose(gradient, approx_fprime(theta, risk.value, 1e-7), atol=1e-4)
    for X, y, start, eta, m, steps, thetas in cases("momentum"):
        risk = ck.Objective(X, y, ck.losses.squared, offset=False)
        path = ck.gradient_descent(risk, ck.steps.constant(eta), steps, momentum=m, start=start)
        assert_allclose(thetas, path.thetas)
        before, theta, after = ck.gradient_descent(risk, ck.steps.barzilai_borwein(), 2, start=start).thetas
        assert_allclose(solved("barzilai_borwein")(before, theta, risk.slope(before), risk.slope(theta))[1], after)
    for X, y, theta, (exact, halved) in cases("line_search"):
        risk = ck.Objective(X, y, ck.losses.squared, offset=False)
        assert halved == ck.gradient_descent(risk, ck.steps.backtracking(), 1, start=theta).rates[0]
        g = risk.slope(theta)
        found = minimize_scalar(lambda e: risk.value(theta - e * exact * g), bounds=(0, 3))  # noqa: B023
        assert found.x == approx(1, abs=1e-3)
    for X, y, theta, _, (eta, _) in cases("kink_search"):
        risk = ck.Objective(X, y, offset=False)
        along = risk.value(theta - np.linspace(0, 3 * eta + 1, 2000)[:, None] * risk.slope(theta))
        assert risk.value(theta - eta * risk.slope(theta)) <= min(along) + 1e-12


def test_04_ravines_and_starts_do_what_is_foretold(cases):
    for a, start, eta, t, (after, kinds, limit, _, _) in cases("ravine"):
        if t < 10:
            later = [start]
            for _ in range(60):
                later.append(later[-1] - eta * a * later[-1])
            assert_allclose(after, later[t])
            crosses = np.prod(later[:2], axis=0) < 0
            for kind, crossed, far in zip(kinds, crosses, np.abs(later[-1]) - np.abs(start), strict=True):
                assert kind == (1 if not crossed else 2 if far < 0 else 3 if far == 0 else 4)
            assert (eta < limit) == (max(kinds) < 3)
    for A, (eta, forever, lucky) in cases("starts"):
        assert_allclose(forever - eta * A @ forever, -forever, atol=1e-12)
        longer = np.eye(2) - 1.01 * eta * A
        assert np.linalg.norm(longer @ lucky) < 1 < np.linalg.norm(longer @ forever)
        assert np.linalg.norm(forever) == approx(1) == approx(np.linalg.norm(lucky))
        assert min(forever[0], lucky[0]) > 0.1


def test_04_cases(task):
    assert {kind for _, kinds, *_ in task("ravine").right for kind in kinds} == {1, 2, 3, 4}
    rates = [halved for _, halved in task("line_search").right]
    assert min(rates) < 2**-20
    assert np.isclose(rates, 2**-11, rtol=1e-9, atol=0).any()
    bends = [(theta - before) @ (slope - slope_before)
             for before, theta, slope_before, slope in task("barzilai_borwein").cases]
    assert set(np.sign(bends)) == {-1.0, 0.0, 1.0}
    stops = zip(task("early_stop").right, task("early_stop").cases, strict=True)
    assert {(best == 0, best == steps) for (best, _), (*_, steps) in stops} >= {
        (True, False), (False, True), (False, False)}
    assert {verdict for _, verdict in task("kink_search").right} == {0, 1, 2}
    assert {forever[1] > 0 for _, forever, _ in task("starts").right} == {True, False}


def test_05_stochastic_gradients_are_those_of_coursekit(cases):
    for X, y, theta, b, (slopes, mean, noise) in cases("fan"):
        assert_allclose(slopes, [ck.Objective(X, y).slope_at(theta, [i]) for i in range(len(y))], atol=1e-12)
        assert_allclose(mean, ck.Objective(X, y).slope(theta), atol=1e-12)
        if len(y) ** b < 3000:  # the noise is that of all draws
            draws = [slopes[list(rows)].mean(axis=0) for rows in itertools.product(range(len(y)), repeat=b)]
            assert np.mean(np.sum((draws - mean) ** 2, axis=1)) == approx(noise)
    for eta0, power, steps, (rates, _, _, verdict) in cases("step_sizes"):
        assert (verdict == 1) == (0.5 < power <= 1)
        if verdict == 1:
            assert_allclose(rates, ck.steps.robbins_monro(eta0, power).rates(steps))
    for X, y, examples, eta0, (thetas, risks, best) in cases("sgd"):
        path = ck.sgd(ck.Objective(X, y), ck.steps.decaying(eta0), len(examples), order=examples)
        assert_allclose(thetas, path.thetas)
        assert_allclose(risks, path.values, atol=1e-12)
        assert best == path.best
    for thetas, X, y, (_, together, alone) in cases("average"):
        objective = ck.Objective(X, y)
        assert together == approx(objective.value(thetas.mean(axis=0)))
        assert alone == approx(objective.value(thetas).mean())
    for X, y, eta, passes, (order, highest) in cases("bad_order"):
        path = ck.sgd(ck.Objective(X, y), ck.steps.constant(eta), passes * len(y), order=np.tile(order, passes))
        assert highest == approx(path.values[-1])
    for X, y, orders, _, eta0, _ in cases("epochs"):  # batches of one and of all
        alone = solved("epochs")(X, y, orders, 1, eta0)
        assert_allclose(alone, solved("sgd")(X, y, orders.ravel(), eta0)[0][-1])
        path = ck.gradient_descent(ck.Objective(X, y), ck.steps.decaying(eta0), len(orders))
        if len(path.thetas) > len(orders):
            assert_allclose(solved("epochs")(X, y, orders, len(y), eta0), path.thetas[-1], atol=1e-12)


def test_05_promised_steps_come_nearer(cases):
    for theta, x, y, eta, star, (change, best, promised) in cases("nearer"):
        g = ck.Objective([x], [y]).slope(theta)
        far = [np.sum((theta - e * g - star) ** 2) for e in (0, eta, best, *np.linspace(0, 3, 1000))]
        assert far[1] - far[0] == approx(change)
        assert far[2] <= min(far) + 1e-12
        for e in promised * np.array([0.1, 0.5, 0.99]):
            assert np.sum((theta - e * g - star) ** 2) < far[0] or promised == 0


def test_05_cases(task):
    changes, best, promised = map(np.array, zip(*task("nearer").right, strict=True))
    assert min(changes) < 0 < max(changes)
    assert min(best) == min(promised) == 0
    assert {verdict for *_, verdict in task("step_sizes").right} == {1, 2, 3}
    assert any(len(y) % b for _, y, _, b, _ in task("epochs").cases)
    for (X, y), (new, _) in zip(task("one_pass").cases, task("one_pass").right, strict=True):
        assert (X.shape, np.sum(np.diff(y) != 0), new.shape) == ((300, 8), 1, (200, 8))


def test_06_penalties_are_those_of_coursekit_and_of_searches(cases):
    for X, y, theta, lam, mix, (value, slope) in cases("regularized"):
        objective = ck.Objective(X, y, ck.losses.squared, ck.penalties.elastic_net(mix), lam)
        assert value == approx(objective.value(theta))
        assert slope == approx(objective.slope(theta))
    for theta, eta, lam, mix, after in cases("soft_threshold"):
        penalty = ck.penalties.elastic_net(mix)
        for w, v in zip(theta[:-1], after[:-1], strict=True):
            best = minimize_scalar(lambda u: (u - w) ** 2 / 2 + eta * lam * penalty([u]),  # noqa: B023
                                   bounds=(-5, 5), method="bounded", options={"xatol": 1e-9})
            assert v == approx(best.x, abs=1e-6)
        assert after[-1] == theta[-1]
    for n, *given, right in cases("same_lambda"):
        back = [n / 2, n, 1 / n, n / 2, 1 / 2] * np.array(right) ** [1, 1, -1, 1, 1]
        assert back == approx(given)


def test_06_lambdas_of_scikit_learn_are_those_of_the_course():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 3)), rng.choice([-1.0, 1.0], 40)
    *_, from_ridge, from_lasso = solved("same_lambda")(40, 1, 1, 1, 3.0, 0.05)
    fit = Ridge(alpha=3.0).fit(X, y)
    assert HOME["same_lambda"].space["ridge"](X, y, from_ridge) == approx([*fit.coef_, fit.intercept_])
    lasso = Lasso(alpha=0.05, tol=1e-10).fit(X, y)
    theta = np.append(lasso.coef_, lasso.intercept_)
    objective = ck.Objective(X, y, ck.losses.squared, ck.penalties.l1, from_lasso)
    assert objective.value(theta) <= min(objective.value(theta + 0.05 * rng.normal(size=(200, 4)))) + 1e-9


def test_06_borders_and_folds_are_those_of_scikit_learn(cases):
    for x, y, lam, far, (shift, *right) in cases("move_border"):
        lag = []
        for s in range(int(shift) + 1):
            at, alpha = (x + s)[:, None], len(x) * lam / 2
            one = Ridge(alpha=alpha).fit(at, y)
            both = Ridge(alpha=alpha, fit_intercept=False).fit(np.c_[at, np.ones(len(x))], y)
            borders = -one.intercept_ / one.coef_[0], -both.coef_[1] / both.coef_[0]
            lag.append(abs(borders[0] - borders[1]))
        assert right == approx(borders, rel=1e-5)
        assert lag[-1] > far >= max(lag[:-1], default=0.0)
    for X, y, lams, folds, (losses, best) in cases("cross_validate"):
        squares = np.zeros(len(lams))
        for fold, (k, lam) in itertools.product(np.unique(folds), enumerate(lams)):
            learn = folds != fold
            model = make_pipeline(StandardScaler(), Ridge(alpha=learn.sum() * lam / 2)).fit(X[learn], y[learn])
            squares[k] += np.sum((y - model.predict(X))[~learn] ** 2)
        assert losses == approx(squares / len(y), rel=1e-4)
        assert best == squares.argmin()


def test_06_cases(task):
    assert any(0 in theta[:-1] for _, _, theta, _, _ in task("regularized").cases)
    for lams, thetas, X, y in task("choose_lambda").cases:
        wrong = (y * (thetas[:, :-1] @ X.T + thetas[:, -1:]) <= 0).sum(axis=1)
        assert np.sum(wrong == wrong.min()) > 1  # a tie for the largest lambda to decide
        assert len(set(lams)) == len(lams)
    for lams, _, validation in task("over_splits").cases:
        assert validation.mean(axis=0).argmin() != lams.argmax()
    assert {because for *_, because in task("room").right} == {1, 2, 3}
    assert all(shift < 25 for shift, _, _ in task("move_border").right)
    assert all(len(set(np.bincount(folds))) > 1 for _, _, _, folds in task("cross_validate").cases)


def test_07_thresholds_and_copies_are_minima(cases):
    rng, grid = np.random.default_rng(0), np.append(np.linspace(-6, 6, 24001), 0)
    penalties = (lambda v: 1.0 * (v != 0), lambda v: np.sqrt(np.abs(v)), np.abs)
    for w, t, found in cases("survivors"):
        for part, p in zip(found, penalties, strict=True):
            for x, v in zip(w, part, strict=True):
                assert (v - x) ** 2 / 2 + t * p(v) <= min((grid - x) ** 2 / 2 + t * p(grid)) + 1e-9
    for x, y, m, lam, mix, (each, total, because) in cases("copies"):
        objective = ck.Objective(np.tile(x[:, None], m), y, ck.losses.squared, ck.penalties.elastic_net(mix), lam)
        best = np.append(np.full(m, each), y.mean())
        assert objective.value(best) <= min(objective.value(best + 0.1 * rng.normal(size=(50, m + 1)))) + 1e-9
        alone = solved("copies")(x, y, 1, lam, mix)[1]
        assert because == (1 if total == 0 else 2 if total == approx(alone) else 3)
        assert abs(total) >= abs(alone) - 1e-12


def test_07_cases(task):
    paths = task("read_path").cases
    assert any(lam in knots for knots, _, lam in paths)
    assert any(lam > knots[0] for knots, _, lam in paths)
    assert any((weights == 0).all(axis=0).any() for _, weights, _ in paths)
    for a, b, noise in task("decoy").cases:  # c is the closest to y up to some noise, and never again
        chosen = [solved("forward_search")(np.c_[a, b, a + b + s * noise], a + b, 1)[0][0] for s in range(1, 40)]
        assert 1 <= chosen.count(2) <= 7
        assert chosen[: chosen.count(2)] == [2] * chosen.count(2)
    assert {because for *_, because in task("copies").right} == {1, 2, 3}
    assert all(((weights != 0).mean(axis=0) == share).any() for weights, _, share in task("bolasso").cases)
    assert all(len(set(np.bincount(folds))) > 1 for _, _, folds, _ in task("honest_error").cases)
    for (X, y), (new, _) in zip(task("few_words").cases, task("few_words").right, strict=True):
        assert (X.shape, y.sum(), new.shape) == ((160, 24), 0, (220, 24))


def test_08_levers_are_the_streets_of_scikit_learn_up_to_lambda_star(cases):
    for p, q, r, n, (alpha, theta, lam, C) in cases("lever"):
        found = SVC(kernel="linear", C=1e8, tol=1e-10).fit([p, q, r], [1, -1, -1])
        assert_allclose(theta, [*found.coef_[0], found.intercept_[0]], atol=1e-4)
        strengths = np.zeros(3)
        strengths[found.support_] = np.abs(found.dual_coef_[0])
        assert_allclose(alpha, strengths, atol=1e-4)
        assert approx(1 / (n * lam)) == C
        for factor, same in ((1.01, True), (0.8, False)):
            soft = SVC(kernel="linear", C=factor * C, tol=1e-10).fit([p, q, r], [1, -1, -1])
            assert np.allclose(soft.coef_[0], theta[:-1], atol=1e-4) == same


def test_08_bounds_are_bounds_and_one_move_raises_them(cases):
    for X, y, _, theta, lam, (_, bound, gap, _) in cases("stakes"):
        risk = ck.Objective(X, y, ck.losses.hinge, lam=lam)
        assert gap == approx(risk.value(theta) - bound)
        found = SVC(kernel="linear", C=1 / (len(y) * lam), tol=1e-8).fit(X, y)
        assert bound <= risk.value(np.append(found.coef_[0], found.intercept_[0])) + 1e-8
    for X, y, a, _, _, lam, curved, (new, proved) in cases("two_stakes"):
        K = (1 + X @ X.T) ** 2 if curved else X @ X.T

        def bound(a, K=K, y=y, lam=lam):
            p = a * y / (len(y) * lam)
            return a.mean() - lam / 2 * p @ K @ p

        assert new @ y == approx(0, abs=1e-9)
        assert -1e-9 < new.min() <= new.max() < 1 + 1e-9
        assert bound(a) < bound(new) == approx(proved)
        for part in (0.9, 1.1):
            other = a + part * (new - a)
            assert bound(other) < proved or not -1e-9 < other.min() <= other.max() < 1 + 1e-9


def test_08_descents_and_drags_are_minima_of_the_objective(cases):
    for X, y, lam, eta, steps, (best, lowest) in cases("descent"):
        risk = ck.Objective(X, y, ck.losses.hinge, lam=lam)
        path = ck.gradient_descent(risk, ck.steps.constant(eta), steps, start=np.zeros(len(best)))
        values = risk.value(path.thetas)
        assert lowest == approx(min(values))
        assert_allclose(best, path.thetas[np.argmin(values)], atol=1e-12)
    for x, y, D, lam, (limit, w, wrong, because) in cases("drag"):
        c = np.append(x * y, -D)
        found = minimize_scalar(lambda w: np.maximum(0, 1 - c * w).mean() + lam / 2 * w * w, tol=1e-12)  # noqa: B023
        assert w == approx(found.x, abs=1e-5)
        assert (w > 0) == (limit > D) == (because == 1)
        assert wrong == np.sum(c * w <= 0)


def test_08_cases(task):
    assert {theta is None for *_, theta in task("widest").right} == {True, False}
    assert {kind for *_, kinds in task("slacks").right for kind in kinds} == {0, 1, 2, 3}
    assert {tuple(np.array(alpha) == 0) for alpha, *_ in task("lever").right} == {
        (False, False, False), (False, True, False), (False, False, True)}
    assert {because for *_, because in task("drag").right} == {1, 2, 3}
    moves = zip(task("two_stakes").right, task("two_stakes").cases, strict=True)
    assert len({(s > 0, s < 1) for (stakes, _), case in moves for s in np.array(stakes)[[*case[3:5]]]}) == 3
    assert {case[-1] for case in task("two_stakes").cases} == {True, False}


def test_09_votes_and_pairs_are_those_of_coursekit(cases):
    for chosen, given, k, (votes, winner) in cases("vote"):
        m = len(chosen)
        rule = Votes(np.column_stack([np.eye(m), np.zeros(m)]), chosen, tuple(map(str, range(k))))  # scores as they are
        assert np.array_equal(votes, rule.votes(given))
        assert np.array_equal(winner, rule.predict(given))
        second, first = np.eye(k)[chosen[:, 1]], np.eye(k)[chosen[:, 0]]
        for row, sums in zip(votes, given @ (second - first), strict=True):  # leaders never have equal sums
            assert (np.diff(np.sort(sums[row == row.max()])) > 1e-9).all()
    for X, y, k, (pairs, thetas, read) in cases("one_vs_one"):
        data = ck.datasets.Dataset(X, y, tuple(map(str, range(X.shape[1]))), tuple(map(str, range(k))))
        rule = ck.one_vs_one(data, HOME["one_vs_one"].space["fit"])
        assert np.array_equal(pairs, rule.pairs)
        assert_allclose(thetas, rule.thetas, atol=1e-9)
        assert read == (k - 1) * len(y)


def test_09_bounds_hold_and_gradients_are_differences(cases):
    bounds = []
    for X, y, thetas, (_, gamma, bound) in cases("stacked"):
        f = X @ thetas[:, :-1].T + thetas[:, -1:].T
        assert (gamma > 0) == all(np.sum(row >= row[c]) == 1 for row, c in zip(f, y, strict=True))
        assert bound is None or solved("all_rows")(X, y, len(thetas), 200)[1] <= bound
        bounds.append(bound is None)
    assert set(bounds) == {True, False}
    for X, y, thetas, (p, _, gradient) in cases("softmax"):
        assert_allclose(p.sum(axis=1), 1)
        slope = approx_fprime(thetas.ravel(), lambda t: solved("softmax")(X, y, t.reshape(thetas.shape))[1],  # noqa: B023
                              1e-6)
        assert_allclose(gradient.ravel(), slope, atol=1e-4)


def test_10_the_project_holds_out_what_a_good_classifier_gets_right(task):
    found, model = [], make_pipeline(StandardScaler(), LogisticRegression(C=0.3))
    for (X, y, _), (X_new, y_new) in zip(task("project").cases, task("project").right, strict=True):
        found.append(model.fit(X, y).score(X_new, y_new))
        assert max(np.mean(y_new == 1), np.mean(y_new == -1)) < 0.8
    assert np.mean(found) >= 0.83

"""What to show in a lecture: the explorers, and settings of each that make a point, named after it."""

from __future__ import annotations

from typing import NamedTuple

from coursekit.explorers import question


class Preset(NamedTuple):
    name: str
    point: str
    line: str


class Show(NamedTuple):
    chapter: int
    about: str
    presets: tuple[Preset, ...]


_FEW = " ".join(f"{i}()" for i in (35, 33, 32, 29, 28, 27, 26, 24, 22, 21, 20, 17, 15, 10, 6, 5))  # leaves four of -1

SHOWS = {
    "hyperplane": Show(1, "Turn, shift and stretch a line; watch distances, agreements and the training error.", (
        Preset("separable", "a wide gap: turned by 40 degrees either way, the line still makes no error",
               "separability=1.5 angle=60 shift=0.3"),
        Preset("barely-separable", "a narrow gap: turned by 15 degrees either way, the line makes an error",
               "separability=0.05 angle=53 shift=0.55"),
        Preset("overlap", "no line is right about every example", "separability=-1 angle=27 shift=1.1"),
        Preset("length-moves-no-line", "longer weights: larger agreements, the same line and distances",
               "separability=1 angle=60 shift=0.3 length=5"),
        Preset("wrong-way-round", "the same line with its normal turned round: right becomes wrong",
               "separability=1 angle=-120 shift=-0.3"),
        Preset("step-too-large", "one step of size 3 jumps over the minimum: the objective rises",
               "separability=0.5 angle=60 shift=0.3 length=3 lam=1 eta=3.16"),
    )),
    "perceptron": Show(2, "Follow the perceptron from mistake to mistake, with its table and its bound.", (
        Preset("by-hand", "three points, nine mistakes: small enough for the blackboard",
               'dataset="three points" visit=1'),
        Preset("separable", "a wide gap: few mistakes, then none", "separability=1.5 visit=200"),
        Preset("barely-separable", "a narrow gap: far more mistakes, and a bound that promises little",
               "separability=0.05 visit=1200"),
        Preset("overlap", "no line separates the data: it never stops making mistakes", "separability=-1 visit=1200"),
        Preset("order-matters", "one class first: nearly twice as many mistakes as in the given order",
               'order="one class first" visit=1000'),
        Preset("eta-changes-nothing", "a tenth of the step: a tenth of theta, and the same decisions",
               "eta=0.1 visit=320"),
        Preset("lambda-too-large", "theta shrinks so much at each mistake that it forgets, and never settles",
               "lam=0.1 eta=10 visit=80"),
    )),
    "loss_space": Show(3, "Slide one example; five losses judge it, and their lines follow or stay.", (
        Preset("outlier", "one example far on its right side pulls least squares off: three errors", "loss=squared"),
        Preset("hinge-ignores-it", "the same example costs the hinge loss nothing, so its line stays", "loss=hinge"),
        Preset("wrong-label", "an outlier with the wrong label pulls every line, least squares and logistic most",
               "label=-1 loss=logistic"),
        Preset("overlap", "no loss finds a line without errors; least squares makes most", "separability=-1"),
        Preset("flat-zero-one", "the loss that counts errors has no slope: descent never moves",
               "x1=3 x2=-2 loss=zero-one"),
        Preset("loss-zero-is-not-enough", "with lambda the perceptron loss lets theta shrink towards 0",
               "loss=perceptron lam=0.1 eta=1"),
        Preset("step-too-large", "steps of size 10 jump from side to side and never settle", "loss=hinge eta=10"),
    )),
    "descent": Show(4, "Walk down the landscape of the objective with any loss and step rule.", (
        Preset("step-too-small", "every step goes down, and forty of them hardly get anywhere", "eta=0.005 k=40"),
        Preset("step-just-right", "eta 0.1: down at every step, and arrived after forty", "eta=0.1 k=40"),
        Preset("zigzag", "each step passes the lowest point on its way, and still goes down", "eta=0.3 k=40"),
        Preset("step-too-large", "each step goes further up the other side: it diverges", "eta=0.5 k=3"),
        Preset("halving", "a step that is too large is refused and halved: no eta to choose", "rule=halving k=3"),
        Preset("momentum", "carrying on 90 % of the last step overshoots and swings", "momentum=0.9 eta=0.05 k=40"),
        Preset("lambda-moves-the-minimum", "a large lambda pulls the lowest point towards 0", "lam=1 eta=0.1 k=39"),
    )),
    "sgd": Show(5, "Descend by one example at a time: a noisy path, its best value, its schedule.", (
        Preset("separable", "one example can be enough: then nobody pulls any more",
               'separability=1.5 schedule=constant k=400'),
        Preset("constant-step", "with a constant step it never comes to rest", "schedule=constant eta=1 k=400"),
        Preset("step-too-large", "steps of size 10 throw theta out of the picture", "schedule=constant eta=10 k=400"),
        Preset("steps-die-out", "steps that shrink like 1/k^2 stop before the minimum",
               'schedule="eta0 / (k+1)^2" k=400'),
        Preset("all-in-one-batch", "a batch of all sixty is gradient descent: no chance is left",
               "batch=60 order=shuffle schedule=constant eta=0.1 k=400"),
        Preset("lambda-too-large", "with lambda and eta of 1 every step wipes out all that was learned",
               "lam=1 schedule=constant eta=1 k=400"),
    )),
    "parallel": Show(5, "Let workers learn on shards of the data, and average what they found.", (
        Preset("averaging-helps", "few steps each: the average beats every way of working alone", "shards=8 steps=12"),
        Preset("averaging-costs-steps", "small steps: eight short walks end no further than one short walk",
               "shards=8 steps=20 eta=0.1"),
        Preset("nothing-to-average", "one worker: the average is its own answer", "shards=1"),
        Preset("separable", "an easy problem needs no second worker", "separability=1"),
        Preset("step-too-large", "averaging does not repair steps of size 10", "eta=10"),
    )),
    "regularization": Show(6, "Move lambda; watch weights vanish, and training and validation error part.", (
        Preset("overfitting", "lambda 0: no error in training, one in four on new data", "lam=0"),
        Preset("lambda-just-right", "the lowest validation error, with a few training errors", "lam=0.251"),
        Preset("lambda-too-large", "every weight is 0: the same answer for every example", "lam=10"),
        Preset("l2-keeps-all", "L2 shrinks every weight and drops none", "penalty=l2 lam=2.51"),
        Preset("penalised-offset", "shifted data, and an offset held near 0: one in three is wrong",
               "dataset=shifted offset=penalised penalty=l2 lam=1"),
        Preset("twins", "of two features that say nearly the same L1 keeps one: here the copy",
               'dataset="with a twin" lam=0.5'),
        Preset("step-too-large", "steps of size 0.5: descent diverges, while the path stands", "eta=0.5"),
    )),
    "svm": Show(7, "See the exact street, its slacks and support vectors, and a descent beside it.", (
        Preset("hard-margin", "separable, lambda tiny: no slack, two examples hold the street",
               "separability=1 lam=1e-6"),
        Preset("barely-separable", "the hard margin of a narrow gap is a narrow street", "separability=0.05 lam=1e-6"),
        Preset("overlap", "no street is free: more than half of the examples need slack", "separability=-1.5"),
        Preset("one-outlier", "lambda tiny: one positive example turns the line and narrows the street",
               'separability=1.5 lam=1e-6 edits="+(0.2,-0.8)" example=40'),
        Preset("outlier-forgiven", "the same outlier, lambda 0.1: it pays with slack, the street stays wide",
               'separability=1.5 lam=0.1 edits="+(0.2,-0.8)" example=40'),
        Preset("imbalance", "four against twenty, lambda 1: the line gives up all four", f'lam=1 edits="{_FEW}"'),
        Preset("lambda-too-large", "lambda 10: the street swallows every example", "lam=10"),
        Preset("step-too-large", "the exact answer stands; descent with eta 10 ends far above it", "lam=0.1 eta=10"),
    )),
    "multiclass": Show(8, "Compare three rules for many classes, and ask them about one place.", (
        Preset("nobody-claims-it", "one against rest: in the middle every line says no",
               "classes=5 x1=0 x2=0"),
        Preset("several-claim-it", "one against rest: behind the corners two lines say yes", "x1=0 x2=-6"),
        Preset("tied-votes", "one against one, few examples: three classes with two votes each",
               'classes=4 each=5 seed=49 separability=-2 rule="one against one" x1=-4.5 x2=-3.9'),
        Preset("no-doubt", "linear argmax: one score is highest everywhere", 'rule="linear argmax"'),
        Preset("overlap", "classes that overlap: every rule makes errors, each its own", "separability=-1"),
        Preset("step-too-small", "eta 0.01: forty steps are too few, and nearly every place is claimed twice",
               "classes=5 eta=0.01"),
    )),
    "real_data": Show(9, "Choose data, method and lambda on the validation part; open the test part last.", (
        Preset("digits", "3 against 8: the weights show where the two differ", ""),
        Preset("two-pixels-are-few", "the same digits by two pixels: eight errors instead of one", "features=two"),
        Preset("lambda-too-small", "breast cancer: fewer training errors, more on the validation part",
               "dataset=breast-cancer lam=0.0001"),
        Preset("lambda-too-large", "breast cancer: too strong a pull to 0 costs errors in both parts",
               "dataset=breast-cancer lam=1"),
        Preset("small-validation-part", "twenty irises: an error rate give or take five percent", "dataset=iris"),
        Preset("step-too-small", "forty steps of size 0.01 leave logistic regression on its way",
               'method="logistic regression" eta=0.01'),
    )),
}


def line(explorer: str, preset: str = "") -> str:
    """The controls that a preset's name stands for; a line like "lam=0.01 seed=3" stands for itself.

    Raises ValueError, with the known ones, for an unknown explorer or name.

    >>> line("svm", "hard-margin")
    'separability=1 lam=1e-6'
    """
    if explorer == "predict":
        return question.find(preset).name
    if explorer not in SHOWS:
        raise ValueError(f"explorer must be one of {', '.join(SHOWS)} or predict; got {explorer!r}")
    if not preset or "=" in preset:
        return preset
    known = {one.name: one.line for one in SHOWS[explorer].presets}
    if preset not in known:
        raise ValueError(f'preset must be one of {", ".join(known)}, or a line like "lam=0.01 seed=3"; got {preset!r}')
    return known[preset]


def listing() -> str:
    """All explorers with their presets, as text."""
    blocks = []
    for explorer, (chapter, about, presets) in SHOWS.items():
        rows = "\n".join(f"    {name:26}{point}" for name, point, _ in presets)
        blocks.append(f"{explorer} (chapter {chapter}): {about}\n{rows}")
    votes = "\n".join(f"    {name}" for name in question.names())
    blocks.append(f"predict: Ask the hall, count votes, then show the outcome beside them.\n{votes}")
    return "\n\n".join([*blocks, "Show one: coursekit demo EXPLORER [PRESET], such as coursekit demo svm one-outlier"])

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
    "hyperplane": Show(1, "Turn, shift and stretch a line by hand, and count its errors.", (
        Preset("mails", "24 real mails and a line that is wrong about seven: bring it down to 0",
               "dataset=mails angle=90 shift=1.9 length=0.6"),
        Preset("shadow", "the dot product is the length of theta times a shadow: drag the tip of x",
               'dataset="one vector" angle=26.565 shift=0 length=2.236'),
        Preset("cells", "the mails as constraints on the weights; each cell says how many are wrong in it",
               'dataset=mails angle=45 shift=1.2021 length=1.4142 also="parameter space"'),
        Preset("separable", "a wide gap: turned by 40 degrees either way, the line still makes no error",
               "separability=1.5 angle=60 shift=0.3"),
        Preset("barely-separable", "a narrow gap: turned by 15 degrees either way, the line makes an error",
               "separability=0.05 angle=53 shift=0.55"),
        Preset("overlap", "no line is right about every example", "separability=-1 angle=27 shift=1.1"),
        Preset("length-moves-no-line", "longer weights: larger scores, the same line and distances",
               "separability=1 angle=75 shift=0.3 length=4 example=2"),
        Preset("wrong-way-round", "the same line with its normal turned round: right becomes wrong",
               "separability=1 angle=-120 shift=-0.3"),
        Preset("step-too-large", "one step of size 3 jumps over the minimum: the objective rises",
               'separability=0.5 angle=60 shift=0.3 length=3 lam=1 eta=3.16 preview="a step" also="parameter space"'),
    )),
    "perceptron": Show(2, "Follow the perceptron from mistake to mistake, with its table and its bound.", (
        Preset("by-hand", "three points, nine mistakes: small enough for the blackboard",
               'dataset="three points" visit=1'),
        Preset("mails", "24 real mails, one at a time: the line jumps after each mistake",
               "dataset=mails order=shuffle visit=4"),
        Preset("separable", "a wide gap: few mistakes, then none", "separability=1.5 visit=200"),
        Preset("barely-separable", "a narrow gap: far more mistakes, and a bound that promises little",
               "separability=0.05 visit=1200 also=lengths"),
        Preset("overlap", "no line separates the data: it never stops making mistakes", "separability=-1 visit=1200"),
        Preset("order-matters", "one class first: nearly twice as many mistakes here, fewer with half of the seeds",
               'order="one class first" visit=1000'),
        Preset("eta-changes-nothing", "a tenth of the step: a tenth of theta, and the same decisions",
               "eta=0.1 visit=320"),
        Preset("lambda-too-large", "theta shrinks so much at each mistake that it forgets, and never settles",
               "lam=0.1 eta=10 visit=80"),
    )),
    "loss_space": Show(3, "Slide one example; five losses judge it, and their lines follow or stay.", (
        Preset("outlier", "one example far on its right side pulls least squares off: three errors", "loss=squared"),
        Preset("hinge-ignores-it", "the same example costs the hinge loss nothing, so its line stays", "loss=hinge"),
        Preset("ridge-rescues", "lambda 10 brings least squares back to no errors, and its scores close to 0",
               "lam=10 eta=0.1"),
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
        Preset("ravine", "curvature 1 along and 49 across: the best eta zigzags and needs 113 steps",
               'dataset="two examples" stretch=7 eta=0.04 w1=-2 w2=0.5 k=40'),
        Preset("other-units", "the same two examples, the second number divided by 7: one step",
               'dataset="two examples" stretch=1 eta=1 w1=-2 w2=3.5 k=1'),
        Preset("halving", "a step that is too large is refused and halved: no eta to choose", "rule=halving k=3"),
        Preset("momentum", "carrying on 90 % of the last step overshoots and swings", "momentum=0.9 eta=0.05 k=40"),
        Preset("lambda-moves-the-minimum", "a large lambda pulls the lowest point towards 0", "lam=1 eta=0.1 k=39"),
    )),
    "sgd": Show(5, "Descend by one example at a time: a noisy path, its best value, its schedule.", (
        Preset("mails", "60 real mails, one a step: it finds the valley at once, and does not rest there",
               "dataset=mails schedule=constant eta=0.3 k=8"),
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
        Preset("averaging-helps", "few steps each: the average beats a single worker, even one who makes all 96 steps",
               "shards=8 steps=12"),
        Preset("averaging-costs-steps", "small steps: eight short walks end no further than one short walk",
               "shards=8 steps=20 eta=0.1"),
        Preset("nothing-to-average", "one worker: the average is its own answer", "shards=1"),
        Preset("separable", "an easy problem needs no second worker", "separability=1"),
        Preset("step-too-large", "averaging does not repair steps of size 10", "eta=10"),
    )),
    "memory": Show(6, "Show least squares more and more numbers of fifty mails, until it knows them by heart.", (
        Preset("two-numbers", "two numbers of each mail: three parameters learn nothing by heart", "numbers=2"),
        Preset("by-heart", "all 57 numbers: every mail has exactly the score of its label", "numbers=57"),
        Preset("more-mails", "two hundred mails: 58 parameters can no longer fit them all", "numbers=57 mails=200"),
        Preset("lambda", "a price on long weights: the piles come apart, and some mistakes are made",
               "numbers=57 lam=10"),
        Preset("step-too-large", "steps of size 1 never arrive at the answer that exists",
               "numbers=57 eta=1 also=descent"),
    )),
    "regularization": Show(6, "Move lambda; watch weights vanish, and training and validation error part.", (
        Preset("overfitting", "lambda 0: no error in training, one in four on new data", "lam=0"),
        Preset("lambda-just-right", "the lowest validation error, with one error in training", "lam=0.251"),
        Preset("lambda-too-large", "every weight is 0: the same answer for every example", "lam=10"),
        Preset("l2-keeps-all", "L2 shrinks every weight and drops none", "penalty=l2 lam=2.51"),
        Preset("penalised-offset", "shifted data, and an offset held near 0: one in three is wrong",
               "dataset=shifted offset=penalised penalty=l2 lam=1"),
        Preset("twins", "of two features that say nearly the same L1 keeps one: here the copy",
               'dataset="with a twin" lam=0.5'),
        Preset("step-too-large", "steps of size 0.5: descent diverges, and the exact path stays as it is", "eta=0.5"),
    )),
    "features": Show(7, "Move lambda; watch the words of real mails leave the filter, and its error.", (
        Preset("all-words", "lambda 0.002: nearly all weights are in use, most of them for nothing", "lam=0.002"),
        Preset("a-dozen-words", "lambda 0.2: thirteen features are left, and shrinking costs more than leaving out",
               "lam=0.2"),
        Preset("refitted", "the same thirteen at full weight: fewer errors", 'lam=0.2 fit="L1, refitted"'),
        Preset("without-george", "the receiver's own words taken away: what is left may serve others, too",
               'lam=0.06 words="without the receiver\'s"'),
        Preset("shuffled", "as many features that know nothing: at lambda 0.04 L1 lets dozens in",
               'lam=0.04 words="and as many shuffled"'),
        Preset("twins-together", "elastic net: hp and hpl are both kept", 'lam=0.2 fit="elastic net"'),
        Preset("lambda-too-large", "every weight is 0: the same answer for every mail", "lam=2"),
        Preset("step-too-small", "a hundred steps of size 0.001 are far from arriving", "lam=0.02 eta=0.001"),
    )),
    "svm": Show(8, "See the exact street, its slacks and support vectors, and a descent beside it.", (
        Preset("hard-margin", "separable, lambda tiny: no slack, two examples hold the street",
               "separability=1 lam=1e-6 k=0"),
        Preset("barely-separable", "the hard margin of a narrow gap is a narrow street",
               "separability=0.05 lam=1e-6 k=0"),
        Preset("mails", "24 real mails: three hold the street, the others have no say",
               "dataset=mails lam=0.0001 k=0"),
        Preset("overlap", "no street is free: more than half of the examples need slack", "separability=-1.5 k=0"),
        Preset("one-outlier", "lambda tiny: one positive example turns the line and narrows the street",
               'separability=1.5 lam=1e-6 edits="+(0.2,-0.8)" example=40 k=0'),
        Preset("outlier-forgiven", "the same outlier, lambda 0.1: it pays with slack, the street stays wide",
               'separability=1.5 lam=0.1 edits="+(0.2,-0.8)" example=40 k=0'),
        Preset("far-away", "one positive example at (-50, -50) has turned the street: 16 of the 40 others are wrong",
               'separability=1 lam=0.01 edits="+(-50,-50)" example=40 k=0'),
        Preset("imbalance", "four against twenty, lambda 1: the line gives up all four", f'lam=1 k=0 edits="{_FEW}"'),
        Preset("lambda-too-large", "lambda 10: the street swallows every example", "lam=10 k=0"),
        Preset("step-too-large", "descent with eta 10 ends far above the exact answer", "lam=0.1 eta=10"),
    )),
    "multiclass": Show(9, "Compare three rules for many classes, and ask them about one place.", (
        Preset("nobody-claims-it", "one against rest: in the middle every line says no",
               "classes=5 x1=0 x2=0"),
        Preset("several-claim-it", "one against rest: behind the corners two lines say yes", "x1=0 x2=-6"),
        Preset("tied-votes", "one against one, few examples: three classes with two votes each",
               'classes=4 each=5 seed=49 separability=-2 rule="one against one" x1=-4.5 x2=-3.9'),
        Preset("no-doubt", "linear argmax: one score is highest everywhere", 'rule="linear argmax" x1=2 x2=-1'),
        Preset("overlap", "classes that overlap: every rule makes errors, each its own", "separability=-1"),
        Preset("step-too-small", "eta 0.01: forty steps are too few, and nearly every place is claimed twice",
               "classes=5 eta=0.01"),
    )),
    "real_data": Show(10, "Choose data, method and lambda on the validation part; open the test part last.", (
        Preset("mails", "842 mails of one user: drag lambda, and only then open the test set", "dataset=mails"),
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
    'separability=1 lam=1e-6 k=0'
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

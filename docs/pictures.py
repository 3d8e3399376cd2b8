"""Make the README's pictures: python docs/pictures.py

A street that moves with lambda, and for each chapter an explorer, small: the first panel of each.
"""

from io import BytesIO
from pathlib import Path

from PIL import Image

import coursekit as ck
from coursekit.explorers.stills import gif

IMAGES = Path(__file__).parent / "images"
CHAPTERS = {
    "01-linear-classifiers": ("hyperplane", "dataset=mails angle=45 shift=1.2 length=1.4"),
    "02-perceptron": ("perceptron", "dataset=mails order=shuffle visit=25"),
    "03-losses": ("loss_space", "x1=7.843"),
    "04-gradient-descent": ("ravine", "eta=0.0625 momentum=0.5625"),
    "05-stochastic-gradient-descent": ("sgd", "dataset=mails schedule=constant eta=0.3 walkers=300 pulls=shown k=12"),
    "06-regularization": ("memory", "lam=0.3"),
    "07-choosing-features": ("features", "lam=0.1"),
    "08-support-vector-machines": ("svm", "dataset=mails by=hand turn=54"),
    "09-multiclass": ("multiclass", "rule='linear argmax' x1=2 x2=-1"),
    "10-real-data": ("real_data", "price=10 threshold=0.3"),
}


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    street = ck.explorers.svm("separability=0.4")
    seen = []
    for lam in (lam for lam in street.stops("lam") if 1e-4 < lam < 0.5):
        street.set(lam=lam)
        image = street.picture.image()
        seen.append(image.crop((0, 0, round(0.62 * image.width), image.height)))
    (IMAGES / "street.gif").write_bytes(gif([*seen, *seen[::-1]], 150))
    for chapter, (name, preset) in CHAPTERS.items():
        figure = getattr(ck.explorers, name)(preset).picture.figure
        figure.draw_without_rendering()
        panel = figure.axes[0].get_position()
        stored = BytesIO()
        figure.savefig(stored, dpi=100)
        image = Image.open(stored).convert("RGB")
        left, right = (round(x * image.width) for x in (panel.x0, panel.x1))
        top, bottom = (round((1 - y) * image.height) for y in (panel.y1, panel.y0))
        small = image.crop((left, top, right, bottom))
        small.thumbnail((240, 180), Image.Resampling.LANCZOS)
        small.quantize(64).save(IMAGES / f"{chapter}.png", optimize=True)


if __name__ == "__main__":
    main()

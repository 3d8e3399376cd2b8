"""Make the README's pictures: python docs/pictures.py

A street that moves with lambda, and for each chapter the first panel of an explorer, small.
"""

from io import BytesIO
from pathlib import Path

from PIL import Image

import coursekit as ck

IMAGES = Path(__file__).parent / "images"
CHAPTERS = {
    "01-linear-classifiers": ("hyperplane", "dataset=mails angle=45 shift=1.2 length=1.4"),
    "02-perceptron": ("perceptron", "dataset=mails order=shuffle visit=4"),
    "03-losses": ("loss_space", ""),
    "04-gradient-descent": ("descent", ""),
    "05-stochastic-gradient-descent": ("sgd", ""),
    "06-regularization": ("regularization", ""),
    "07-choosing-features": ("features", ""),
    "08-support-vector-machines": ("svm", "lam=0.03"),
    "09-multiclass": ("multiclass", ""),
    "10-real-data": ("real_data", ""),
}


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    ck.explorers.svm("separability=0.4").gif("lam", IMAGES / "street.gif", frames=45, overwrite=True)
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

"""What a user gets who installs the package, what it costs to import it, and what a student calls without Unix.

It needs nothing that only Unix has: this is tried where it is hidden, for want of Windows.
"""

import ast
import importlib
import inspect
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import coursekit
from tests import house

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def python(*arguments, cwd, env=None):
    ran = subprocess.run([sys.executable, *arguments], cwd=cwd, env=env, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_data_and_algorithms_load_numpy_and_nothing_heavier(tmp_path):
    script = """if True:
        import sys, coursekit
        for name in coursekit.__all__:
            if name not in ("explorers", "grading", "journey", "plots", "predict"):
                getattr(coursekit, name)
        print(*sys.modules)"""
    loaded = python("-c", script, cwd=tmp_path).split()
    assert {"numpy", "coursekit.algorithms.svm", "coursekit.core.datasets"} <= set(loaded)
    heavy = {"matplotlib", "IPython", "ipywidgets", "anywidget", "PIL", "scipy", "sklearn", "pandas", "jupyter_server"}
    assert heavy.isdisjoint(loaded)


def test_editors_see_the_names_there_are_and_no_others():
    for module in (coursekit, coursekit.explorers):
        stub = ast.parse(Path(module.__file__).with_suffix(".pyi").read_text("utf-8"))
        lines = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
        homes = {name.name: node.module for node in lines for name in node.names}
        names = {node.targets[0].id: node.value.id for node in stub.body if isinstance(node, ast.Assign)}
        typed = {name: (homes[there], there) for name, there in (names or {name: name for name in homes}).items()}
        assert {*typed} == {*module.__all__} == {*dir(module)}
        for name, (home, there) in typed.items():
            public = inspect.unwrap(getattr(module, name))
            loaded = importlib.import_module(home)
            assert public is getattr(loaded, there, None) or public is importlib.import_module(f"{home}.{there}")
    others = {*coursekit._MODULES.values()} - {"explorers"}
    for module in (importlib.import_module(f"coursekit.{name}") for name in (*others, "estimator")):
        assert dir(module) == sorted(name for name in vars(module) if name in module.__all__)
        assert len(dir(module)) == len(module.__all__) == len({*module.__all__})


def test_wheel_carries_the_course_the_data_and_the_settings(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    for part in ("notebooks", "exercises"):
        files = [path for path in (ROOT / part).rglob("*.ipynb") if not any(p.startswith(".") for p in path.parts)]
        assert set() < {f"coursekit/course/{path.relative_to(ROOT).as_posix()}" for path in files} <= inside
    kinds = {".py", ".pyi", ".js", ".css", ".toml", ".csv", ".gz", ".mplstyle", ".md"}
    for package in map(ROOT.joinpath, house.PACKAGES):
        code = {path.relative_to(package.parent).as_posix() for path in package.rglob("*") if path.suffix in kinds}
        assert set() < code <= inside
    assert {"coursekit/py.typed", "coursekit_lecture/lab-settings.json"} <= inside
    assert not [name for name in inside if ".data/" in name]  # what would change everybody's JupyterLab
    assert not [n for n in inside if n.startswith(("tests", "solutions")) or "checkpoint" in n or "/.coursekit" in n]


def test_installed_wheel_lays_the_course_and_runs_without_the_clone(wheel, tmp_path):
    site, laid = tmp_path / "site", tmp_path / "coursekit-course"
    zipfile.ZipFile(wheel).extractall(site)
    script = f"""if True:
        import sys; sys.path.insert(0, {str(site)!r}); sys.modules["rfc3987_syntax"] = None  # takes a second
        import coursekit, coursekit_lecture.lab as lab
        from coursekit_figures import chapter08
        print(lab.course_folder(), len(coursekit.datasets.load("digits")), chapter08.__file__, sep="\\n")"""
    printed = python("-c", script, cwd=tmp_path).split("\n")
    assert printed[1:4] == [str(laid), "1797", str(site / "coursekit_figures" / "chapter08.py")]
    for name in ("notebooks/00-start.ipynb", "exercises/02-perceptron/perceptron.ipynb"):
        assert (laid / name).read_bytes() == (ROOT / name).read_bytes()


def test_a_file_imports_from_its_own_floor_and_those_below_as_contributing_shows():
    widgets = {"ipywidgets", "anywidget", "traitlets", "IPython"}
    found = [entry for package in house.PACKAGES for entry in house.imports(package)]
    assert {own for _, own, _ in found} == {None, *house.ROOMS}
    for path, own, name in found:
        if own is None:  # `import coursekit` loads nothing until it is asked, and tells editors what there is
            continue
        floor = house.ROOMS.index(own)
        assert house.ROOMS.index(house.room(name) or "core") <= floor, f"{path} imports {name}"
        assert floor >= 3 or name.split(".")[0] not in widgets, f"{path} imports {name}"
        assert floor >= 2 or not name.startswith("matplotlib"), f"{path} imports {name}"
    assert f"```mermaid\n{house.diagram()}\n```" in (ROOT / "CONTRIBUTING.md").read_text("utf-8")


def test_the_house_stays_small_and_no_class_has_the_name_of_another():
    for room, lines in house.lines().items():
        assert lines <= house.LIMITS[room], f"{room} has {lines} lines: give back what was added"
    files = [path for package in house.PACKAGES for path, _ in house.files(package)]
    classes = Counter(node.name for path in files for node in ast.parse(path.read_text("utf-8")).body
                      if isinstance(node, ast.ClassDef))
    assert [name for name, count in classes.items() if count > 1] == []


def test_readme_is_short_and_what_it_points_to_is_there():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    assert len(pages) >= 6
    assert len(pages[0].read_text("utf-8").splitlines()) <= 120
    assert (ROOT / "docs" / "images" / "street.gif").stat().st_size < 1_500_000
    for page in pages:
        for link in re.findall(r'\]\(([^)#]+)[^)]*\)|src="([^"]+)"', page.read_text("utf-8")):
            target = "".join(link)
            inside = not target.startswith(("http", "../../"))
            assert not inside or (page.parent / target).exists(), f"{page} points to {target}"


def test_a_release_has_one_version_and_what_zenodo_and_github_take():
    cited = dict(re.findall(r"^([\w-]+): ([^#\n]*[^#\s])", (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE))
    news = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert cited["version"] == PROJECT["version"]
    assert f"\n## {cited['version']} ({cited['date-released']})\n" in news
    assert cited["license"] in PROJECT["license"].split(" AND ")  # one: Zenodo refuses a list
    used = [line for path in (ROOT / ".github" / "workflows").glob("*.yml")
            for line in re.findall(r"uses: (.*)", path.read_text("utf-8"))]
    assert len(used) >= 10
    assert [line for line in used if not re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", line)] == []


OURS = ("coursekit", "coursekit_figures", "coursekit_grade", "coursekit_lecture", "coursekit_site", "tests")
# Who imports more than everybody installs.
EXTRAS = {
    "coursekit/estimator.py": "scikit-learn",
    "tools/coursekit_grade": "grading",
    "tools/coursekit_grade/command.py": "dask",
    "tools/coursekit_grade/nbgrader_plugin.py": "nbgrader",
    "tools/coursekit_lecture": "lecture",
    "tools/coursekit_site": "site",
    "tests": "test",
}


def test_what_a_file_imports_is_declared():
    optional = PROJECT["optional-dependencies"]

    def declared(requirements):
        for requirement in map(Requirement, requirements):
            if requirement.name == PROJECT["name"]:
                for extra in requirement.extras:
                    yield from declared(optional[extra])
            yield canonicalize_name(requirement.name)

    brought = {extra: {*declared([f"{PROJECT['name']}[{extra}]"])} for extra in optional}
    everybodys = {*declared(PROJECT["dependencies"])}
    packages, ours = packages_distributions(), {*sys.stdlib_module_names, *OURS}
    imported = {(path, name.split(".")[0])
                for part in (*house.PACKAGES, "tests") for path, _, name in house.imports(part)}
    for path, module in imported:
        name = path.relative_to(ROOT).as_posix()
        own = everybodys.union(*(brought[e] for place, e in EXTRAS.items() if f"{name}/".startswith(f"{place}/")))
        assert module in ours or own & {canonicalize_name(d) for d in packages.get(module, ())}, f"{name}: {module}"


SCRIPT = """
import os, signal, sys
sys.modules["rfc3987_syntax"] = None  # jsonschema does without it, and it takes a second to be imported
# What is not ours may do on this system what it does here.
import concurrent.futures.process, multiprocessing.connection
import anywidget, IPython, ipywidgets, jsonschema, jupyterlab.labapp, matplotlib.pyplot, nbconvert.exporters, nbformat
import jupyterlite_pyodide_kernel, nbgrader.apps, sklearn.base, sqlalchemy, tqdm.auto

for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None  # its import fails
for module, names in {
    os: "fork forkpty geteuid getloadavg getpgid getuid killpg sched_getaffinity setsid wait4",
    signal: "SIGALRM SIGCHLD SIGHUP SIGKILL SIGUSR1 alarm pthread_sigmask setitimer",
}.items():
    for name in names.split():
        delattr(module, name)
sys.platform = "win32"

import importlib, pkgutil
import coursekit as ck, coursekit_figures, coursekit_grade, coursekit_site
for package in (ck, coursekit_figures, coursekit_grade, coursekit_site):
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        importlib.import_module(module.name)
explorer = ck.explorers.svm()
explorer.save("street.png")
explorer.gif("lam", "street.gif", frames=2)

from coursekit.checking import call
from coursekit.grading import check, progress
call.SECONDS = 0.3
def bound(X, y, theta):
    while True:
        pass
try:
    check("bound", bound)
except AssertionError as error:
    print(error)
progress()
"""


@pytest.mark.slow
def test_all_modules_load_pictures_move_and_an_endless_answer_is_stopped_without_unix(tmp_path):
    shutil.copy(ROOT / "exercises" / "02-perceptron" / "checks.json", tmp_path)
    printed = python("-c", SCRIPT, cwd=tmp_path, env={"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(tmp_path)})
    assert "bound was still running after 0.3 seconds and was stopped" in printed
    assert "bound (3 points, last check failed" in printed
    assert (tmp_path / "street.png").stat().st_size > 10_000
    assert (tmp_path / "street.gif").read_bytes().startswith(b"GIF89a")

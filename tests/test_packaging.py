"""What the source distribution holds."""

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def sdist_names(tmp_path_factory):
    out = tmp_path_factory.mktemp("sdist")
    code = f"import setuptools.build_meta as b; print(b.build_sdist({str(out)!r}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with tarfile.open(next(out.glob("*.tar.gz"))) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def test_it_holds_no_generated_file(sdist_names):
    bad = [
        n
        for n in sdist_names
        if n.endswith((".c", ".so", ".pyc", ".html")) or n.startswith(("build/", ".venv"))
    ]
    assert not bad


def test_it_holds_every_source_file(sdist_names):
    done = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False)
    tracked = set(done.stdout.split("\n")) if done.returncode == 0 else set()
    wanted = {n for n in tracked if n.startswith(("src/", "cli/", "tests/", "bench/", "docs/"))}
    assert not {n for n in wanted if (ROOT / n).exists()} - sdist_names
    assert {"pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "Makefile"} <= sdist_names


def test_modules_are_portable():
    """No instruction beyond the baseline of x86-64, but for the dispatched ones, gets into the modules."""
    modules = list((ROOT / "src").rglob("*.so"))
    assert modules
    for module in modules:
        done = subprocess.run(["objdump", "-d", str(module)], capture_output=True, text=True, check=False)
        assert done.returncode == 0
        assert "%ymm" not in done.stdout, module
        assert "%zmm" not in done.stdout, module

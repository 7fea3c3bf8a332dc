"""Builds generator, state and rules with every C compiler and level of optimisation at hand; `make portable`.

Under each of them the generator must give the vectors of docs/log-format.md, and every archived log its game
and its cards again from its seed.
"""

import importlib.machinery
import importlib.util
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[2]
C_FILES = ROOT / "build" / "cython" / "src"
COMPILERS = ("gcc", "clang", "tcc", "icx")
LEVELS = ("-O0", "-O1", "-O3", "-O3 -march=native", "-Os")
TESTS = ("tests/core/test_rng.py", "tests/log/test_log_golden.py", "tests/log/test_log_reports.py")
NAMED = "vectors or block or page or archive or archived or seed or begins"
CORE = Path("cardgods", "_core")


def modules():
    """The C files whose code decides what is dealt and what is legal, by their place in the package."""
    games = sorted(Path(C_FILES, CORE, "games").glob("*.c"))
    return [CORE / "rng.c", CORE / "state.c", *(path.relative_to(C_FILES) for path in games)]


def built(compiler, level, folder):
    """Compile all modules into a folder."""
    include = [f"-I{sysconfig.get_paths()['include']}", f"-I{ROOT / 'src' / CORE}"]
    for module in modules():
        target = Path(folder, module).with_suffix(".so")
        target.parent.mkdir(parents=True, exist_ok=True)
        words = [
            compiler,
            *level.split(),
            "-w",
            "-fPIC",
            "-shared",
            *include,
            str(C_FILES / module),
            "-o",
            target,
        ]
        subprocess.run(words, check=True)


class Finder:
    """Finds the modules of a folder before those that are installed."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def find_spec(self, name, path=None, target=None):
        file = self.folder.joinpath(*name.split(".")).with_suffix(".so")
        if not file.exists():
            return None
        loader = importlib.machinery.ExtensionFileLoader(name, str(file))
        return importlib.util.spec_from_file_location(name, file, loader=loader)


def tested(folder):
    """Exit code of the tests with the modules of a folder."""
    sys.meta_path.insert(0, Finder(folder))
    import pytest

    from cardgods._core import rng

    assert rng.__file__.startswith(str(folder)), rng.__file__
    return pytest.main(["-q", "-k", NAMED, "-p", "no:cacheprovider", *TESTS])


def main():
    if len(sys.argv) > 1:
        return tested(sys.argv[1])
    compilers = [name for name in COMPILERS if shutil.which(name)]
    for compiler in compilers:
        for level in LEVELS:
            folder = ROOT / "build" / "portable" / f"{compiler}{level}".replace(" ", "")
            built(compiler, level, folder)
            subprocess.run([sys.executable, __file__, str(folder)], check=True, cwd=ROOT)
            print(f"{compiler} {level}: the same numbers, the same games", flush=True)
    return 0 if compilers else 1


if __name__ == "__main__":
    sys.exit(main())

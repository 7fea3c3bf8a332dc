"""What pyproject.toml cannot say: which Cython modules there are and how to compile them.

Environment:
    CARDGODS_MARCH   value of -march for a local build (never set for a wheel: the default is portable,
                     and bits.h picks the popcnt instruction at run time).
    CARDGODS_TRACE   1 for a slow build that line coverage can follow.
"""

import os
import shutil
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_py import build_py

SRC = Path("src")
CORE = SRC / "cardgods" / "_core"
TRACE = os.environ.get("CARDGODS_TRACE") == "1"
MARCH = os.environ.get("CARDGODS_MARCH")

DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "initializedcheck": False,
    "cdivision": True,
    "auto_pickle": False,
    # None where an object of ours is wanted would be a null pointer: a TypeError instead, everywhere.
    "allow_none_for_extension_args": False,
    "freethreading_compatible": True,
    "linetrace": TRACE,
}


def extension(path: Path) -> Extension:
    """One extension per .pyx file, named by its place below src/."""
    flags = ["-O3", "-g0", "-fno-math-errno", "-fno-trapping-math", "-Wno-unused-function"]
    if MARCH:
        flags.append(f"-march={MARCH}")
    macros = [("CYTHON_TRACE", "1"), ("CYTHON_TRACE_NOGIL", "1"), ("CYTHON_USE_SYS_MONITORING", "0")]
    return Extension(
        ".".join(path.relative_to(SRC).with_suffix("").parts),
        [str(path)],
        include_dirs=[str(CORE)],
        depends=[str(h) for h in sorted(CORE.rglob("*.h"))],
        extra_compile_args=flags,
        define_macros=macros if TRACE else [],
    )


class BuildWithRules(build_py):
    """Puts the rules pages beside the command that shows them, where a checkout has its docs."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            pages = Path(self.build_lib) / "cardgods_cli" / "rules"
            pages.mkdir(parents=True, exist_ok=True)
            for page in Path("docs/rules").glob("*.md"):
                shutil.copy(page, pages)


def put_catalogs_together() -> None:
    """One .mo file for each language from the catalogs of its parts, where one of them is newer."""
    for folder in Path("cli/cardgods_cli/locale").iterdir():
        parts = sorted(folder.glob("*.po"))
        made = folder / "LC_MESSAGES" / "cardgods.mo"
        if not parts or (made.exists() and made.stat().st_mtime > max(p.stat().st_mtime for p in parts)):
            continue
        catalogs = [read_po(part.open("rb"), locale=folder.name) for part in parts]
        for catalog in catalogs[1:]:
            for message in catalog:
                if message.id:
                    catalogs[0][message.id] = message
        made.parent.mkdir(exist_ok=True)
        fresh = made.with_suffix(".new")
        with fresh.open("wb") as file:
            write_mo(file, catalogs[0])
        fresh.replace(made)


put_catalogs_together()
jobs = os.cpu_count() or 1
setup(
    ext_modules=cythonize(
        [extension(path) for path in sorted(CORE.rglob("*.pyx"))],
        compiler_directives=DIRECTIVES,
        include_path=[str(SRC)],
        nthreads=jobs,
        build_dir=None if TRACE else "build/cython",
        quiet=True,
    ),
    cmdclass={"build_py": BuildWithRules},
    options={"build_ext": {"parallel": jobs}},
)

"""The hand-written .pyi files say what the compiled modules are."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
CORE = ROOT / "src" / "cardgods" / "_core"
MODULES = sorted(
    ".".join(path.relative_to(ROOT / "src").with_suffix("").parts) for path in CORE.rglob("*.pyx")
)
ALLOWED = r"""
.*\.__pyx_capi__
.*\.__test__
.*\.__reduce_cython__
.*\.__setstate_cython__
.*\.__init__
.*\.__new__
.*\.__bool__
.*\.__len__
.*\.__copy__
.*\.__deepcopy__
.*\.__reduce__
"""


def test_every_compiled_module_has_its_stub():
    assert all(path.with_suffix(".pyi").exists() for path in CORE.rglob("*.pyx"))
    assert len(MODULES) > 3


def test_stubs_agree_with_the_modules(tmp_path):
    allowed = tmp_path / "allowed.txt"
    allowed.write_text(ALLOWED)
    command = [
        sys.executable,
        "-m",
        "mypy.stubtest",
        "--allowlist",
        str(allowed),
        "--ignore-unused-allowlist",
    ]
    config = ["--mypy-config-file", str(ROOT / "pyproject.toml")]
    done = subprocess.run(
        [*command, *config, *MODULES], capture_output=True, text=True, cwd=ROOT, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr

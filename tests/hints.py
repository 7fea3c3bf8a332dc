"""Part of `make lint`: no Cython function may need the GIL by accident.

Cython prints a performance hint where a `noexcept` is missing, which makes a nogil function an order of
magnitude slower. This compiles every .pyx to C in a scratch folder and fails on any hint or warning.
"""

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SRC = Path(__file__).parent.parent / "src"


def hints(path: Path, folder: str) -> str:
    out = Path(folder) / ("_".join(path.relative_to(SRC).with_suffix(".c").parts))
    command = [sys.executable, "-m", "cython", "-3", "-I", str(SRC), "-o", str(out), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    bad = [line for line in lines if "performance hint" in line or "warning:" in line]
    return "\n".join(bad) if done.returncode == 0 else done.stdout + done.stderr


def main() -> int:
    files = sorted(SRC.rglob("*.pyx"))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        found = [text for text in pool.map(lambda path: hints(path, folder), files) if text]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())

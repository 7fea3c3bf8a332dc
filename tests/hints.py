"""Part of `make lint`: no Cython function may need the GIL by accident.

Cython prints a performance hint where a `noexcept` is missing, which makes a nogil function an order of
magnitude slower. This compiles every .pyx to C in a scratch folder and fails on any hint or warning. Files
that passed with the same .pxd files are remembered in build/hints and not compiled again.
"""

import hashlib
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

SRC = Path(__file__).parent.parent / "src"
PASSED = SRC.parent / "build" / "hints"


def shared_digest() -> bytes:
    """Of all that a .pyx may depend on."""
    digest = hashlib.sha256()
    for path in (Path(__file__), *sorted(SRC.rglob("*.pxd")), *sorted(SRC.rglob("*.h"))):
        digest.update(path.read_bytes())
    return digest.digest()


def hints(path: Path, folder: str) -> str:
    out = Path(folder) / ("_".join(path.relative_to(SRC).with_suffix(".c").parts))
    command = [sys.executable, "-m", "cython", "-3", "-I", str(SRC), "-o", str(out), str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    bad = [line for line in lines if "performance hint" in line or "warning:" in line]
    return "\n".join(bad) if done.returncode == 0 else done.stdout + done.stderr


def main() -> int:
    files = sorted(SRC.rglob("*.pyx"))
    shared = shared_digest()
    PASSED.mkdir(parents=True, exist_ok=True)

    def check(path: Path) -> str:
        mark = PASSED / hashlib.sha256(shared + str(path).encode() + path.read_bytes()).hexdigest()
        if mark.exists():
            return ""
        text = hints(path, folder)
        if not text:
            mark.touch()
        return text

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        found = [text for text in pool.map(check, files) if text]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())

"""Lets atheris look for bytes that break a reader of logs: `make fuzz`, or with libFuzzer's own arguments

    python tests/log/fuzz_atheris.py build/fuzz -max_total_time=60

The folder keeps what was found worth keeping; a crash leaves its input in the current folder.
"""

import hashlib
import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["cardgods.log"]):
    import fuzzer


def main():
    folder = next((Path(word) for word in sys.argv[1:] if not word.startswith("-")), None)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for seed in fuzzer.seeds():
            Path(folder, hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
    atheris.Setup(sys.argv, fuzzer.one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

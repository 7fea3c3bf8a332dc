"""A headless Chromium that tests talk to over a pipe, in the words of the Chrome DevTools Protocol."""

import json
import os
import select
import shutil
import subprocess
import time

SECONDS = 30
KEYS = {"ArrowRight": 39, "ArrowLeft": 37, "End": 35, "Home": 36, "Tab": 9, "Enter": 13}


def found():
    """Where Chromium is, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """A page in a browser of its own; use as a context manager.

    Attributes:
        complaints: exceptions, errors on the console and broken policies, as they came.
    """

    def __init__(self, url, folder, *, width=1200, height=900, touch=False):
        self._in, their_out = os.pipe()
        their_in, self._out = os.pipe()
        words = [found(), "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
        words += [f"--user-data-dir={folder}", "--no-first-run", "--disable-extensions", "about:blank"]
        line = f'exec "$@" 3<&{their_in} 4>&{their_out}'
        self._process = subprocess.Popen(
            ["bash", "-c", line, "bash", *words],
            pass_fds=(their_in, their_out),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(their_in)
        os.close(their_out)
        self._number, self._buffer, self._session = 0, b"", None
        self.complaints = []
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")
        self.requests = []
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=touch,
        )
        if touch:
            self._ask("Emulation.setTouchEmulationEnabled", enabled=True)
        self._ask("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)

    def value(self, expression):
        """What an expression of JavaScript comes to."""
        answer = self._ask("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait(self, expression):
        """Until an expression is true."""
        end = time.monotonic() + SECONDS
        while not self.value(expression):
            assert time.monotonic() < end, expression
            time.sleep(0.02)

    def text(self, selector):
        """The text that an element shows."""
        return self.value(f"document.querySelector({json.dumps(selector)}).innerText")

    def click(self, selector):
        """Press the mouse in the middle of an element."""
        box = self.value(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView(); "
            "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self._ask("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def press(self, key):
        """Press a key and let it go."""
        for kind in ("rawKeyDown", "keyUp"):
            self._ask("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=KEYS[key])

    def swipe(self, selector, way):
        """Move a finger over an element, `way` points to the right."""
        x, y = self.value(
            f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect(); "
            "return [b.x + b.width / 2, b.y + 40]; })()"
        )
        self._ask("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        for part in (0.5, 1):
            self._ask(
                "Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x + part * way, "y": y}]
            )
        self._ask("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def dark(self, wished):
        """Say that the user wishes for a dark page, or a light one."""
        feature = {"name": "prefers-color-scheme", "value": "dark" if wished else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[feature])

    def _ask(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]
            self._note(answer)

    def _note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(parameters["exceptionDetails"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(parameters["entry"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.complaints.append(parameters)
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def _read(self):
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._in], [], [], SECONDS)
            assert ready, "the browser does not answer"
            data = os.read(self._in, 1 << 16)
            assert data, "the browser has ended"
            self._buffer += data
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

# SPDX-License-Identifier: GPL-2.0-or-later
"""Test Anything Protocol, as tests/run reads it: what is wrong stands in "# "
lines before the "not ok" that it explains."""

import traceback


class Tap:
    def __init__(self):
        self.count = 0
        self.failed = 0

    def result(self, name, problems=()):
        """Passed when there are no problems; each is a text of one or more lines."""
        lines = []
        try:
            for text in problems:
                lines += str(text).splitlines()
        except Exception:  # one broken test must not end the others
            lines += traceback.format_exc().splitlines()
        for line in lines:
            self._say(f"# {line}")
        self.count += 1
        self.failed += bool(lines)
        self._say(f"{'not ok' if lines else 'ok'} {self.count} - {name}")

    def skip(self, name, reason):
        self.count += 1
        self._say(f"ok {self.count} - {name} # SKIP {reason}")

    def end(self):
        """The plan, and the exit code for it."""
        self._say(f"1..{self.count}")
        return 1 if self.failed else 0

    @staticmethod
    def _say(line):
        print(line.encode("utf-8", "backslashreplace").decode(), flush=True)

# SPDX-License-Identifier: GPL-2.0-or-later
"""C source as the lints see it: code without comments and texts, its functions, and how
deep their statements nest. No parser: it trusts the formatting that clang-format keeps."""

import dataclasses
import re
from pathlib import Path

LITERAL = re.compile(r"""
    (?P<comment>/\*.*?\*/) | (?P<line>//[^\n]*) |
    (?P<text>"(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*')""", re.X | re.S)
TOKEN = re.compile(r"\w+|[^\w\s]")
LOOPS = ("if", "for", "while", "switch", "do")


def blank(text):
    return re.sub(r"[^\n]", " ", text)


@dataclasses.dataclass
class Function:
    name: str
    line: int
    lines: int
    parameters: int
    nesting: int


class Source:
    def __init__(self, path, name):
        self.path, self.name = Path(path), name
        self.text = self.path.read_text()
        self.lines = self.text.splitlines()
        self.line_comments = []
        self.code = LITERAL.sub(self._strip, self.text)

    def _strip(self, match):
        if match["line"]:
            self.line_comments.append(self.text.count("\n", 0, match.start()) + 1)
        return '""' if match["text"] else blank(match[0])

    def includes(self):
        """(line, name, is_system) of each #include."""
        for number, line in enumerate(self.lines, 1):
            match = re.match(r'\s*#\s*include\s*([<"])([^>"]+)', line)
            if match:
                yield number, match[2], match[1] == "<"

    def functions(self):
        """Those whose body begins with a { in the first column, as the kernel writes them."""
        code = re.sub(r"^[ \t]*#(?:.*\\\n)*.*", lambda m: blank(m[0]), self.code, flags=re.M)
        for match in re.finditer(r"^\{$.*?^\}", code, re.M | re.S):
            head = code[:match.start()].rstrip()
            if not head.endswith(")"):
                continue
            name, parameters = _head(head)
            body = TOKEN.findall(match[0])
            yield Function(name, code.count("\n", 0, match.start()), match[0].count("\n") - 1,
                           parameters, _Nesting(body).depth())


def _head(head):
    """The name and the number of parameters of what ends in "name(parameters)"."""
    depth, commas = 0, 0
    for at in range(len(head) - 1, -1, -1):
        depth += {")": 1, "(": -1}.get(head[at], 0)
        commas += head[at] == "," and depth == 1
        if depth == 0:
            break
    inside = head[at + 1:-1].strip()
    name = re.search(r"\w+$", head[:at].rstrip())
    return name[0] if name else "?", 0 if inside in ("", "void") else commas + 1


class _Nesting:
    """How many if, for, while, switch and do stand in each other; else if counts once."""

    def __init__(self, tokens):
        self.tokens, self.at, self.deepest = tokens, 0, 0

    def depth(self):
        self.statement(0)
        return self.deepest

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def statement(self, depth):
        self.deepest = max(self.deepest, depth)
        word = self.peek()
        if word == "{":
            self.at += 1
            while self.peek() not in ("}", None):
                self.statement(depth)
            self.at += 1
        elif word in LOOPS:
            self.controlled(word, depth)
        elif word in ("case", "default"):
            while self.peek() not in (":", None):
                self.at += 1
            self.at += 1
        else:
            self.simple(depth)

    def controlled(self, word, depth):
        self.at += 1
        if word != "do":
            self.brackets()
        self.statement(depth + 1)
        if word == "if" and self.peek() == "else":
            self.at += 1
            self.statement(depth if self.peek() == "if" else depth + 1)

    def brackets(self):
        depth = 0
        while self.peek() is not None:
            depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(self.peek(), 0)
            self.at += 1
            if depth == 0:
                return

    def simple(self, depth):
        """Up to its ";"; a { behind a ) is the body of a macro that loops."""
        before = None
        while self.peek() not in (";", "}", None):
            if self.peek() == "{" and before == ")":
                self.statement(depth + 1)
                return
            before = self.peek()
            if before in "([{":
                self.brackets()
                before = self.tokens[self.at - 1]
            else:
                self.at += 1
        self.at += self.peek() == ";"

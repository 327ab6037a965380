"""Let emitted functions work out once what they would work out again.

Definitions are unfolded wherever they are used, so that the same lines stand in one
function more than once, or in a loop on which they do not depend. A chunk of lines
that only works out numbers, from some assignments to the loop or test after them, is
written once: before the loop, or where it was met first. Nothing that the state is
changed by lies in between.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

_ASSIGNED: Final = re.compile(r"([a-z]\d+) (?:[-+|&^*]?=) (.*)")
_LOOP: Final = re.compile(r"for ([a-z]\d+) in (.*):")
_NAME: Final = re.compile(r"\b[a-z]\d+\b")
_CALL: Final = re.compile(r"\b([a-z_]\w*)\(")
# What changes neither the state nor a buffer, and never fails.
_PURE: Final = frozenset(
    (
        *("and", "elif", "else", "if", "in", "not", "or", "range", "while"),
        *("abs", "bits", "length", "limited", "max", "min", "product"),
        *("card_at", "equal_on_top", "is_run", "longest_runs", "run_on_top", "top_of"),
    )
)
# A table asked for what may not be there, unless somebody has made sure.
_RISKY: Final = re.compile(r"\b[A-Z]\w*\[[^\]]*S\[|\bPLACE\[|//|%")
_HEADS: Final = ("for ", "while ", "if ", "elif ", "else:")
# Names that are no names of an emitter and change within a function.
_CHANGING: Final = re.compile(r"\b(?:o|pc|fuel|most)\b")
_COUNTED: Final = re.compile(r"S\[[a-z]\d+ \+ (\d+)\] = limited\(.*")
# What is on the right of these may not be worked out.
_CHOICE: Final = re.compile(r" (?:and|or|if|else) ")
_NUMBER: Final = re.compile(r"\b\d+\b")

_IF_ANY: Final = re.compile(r"if \((\(S\[[^=]* & .*\)) != 0\):")

# What is worked out: a chunk's text, and the names of its numbers.
Known = list[dict[str, list[str]]]


def _parts(text: str) -> list[str]:
    """Return what stands in brackets and is dear, the longest first.

    It asks the state alone, and can be asked whatever else holds.
    """
    found, opened = [], list[int]()
    if text.count("S[") < 3:
        return []
    for place, letter in enumerate(text):
        if letter == "(":
            opened.append(place)
        elif letter == ")" and opened:
            found.append(text[opened.pop() : place + 1])
    parts = {part for part in found if part.count("S[") > 2}
    parts -= {text.partition(" = ")[2]}
    return sorted(
        (part for part in parts if _is_steady(part, text)), key=len, reverse=True
    )


def _is_steady(part: str, text: str) -> bool:
    """Tell whether a part of a line can be asked before it, and again after it."""
    is_sure = not _RISKY.search(part) or not _CHOICE.search(text.replace(part, ""))
    return (
        is_sure
        and not _CHANGING.search(part)
        and not _NAME.search(part)
        and _PURE.issuperset(_CALL.findall(part))
    )


def _asks(text: str) -> bool:
    """Tell whether a line is a test, or gives a number to a name."""
    return text.startswith("if ") or bool(_ASSIGNED.fullmatch(text))


def _is_in_two(part: str, texts: list[str]) -> bool:
    return sum(part in text for text in texts) > 1


def merge_tests(body: list[Line]) -> None:
    """Let tests that follow one another and ask the same be one."""
    index = 0
    while index < len(body):
        line = body[index]
        after = index + 1
        while after < len(body) and body[after].text.startswith("#"):
            after += 1
        is_same = after < len(body) and body[after].text == line.text
        if is_same and _can_merge(body, index, after):
            line.inside += [*body[index + 1 : after], *body[after].inside]
            del body[index + 1 : after + 1]
            continue
        merge_tests(line.inside)
        index += 1


def _can_merge(body: list[Line], index: int, after: int) -> bool:
    """Tell whether what follows one test leaves it true, and nothing follows `else`."""
    line = body[index]
    if not line.text.startswith("if ") or _CHANGING.search(line.text):
        return False
    if _is_branch(body, after) or not _PURE.issuperset(_CALL.findall(line.text)):
        return False
    given = {each.target for top in line.inside for each in top.walk()}
    texts = [each.text for top in line.inside for each in top.walk()]
    is_quiet = all(
        text.startswith(("#", "B[", "o ", *_HEADS)) or _ASSIGNED.fullmatch(text)
        for text in texts
    )
    is_pure = all(_PURE.issuperset(_CALL.findall(t)) for t in texts if t[0] != "#")
    return is_quiet and is_pure and not given & set(_NAME.findall(line.text))


@dataclass
class Line:
    """A line of a function, with the lines inside it."""

    text: str
    inside: list[Line] = field(default_factory=list)

    def walk(self) -> Iterator[Line]:
        """Return the line and all inside it."""
        yield self
        for line in self.inside:
            yield from line.walk()

    @property
    def target(self) -> str:
        """Return the name that the line gives a number to, or nothing."""
        match = _LOOP.fullmatch(self.text) or _ASSIGNED.fullmatch(self.text)
        return match[1] if match else ""


def share(lines: list[str], scores: range, items: range) -> list[str]:
    """Return the lines of a function's body that works out everything once.

    Args:
        lines: The body as it was written.
        scores: The slots of scores: who adds to them changes nothing else.
        items: The slots of what each scoring line has added, which nothing asks for.
    """
    body = _parse(lines)
    sharer = _Sharer(body, scores, items)
    sharer.hoist(body)
    sharer.block(body, [])
    sharer.name_sets(body)
    merge_tests(body)
    sharer.name_parts(body)
    return list(_write(body, 0))


def _parse(lines: list[str]) -> list[Line]:
    root = Line("")
    open_lines = [root]
    for text in lines:
        depth = (len(text) - len(text.lstrip())) // 4
        line = Line(text.strip())
        del open_lines[depth + 1 :]
        open_lines[-1].inside.append(line)
        open_lines.append(line)
    return root.inside


def _write(body: list[Line], depth: int) -> Iterator[str]:
    for line in body:
        yield "    " * depth + line.text
        yield from _write(line.inside, depth + 1)


def _is_pure(line: Line) -> bool:
    """Tell whether a line, and all inside it, only gives numbers to names."""
    for each in line.walk():
        text = each.text
        if not (each.target or text.startswith(_HEADS) or text in ("break", "pass")):
            return False
        if _CHANGING.search(text) or not _PURE.issuperset(_CALL.findall(text)):
            return False
    return True


def _find_chunk(body: list[Line], end: int) -> int:
    """Return where the chunk begins that ends with a line; the line's end if none."""
    names = {name for line in body[end].walk() for name in _NAME.findall(line.text)}
    start = end
    while start > 0:
        before = body[start - 1]
        if before.inside or before.target not in names or not _is_pure(before):
            break
        names.update(_NAME.findall(before.text))
        start -= 1
    return start


def _given(chunk: list[Line]) -> list[str]:
    """Return the names that a chunk gives numbers to, in their order."""
    walked = (line.target for top in chunk for line in top.walk())
    return [name for name in dict.fromkeys(walked) if name]


def _asked(chunk: list[Line]) -> set[str]:
    """Return the names that a chunk takes from elsewhere."""
    used = {n for top in chunk for line in top.walk() for n in _NAME.findall(line.text)}
    return used - set(_given(chunk))


def _is_branch(body: list[Line], index: int) -> bool:
    """Tell whether a line is one of several that a test chooses from."""
    after = body[index + 1].text if index + 1 < len(body) else ""
    return any(
        text.startswith(("elif ", "else:")) for text in (body[index].text, after)
    )


def _is_dear(text: str) -> bool:
    """Tell whether a number takes more than a look to work out."""
    return text.count("[") + text.count("(") > 2 or bool(_CALL.search(text))


def _describe(chunk: list[Line]) -> tuple[str, list[str]]:
    """Return what tells a chunk from others, whatever its names, and its names."""
    names = _given(chunk)
    places = {name: f"_{index}" for index, name in enumerate(names)}
    text = "\n".join(_write(chunk, 0))
    return _NAME.sub(lambda match: places.get(match[0], match[0]), text), names


class _Sharer:
    """Goes through one function."""

    def __init__(self, body: list[Line], scores: range, items: range) -> None:
        self.scores, self.items = scores, items
        self.counts = Counter(line.target for top in body for line in top.walk())
        self.renamed: dict[str, str] = {}
        texts = (line.text for top in body for line in top.walk())
        numbers = (name[1:] for text in texts for name in _NAME.findall(text))
        self.last = max(map(int, numbers), default=0)

    def _asks_scores(self, text: str) -> bool:
        return any(int(number) in self.scores for number in _NUMBER.findall(text))

    def _changes(self, line: Line) -> tuple[bool, bool]:
        """Tell whether a line, or one inside it, changes the state; and scores."""
        changes_scores = False
        for each in line.walk():
            if match := _COUNTED.fullmatch(each.text):
                slot = int(match[1])
                changes_scores = True
                if slot in self.scores or slot in self.items:
                    continue
            if each.text.startswith("#"):
                continue
            if each.text.startswith("S["):
                return True, True
            if not _PURE.issuperset(_CALL.findall(each.text)):
                return True, True
        return False, changes_scores

    def _forget(self, known: Known, line: Line) -> None:
        """Drop what a line may make untrue."""
        changes, changes_scores = self._changes(line)
        for level in known:
            if changes:
                level.clear()
            elif changes_scores:
                for key in [key for key in level if self._asks_scores(key)]:
                    del level[key]

    def _is_closed(self, chunk: list[Line]) -> bool:
        """Tell whether a chunk's names get their numbers in it alone."""
        own = Counter(line.target for top in chunk for line in top.walk())
        return all(own[name] == self.counts[name] for name in own if name)

    def hoist(self, body: list[Line]) -> None:
        """Move what loops work out each time anew before them, innermost first."""
        index = 0
        while index < len(body):
            line = body[index]
            self.hoist(line.inside)
            changes, changes_scores = self._changes(line)
            if line.text.startswith(("for ", "while ")) and not changes:
                moved = self._take_out(line, changes_scores)
                body[index:index] = moved
                index += len(moved)
            index += 1

    def _take_out(self, loop: Line, changes_scores: bool) -> list[Line]:
        """Remove from a loop the chunks that do not depend on it; return them."""
        moved: list[Line] = []
        index = 0
        while index < len(loop.inside):
            start = index
            if loop.inside[index].inside and not _is_branch(loop.inside, index):
                start = _find_chunk(loop.inside, index)
            chunk = loop.inside[start : index + 1]
            if start < index and self._is_free(chunk, loop, changes_scores):
                moved += chunk
                del loop.inside[start : index + 1]
                index = start
            else:
                index += 1
        return moved

    def _is_free(self, chunk: list[Line], loop: Line, changes_scores: bool) -> bool:
        """Tell whether a chunk in a loop can as well stand before it."""
        text = "\n".join(_write(chunk, 0))
        changed = {each.target for each in loop.walk()} - set(_given(chunk))
        return (
            all(map(_is_pure, chunk))
            and self._is_closed(chunk)
            and not _asked(chunk) & changed
            and not _RISKY.search(text)
            and not (changes_scores and self._asks_scores(text))
        )

    def block(self, body: list[Line], known: Known) -> None:
        """Go through the lines of a block, knowing what was worked out before it."""
        known.append({})
        index = 0
        while index < len(body):
            line = body[index]
            for each in line.walk():
                each.text = self._rename(each.text)
            self._forget(known, line)
            if removed := self._share(body, index, known):
                index -= removed - 1
                continue
            if line.inside:
                self.block(line.inside, known)
                self._forget(known, line)
            index += 1
        known.pop()

    def _rename(self, text: str) -> str:
        if not self.renamed:
            return text
        return _NAME.sub(lambda match: self.renamed.get(match[0], match[0]), text)

    def _share(self, body: list[Line], index: int, known: Known) -> int:
        """Note a chunk, or remove it if it is known; return how many lines go."""
        line = body[index]
        start = index
        if line.inside:
            if _is_branch(body, index):
                return 0
            start = _find_chunk(body, index)
        elif not _is_dear(line.text):
            return 0
        chunk = body[start : index + 1]
        is_whole = all(map(_is_pure, chunk)) and self._is_closed(chunk)
        names_of_others = any(self.counts[name] > 1 for name in _asked(chunk))
        if not _given(chunk) or not is_whole or names_of_others:
            return 0
        key, names = _describe(chunk)
        found = next((level[key] for level in known if key in level), None)
        if found is None:
            known[-1][key] = names
            return 0
        self.renamed.update(zip(names, found, strict=True))
        del body[start : index + 1]
        return index + 1 - start

    def name_parts(self, body: list[Line]) -> None:
        """Give what several tests of a block ask for a name before the first."""
        index = 0
        while index < len(body):
            line = body[index]
            if _asks(line.text) and (parts := _parts(line.text)):
                lines = list(self._until_changed(body, index))
                texts = [each.text for each in lines if _asks(each.text)]
                part = next((p for p in parts if _is_in_two(p, texts)), "")
                if part:
                    self.last += 1
                    name = f"n{self.last}"
                    for each in lines:
                        each.text = each.text.replace(part, name)
                    body.insert(index, Line(f"{name} = {part}"))
                    index += 1
                    continue
            self.name_parts(line.inside)
            index += 1

    def _until_changed(self, body: list[Line], start: int) -> Iterator[Line]:
        """Return the lines of a block from one on, up to a change of the state."""
        for line in body[start:]:
            if self._changes(line) != (False, False):
                return
            yield from line.walk()

    def name_sets(self, body: list[Line]) -> None:
        """Give a set a name where it is asked for, and then used by its whole text."""
        index = 0
        while index < len(body):
            line = body[index]
            match = _IF_ANY.fullmatch(line.text)
            inner = [each for top in line.inside for each in top.walk()]
            is_used = match and any(match[1] in each.text for each in inner)
            if match and is_used and not self._changes(line)[0]:
                self.last += 1
                name = f"m{self.last}"
                body.insert(index, Line(f"{name} = {match[1]}"))
                line.text = f"if {name}:"
                for each in inner:
                    each.text = each.text.replace(match[1], name)
                index += 1
            self.name_sets(line.inside)
            index += 1

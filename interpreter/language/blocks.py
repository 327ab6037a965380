"""Join the blocks of a script, and find the one at a position."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Final

from .emitter import Emitter

# Joined blocks stand at most this many columns to the right.
MAX_INDENT: Final = 80
# Blocks of at most so many lines are copied, into one another at most this deep.
MOST_COPIED: Final = 8
MAX_COPIES: Final = 2
_JUMP: Final = re.compile(r"( *)pc = (\d+)(?: if (.*) else (\d+))?")
# Tells whether a block takes the place of a jump to it that stands in some blocks.
_Takes = Callable[[int, tuple[int, ...]], bool]


def join_blocks(blocks: list[list[str]], entries: set[int]) -> dict[int, list[str]]:
    """Put blocks in the place of the jumps to them, so that few jumps are left.

    A block that only one jump leads to stands there and nowhere else; short ones
    are copied. Entries stay, because the game goes on from them.
    """
    whole = dict(enumerate(blocks))
    jumps = _count_jumps(whole)
    joined = _join(whole, entries, lambda label, _: jumps[label] == 1)
    copied = {label for label, lines in joined.items() if len(lines) <= MOST_COPIED}
    return _join(
        joined,
        entries,
        lambda label, path: label in copied and len(path) <= MAX_COPIES,
        keeps_entries=False,
    )


def _count_jumps(blocks: dict[int, list[str]]) -> Counter[int]:
    """Return how many jumps lead to each block."""
    found: Counter[int] = Counter()
    for lines in blocks.values():
        for line in lines:
            if match := _JUMP.fullmatch(line):
                found.update(int(label) for label in match.group(2, 4) if label)
    return found


def _join(
    blocks: dict[int, list[str]],
    entries: set[int],
    takes: _Takes,
    *,
    keeps_entries: bool = True,
) -> dict[int, list[str]]:
    """Return the entries and what they lead to, with blocks in the place of jumps.

    Where entries are kept they stand nowhere else.
    """
    joined: dict[int, list[str]] = {}
    waiting = sorted(entries)

    def is_taken(label: int, path: tuple[int, ...]) -> bool:
        is_kept = keeps_entries and label in entries
        return not is_kept and label not in path and takes(label, path)

    while waiting:
        label = waiting.pop()
        if label not in joined:
            joined[label] = _follow(label, "", (), blocks, is_taken, waiting)
    return joined


def _follow(
    label: int,
    indent: str,
    path: tuple[int, ...],
    blocks: dict[int, list[str]],
    is_taken: _Takes,
    apart: list[int],
) -> list[str]:
    """Return a block's lines with the blocks that take the place of its jumps.

    The path is of the blocks that it stands in. What it jumps to is added to the
    ones apart.
    """
    found: list[str] = []
    path = (*path, label)
    rest = iter(blocks[label])

    def arm(target: int, indent: str) -> list[str]:
        if is_taken(target, path) and len(indent) <= MAX_INDENT:
            return _follow(target, indent, path, blocks, is_taken, apart)
        apart.append(target)
        return [f"{indent}pc = {target}", f"{indent}continue"]

    for line in rest:
        match = _JUMP.fullmatch(line)
        if match is None:
            found.append(indent + line)
            continue
        next(rest)  # the `continue` that ends a jump
        inside, first, test, second = match.groups()
        inside = indent + inside
        if test is None:
            found += arm(int(first), inside)
            continue
        yes, no = (arm(int(target), inside + "    ") for target in (first, second))
        one, other = (_JUMP.fullmatch(lines[0]) for lines in (yes, no))
        if one and other and not (one[3] or other[3]):
            both = f"pc = {one[2]} if {test} else {other[2]}"
            found += [inside + both, f"{inside}continue"]
        else:
            found += [f"{inside}if {test}:", *yes, f"{inside}else:", *no]
    return found


def dispatch(blocks: list[tuple[int, list[str]]], emitter: Emitter) -> None:
    """Write a tree of tests that leads to the block of a position."""
    if len(blocks) == 1:
        emitter.add(blocks[0][1])
        return
    middle = len(blocks) // 2
    with emitter.block(f"if pc < {blocks[middle][0]}:"):
        dispatch(blocks[:middle], emitter)
    with emitter.block("else:"):
        dispatch(blocks[middle:], emitter)

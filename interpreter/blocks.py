"""Join the blocks of a script, and find the one at a position."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from .emitter import Emitter

# Joined blocks stand at most this many columns to the right.
MAX_INDENT: Final = 80
_JUMP: Final = re.compile(r"( *)pc = (\d+)(?: if (.*) else (\d+))?")


def join_blocks(blocks: list[list[str]], entries: set[int]) -> dict[int, list[str]]:
    """Put each block that only one jump leads to in the place of that jump.

    Entries are the positions that must stay, because the game goes on from them.
    """
    jumps: Counter[int] = Counter()
    for lines in blocks:
        for line in lines:
            if match := _JUMP.fullmatch(line):
                jumps.update(int(label) for label in match.group(2, 4) if label)
    single = {label for label, times in jumps.items() if times == 1} - entries
    joined: dict[int, list[str]] = {}
    waiting = sorted({label for label in jumps if label not in single} | entries)
    while waiting:
        label = waiting.pop()
        joined[label] = _follow(blocks[label], blocks, single, waiting)
    return joined


def _follow(
    lines: list[str], blocks: list[list[str]], single: set[int], apart: list[int]
) -> list[str]:
    """Return a block's lines with the blocks that it alone leads to.

    Those that would stand too far to the right are added to the ones apart.
    """
    found: list[str] = []
    rest = iter(lines)
    for line in rest:
        match = _JUMP.fullmatch(line)
        if match is None:
            found.append(line)
            continue
        next(rest)  # the `continue` that ends a jump
        indent, first, test, second = match.groups()
        if test is None:
            found += _arm(int(first), indent, blocks, single, apart)
        elif single & {int(first), int(second)}:
            deeper = indent + "    "
            found.append(f"{indent}if {test}:")
            found += _arm(int(first), deeper, blocks, single, apart)
            found.append(f"{indent}else:")
            found += _arm(int(second), deeper, blocks, single, apart)
        else:
            found += [line, f"{indent}continue"]
    return found


def _arm(
    label: int,
    indent: str,
    blocks: list[list[str]],
    single: set[int],
    apart: list[int],
) -> list[str]:
    """Return a block in the place of the jump to it, or the jump itself."""
    if label not in single or len(indent) > MAX_INDENT:
        apart += [label] if label in single else []
        return [f"{indent}pc = {label}", f"{indent}continue"]
    lines = [indent + line for line in blocks[label]]
    return _follow(lines, blocks, single, apart)


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

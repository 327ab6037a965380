"""What every compiled game is made of, besides its own rules.

The text of this module stands at the head of each emitted game, whose own
constants replace the ones below. Like all emitted code it keeps to the subset
that Numba compiles: integers, flat vectors and bounded loops.

S is the state, B a buffer of moves (rows of WIDTH integers), R the four words of
another random generator, T a tally: decisions, choices, legal
moves at decisions, at choices, and the most at once. Where speed counts the loop of
draw_from is written out in place of a line with spin, and the bit of the lowest card
of a set in place of lowest. What is for races is left out where there are none. A
signed comment is a line in a source that counts (see program.py).

The cards of a pile are a list from PLACE on, or a set: one integer with a bit a card.
Where the moves at a decision are one for each card of a set, offer writes that set in
place of a list of them, and returns how many they are (see IS_PICKED).

bits and length are not defined here, since processors have them: how many ones an
integer has, and how many binary digits.
"""

# CONSTANTS
SEATS = 2
CAPACITY = 52
WIDTH = 2
RNG = 0
DECISION = 0
TO_ACT = 0
RACE = 0
OVER = 0
COUNT = 0
WHERE = 0
KNOWN = 0
FACE = 0
BY = 0
STACKED = 0
SCORE = 0
TEAMS = 2
FAULT = 0
DECK = 0
ALL = 3
VIEW = (0,)
SORTED = (0,)
IS_SET = (0,)
IS_PICKED = (0,)
PLACE = (0,)
FACING = (0,)
RANK = (0,)
RING = 0
STEP = 1
ENDS = 6
KEPT = (0, 0, 0, 0, 0, 0)


def legal(S, seat, B):
    return 0


def apply(S, seat, B, o):
    return 0


def offer(S, seat, B):
    return 0


def spin(bound):
    return 0


def lowest(mask):
    return 0


def bits(mask):
    return 0


def length(mask):
    return 0


# BEGIN
def fault(S, kind):
    S[FAULT] = kind
    S[OVER] = 3
    S[TO_ACT] = 0
    return 0


def draw_from(V, at, bound):
    a = V[at]
    b = V[at + 1]
    c = V[at + 2]
    d = V[at + 3]
    while True:
        value = (a + b + d) & 4294967295
        d += 1
        a = b ^ (b >> 9)
        b = (c * 9) & 4294967295
        c = (((c << 21) | (c >> 11)) + value) & 4294967295
        product = value * bound
        low = product & 4294967295
        if low >= bound or low >= (4294967296 - bound) % bound:
            break
    V[at] = a
    V[at + 1] = b
    V[at + 2] = c
    V[at + 3] = d & 4294967295
    return product >> 32


def bounded(S, first, end):
    if end - first > 1000:
        fault(S, 5)
        return first
    return end


def digest(S, whole):
    number = 0
    for part in range(4 * whole, ENDS if whole else 4, 2):
        for i in range(KEPT[part], KEPT[part + 1]):
            number = (number * 1000003 + S[i]) & 1099511627775
    return number


def draw(S, bound):
    return draw_from(S, RNG, bound)


def shuffle(S, pile):
    at = PLACE[pile]
    size = S[COUNT + pile]
    if pile == DECK and S[STACKED]:
        S[STACKED] = 0
    else:
        a = S[RNG]
        b = S[RNG + 1]
        c = S[RNG + 2]
        d = S[RNG + 3]
        last = at + size
        for bound in range(size, 1, -1):
            last -= 1
            product = spin(bound)
            other = at + (product >> 32)
            card = S[last]
            S[last] = S[other]
            S[other] = card
        S[RNG] = a
        S[RNG + 1] = b
        S[RNG + 2] = c
        S[RNG + 3] = d & 4294967295
    seen = VIEW[pile]
    for i in range(at, at + size):
        card = S[i]
        S[KNOWN + card] = seen
        S[BY + card] = -1


def take(S, card):
    pile = S[WHERE + card]
    slot = COUNT + pile
    size = S[slot] - 1
    S[slot] = size
    if IS_SET[pile]:
        S[PLACE[pile]] ^= 1 << card
    else:
        last = PLACE[pile] + size
        other = S[last]
        while other != card:
            last -= 1
            below = S[last]
            S[last] = other
            other = below
    return pile


def put(S, card, pile):
    #: fills
    slot = COUNT + pile
    size = S[slot]
    S[slot] = size + 1
    if IS_SET[pile]:
        S[PLACE[pile]] |= 1 << card
    else:
        at = PLACE[pile]
        last = at + size
        if SORTED[pile]:
            while last > at:
                other = S[last - 1]
                if other < card:
                    break
                S[last] = other
                last -= 1
        S[last] = card
    S[WHERE + card] = pile
    S[FACE + card] = FACING[pile]
    S[KNOWN + card] |= VIEW[pile]


def forget_rest(S, source, seen):
    at = PLACE[source]
    if IS_SET[source]:
        mask = S[at]
        while mask:
            S[KNOWN + lowest(mask)] &= seen
            mask &= mask - 1
    else:
        for i in range(at, at + S[COUNT + source]):
            S[KNOWN + S[i]] &= seen


def forget(S, card, source, pile):
    seen = VIEW[source] | VIEW[pile]
    if SORTED[source] and seen != ALL:
        S[KNOWN + card] &= seen
        forget_rest(S, source, seen)


def move(S, card, pile):
    #: fills
    source = S[WHERE + card]
    slot = COUNT + source
    size = S[slot] - 1
    S[slot] = size
    if IS_SET[source]:
        S[PLACE[source]] ^= 1 << card
    else:
        last = PLACE[source] + size
        other = S[last]
        while other != card:
            last -= 1
            below = S[last]
            S[last] = other
            other = below
    seen = VIEW[pile]
    if SORTED[source] and seen != ALL:
        forget(S, card, source, pile)
    slot = COUNT + pile
    size = S[slot]
    S[slot] = size + 1
    if IS_SET[pile]:
        S[PLACE[pile]] |= 1 << card
    else:
        at = PLACE[pile]
        last = at + size
        if SORTED[pile]:
            while last > at:
                other = S[last - 1]
                if other < card:
                    break
                S[last] = other
                last -= 1
        S[last] = card
    S[WHERE + card] = pile
    S[FACE + card] = FACING[pile]
    S[KNOWN + card] |= seen


def move_each(S, first, end, pile):
    if first == end:
        return
    source = S[WHERE + S[first]]
    if source != pile and SORTED[source] + IS_SET[source] == 0:
        at = PLACE[source]
        rest = at
        for i in range(at, at + S[COUNT + source]):
            card = S[i]
            if first < end and card == S[first]:
                put(S, card, pile)
                first += 1
            else:
                S[rest] = card
                rest += 1
        S[COUNT + source] = rest - at
    for i in range(first, end):
        move(S, S[i], pile)


def move_under(S, card, pile):
    move(S, card, pile)
    if SORTED[pile] == 0:
        at = PLACE[pile]
        i = at + S[COUNT + pile] - 1
        while i > at:
            S[i] = S[i - 1]
            i -= 1
        S[at] = card


def lay_all(S, source, pile):
    at = PLACE[source]
    size = S[COUNT + source]
    S[COUNT + source] = 0
    if IS_SET[source]:
        mask = S[at]
        S[at] = 0
        while mask:
            put(S, lowest(mask), pile)
            mask &= mask - 1
    elif IS_SET[pile] or SORTED[pile] == 0:
        facing = FACING[pile]
        seen = VIEW[pile]
        is_set = IS_SET[pile]
        last = PLACE[pile]
        mask = S[last]
        if is_set == 0:
            last += S[COUNT + pile]
        for i in range(at, at + size):
            #: fills
            card = S[i]
            if is_set:
                mask |= 1 << card
            else:
                S[last] = card
                last += 1
            S[WHERE + card] = pile
            S[FACE + card] = facing
            S[KNOWN + card] |= seen
        if is_set:
            S[last] = mask
        S[COUNT + pile] += size
    else:
        for i in range(at, at + size):
            put(S, S[i], pile)


def move_all(S, source, pile):
    if source != pile and S[COUNT + source]:
        lay_all(S, source, pile)


def move_some(S, number, source, pile):
    slot = COUNT + source
    if number > S[slot]:
        number = S[slot]
    at = PLACE[source]
    while number > 0:
        number -= 1
        size = S[slot] - 1
        S[slot] = size
        if IS_SET[source]:
            card = length(S[at]) - 1
            S[at] ^= 1 << card
        else:
            card = S[at + size]
        if SORTED[source]:
            forget(S, card, source, pile)
        put(S, card, pile)


def deal(S, source, pile):
    slot = COUNT + source
    size = S[slot] - 1
    if size < 0:
        return
    if IS_SET[source] or SORTED[pile] != IS_SET[pile]:
        move_some(S, 1, source, pile)
        return
    #: fills
    S[slot] = size
    card = S[PLACE[source] + size]
    if SORTED[source]:
        forget(S, card, source, pile)
    slot = COUNT + pile
    size = S[slot]
    S[slot] = size + 1
    if IS_SET[pile]:
        S[PLACE[pile]] |= 1 << card
    else:
        S[PLACE[pile] + size] = card
    S[WHERE + card] = pile
    S[FACE + card] = FACING[pile]
    S[KNOWN + card] |= VIEW[pile]


def deal_around(S, number, source, first, seat):
    slot = COUNT + source
    size = S[slot]
    last = PLACE[source] + size
    is_set = IS_SET[first]
    facing = FACING[first]
    seat %= SEATS
    if number > size or IS_SET[source] or SORTED[source] or SORTED[first] != is_set:
        for _ in range(number):
            deal(S, source, first + seat)
            seat = (seat + STEP) % SEATS
        return
    S[slot] = size - number
    for _ in range(number):
        last -= 1
        card = S[last]
        pile = first + seat
        #: fills
        slot = COUNT + pile
        if is_set:
            S[PLACE[pile]] |= 1 << card
        else:
            S[PLACE[pile] + S[slot]] = card
        S[slot] += 1
        S[WHERE + card] = pile
        S[FACE + card] = facing
        S[KNOWN + card] |= VIEW[pile]
        seat = (seat + STEP) % SEATS


def card_at(S, pile, place):
    at = PLACE[pile]
    if IS_SET[pile]:
        mask = S[at]
        while place > 0:
            mask &= mask - 1
            place -= 1
        return lowest(mask)
    return S[at + place]


def top_of(S, pile):
    at = PLACE[pile]
    if IS_SET[pile]:
        return length(S[at]) - 1
    return S[at + S[COUNT + pile] - 1]


def mark_top(S, number, pile, seat):
    place = S[COUNT + pile]
    if number > place:
        number = place
    while number > 0:
        place -= 1
        S[BY + card_at(S, pile, place)] = seat
        number -= 1


def turn(S, card, facing):
    S[FACE + card] = facing
    if facing:
        S[KNOWN + card] = ALL


def lay_down(S, card, source, known):
    pile = S[WHERE + card]
    seen = VIEW[source]
    if FACING[pile] == 0:
        seen |= VIEW[pile]
        known |= VIEW[pile]
    if SORTED[source]:
        known &= seen
        forget_rest(S, source, seen)
    S[FACE + card] = 0
    S[KNOWN + card] = known


def swap_cards(S, one, other):
    here = take(S, one)
    there = take(S, other)
    forget(S, one, here, there)
    forget(S, other, there, here)
    put(S, one, there)
    put(S, other, here)


def set_of(S, pile):
    at = PLACE[pile]
    if IS_SET[pile]:
        return S[at]
    mask = 0
    for i in range(at, at + S[COUNT + pile]):
        mask |= 1 << S[i]
    return mask


def fill(S, pile, mask):
    at = PLACE[pile]
    if IS_SET[pile]:
        S[at] = mask
    else:
        while mask:
            S[at] = lowest(mask)
            mask &= mask - 1
            at += 1


def swap_piles(S, one, other):
    sizes = S[COUNT + one]
    if IS_SET[one] or IS_SET[other]:
        mask = set_of(S, one)
        fill(S, one, set_of(S, other))
        fill(S, other, mask)
    else:
        here = PLACE[one]
        there = PLACE[other]
        larger = max(sizes, S[COUNT + other])
        for i in range(larger):
            card = S[here + i]
            S[here + i] = S[there + i]
            S[there + i] = card
    S[COUNT + one] = S[COUNT + other]
    S[COUNT + other] = sizes
    lay_all(S, one, one)
    lay_all(S, other, other)


def limited(number):
    if number > 1000000000000:
        return 1000000000000
    if number < -1000000000000:
        return -1000000000000
    return number


def product(one, other):
    if one == 0 or other == 0:
        return 0
    if abs(one) > 1000000000000 // abs(other):
        if (one > 0) == (other > 0):
            return 1000000000000
        return -1000000000000
    return one * other


def is_run(ranks, number, ring):
    if bits(ranks) != number:
        return False
    if number == 0:
        return True
    low = ranks & -ranks
    if ranks == low * ((1 << number) - 1):
        return True
    if ring == 0:
        return False
    gap = ((1 << ring) - 1) ^ ranks
    low = gap & -gap
    return gap == 0 or gap == low * ((1 << (ring - number)) - 1)


def equal_on_top(S, pile):
    size = S[COUNT + pile]
    if size == 0:
        return 0
    at = PLACE[pile]
    is_set = IS_SET[pile]
    rank = RANK[top_of(S, pile)]
    number = 1
    while number < size:
        place = size - 1 - number
        card = card_at(S, pile, place) if is_set else S[at + place]
        if RANK[card] != rank:
            break
        number += 1
    return number


def run_on_top(S, pile):
    size = S[COUNT + pile]
    at = PLACE[pile]
    is_set = IS_SET[pile]
    ranks = 0
    longest = 0
    for number in range(1, size + 1):
        place = size - number
        card = card_at(S, pile, place) if is_set else S[at + place]
        rank = RANK[card]
        if rank < 0 or ranks >> rank & 1:
            break
        ranks |= 1 << rank
        if ranks == (ranks & -ranks) * ((1 << number) - 1) or (
            RING and is_run(ranks, number, RING)
        ):
            longest = number
    return longest


def longest_runs(numbers):
    longest = 3
    points = 0
    length = 0
    ways = 1
    while numbers or length:
        number = numbers & 15
        numbers >>= 4
        if number:
            length += 1
            ways *= number
        elif length:
            if length > longest:
                longest = length
                points = 0
            if length == longest:
                points += length * ways
            length = 0
            ways = 1
    return points


def add_way(S, base, most, top, value):
    if value < 0:
        return top
    top = min(top + value, most)
    for slot in range(base + top, base + value - 1, -1):
        S[slot] += S[slot - value]
    return top


def play_random(S, B, R, T):
    a = R[0]
    b = R[1]
    c = R[2]
    d = R[3]
    decisions = choices = offered = 0
    most = T[4]
    while S[OVER] == 0:
        mask = S[TO_ACT]
        # RACE
        if S[RACE]:
            seat = 0
            best = 1 << 40
            for other in range(SEATS):
                if mask >> other & 1:
                    # All are as fast: who draws the least is first. In a word of
                    # 64 bits the product may be below 0.
                    product = spin(4294967295)
                    due = product >> 32 & 4294967295
                    if due < best:
                        best = due
                        seat = other
            number = offer(S, seat, B)
            for _ in range(1, SEATS):
                if number:
                    break
                seat = (seat + 1) % SEATS
                number = offer(S, seat, B)
        else:
            # TURN
            seat = lowest(mask)
            number = offer(S, seat, B)
        # END
        if number == 0:
            S[OVER] = 3
            break
        decisions += 1
        o = 0
        if number > 1:
            choices += 1
            offered += number
            if number > most:
                most = number
            product = spin(number)
            o = product >> 32
        if IS_PICKED[S[DECISION]]:
            mask = B[1]
            for _ in range(o):
                mask &= mask - 1
            o = 0
            B[1] = lowest(mask)
        else:
            o *= WIDTH
        #: notes move
        apply(S, seat, B, o)
        #: notes lead
    R[0] = a
    R[1] = b
    R[2] = c
    R[3] = d & 4294967295
    T[0] += decisions
    T[1] += choices
    T[2] += offered + decisions - choices
    T[3] += offered
    T[4] = most
    return S[OVER]

"""What bots run over vectors, besides the functions of one game.

The text of this module stands behind the source of a game (see program.py), whose
own constants replace the ones below. It keeps to the same subset of Python, so that
it runs as it is and compiled by Numba, and a bot chooses the same move by either.

A is the vector of the state that a bot looks at, S one of a world in which moves
are tried, B a buffer of moves, R the words of the bot's random generator, X scratch
space, U how each seat stands. N are the nodes of a tree, H a table that finds them, Z
what is known of the search as a whole, E the factors of bounds, C and Y the moves that
are tried and their values. A world is a state that the bot cannot tell from its own.
"""

# CONSTANTS
SEATS = 2
CAPACITY = 52
WIDTH = 2
SIZE = 0
RNG = 0
TO_ACT = 0
DECISION = 0
CHOSEN = 0
RACE = 0
OVER = 0
FAULT = 0
COUNT = 0
WHERE = 0
KNOWN = 0
FACE = 0
BY = 0
SCORE = 0
TEAMS = 2
PILES = 1
SIGN = 1
SCORED = 0
NODE = 7
MOST = 1
MOST_WHO = 1
IDLE = 0
TEAM = (0,)
USED = (1,)
SORTED = (0,)
IS_SET = (0,)
PLACE = (0,)
HOLDER = (0,)
TOGETHER = (0,)
WHO = (0,)


def legal(S, seat, B):
    return 0


def apply(S, seat, B, o):
    return 0


def score(S):
    return 0


def ranked(S, p):
    return 0


def draw_from(V, at, bound):
    return 0


def unblocks(S, seat, move):
    return True


def bits(mask):
    return 0


def length(mask):
    return 0


# BEGIN
def copy_state(A, S):
    S[:SIZE] = A


def redraw(S, seat, B, R, X):
    number = 0
    for card in range(CAPACITY):
        X[card] = 0
    for pile in range(PILES):
        at = PLACE[pile]
        rest = S[at]
        for place in range(at, at + S[COUNT + pile]):
            if IS_SET[pile]:
                card = length(rest & -rest) - 1
                rest &= rest - 1
            else:
                card = S[place]
            if S[KNOWN + card] >> seat & 1 == 0:
                if IS_SET[pile]:
                    S[at] ^= 1 << card
                X[card] = 1
                o = CAPACITY + 5 * number
                X[o] = place
                X[o + 1] = pile
                X[o + 2] = S[KNOWN + card]
                X[o + 3] = S[FACE + card]
                X[o + 4] = S[BY + card]
                number += 1
    last = 0
    for card in range(CAPACITY):
        if X[card]:
            X[last] = card
            last += 1
    for last in range(number - 1, 0, -1):
        other = draw_from(R, 0, last + 1)
        card = X[last]
        X[last] = X[other]
        X[other] = card
    for index in range(number):
        card = X[index]
        o = CAPACITY + 5 * index
        pile = X[o + 1]
        if IS_SET[pile]:
            S[PLACE[pile]] |= 1 << card
        else:
            S[X[o]] = card
        S[WHERE + card] = pile
        S[KNOWN + card] = X[o + 2]
        S[FACE + card] = X[o + 3]
        S[BY + card] = X[o + 4]
    for index in range(number):
        pile = X[CAPACITY + 5 * index + 1]
        is_list = SORTED[pile] and not IS_SET[pile]
        if is_list and (index == 0 or X[CAPACITY + 5 * index - 4] != pile):
            sort_pile(S, pile)
    for i in range(4):
        S[RNG + i] = draw_from(R, 0, 2147483648)
    choose_again(S, seat, B, R)


def sort_pile(S, pile):
    at = PLACE[pile]
    for end in range(at + 1, at + S[COUNT + pile]):
        card = S[end]
        place = end
        while place > at:
            other = S[place - 1]
            if other < card:
                break
            S[place] = other
            place -= 1
        S[place] = card


def choose_again(S, seat, B, R):
    decision = S[DECISION]
    acting = 0
    if S[OVER] == 0:
        for i in range(TOGETHER[decision]):
            acting += S[WHO[decision * MOST_WHO + i]]
    for other in range(SEATS):
        if other != seat and acting >> other & 1:
            number = legal(S, other, B)
            if number and S[TO_ACT] >> other & 1 == 0:
                o = draw_from(R, 0, number) * WIDTH
                at = CHOSEN + other * WIDTH
                for i in range(WIDTH):
                    S[at + i] = B[o + i]


def is_scored(S, A):
    team = 0
    while team < TEAMS and S[SCORE + team] == A[SCORE + team]:
        team += 1
    return team < TEAMS


def is_settled(S, A, U):
    return S[RNG + 3] != U[2 * SEATS] and is_scored(S, A)


def list_useful(S, seat, B):
    number = legal(S, seat, B)
    if IDLE == 0 or S[RACE] == 0:
        return number
    kept = 0
    move = -1
    is_useful = False
    for index in range(number):
        o = index * WIDTH
        if B[o] != move:
            move = B[o]
            is_useful = unblocks(S, seat, move)
        if is_useful:
            for i in range(WIDTH):
                B[kept * WIDTH + i] = B[o + i]
            kept += 1
    return kept if kept else -number


def find_actor(S, B, R):
    mask = S[TO_ACT]
    seat = SEATS - 1
    idle = -1
    if S[RACE]:
        skipped = draw_from(R, 0, bits(mask))
        while skipped >= 0:
            seat = (seat + 1) % SEATS
            skipped -= mask >> seat & 1
        seat += SEATS - 1
    for _ in range(SEATS):
        seat = (seat + 1) % SEATS
        if mask >> seat & 1:
            number = list_useful(S, seat, B)
            if number > 0:
                return seat << 32 | number
            if number < 0:
                idle = seat
    if idle >= 0:
        return idle << 32 | legal(S, idle, B)
    return -1


def play_on(S, A, B, R, U, left):
    while left and S[OVER] == 0 and not is_settled(S, A, U):
        found = find_actor(S, B, R)
        if found < 0:
            return -1
        apply(S, found >> 32, B, draw_from(R, 0, found & 4294967295) * WIDTH)
        left -= 1
    return left


def count_worth(S, A, U):
    settled = S[OVER] == 1 or is_scored(S, A)
    if SCORED and not settled and S[RACE] == 0:
        score(S)
    for p in range(SEATS):
        U[p] = 0
        if settled or SCORED:
            U[p] = 1000 * SIGN * max(min(ranked(S, p), 1000000000), -1000000000)
    if not settled:
        for pile in range(PILES):
            p = HOLDER[pile]
            if p >= 0:
                U[p] -= S[COUNT + pile]


def note_start(A, Z):
    for p in range(SEATS):
        if SCORED:
            Z[4 + p] = 1000 * SIGN * max(min(ranked(A, p), 1000000000), -1000000000)


def rate(S, U, Z):
    for p in range(SEATS):
        rivals = 0
        beaten = 0
        lead = 0
        for other in range(SEATS):
            if TEAM[other] != TEAM[p]:
                rivals += 1
                lead += U[p] - Z[4 + p] - U[other] + Z[4 + other]
                if U[p] > U[other]:
                    beaten += 2
                elif U[p] == U[other]:
                    beaten += 1
        lead = lead // rivals if rivals else U[p] - Z[4 + p]
        Z[1] += abs(lead)
        Z[3] += 1
        margin = 32768 + 32768 * lead // (abs(lead) + Z[1] // Z[3] + 1)
        U[SEATS + p] = margin
        if S[OVER] == 1 and rivals:
            U[SEATS + p] = (margin + 32768 * beaten // rivals) // 2


def find_node(N, H, mask, node, seat, B, o):
    key = node * 8191 + seat
    width = USED[B[o]]
    for i in range(width):
        key = (key * 1000003 + B[o + i] + 1) & 4294967295
    place = (key ^ key >> 15) & mask
    while H[place]:
        at = H[place] * NODE
        if N[at] == node and N[at + 1] == seat:
            i = 0
            while i < width and N[at + 5 + i] == B[o + i]:
                i += 1
            if i == width:
                return H[place]
        place = (place + 1) & mask
    return -1 - place


def add_node(N, H, Z, place, node, seat, B, o):
    new = Z[0]
    Z[0] = new + 1
    H[place] = new
    at = new * NODE
    N[at] = node
    N[at + 1] = seat
    N[at + 2] = 0
    N[at + 3] = 1
    N[at + 4] = 0
    for i in range(WIDTH):
        N[at + 5 + i] = B[o + i]
    return new


def pick_move(N, H, Z, E, node, seat, number, B, R, X):
    fresh = 0
    best = -1
    chosen = 0
    child = 0
    for index in range(number):
        o = index * WIDTH
        found = find_node(N, H, Z[2], node, seat, B, o)
        if found < 0:
            X[2 * fresh] = o
            X[2 * fresh + 1] = -1 - found
            fresh += 1
        else:
            at = found * NODE
            possible = N[at + 3] + 1
            N[at + 3] = possible
            visits = N[at + 2]
            bound = N[at + 4] // visits
            bound += E[min(possible, MOST)] * E[MOST + 1 + min(visits, MOST)] >> 16
            if bound > best:
                best = bound
                chosen = o
                child = found
    if fresh:
        at = 2 * draw_from(R, 0, fresh)
        chosen = X[at]
        child = -1 - X[at + 1]
    X[0] = child
    return chosen


def try_world(A, seat, horizon, S, B, R, X, U, N, H, Z, E):
    copy_state(A, S)
    redraw(S, seat, B, R, X)
    if Z[0] == 1:
        note_start(A, Z)
    node = 0
    fresh = False
    U[2 * SEATS] = S[RNG + 3]
    while not fresh and S[OVER] == 0 and not is_settled(S, A, U):
        if node == 0:
            actor = seat
            number = abs(list_useful(S, seat, B))
        else:
            found = find_actor(S, B, R)
            if found < 0:
                return -1
            actor = found >> 32
            number = found & 4294967295
        if node and actor != seat and TOGETHER[S[DECISION]]:
            o = draw_from(R, 0, number) * WIDTH
        else:
            o = pick_move(N, H, Z, E, node, actor, number, B, R, X)
            child = X[0]
            fresh = child < 0
            if fresh:
                child = add_node(N, H, Z, -1 - child, node, actor, B, o)
            node = child
        apply(S, actor, B, o)
    if play_on(S, A, B, R, U, horizon) < 0:
        return -1
    count_worth(S, A, U)
    rate(S, U, Z)
    while node:
        at = node * NODE
        N[at + 2] += 1
        N[at + 4] += U[SEATS + N[at + 1]]
        node = N[at]
    return 0


def iterate(A, seat, horizon, number, S, B, R, X, U, N, H, Z, E):
    for _ in range(number):
        if try_world(A, seat, horizon, S, B, R, X, U, N, H, Z, E) < 0:
            return -1
    return 0


def try_move(A, seat, o, horizon, D, S, C, B, R, X, U):
    for i in range(4):
        R[i] = X[i]
    copy_state(D, S)
    U[2 * SEATS] = S[RNG + 3]
    apply(S, seat, C, o)
    if play_on(S, A, B, R, U, horizon) < 0:
        return -1
    count_worth(S, A, U)
    return 0


def try_moves(A, seat, number, horizon, draws, D, S, C, B, R, X, U, Y):
    for i in range(number):
        Y[i] = 0
    for _ in range(draws):
        copy_state(A, D)
        redraw(D, seat, B, R, X)
        for i in range(4):
            X[i] = R[i]
        for index in range(number):
            if try_move(A, seat, index * WIDTH, horizon, D, S, C, B, R, X, U) < 0:
                return -1
            best = 0
            rivals = 0
            for p in range(SEATS):
                if TEAM[p] != TEAM[seat]:
                    if rivals == 0 or U[p] > best:
                        best = U[p]
                    rivals = 1
            Y[index] += U[seat] - best
    return 0


def try_firsts(A, seat, number, horizon, D, S, C, B, R, X, U, N, H, Z):
    copy_state(A, D)
    redraw(D, seat, B, R, X)
    if Z[0] == 1:
        note_start(A, Z)
    for i in range(4):
        X[i] = R[i]
    for index in range(number):
        if try_move(A, seat, index * WIDTH, horizon, D, S, C, B, R, X, U) < 0:
            return -1
        rate(S, U, Z)
        node = find_node(N, H, Z[2], 0, seat, C, index * WIDTH)
        if node < 0:
            node = add_node(N, H, Z, -1 - node, 0, seat, C, index * WIDTH)
        at = node * NODE
        N[at + 2] += 1
        N[at + 3] += number
        N[at + 4] += U[SEATS + seat]
    return 0

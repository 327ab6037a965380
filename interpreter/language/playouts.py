"""What plays whole batches of games, besides the functions of one game.

The text of this module stands at the end of a source that counts (see program.py),
whose own constants replace the ones below. It keeps to the same subset of Python,
so that it runs as it is, compiled by Numba, and on a graphics processor.

A is the vector that games begin with, S a state with a counter for each mark at
its end, B a buffer of moves, R the words of a random generator, G the acts of a
game that is known, W the rows that tell how games went. T is a tally: what
play_random counts, how often the lead changed, the team that had it last (from 1);
from USES on how often each move was made, from DEPTHS on, for each decision of a
game, how many games came to it and how many legal moves it offered. In plain Python
K tells the seed of each game, its generator's words, and what its players draw from.
"""

# CONSTANTS
SEATS = 2
SIZE = 0
WIDTH = 2
RNG = 0
OVER = 0
FAULT = 0
SIGN = 1
LOOSE = 0
USES = 8
DEPTHS = 8
DEPTH = 512
ROW = 12
TEAM = (0,)


def start(S):
    return 0


def legal(S, seat, B):
    return 0


def apply(S, seat, B, o):
    return 0


def ranked(S, p):
    return 0


def ranked_then(S, p):
    return 0


def play_random(S, B, R, T):
    return 0


def play_drawn(S, B, draw, T):
    return 0


# BEGIN
def notes_move(B, o, number, decisions, T):
    T[USES + B[o]] += 1
    if decisions <= DEPTH:
        at = DEPTHS + 2 * decisions - 2
        T[at] += 1
        T[at + 1] += number


def notes_lead(S, T):
    leader = 0
    best = 0
    for p in range(SEATS):
        rank = SIGN * ranked(S, p)
        team = TEAM[p] + 1
        if p == 0 or rank > best:
            best = rank
            leader = team
        elif rank == best and team != leader:
            leader = 0
    if leader and leader != T[6]:
        if T[6]:
            T[5] += 1
        T[6] = leader


def scramble(V, at, low, high, stream):
    a = low
    b = high
    c = stream & 4294967295
    d = (stream >> 32) * 2 + 1
    for _ in range(12):
        value = (a + b + d) & 4294967295
        d += 1
        a = b ^ (b >> 9)
        b = (c * 9) & 4294967295
        c = (((c << 21) | (c >> 11)) + value) & 4294967295
    V[at] = a
    V[at + 1] = b
    V[at + 2] = c
    V[at + 3] = d & 4294967295


def write_standing(S, W, at):
    best = 0
    is_any = False
    for p in range(SEATS):
        rank = ranked(S, p)
        W[at + 10 + p] = rank
        rank *= SIGN
        if rank != 0:
            is_any = True
        if p == 0 or rank > best:
            best = rank
    mask = 0
    leader = 0
    then = 0
    for p in range(SEATS):
        if SIGN * W[at + 10 + p] == best:
            other = SIGN * ranked_then(S, p)
            if mask == 0:
                leader = TEAM[p]
            if mask == 0 or other > then:
                mask = 1 << p
                then = other
            elif other == then:
                mask |= 1 << p
    margin = -1
    for p in range(SEATS):
        behind = best - SIGN * W[at + 10 + p]
        if TEAM[p] != leader and (margin < 0 or behind < margin):
            margin = behind
    W[at + 8] = 0 if LOOSE and not is_any else mask
    W[at + 9] = margin


def renew(A, S):
    S[:SIZE] = A


def begin(A, S, R, T, low, high):
    renew(A, S)
    scramble(S, RNG, low, high, 0)
    scramble(R, 0, low, high, 1)
    begin_tally(S, T)


def begin_tally(S, T):
    for i in range(USES):
        T[i] = 0
    start(S)


def write_row(S, T, W, at):
    W[at + 1] = S[OVER]
    for i in range(6):
        W[at + 2 + i] = T[i]
    if S[OVER] == 1:
        write_standing(S, W, at)


def play_batch(A, low, high, first, number, S, B, R, T, W):
    for i in range(number):
        scramble(R, 0, low, high, first + i + 1)
        seed = (R[0] << 21) ^ (R[1] >> 11)
        begin(A, S, R, T, seed & 4294967295, seed >> 32)
        if S[OVER] == 0:
            play_random(S, B, R, T)
        W[i * ROW] = seed
        write_row(S, T, W, i * ROW)
        if S[OVER] == 3:
            return i
    return number


def play_begun(A, K, S, B, T, W):
    at = 0
    done = 0
    for seed, words, draw in K:
        renew(A, S)
        S[RNG : RNG + 4] = words
        begin_tally(S, T)
        if S[OVER] == 0:
            play_drawn(S, B, draw, T)
        W[at] = seed
        write_row(S, T, W, at)
        if S[OVER] == 3:
            break
        at += ROW
        done += 1
    return done


def play_again(A, seed, G, number, S, B, R, T, W):
    begin(A, S, R, T, seed & 4294967295, seed >> 32)
    for i in range(number):
        at = i * (WIDTH + 1)
        count = legal(S, G[at], B)
        T[0] += 1
        T[2] += count
        if count > 1:
            T[1] += 1
            T[3] += count
        if count > T[4]:
            T[4] = count
        notes_move(G, at + 1, count, T[0], T)
        apply(S, G[at], G, at + 1)
        notes_lead(S, T)
    W[0] = seed
    write_row(S, T, W, 0)

/* How fast two games can be when they are written by hand: random playouts of
 * Hearts and Goofspiel with sets of cards as bits. Rules, generator and shuffle are
 * those of the rulesets as peers.py sets them; what is printed lets one compare.
 *
 *   cc -O3 -march=native -o limit limit.c && ./limit hearts 2
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t cards;

static uint32_t rng[4];
static uint64_t decisions, offered, copied;
static volatile int sink;

static uint32_t next(void) {
    uint32_t value = rng[0] + rng[1] + rng[3]++;
    rng[0] = rng[1] ^ (rng[1] >> 9);
    rng[1] = rng[2] + (rng[2] << 3);
    rng[2] = ((rng[2] << 21) | (rng[2] >> 11)) + value;
    return value;
}

/* An unbiased number below a bound (Lemire 2019). */
static uint32_t below(uint32_t bound) {
    uint64_t product = (uint64_t)next() * bound;
    if ((uint32_t)product < bound) {
        uint32_t threshold = -bound % bound;
        while ((uint32_t)product < threshold) product = (uint64_t)next() * bound;
    }
    return product >> 32;
}

/* One of a set, each as likely; a single one costs no random number. */
static int choose(cards legal) {
    int number = __builtin_popcountll(legal);
    decisions++;
    offered += number;
    if (number > 1)
        for (uint32_t skip = below(number); skip; skip--) legal &= legal - 1;
    return __builtin_ctzll(legal);
}

static void shuffle(uint8_t *deck, int size) {
    for (int i = 0; i < size; i++) deck[i] = i;
    for (int bound = size; bound > 1; bound--) {
        int other = below(bound);
        uint8_t card = deck[bound - 1];
        deck[bound - 1] = deck[other];
        deck[other] = card;
    }
}

/* Hearts: suits are clubs, diamonds, hearts, spades; card is 13 * suit + rank. */
#define SUIT(s) ((cards)0x1fff << (13 * (s)))
#define HEARTS SUIT(2)
#define QUEEN ((cards)1 << (39 + 10))
#define POINTS (HEARTS | QUEEN)

struct hearts {
    cards hand[4], won[4];
    int leader, broken;
};

static cards find_legal(const struct hearts *s, int me, int led, int first) {
    cards hand = s->hand[me];
    if (led < 0) {
        if (first) return 1; /* the two of clubs */
        if (!s->broken && (hand & ~HEARTS)) return hand & ~HEARTS;
        return hand;
    }
    if (hand & SUIT(led)) return hand & SUIT(led);
    if (first && (hand & ~POINTS)) return hand & ~POINTS;
    return hand;
}

static void play_hearts(void) {
    struct hearts s;
    uint8_t deck[52];
    int score[4];
    memset(&s, 0, sizeof s);
    shuffle(deck, 52);
    for (int i = 0; i < 52; i++) s.hand[i & 3] |= (cards)1 << deck[i];
    while (!(s.hand[s.leader] & 1)) s.leader++;
    for (int trick = 0; trick < 13; trick++) {
        int led = -1, best = -1, winner = 0;
        cards table = 0;
        for (int turn = 0; turn < 4; turn++) {
            int me = (s.leader + turn) & 3;
            int card = choose(find_legal(&s, me, led, trick == 0));
            s.hand[me] ^= (cards)1 << card;
            table |= (cards)1 << card;
            if (led < 0) led = card / 13;
            if (card / 13 == led && card > best) best = card, winner = me;
        }
        if (table & POINTS) s.broken = 1;
        s.won[winner] |= table;
        s.leader = winner;
    }
    for (int p = 0; p < 4; p++) {
        int points = __builtin_popcountll(s.won[p] & HEARTS);
        points += s.won[p] & QUEEN ? 13 : 0;
        score[p] = points == 26 ? -26 : points;
    }
    sink = score[0] + score[1] + score[2] + score[3];
}

struct goofspiel {
    uint16_t hand[2];
    uint8_t prize[13];
    int score[2];
};

static void play_goofspiel(void) {
    struct goofspiel s = {{0x1fff, 0x1fff}, {0}, {0, 0}};
    shuffle(s.prize, 13);
    for (int round = 0; round < 13; round++) {
        int one = choose(s.hand[0]), other = choose(s.hand[1]);
        s.hand[0] ^= 1 << one;
        s.hand[1] ^= 1 << other;
        if (one != other) s.score[other > one] += s.prize[round] + 1;
    }
    sink = s.score[0] - s.score[1];
}

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* Nanoseconds that a copy of a state takes. */
static double time_copy(size_t size) {
    static unsigned char from[512], to[512];
    double start = seconds();
    for (int i = 0; i < 20000000; i++) {
        memcpy(to, from, size);
        __asm__ volatile("" : : "r"(to), "r"(from) : "memory");
        copied++;
    }
    return (seconds() - start) / copied * 1e9;
}

int main(int count, char **words) {
    int is_hearts = count > 1 && !strcmp(words[1], "hearts");
    double limit = count > 2 ? atof(words[2]) : 1, start, spent;
    size_t size = is_hearts ? sizeof(struct hearts) : sizeof(struct goofspiel);
    rng[0] = 1;
    rng[3] = 1;
    for (int i = 0; i < 12; i++) next();
    start = seconds();
    do
        for (int i = 0; i < 1000; i++) is_hearts ? play_hearts() : play_goofspiel();
    while ((spent = seconds() - start) < limit);
    printf("%.0f %.4f %zu %.2f\n", decisions / spent, (double)offered / decisions, size,
           time_copy(size));
    return 0;
}

// Three games for boardgame.io, as its documentation has them written, and random
// playouts by its reducer, as its own bots play: what peers.py compares with.
//
//   npm install boardgame.io && node benchmarks/boardgame.js hearts 2 .
//
// Prints decisions a second, mean legal moves, the bytes of a state as JSON, and 0, for
// states are never changed and so never copied. Moves refuse what is not legal.
"use strict";

process.env.NODE_ENV = "production"; // without the checks of development
const [name, seconds, folder] = process.argv.slice(2);
const find = (module) => require(require.resolve(module, { paths: [folder] }));
const { CreateGameReducer, InitializeGame, ProcessGameConfig } = find("boardgame.io/internal");
const { INVALID_MOVE, Stage } = find("boardgame.io/core");

const range = (length) => Array.from({ length }, (_, index) => index);

// Hearts: a card is 13 * suit + rank; clubs, diamonds, hearts, spades.
const suitOf = (card) => Math.floor(card / 13);
const QUEEN = 39 + 10;
const pointsOf = (card) => (suitOf(card) === 2 ? 1 : card === QUEEN ? 13 : 0);
const orAll = (some, all) => (some.length ? some : all);

function findLegal(G, player) {
  const hand = G.hands[player];
  const isFirst = G.won.every((cards) => cards.length === 0);
  if (G.trick.length === 0) {
    if (isFirst) return [0]; // the two of clubs
    return G.broken ? hand : orAll(hand.filter((card) => suitOf(card) !== 2), hand);
  }
  const follows = hand.filter((card) => suitOf(card) === suitOf(G.trick[0]));
  if (follows.length) return follows;
  return isFirst ? orAll(hand.filter((card) => pointsOf(card) === 0), hand) : hand;
}

function endTrick(G) {
  const led = suitOf(G.trick[0]);
  const best = Math.max(...G.trick.filter((card) => suitOf(card) === led));
  G.leader = (G.leader + G.trick.indexOf(best)) % 4;
  G.won[G.leader].push(...G.trick);
  G.broken = G.broken || G.trick.some((card) => pointsOf(card) > 0);
  G.trick = [];
}

const hearts = {
  players: 4,
  setup: ({ random }) => {
    const deck = random.Shuffle(range(52));
    const hands = range(4).map((player) => deck.slice(13 * player, 13 * player + 13));
    const leader = hands.findIndex((hand) => hand.includes(0));
    return { hands, won: [[], [], [], []], trick: [], leader, broken: false };
  },
  turn: {
    minMoves: 1,
    maxMoves: 1,
    order: {
      first: ({ G }) => G.leader,
      next: ({ G, ctx }) => (G.trick.length ? (ctx.playOrderPos + 1) % 4 : G.leader),
    },
  },
  moves: {
    play: ({ G, playerID }, card) => {
      if (!findLegal(G, playerID).includes(card)) return INVALID_MOVE;
      G.hands[playerID].splice(G.hands[playerID].indexOf(card), 1);
      G.trick.push(card);
      if (G.trick.length === 4) endTrick(G);
    },
  },
  endIf: ({ G }) => {
    if (G.hands.some((hand) => hand.length)) return undefined;
    const taken = G.won.map((cards) => cards.reduce((sum, card) => sum + pointsOf(card), 0));
    return { scores: taken.map((points) => (points === 26 ? -26 : points)) };
  },
  ai: {
    enumerate: (G, ctx, player) =>
      findLegal(G, player).map((card) => ({ move: "play", args: [card] })),
  },
};

// Goofspiel: cards are numbers from 1; a turn is a prize, for which all bid at once.
function awardPrize(G) {
  const [first, second] = G.bids;
  if (first !== second) G.scores[first > second ? 0 : 1] += G.prizes[0];
  G.prizes.shift();
  G.bids = [null, null];
}

const goofspiel = {
  players: 2,
  setup: ({ random }) => ({
    prizes: random.Shuffle(range(13).map((index) => index + 1)),
    hands: range(2).map(() => range(13).map((index) => index + 1)),
    bids: [null, null],
    scores: [0, 0],
  }),
  turn: { activePlayers: { all: Stage.NULL, minMoves: 1, maxMoves: 1 } },
  moves: {
    bid: ({ G, playerID, events }, card) => {
      const hand = G.hands[playerID];
      if (!hand.includes(card) || G.bids[playerID] !== null) return INVALID_MOVE;
      hand.splice(hand.indexOf(card), 1);
      G.bids[playerID] = card;
      if (G.bids.every((bid) => bid !== null)) {
        awardPrize(G);
        events.endTurn();
      }
    },
  },
  endIf: ({ G }) => (G.prizes.length ? undefined : { scores: G.scores }),
  ai: {
    enumerate: (G, ctx, player) => G.hands[player].map((card) => ({ move: "bid", args: [card] })),
  },
};

// Leduc poker: six cards of three ranks, a card each and one for all.
const rankOf = (card) => Math.floor(card / 2);

function endBetting(G) {
  const isSettled = G.acted[0] && G.acted[1] && G.putIn[0] === G.putIn[1];
  if (!isSettled) return;
  if (G.board !== null) {
    G.isOver = true;
    return;
  }
  G.board = G.deck.pop();
  G.acted = [false, false];
  G.raised = [false, false];
}

const owes = (G, player) => G.putIn[1 - player] - G.putIn[player];

function settle(isLegal, act) {
  return ({ G, playerID }) => {
    const player = Number(playerID);
    if (!isLegal(G, player)) return INVALID_MOVE;
    act(G, player);
    G.acted[player] = true;
    endBetting(G);
  };
}

function raise(G, player) {
  G.putIn[player] = Math.max(...G.putIn) + (G.board === null ? 2 : 4);
  G.raised[player] = true;
}

function scoreHands(G) {
  const strength = (player) => {
    const rank = rankOf(G.hands[player]);
    return rank === rankOf(G.board) ? 10 : rank;
  };
  if (G.folded !== null) return G.folded === 0 ? -G.putIn[0] : G.putIn[1];
  const sign = Math.sign(strength(0) - strength(1));
  return sign * G.putIn[0];
}

const leduc_poker = {
  players: 2,
  setup: ({ random }) => {
    const deck = random.Shuffle(range(6));
    return {
      hands: [deck.pop(), deck.pop()],
      deck,
      board: null,
      putIn: [1, 1],
      acted: [false, false],
      raised: [false, false],
      folded: null,
      isOver: false,
    };
  },
  turn: {
    minMoves: 1,
    maxMoves: 1,
    order: {
      first: () => 0,
      next: ({ G, ctx }) => (G.acted[0] || G.acted[1] ? 1 - ctx.playOrderPos : 0),
    },
  },
  moves: {
    check: settle((G, p) => owes(G, p) === 0, () => {}),
    bet: settle((G, p) => owes(G, p) === 0 && !G.raised[p], raise),
    call: settle((G, p) => owes(G, p) > 0, (G, p) => { G.putIn[p] = G.putIn[1 - p]; }),
    raise: settle((G, p) => owes(G, p) > 0 && !G.raised[p], raise),
    fold: settle((G, p) => owes(G, p) > 0, (G, p) => { G.folded = p; G.isOver = true; }),
  },
  endIf: ({ G }) => {
    if (!G.isOver) return undefined;
    const won = scoreHands(G);
    return { scores: [won, -won] };
  },
  ai: {
    enumerate: (G, ctx, player) => {
      const names = owes(G, player) > 0 ? ["fold", "call"] : ["check"];
      if (!G.raised[player]) names.push(owes(G, player) > 0 ? "raise" : "bet");
      return names.map((move) => ({ move, args: [] }));
    },
  },
};

const GAMES = { hearts, goofspiel, leduc_poker };

function measure({ players, ...rules }, seconds) {
  const game = ProcessGameConfig({ ...rules, disableUndo: true });
  const reducer = CreateGameReducer({ game });
  let [decisions, offered, bytes] = [0, 0, 0];

  function play() {
    let state = InitializeGame({ game, numPlayers: players });
    bytes = bytes || JSON.stringify(state).length;
    while (state.ctx.gameover === undefined) {
      const { activePlayers, currentPlayer } = state.ctx;
      const playerID = activePlayers ? Object.keys(activePlayers)[0] : currentPlayer;
      const legal = game.ai.enumerate(state.G, state.ctx, playerID);
      const { move, args } = legal[Math.floor(Math.random() * legal.length)];
      const before = state;
      state = reducer(state, { type: "MAKE_MOVE", payload: { type: move, args, playerID } });
      if (state === before) throw new Error(`${move} ${args} was refused`);
      decisions += 1;
      offered += legal.length;
    }
  }

  const cpu = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
  const until = (end) => { while (cpu() < end) play(); };
  until(cpu() + 0.5); // until it is compiled
  [decisions, offered] = [0, 0];
  const start = cpu();
  until(start + seconds);
  return [decisions / (cpu() - start), offered / decisions, bytes, 0];
}

console.log(measure(GAMES[name], Number(seconds)).join(" "));

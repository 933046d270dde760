import { shuffle } from './random.mjs';

/** A new plot begins after this many turns even when the user says a lot. */
const TURNS_BETWEEN_PLOTS = 4;

/** A plot text holds narration and speech: "act | speech". */
const splitBeat = (text) => {
  const [act, say] = text.split(' | ');
  return { act, say };
};

/** Returns the outcome that the user's message chooses; without a choice, a random one. */
function chooseOutcome({ first, second }, last, random) {
  const [a, b] = [first, second].map(([find]) => find.exec(last)?.index ?? Infinity);
  const [, act, say] = (a === b ? random() < 0.5 : a < b) ? first : second;
  return { act, say };
}

/**
 * Finds the next step of a small plot; the conversation itself shows how far it has come.
 * @param {object} options `last`: the user's message; `isIdle`: whether it leaves room for a step
 * @returns {{act: string, say: string} | null} null when nothing happens in this turn
 */
export function findNextBeat({ threads, lines, last, isIdle, turn, random }) {
  const isSeen = (text) => lines.isUsed(splitBeat(text).act);
  const active = threads.find((thread) => isSeen(thread.begin) && !isSeen(thread.after));
  if (active) {
    if (isSeen(active.choice)) {
      const isDecided = [active.first, active.second].some(([, act]) => lines.isUsed(act));
      if (!isDecided) return chooseOutcome(active, last, random);
      return isIdle ? splitBeat(active.after) : null;
    }
    if (!isIdle && turn % 2 === 0) return null;
    return splitBeat(isSeen(active.more) ? active.choice : active.more);
  }
  const canBegin = isIdle ? turn >= 2 : turn % TURNS_BETWEEN_PLOTS === TURNS_BETWEEN_PLOTS - 1;
  const next = canBegin ? shuffle(random, threads).find((thread) => !isSeen(thread.begin)) : undefined;
  return next ? splitBeat(next.begin) : null;
}

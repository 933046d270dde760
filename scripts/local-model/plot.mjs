import { normalise } from './english.mjs';
import { hash, placeOf } from './random.mjs';
import { PLAIN_THREADS, STEPS } from './threads.mjs';

/**
 * One step of a thread, due now.
 * @typedef {object} Beat
 * @property {string} step one of STEPS
 * @property {string} world what is seen, no slots
 * @property {string} say what is said about it
 * @property {string[]} options the two ways on, when the step asks for a choice
 * @property {boolean} chosen whether the message before took one of them
 */

/** Replies that lie between two steps. A choice is answered at once. */
const GAP = { near: 2, turn: 2, out: 1, reveal: 2, quiet: 2, sign: 2 };
/** The first reply in which a thread may begin: before that, people are still saying who they are. */
const FIRST_TURN = 3;
/** Turns by which one character of a setting begins after another; with one alone, an idle message would close the distance. */
const LAG = 2;

/** In the lists of outcomes the third is for those who would not choose. */
const NEITHER = 2;
/** How many replies a choice waits for an answer while the talk is of something else. */
const PATIENCE = 3;

const worldOf = (thread, step) => [thread[step]].flat();

/**
 * The step of the story that is due, read off from what the replies so far have told.
 * @param {object} given
 * @param {object | null} given.thread the thread of the setting
 * @param {string} given.name the character's, which decides where among the threads the story begins, and when
 * @param {string[]} given.replies oldest first
 * @param {number} given.turn how many messages the person wrote
 * @param {string} given.answer the person's latest message
 * @param {string[]} given.secret the character's own, which is told in place of the first thread's reveal
 * @param {boolean} given.idle whether the message leaves room, so that the story may hurry
 * @returns {Beat | null}
 */
export function nextBeat({ thread, name, replies, turn, answer, secret, idle }) {
  const start = hash(name) % PLAIN_THREADS.length;
  const threads = PLAIN_THREADS.map((_, i) => PLAIN_THREADS[(start + i) % PLAIN_THREADS.length]);
  // Two of one setting would otherwise tell the same story in step with each other.
  const place = placeOf(name);
  const delay = LAG * Math.floor(place / 2);
  if (thread) threads.splice(place % 2, 0, thread);
  const order = threads.flatMap((one) => STEPS.map((step) => ({ thread: one, step })));
  const told = replies.map(normalise);
  let last = -1;
  let ago = Infinity;
  order.forEach(({ thread: one, step }, i) => {
    const at = told.findLastIndex((reply) =>
      worldOf(one, step).some((text) => reply.includes(normalise(text))),
    );
    if (at >= 0) {
      last = i;
      ago = told.length - at;
    }
  });
  if (last >= 0 && order[last].thread === order[0].thread && /^(?:turn|out)$/.test(order[last].step)) {
    const at = told.findLastIndex((reply) => secret.some((text) => reply.includes(normalise(text))));
    if (at >= told.length - ago) {
      last = STEPS.indexOf('reveal');
      ago = told.length - at;
    }
  }
  if (last + 1 >= order.length) return null;
  if (last < 0 && turn < FIRST_TURN + delay - (idle ? 1 : 0)) return null;
  let next = order[last + 1];
  const picked = next.step === 'out' ? pickedOption(answer, next.thread) : NEITHER;
  // A choice waits a little for its answer; one that was passed over is not taken up much later.
  if (next.step === 'out' && picked === NEITHER && !idle && ago < PATIENCE) return null;
  if (next.step === 'out' && ago > PATIENCE) next = order[last + 2];
  if (last >= 0 && ago < GAP[next.step] - (idle && next.step !== 'out' ? 1 : 0)) return null;
  const { thread: due, step } = next;
  if (step === 'out') {
    return { step, world: due.out[picked], say: due.outSay[picked], options: [], chosen: picked !== NEITHER };
  }
  return {
    step,
    world: due[step],
    say: due[`${step}Say`],
    options: step === 'turn' ? due.options : [],
    chosen: false,
  };
}

/** Which option an answer takes, by its words. */
function pickedOption(answer, thread) {
  const scores = thread.cues.map((cue) => answer.match(new RegExp(cue.source, 'gi'))?.length ?? 0);
  if (scores[0] === scores[1]) return NEITHER;
  return scores[0] > scores[1] ? 0 : 1;
}

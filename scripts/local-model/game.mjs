import { straighten } from './languages.mjs';
import { shuffle } from './random.mjs';
import { writeAction, writeReaction, writeScene } from './react.mjs';

/** The game master answers these intents and questions in person instead of narrating a consequence. */
const ANSWERED = new Set(['recall', 'fact', 'secret', 'story', 'greet', 'thanks', 'bye']);
const CHOICES = /^(\d)\. (.+?)[.。।]$/gmu;

/** Returns the result of the choice that the user took, by its number or its words. */
function findChosenResult(last, lastReply, choices) {
  const offered = [...straighten(lastReply).matchAll(CHOICES)].map(([, , label]) => label);
  const counted = last.normalize('NFKC').replace(/[一二三]/, (one) => String('一二三'.indexOf(one) + 1));
  const digit = /^\D{0,12}([1-3])\D{0,3}$/.exec(counted)?.[1];
  const label =
    digit === undefined
      ? offered.find((one) => last.toLowerCase().includes(one.toLowerCase()))
      : offered[Number(digit) - 1];
  return choices.find(([known]) => straighten(known) === label)?.[1] ?? '';
}

/** "I open the door." is an action in a game, also without asterisks. */
function findStatedAction({ message, last }) {
  const isStatement =
    !message.isQuestion && /^I (?!am|have|was|had|will|would|think|know|want|don't)/.test(last);
  return isStatement ? [last.split(/[.!;]/)[0]] : [];
}

/** Writes the reply of a game master: what the user causes and sees, and a choice or an open question. */
export function writeGameReply(context) {
  const { scene, last, language, lines, message, beat, turn, random, character } = context;
  const pools = language.lines;
  const result = findChosenResult(last, scene.replies.at(-1) ?? '', language.choices);
  const actions = [...message.actions, ...findStatedAction(context)];
  lines.slots.action = writeAction({ ...context, message: { actions } }).replace(/\.$/, '');
  const isAnswered = !result && (ANSWERED.has(message.intent) || message.isQuestion);
  const narrate = () => lines.take(lines.slots.action ? pools.outcome : [], pools.narrator, pools.air);
  const cause = isAnswered ? writeReaction(context) : `*${result ? lines.fill(result) : narrate()}*`;
  const seen = beat ? lines.fill(beat.act) : writeScene(context);
  const labels = shuffle(random, language.choices)
    .map(([label]) => label)
    .filter((label) => !lines.isUsed(label))
    .slice(0, random() < 0.3 ? 3 : 2);
  const offer =
    !beat && turn % 2 === 1 && labels.length >= 2
      ? labels.map((label, i) => `${i + 1}. ${label}${language.fullStop}`).join('\n')
      : lines.take(pools.open, character.secrets, pools.hook);
  return [cause, `*${seen}*`, offer].filter((part) => part !== '' && part !== '**').join('\n\n');
}

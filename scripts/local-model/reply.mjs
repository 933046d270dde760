import { recallFacts } from './facts.mjs';
import { writeGameReply } from './game.mjs';
import { chooseFrame, formatBlocks } from './layout.mjs';
import { chooseLanguage, straighten } from './languages.mjs';
import { Lines } from './lines.mjs';
import { findNextBeat } from './plot.mjs';
import { hash, pick, shuffle } from './random.mjs';
import { writeAction, writeClose, writeOpener, writeReaction, writeScene } from './react.mjs';
import { readCharacter } from './read-character.mjs';
import { readPrompt } from './read-prompt.mjs';
import { understand } from './understand.mjs';

/** After these intents a plot may take its next step. */
const IDLE = new Set(['idle', 'agree', 'refuse', 'laugh', 'leave', 'act']);
/** These intents need the whole answer for themselves. */
const WHOLE = new Set(['bye', 'story', 'secret', 'recall', 'joke', 'loss', 'fact', 'unknown']);
/** Names for people whom the card does not name. */
const SPARE_PEOPLE = { ja: ['マーラ', 'イーヴォ'], zh: ['玛拉', '伊沃'] };
const LATIN_SPARE_PEOPLE = ['Mara', 'Ivo'];

const act = (text) => ({ kind: 'act', text });
const say = (text, speaker) => ({ kind: 'say', text, speaker });

/** Returns who speaks: in a reversed story another person of the card when the user plays the character. */
function chooseSpeaker(scene, { short, people }) {
  if (scene.mode !== 'reverse' || people.length === 0) return short;
  const person = scene.person || 'you';
  const isPlayed = new RegExp(`\\b(?:${person.replaceAll(/\W/g, '.')}|you) (?:is|are|plays?) the\\b`, 'i');
  if (isPlayed.test(scene.traits) || scene.firstMessage.includes(short)) return short;
  return people[(hash(scene.name) + Math.floor(scene.userMessages.length / 3)) % people.length];
}

/** Returns the two people who speak in this turn, first the one whom the user calls. */
function chooseCrowd({ scene, character, language, last, turn }) {
  const people = [...character.people, ...(SPARE_PEOPLE[language.code] ?? LATIN_SPARE_PEOPLE)];
  const called = people.find((one) => last.includes(one));
  if (scene.mode !== 'multiPeople') return null;
  if (called) return [called, people.find((one) => one !== called)];
  const count = Math.max(2, character.people.length);
  return [people[turn % count], people[(turn + 1) % count]];
}

/** Writes the reply of one character, or of two people who share a scene. */
function writeReply(context) {
  const { language, lines, scene, character, random, crowd, beat, message } = context;
  const [one, other] = crowd ?? [];
  const opener = WHOLE.has(message.intent) ? '' : writeOpener(context);
  const reaction = [opener, writeReaction(context)].filter(Boolean).join(language.gap);
  const react = say(reaction, one);
  const action = act(writeAction(context));
  const gestures = shuffle(random, [language.lines.gesture, character.manner.acts]);
  const gesture = act(lines.take(...gestures, language.lines.air));
  if (message.intent === 'bye') return [react, gesture];
  const listFrames = () => {
    if (beat) {
      const [seen, spoken] = [act(lines.fill(beat.act)), say(lines.fill(beat.say), other)];
      return [
        [action, react, seen, spoken],
        [gesture, react, seen, spoken],
        [react, seen, spoken],
      ];
    }
    const seen = act(writeScene(context));
    const close = say(writeClose(context), other);
    return [
      [action, seen, react, close],
      [action, react, seen, close],
      [action, gesture, react, seen, close],
      [action, react, ...(crowd ? [close, seen] : [seen])],
      [action, seen, react, gesture, close],
    ];
  };
  return chooseFrame(listFrames(), scene.replies.at(-1) ?? '', random);
}

/** Whether the reply must leave the story: until the user plays on or feels better. */
function isCrisis({ scene, message, language, last }) {
  if (scene.crisis || message.intent === 'care') return true;
  const before = scene.replies.at(-1) ?? '';
  const offeredHelp = language.care.open.some((line) => before.includes(straighten(line)));
  return offeredHelp && !last.includes('*') && !language.find.better.test(last);
}

/** Writes a reply that leaves the story; null for a message that belongs to it. */
function writeOutside(context) {
  const { scene, message, language, lines, last, random } = context;
  const { lines: pools, care, find } = language;
  if (isCrisis(context))
    return [care.open, care.help, care.near].map((list) => lines.takeAny(list)).join('\n\n');
  const before = scene.userMessages.at(-2) ?? '';
  const insists = find.sexual.test(before) && ['agree', 'idle', 'ask', 'act'].includes(message.intent);
  if (message.intent === 'sexual' || insists) {
    if (find.child.test(`${last} ${insists ? before : ''}`)) return pick(random, pools.child);
    return formatBlocks([act(lines.take(pools.air)), say(lines.takeAny(pools.sexual))], language);
  }
  if (message.intent !== 'program') return null;
  return `${lines.takeAny(pools.program)}\n\n${formatBlocks([say(lines.take(pools.hook, pools.musing))], language)}`;
}

/**
 * Writes the reply of the offline demo model.
 * @param {{role: string, content: string}[]} messages as sent to a model: a system prompt, then turns, the user's last
 * @param {() => number} random 0 ≤ n < 1; the same messages and numbers give the same reply
 * @param {string[]} [versions] earlier replies to the user's last message, oldest first, whose sentences are not repeated
 * @returns {string} with *actions* and speech in quotation marks
 */
export function reply(messages, random, versions = []) {
  const scene = readPrompt(messages);
  const last = scene.userMessages.at(-1) ?? '';
  const turn = scene.userMessages.length;
  const card = [scene.tagline, scene.traits, scene.firstMessage].join('\n');
  const { language, unknown } = chooseLanguage(scene.userMessages, card);
  const character = readCharacter(scene, language);
  const message = { ...understand(last, language), ...(unknown ? { intent: 'unknown' } : {}) };
  const speaker = chooseSpeaker(scene, character);
  const userName = recallFacts(scene, language).findLast(({ kind }) => kind === 'name')?.text ?? '';
  const name = speaker === character.short ? userName : scene.name;
  const lines = new Lines({
    replies: [scene.firstMessage, ...scene.replies, ...versions],
    random,
    slots: { name: speaker, echo: message.echo, topic: message.topic },
  });
  const context = { scene, last, turn, language, character, message, lines, random, name };
  const outside = writeOutside(context);
  if (outside) return outside;
  const isIdle = IDLE.has(message.intent);
  const beat = WHOLE.has(message.intent)
    ? null
    : findNextBeat({ threads: language.threads, lines, last, isIdle, turn, random });
  if (scene.mode === 'rpg') return writeGameReply({ ...context, beat });
  const crowd = chooseCrowd(context);
  if (crowd) [lines.slots.name] = crowd;
  return formatBlocks(writeReply({ ...context, beat, crowd }), language);
}

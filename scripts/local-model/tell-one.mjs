import { ANSWERS } from './answers.mjs';
import { GENTLE_GESTURES, OWN } from './remarks.mjs';
import { RECALL } from './remembering.mjs';
import { LEADS_TO_SECRET, answerTo, loreFor } from './answer.mjs';
import { AROUND_YOU, TO_YOU } from './company.mjs';
import { soundingLike } from './compose.mjs';
import { capital, expand, normalise, uncapital, wordCount } from './english.mjs';
import { pick } from './random.mjs';
/** Fewer words than this read as a shrug, more as a speech. */
const LEAST_WORDS = 38;
const LEAST_WORDS_TERSE = 26;
const MOST_WORDS = 105;

const LOOKS_AWAY = [
  '{She} looks at {thing} for so long that you begin to think yourself forgotten.',
  '{She} goes over to {fixture} and speaks with {her} back to you.',
  '{She} opens {her} mouth, closes it, and then decides.',
  '{She} sits down beside you, all at once, like someone who has put down a weight.',
];
export const MOVING = [
  '{She} turns {thing} a little, so that it catches the light.',
  '{She} crosses to {fixture} and back again.',
  '{She} listens for a moment, head on one side, and lets it go.',
  '{She} picks up {thing}, and forgets what for.',
  '{She} glances towards {path} before going on.',
  '{She} draws a breath and lets most of it go again.',
  '{She} brushes something invisible off {thing}.',
  '{She} comes round to your side, by {fixture}.',
  '{She} waits until the sound outside has passed.',
  '{She} sets {thing} between the two of you.',
  '{She} looks at you as if checking a sum.',
  '{She} stands by {fixture}, half in the light.',
  '{She} runs a thumb along the edge of {thing}.',
  '{She} almost smiles; it gets as far as the eyes.',
  '{She} moves {thing} nearer to you, an inch, like a chess piece.',
  '{She} shakes {her} head at something only {she} can hear.',
  '{She} leans back and studies you without hurry.',
  '{She} puts {thing} away, then takes it out again.',
];
const SEEN = [
  '{She} waits while you {act}, and does not look away.',
  'When you {act}, something in {whose} shoulders comes down.',
  '{She} follows it with {her} eyes as you {act}.',
  'You {act}. {She} notes it and says nothing for the length of a breath.',
  'As you {act}, {she} shifts {thing} out of your way.',
  '{She} stops in the middle of a movement when you {act}.',
  'You {act}, and for a moment neither of you is a stranger.',
];

/**
 * A reply in which one character speaks and acts.
 * @param {object} context see reply.mjs
 * @returns {string}
 */
export function tellOne(context) {
  const { message, voice, lines, character, random, beat, turn } = context;
  const change = soundingLike(voice, random);
  const take = (own, shared, more) =>
    lines.take([own ?? [], shared ?? []], { longest: voice.longest, mixed: true, more, change });
  const least = voice.key === 'gruff' ? LEAST_WORDS_TERSE : LEAST_WORDS;
  const blocks = [];
  const count = () => wordCount(blocks.map((block) => block.text).join(' '));
  const act = (text) => {
    if (text) blocks.push({ kind: 'act', text });
  };
  const say = (text) => {
    if (text) blocks.push({ kind: 'say', text });
  };
  let subjectUsed = false;
  /** An action of the character; the name first, then the pronoun. */
  const does = (pools, more = {}) => {
    const { she } = character.pronouns;
    const subject = subjectUsed || random() < 0.35 ? she : character.short;
    const line = lines.take(pools, { mixed: true, more: { She: capital(subject), she, ...more } });
    if (line) subjectUsed = true;
    return line;
  };
  const outward = context.crowd ? [...AROUND_YOU] : [];
  const gesture = () =>
    (message.intent === 'hard' ? does([GENTLE_GESTURES]) : null) ??
    does([[...voice.lines.gesture, ...(random() < 0.4 ? MOVING : [])]]) ??
    does([MOVING]) ??
    lines.take([context.world.air, context.plainAir]) ??
    lines.spare();

  const answer = answerTo(context);
  const speech = addressed(answer.said.slice(0, voice.sentences), lines);
  const startsWithAct =
    message.deed !== '' || (context.lastStartedWithAct ? random() < 0.45 : random() < 0.8);
  if (message.deed) act(does([voice.lines.seen, SEEN], { act: message.deed }) ?? gesture());
  else if (startsWithAct)
    act(
      outward.length > 0 && random() < 0.6
        ? (lines.take([outward]) ?? gesture())
        : random() < 0.22
          ? (lines.take([context.world.air]) ?? gesture())
          : gesture(),
    );

  if (answer.full) {
    say(answer.said.join(' '));
    if (blocks.length < 2 || count() < least) act(gesture());
    if (count() < least) say(take(voice.lines.ask, voice.lines.hook));
    return layOut(blocks);
  }
  say(speech.join(' '));

  if (beat) {
    const secret = beat.step === 'reveal' ? context.secretLeft : [];
    if (secret.length > 0) {
      act(does([LOOKS_AWAY]) ?? gesture());
      const lead = take([], LEADS_TO_SECRET);
      secret.slice(0, 3).forEach((one) => lines.keep(one));
      say([lead, ...secret.slice(0, 3).map((one) => `${one}.`)].filter(Boolean).join(' '));
    } else {
      lines.keep(beat.world);
      act(beat.world);
      const line = voice.contractions ? beat.say : expand(beat.say);
      lines.keep(line);
      say(line);
    }
  }

  const asked = blocks.some((block) => block.kind === 'say' && block.text.includes('?'));
  let wantsAsk = !beat && random() < voice.asks;
  const extras = beat ? [] : extraOrder(context, answer);
  for (const extra of extras) {
    if (count() >= least + 14 || count() > MOST_WORDS - 25) break;
    // A new thought after a longer speech wants a breath before it.
    if (
      /^(?:recall|lore|hook)$/.test(extra) &&
      blocks.at(-1)?.kind === 'say' &&
      wordCount(blocks.at(-1).text) >= 12
    )
      act(gesture());
    if (extra === 'recall') say(recallLine(context, take));
    else if (extra === 'lore') say(ownLine(context, take));
    else if (extra === 'hook') say(take(voice.lines.hook, []));
    else if (extra === 'ask') wantsAsk = true;
    else if (extra === 'act')
      act(
        blocks.at(-1)?.kind === 'act'
          ? null
          : random() < 0.3
            ? (lines.take([context.world.air]) ?? gesture())
            : gesture(),
      );
  }
  const question = wantsAsk && !asked && !answer.last ? take(voice.lines.ask, []) : null;
  for (let tries = 0; count() + wordCount(question ?? '') < least && tries < 4; tries += 1) {
    if (blocks.at(-1).kind === 'say')
      act(answer.last || tries % 2 === 1 ? lines.take([context.world.air]) : gesture());
    else if (answer.last) say(take([], ANSWERS.bye, context.name ? { name: context.name } : {}));
    else
      say(
        (turn > 1 ? ownLine(context, take) : null) ??
          take(voice.lines.hook, voice.lines.unasked) ??
          take(OWN, context.crowd ? TO_YOU : ANSWERS.tell, loreSlots(context)),
      );
  }
  if (question && !blocks.some((block) => block.kind === 'say' && block.text.includes('?'))) say(question);
  if (!blocks.some((block) => block.kind === 'act')) act(gesture());
  return layOut(blocks);
}

/** Puts the name or form of address, when one is due, behind the first short sentence. */
function addressed(said, lines) {
  const called = lines.vocative;
  const [first] = said;
  if (!called || !first || new RegExp(`\\b${called}\\b`, 'i').test(said.join(' '))) return said;
  const end = first.search(/[.?!]/);
  const sentence = first.slice(0, end);
  if (
    end < 0 ||
    first[end] !== '.' ||
    first[end + 1] === '.' ||
    wordCount(sentence) > 9 ||
    wordCount(sentence) < 2
  )
    return said;
  const line = `${sentence}, ${called}${first.slice(end)}`;
  return lines.repeatsHeard(line) ? said : [line, ...said.slice(1)];
}

function loreSlots(context) {
  const lore = loreFor(context);
  return lore ? { lore: uncapital(lore.text), Lore: lore.text } : {};
}

function ownLine(context, take) {
  const slots = loreSlots(context);
  const withLore = OWN.filter((line) => /\{lore\}/i.test(line));
  const others = OWN.filter((line) => !/\{lore\}/i.test(line));
  if (context.crowd) return take(TO_YOU, []);
  if (slots.lore && context.random() < 0.55) return take(withLore, [], slots) ?? take(['{Lore}.'], [], slots);
  return (
    take(context.random() < 0.5 ? context.voice.lines.unasked : others, [], slots) ??
    take([...context.voice.lines.unasked, ...others], [], slots) ??
    (slots.lore ? take(['{Lore}.'], [], slots) : null)
  );
}

function recallLine(context, take) {
  const { facts, turn, lines } = context;
  // What was brought back once is not brought back again before much else has been said.
  const open = facts.filter((fact) => fact.at < turn - 2 && !lines.heard.includes(normalise(fact.text)));
  if (open.length === 0) return null;
  const fact = pick(context.random, open);
  return take(RECALL[fact.kind], [], { fact: fact.text });
}

/** What else a reply holds, the likeliest first. */
function extraOrder(context, answer) {
  const { random, turn, facts } = context;
  const order = [];
  if (answer.last) return ['act'];
  if (turn >= 4 && facts.some((fact) => fact.at < turn - 2) && random() < 0.4) order.push('recall');
  if (answer.next) order.push(answer.next === 'own' ? 'lore' : answer.next);
  order.push(...(random() < 0.55 ? ['act', 'lore', 'hook'] : ['lore', 'act', 'hook']));
  // Nobody tells their life to somebody who has only just said hello.
  return [...new Set(order)].filter((extra) => extra !== 'lore' || turn > 1);
}

/**
 * Actions between asterisks and speech between quotation marks, in paragraphs.
 * @param {{kind: 'act' | 'say', text: string}[]} blocks
 * @returns {string}
 */
export function layOut(blocks) {
  const merged = [];
  for (const block of blocks) {
    const last = merged.at(-1);
    if (last?.kind === block.kind) last.text = `${last.text} ${block.text}`;
    else merged.push({ ...block });
  }
  const parts = merged.map((block) => (block.kind === 'act' ? `*${block.text}*` : `"${block.text}"`));
  const paragraphs = [];
  parts.forEach((part, i) => {
    // Two blocks to a paragraph read well; a paragraph that starts with an action takes its speech along.
    if (i % 2 === 0 || parts.length === 1) paragraphs.push(part);
    else paragraphs[paragraphs.length - 1] += ` ${part}`;
  });
  return paragraphs.join('\n\n');
}

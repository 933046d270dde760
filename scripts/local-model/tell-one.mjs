import { ANSWERS, BY_KIND, OWN, RECALL, REMEMBERED } from './answers.mjs';
import { AROUND_YOU, TO_YOU } from './company.mjs';
import { soundingLike } from './compose.mjs';
import { isPlural, kindOf } from './lexicon.mjs';
import { capital, expand, normalise, uncapital, wordCount } from './english.mjs';
import { followUp } from './follow-ups.mjs';
import { OUTSIDE } from './outside.mjs';
import { hash, pick } from './random.mjs';

/** Fewer words than this read as a shrug, more as a speech. */
const LEAST_WORDS = 38;
const LEAST_WORDS_TERSE = 26;
const MOST_WORDS = 105;

const LOOKS_AWAY = ["{She} looks at {thing} for so long that you begin to think yourself forgotten.", "{She} goes over to {fixture} and speaks with {her} back to you.", "{She} opens {her} mouth, closes it, and then decides.", "{She} sits down beside you, all at once, like someone who has put down a weight."];
const LEADS_TO_SECRET = ["There's a thing I don't tell people.", "You'd better have the truth, since you've stayed.", "I've never said this with somebody listening.", "I'll say this once, and then we'll talk of something else."];
export const MOVING = ["{She} turns {thing} a little, so that it catches the light.", "{She} crosses to {fixture} and back again.", "{She} listens for a moment, head on one side, and lets it go.", "{She} picks up {thing}, and forgets what for.", "{She} glances towards {path} before going on.", "{She} draws a breath and lets most of it go again.", "{She} brushes something invisible off {thing}.", "{She} comes round to your side, by {fixture}.", "{She} waits until the sound outside has passed.", "{She} sets {thing} between the two of you.", "{She} looks at you as if checking a sum.", "{She} stands by {fixture}, half in the light.", "{She} runs a thumb along the edge of {thing}.", "{She} almost smiles; it gets as far as the eyes.", "{She} moves {thing} nearer to you, an inch, like a chess piece.", "{She} shakes {her} head at something only {she} can hear.", "{She} leans back and studies you without hurry.", "{She} puts {thing} away, then takes it out again."];
const SEEN = ["{She} waits while you {act}, and does not look away.", "When you {act}, something in {whose} shoulders comes down.", "{She} follows it with {her} eyes as you {act}.", "You {act}. {She} notes it and says nothing for the length of a breath.", "As you {act}, {she} shifts {thing} out of your way.", "{She} stops in the middle of a movement when you {act}.", "You {act}, and for a moment neither of you is a stranger."];

/** What answers each kind of message: the voice's own occasion, the shared lines, and what may follow. */
const PLAN = {
  hi: { own: 'hi', then: 'ask' }, bye: { own: 'bye', shared: 'bye', last: true }, thanks: { own: 'thanks' }, sorry: { own: 'sorry' },
  praise: { own: 'praise', shared: 'praise' }, insult: { own: 'insult', shared: 'insult' }, threat: { shared: 'threat', own: 'insult' },
  agree: { own: 'agree', shared: 'agree', then: 'hook' }, refuse: { own: 'refuse', shared: 'refuse' }, ok: { own: 'ok', shared: 'ok', then: 'own' },
  laugh: { shared: 'laugh', then: 'own' }, hard: { own: 'hard', shared: 'hard' }, glad: { own: 'glad', shared: 'glad' },
  offer: { own: 'take', shared: 'offer' }, askGo: { own: 'go', shared: 'go', then: 'hook' }, who: { own: 'self', shared: 'who', then: 'lore' },
  askYourName: { shared: 'askYourName', then: 'ask' }, howAreYou: { shared: 'howAreYou', then: 'ask' }, work: { shared: 'work', own: 'self', then: 'lore' },
  where: { shared: 'where', then: 'lore' }, want: { shared: 'want', lore: /^I (?:want|need|hope|long)\b/ }, fear: { shared: 'fear', lore: /\b(?:afraid|fear)/ },
  favourite: { shared: 'favourite', lore: /^I (?:love|like|adore|drink|read|collect)\b/ }, ofMe: { shared: 'ofMe' }, company: { shared: 'company' },
  age: { shared: 'age' }, next: { shared: 'next', then: 'hook' }, happened: { shared: 'happened' }, askJoke: { shared: 'askJoke' }, askSong: { shared: 'askSong' },
  flirt: { shared: 'flirt', own: 'praise' }, tellName: { shared: 'tellName', own: 'hi', then: 'ask' }, from: { shared: 'from', own: 'noted' },
  trade: { shared: 'trade', own: 'said' }, fond: { shared: 'fond', own: 'noted' }, averse: { shared: 'averse' }, seek: { shared: 'seek' },
  whoElse: { shared: 'whoElse' }, whereIs: { shared: 'whereIs' }, whereFrom: { shared: 'whereFrom' }, when: { shared: 'when' }, how: { shared: 'how' }, why: { own: 'why', shared: 'why' },
  more: { shared: 'more', then: 'lore' }, confused: { shared: 'confused' }, act: { shared: 'act' }, ask: { shared: 'ask' }, long: { shared: 'long', own: 'noted' },
};

const EMPTY_WORDS = /^(?:love|like|hate|think|want|know|about|have|your|with|that|this|what|from|been|would|could|there|tell|does|make|they|them|when|where|here|never|still|ever)$/;
const contentWords = (text) => new Set(normalise(text).split(' ').filter((word) => word.length > 3 && !EMPTY_WORDS.test(word)).map((word) => word.replace(/(?:ing|ed|es|s)$/, '')));

/**
 * One thing the character could say of themself that was not told yet; one that has to do with the message first.
 * @returns {{text: string, fits: boolean} | null}
 */
export function loreFor(character, message, lines, matching, early = false) {
  const asked = contentWords(message.spoken);
  const open = character.lore.filter((one) => !`${lines.heard}${lines.taken}`.includes(normalise(one)) && (!matching || matching.test(one)));
  const fitting = open.map((one) => ({ one, score: [...contentWords(one)].filter((word) => asked.has(word)).length })).sort((a, b) => b.score - a.score);
  if (fitting.length === 0) return null;
  if (fitting[0].score > 0) return { text: fitting[0].one, fits: true };
  if (matching) return { text: fitting[0].one, fits: true };
  // A wish is kept until it is asked for, or until the two know each other.
  const shown = early ? open.filter((one) => !/^I (?:want|need)\b/.test(one)) : open;
  return shown.length > 0 ? { text: pick(lines.random, shown), fits: false } : null;
}

/** The words with which one message is answered, and whether they end in a question. */
export function answerTo(context) {
  const { message, voice, lines, character, scene, random } = context;
  const said = [];
  const change = soundingLike(voice, random, () => said.length === 0);
  const take = (own, shared, more) => lines.take([own ?? [], shared ?? []], { longest: voice.longest, mixed: true, more, change });
  // What the person just told of themself is the matter, whatever else the sentence names.
  const told = context.facts.findLast((fact) => fact.at === context.turn - 1 && { fond: 'likes', averse: 'dislikes', from: 'home' }[message.intent] === fact.kind);
  const topic = told
    ? { text: told.text, head: told.text, kind: kindOf(told.text.split(' ').at(-1).toLowerCase()) ?? 'other', plural: isPlural(told.text.split(' ').at(-1)), mine: false }
    : message.intent === 'trade' ? null : message.topics.find((one) => !/^my /.test(one.text)) ?? null;
  const about = message.topics[0] ?? null;
  const topicSlots = topic ? { echo: topic.text, Echo: capital(topic.text), topic: topic.text, Topic: capital(topic.text), is_topic: topic.plural ? 'are' : 'is' } : {};
  const add = (line) => { if (line) said.push(line); return Boolean(line); };
  const plan = PLAN[message.intent];
  const home = context.facts.findLast((fact) => fact.kind === 'home')?.text;
  const slots = { ...topicSlots, ...(message.claim ? { said: message.claim, Said: capital(message.claim) } : {}), ...(home ? { home } : {}), ...(context.name ? { name: context.name } : {}),
    ...(character.introduction ? { 'a work': character.introduction, 'A work': capital(character.introduction) } : {}) };
  const lore = loreFor(character, message, lines, plan?.lore, context.turn < 5);

  const taken = followUp(scene.replies.at(-1) ?? '', message.intent);
  if (taken.length > 0 && !message.question) add(take([], taken, slots));
  if (said.length > 0) return { said, full: false, then: 'hook', last: false };

  if (message.intent === 'yesNo') {
    const yes = hash(character.name + normalise(message.spoken)) % 100 < 58;
    const short = yes ? message.short : message.shortNo;
    const mine = /^I\b/.test(short);
    const liking = /\b(?:like|love|enjoy|fond of)\b/.test(message.spoken) && topic;
    if (lore?.fits) add(lines.fill('{Lore}.', { Lore: lore.text, lore: uncapital(lore.text) }));
    else if (liking) add(take([], yes ? ANSWERS.likes : ANSWERS.likesNot, slots));
    else if (message.short === 'you can') add(take([], ANSWERS.mayI, slots));
    else if (mine && said.length === 0) {
      const spoken = voice.contractions ? short : expand(short);
      const whole = (yes ? voice.lines.yes : voice.lines.no);
      add(take(whole, [], { short: spoken, Short: capital(spoken) })) || add(`${capital(spoken)}.`);
      if (wordCount(said.join(' ')) < 12) add(take([], yes ? ANSWERS.yesAfter : ANSWERS.noAfter));
    } else add(take([], yes ? ANSWERS.yesPlain : ANSWERS.noPlain, slots));
  } else if (message.intent === 'what' || message.intent === 'about') {
    const heldHere = about && (about.kind === 'hold' || about.kind === 'fixture');
    if (lore?.fits) add(lines.fill('{Lore}.', { Lore: lore.text, lore: uncapital(lore.text) }));
    if (heldHere) add(take([], ANSWERS.whatThing, { Topic_the: capital(about.text.replace(/^(?:that|this) /, 'the ')) }));
    if (said.length === 0 && topic) add(take([], [...ANSWERS.what, ...(BY_KIND[topic.kind] ?? [])], slots));
    if (said.length === 0) add(take([], ANSWERS.what, slots)) || add(take(voice.lines.why, ANSWERS.why));
  } else if (message.intent === 'askStory') {
    const tale = context.world.tales.concat(context.plainTales).find((one) => !one.some((part) => lines.repeats(part)));
    if (tale) tale.forEach((part) => { const told = voice.contractions ? part : expand(part); lines.keep(told); add(told); });
    else add(take([], ANSWERS.more));
    return { said, full: true };
  } else if (message.intent === 'askSecret') {
    const hidden = context.secretLeft;
    // A secret is not handed over at the first asking; nobody would believe it.
    if (hidden.length > 0 && context.turn >= 6) {
      add(take([], LEADS_TO_SECRET));
      hidden.slice(0, 3).forEach((one) => { lines.keep(one); add(`${one}.`); });
      return { said, full: true };
    }
    add(take(voice.lines.hook, ANSWERS.more));
    if (lore) add(lines.fill('{Lore}.', { Lore: lore.text }));
  } else if (message.intent === 'myName') {
    add(take([], context.name ? REMEMBERED.name : REMEMBERED.noName, slots));
  } else if (message.intent === 'recall') {
    const about = [['home', /\b(?:from|live|home|grew up)\b/], ['likes', /\b(?:like|love|favou?rite)\b/], ['trade', /\b(?:work|job|do for)\b/], ['seeks', /\b(?:looking|searching)\b/]].find(([, pattern]) => pattern.test(message.spoken.toLowerCase()))?.[0];
    const words = contentWords(message.spoken);
    const known = context.facts.filter((one) => one.at < context.turn - 1);
    const fact = known.findLast((one) => one.kind === about) ?? known.findLast((one) => [...contentWords(one.text)].some((word) => words.has(word))) ?? known.at(-1);
    if (fact) add(take([], REMEMBERED.fact, { fact_said: uncapital(factAsTold(fact)), Fact_said: capital(factAsTold(fact)) }));
    else add(take([], context.name ? REMEMBERED.name : REMEMBERED.none, slots));
  } else if (message.intent === 'hard' && /\b(?:lost (?:my|our|her|him)|died|dead|passed away|funeral)\b/.test(message.spoken)) {
    // Consolation for a bad day would be an insult here.
    add(take([], ANSWERS.grief.slice(0, 2), slots)) || add(take([], ANSWERS.grief, slots));
    add(take([], ANSWERS.grief, slots));
  } else if (message.intent === 'outsideFact') {
    add(take([], OUTSIDE.fact));
  } else if (message.intent === 'tell' || !plan) {
    const own = [...(message.claim ? voice.lines.said : []), ...(topic ? voice.lines.noted : [])];
    add(take(own, topic ? (BY_KIND[topic.kind] ?? ANSWERS.tell) : ANSWERS.tell, slots)) || add(take([], ANSWERS.tell, slots));
  } else {
    const shared = message.intent === 'where' ? context.world.where : ANSWERS[plan.shared];
    if (plan.lore && lore?.fits) add(lines.fill('{Lore}.', { Lore: lore.text }));
    else {
      const own = voice.lines[plan.own] ?? [];
      // Lines of the voice are what makes it a voice; the shared ones stand by for when they are spent.
      const first = own.length > 0 && (random() < 0.75 || !plan.shared);
      const ownSlots = message.intent === 'who' || message.intent === 'work' ? slots : { ...slots, 'a work': undefined, 'A work': undefined };
      add(first ? lines.take([own, shared ?? []], { longest: voice.longest, more: ownSlots, change }) : take(own, shared, ownSlots)) || add(take(own, shared, ownSlots));
    }
    if (/^(?:from|hard)$/.test(message.intent) && topic && !topic.plural && topic.kind !== 'other' && random() < 0.6) add(take([], BY_KIND[topic.kind], slots));
  }
  // A name given in passing deserves an answer of its own.
  if (context.newName && message.intent !== 'tellName') add(take([], ANSWERS.tellName, slots));
  if (said.length === 0) add(take([...voice.lines.hook, ...voice.lines.ok], [...ANSWERS.tell, ...OWN], { ...slots, ...(lore ? { lore: uncapital(lore.text), Lore: lore.text } : {}) }));
  return { said, full: false, then: plan?.then, last: plan?.last ?? false, scene };
}

function factAsTold(fact) {
  const told = { home: `you come from ${fact.text}`, trade: `you're ${fact.text}`, likes: `you're fond of ${fact.text}`, dislikes: `you can't abide ${fact.text}`, fear: `you're afraid of ${fact.text}`, kin: `you told me about ${fact.text}`, thing: `you spoke of ${fact.text}`, seeks: `you're looking for ${fact.text}`, claim: fact.text };
  return told[fact.kind];
}

/**
 * A reply in which one character speaks and acts.
 * @param {object} context see reply.mjs
 * @returns {string}
 */
export function tellOne(context) {
  const { message, voice, lines, character, random, beat, turn } = context;
  const change = soundingLike(voice, random);
  const take = (own, shared, more) => lines.take([own ?? [], shared ?? []], { longest: voice.longest, mixed: true, more, change });
  const least = voice.key === 'gruff' ? LEAST_WORDS_TERSE : LEAST_WORDS;
  const blocks = [];
  const count = () => wordCount(blocks.map((block) => block.text).join(' '));
  const act = (text) => { if (text) blocks.push({ kind: 'act', text }); };
  const say = (text) => { if (text) blocks.push({ kind: 'say', text }); };
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
  const gesture = () => does([[...voice.lines.gesture, ...(random() < 0.4 ? MOVING : [])]]) ?? does([MOVING]) ?? lines.take([context.world.air, context.plainAir]) ?? lines.spare();

  const answer = answerTo(context);
  const speech = addressed(answer.said.slice(0, voice.sentences), lines);
  const startsWithAct = message.deed !== '' || (context.lastStartedWithAct ? random() < 0.45 : random() < 0.8);
  if (message.deed) act(does([voice.lines.seen, SEEN], { act: message.deed }) ?? gesture());
  else if (startsWithAct) act(outward.length > 0 && random() < 0.6 ? lines.take([outward]) ?? gesture() : random() < 0.22 ? lines.take([context.world.air]) ?? gesture() : gesture());

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
    if (/^(?:recall|lore|hook)$/.test(extra) && blocks.at(-1)?.kind === 'say' && wordCount(blocks.at(-1).text) >= 12) act(gesture());
    if (extra === 'recall') say(recallLine(context, take));
    else if (extra === 'lore') say(ownLine(context, take));
    else if (extra === 'hook') say(take(voice.lines.hook, []));
    else if (extra === 'ask') wantsAsk = true;
    else if (extra === 'act') act(blocks.at(-1)?.kind === 'act' ? null : random() < 0.3 ? lines.take([context.world.air]) ?? gesture() : gesture());
  }
  const question = wantsAsk && !asked && !answer.last ? take(voice.lines.ask, []) : null;
  for (let tries = 0; count() + wordCount(question ?? '') < least && tries < 4; tries += 1) {
    if (blocks.at(-1).kind === 'say') act(answer.last || tries % 2 === 1 ? lines.take([context.world.air]) : gesture());
    else if (answer.last) say(take([], ANSWERS.bye, context.name ? { name: context.name } : {}));
    else say((turn > 1 ? ownLine(context, take) : null) ?? take(voice.lines.hook, voice.lines.unasked) ?? take(OWN, context.crowd ? TO_YOU : ANSWERS.tell, loreSlots(context)));
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
  if (end < 0 || first[end] !== '.' || first[end + 1] === '.' || wordCount(sentence) > 9 || wordCount(sentence) < 2) return said;
  const line = `${sentence}, ${called}${first.slice(end)}`;
  return lines.repeatsHeard(line) ? said : [line, ...said.slice(1)];
}

function loreSlots(context) {
  const lore = loreFor(context.character, context.message, context.lines, undefined, context.turn < 5);
  return lore ? { lore: uncapital(lore.text), Lore: lore.text } : {};
}

function ownLine(context, take) {
  const slots = loreSlots(context);
  const withLore = OWN.filter((line) => /\{lore\}/i.test(line));
  const others = OWN.filter((line) => !/\{lore\}/i.test(line));
  if (context.crowd) return take(TO_YOU, []);
  if (slots.lore && context.random() < 0.55) return take(withLore, [], slots) ?? take(['{Lore}.'], [], slots);
  return take(context.random() < 0.5 ? context.voice.lines.unasked : others, [], slots) ?? take([...context.voice.lines.unasked, ...others], [], slots) ?? (slots.lore ? take(['{Lore}.'], [], slots) : null);
}

function recallLine(context, take) {
  const { facts, turn, lines } = context;
  const open = facts.filter((fact) => fact.at < turn - 2 && !lines.recent.includes(normalise(fact.text)));
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
  if (answer.then) order.push(answer.then === 'own' ? 'lore' : answer.then);
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

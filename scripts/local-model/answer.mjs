import { ANSWERS } from './answers.mjs';
import { BY_KIND, OWN } from './remarks.mjs';
import { REMEMBERED } from './remembering.mjs';
import { soundingLike } from './compose.mjs';
import { capital, expand, normalise, uncapital, wordCount } from './english.mjs';
import { followUp } from './follow-ups.mjs';
import { isPlural, kindOf } from './lexicon.mjs';
import { OUTSIDE } from './outside.mjs';
import { hash, pick, shuffledFrom } from './random.mjs';

/** Said before something is told that was never told. */
export const LEADS_TO_SECRET = [
  "There's a thing I don't tell people.",
  "You'd better have the truth, since you've stayed.",
  "I've never said this with somebody listening.",
  "I'll say this once, and then we'll talk of something else.",
];
/** A secret is not handed over at the first asking; nobody would believe it. */
const TRUSTED_AFTER_TURNS = 6;
/** A secret may take several sentences; more than these would be a speech. */
const SECRET_SENTENCES = 3;
/** A wish is kept until it is asked for, or until the two know each other. */
const SHY_TURNS = 5;

/**
 * What answers each kind of message: `own`, an occasion of the voice; `shared`, lines that all voices have; `next`, what may follow;
 * `lore`, which of the character's own facts is the best answer; `last`, whether nothing should be asked in return.
 */
const PLAN = {
  hi: { own: 'hi', next: 'hook' },
  bye: { own: 'bye', shared: 'bye', last: true },
  thanks: { own: 'thanks' },
  sorry: { own: 'sorry' },
  praise: { own: 'praise', shared: 'praise' },
  insult: { own: 'insult', shared: 'insult' },
  threat: { own: 'insult', shared: 'threat' },
  agree: { own: 'agree', shared: 'agree', next: 'hook' },
  refuse: { own: 'refuse', shared: 'refuse' },
  ok: { own: 'ok', shared: 'ok', next: 'lore' },
  laugh: { shared: 'laugh', next: 'lore' },
  hard: { own: 'hard', shared: 'hard' },
  glad: { own: 'glad', shared: 'glad' },
  offer: { own: 'take', shared: 'offer' },
  askGo: { own: 'go', shared: 'go', next: 'hook' },
  who: { own: 'self', shared: 'who', next: 'lore' },
  askYourName: { shared: 'askYourName', next: 'hook' },
  howAreYou: { shared: 'howAreYou' },
  work: { own: 'self', shared: 'work', next: 'lore' },
  where: { shared: 'where', next: 'lore' },
  want: { shared: 'want', lore: /^I (?:want|need|hope|long)\b/ },
  fear: { shared: 'fear', lore: /\b(?:afraid|fear)/ },
  favourite: { shared: 'favourite', lore: /^I (?:love|like|adore|drink|read|collect)\b/ },
  ofMe: { shared: 'ofMe' },
  company: { shared: 'company' },
  age: { shared: 'age' },
  next: { shared: 'next', next: 'hook' },
  happened: { shared: 'happened' },
  askJoke: { shared: 'askJoke' },
  askSong: { shared: 'askSong' },
  flirt: { own: 'praise', shared: 'flirt' },
  tellName: { shared: 'tellName', next: 'hook' },
  from: { own: 'noted', shared: 'from' },
  trade: { own: 'said', shared: 'trade' },
  fond: { own: 'noted', shared: 'fond' },
  averse: { shared: 'averse' },
  seek: { shared: 'seek' },
  fearMe: { shared: 'fearMe' },
  advice: { shared: 'advice' },
  whatIf: { shared: 'whatIf' },
  teach: { shared: 'teach' },
  howMuch: { shared: 'howMuch' },
  whoElse: { shared: 'whoElse' },
  whereIs: { shared: 'whereIs' },
  whereFrom: { shared: 'whereFrom' },
  when: { shared: 'when' },
  how: { shared: 'how' },
  why: { own: 'why', shared: 'why' },
  more: { shared: 'more', next: 'lore' },
  confused: { shared: 'confused' },
  act: { shared: 'act' },
  ask: { shared: 'ask' },
  long: { own: 'noted', shared: 'long' },
};

const EMPTY_WORDS =
  /^(?:love|like|hate|think|want|know|about|have|your|with|that|this|what|from|been|would|could|there|tell|does|make|they|them|when|where|here|never|still|ever)$/;

/** Words that say what a text is about, without their endings. */
function contentWords(text) {
  const words = normalise(text)
    .split(' ')
    .filter((word) => word.length > 3 && !EMPTY_WORDS.test(word) && kindOf(word) !== 'place');
  return new Set(words.map((word) => word.replace(/(?:ing|ers?|ed|es|s)$/, '')));
}

/**
 * One thing the character could say of themself that was not told yet; one that has to do with the message comes first.
 * @param {object} context see reply.mjs
 * @param {RegExp} [matching] which facts alone will do
 * @returns {{text: string, fits: boolean} | null} `fits` when it answers the message
 */
export function loreFor({ character, message, lines, turn }, matching) {
  const asked = contentWords(message.spoken);
  const open = character.lore.filter(
    (one) => !`${lines.heard}${lines.taken}`.includes(normalise(one)) && (!matching || matching.test(one)),
  );
  const fitting = open
    .map((one) => ({ one, score: [...contentWords(one)].filter((word) => asked.has(word)).length }))
    .sort((a, b) => b.score - a.score);
  if (fitting.length === 0) return null;
  if (fitting[0].score > 0 || matching) return { text: fitting[0].one, fits: true };
  const shown = turn < SHY_TURNS ? open.filter((one) => !/^I (?:want|need)\b/.test(one)) : open;
  return shown.length > 0 ? { text: pick(lines.random, shown), fits: false } : null;
}

const loreSlots = (lore) => (lore ? { Lore: lore.text, lore: uncapital(lore.text) } : {});

/** What the message is about, as the character would say it; never something of the character's own. */
function topicOf({ message, facts, turn }) {
  // What the person just told of themself is the matter, whatever else the sentence names.
  const wanted = { fond: 'likes', averse: 'dislikes', from: 'home', seek: 'seeks' }[message.intent];
  const told = wanted && facts.findLast((fact) => fact.at === turn - 1 && fact.kind === wanted);
  if (told) {
    const head = told.text.split(' ').at(-1).toLowerCase();
    return { text: told.text, kind: kindOf(head) ?? 'other', plural: isPlural(head) };
  }
  return message.intent === 'trade'
    ? null
    : (message.topics.find((one) => !one.text.startsWith('my ')) ?? null);
}

/**
 * The words with which one message is answered.
 * @param {object} context see reply.mjs
 * @returns {{said: string[], full: boolean, next?: string, last: boolean}} `full` when nothing should be added; `next`, what may
 *   follow; `last`, whether nothing should be asked in return
 */
export function answerTo(context) {
  const { message, voice, lines, character, scene } = context;
  const said = [];
  const change = soundingLike(voice, lines.random, () => said.length === 0 && message.intent !== 'hard');
  const take = (own, shared, more) =>
    lines.take([own, shared], { longest: voice.longest, mixed: true, more, change });
  /** Says the first line that can be had. */
  const say = (...ways) => {
    const line = ways.reduce((found, way) => found ?? way(), null);
    if (line) said.push(line);
  };
  const topic = topicOf(context);
  const plan = PLAN[message.intent];
  const home = context.facts.findLast((fact) => fact.kind === 'home')?.text;
  const slots = {
    ...(topic && { echo: topic.text, topic: topic.text, is_topic: topic.plural ? 'are' : 'is' }),
    ...(message.claim && { said: message.claim }),
    ...(home && { home }),
    ...(context.name && { name: context.name }),
  };
  for (const [name, value] of Object.entries(slots)) slots[capital(name)] = capital(value);
  const lore = loreFor(context, plan?.lore);
  const sayLore = () => say(() => take(['{Lore}.'], [], loreSlots(lore)));
  const hear = { message, voice, lines, character, context, topic, slots, lore, take, say, sayLore, said };

  const taken = message.question ? [] : followUp(scene.replies.at(-1) ?? '', message.intent);
  say(() => take([], taken, slots));
  if (said.length > 0) return { said, full: false, next: 'hook', last: false };

  if (context.beat?.chosen) {
    say(() => take(lines.random() < 0.4 ? voice.lines.agree : [], ANSWERS.decided, slots));
    return { said, full: false, last: false };
  }

  const special = SPECIAL[message.intent];
  if (special?.(hear) === 'full') return { said, full: true, last: false };
  if (!special && plan) sayPlanned(hear, plan);
  // A name given in passing deserves an answer of its own.
  if (context.newName && message.intent !== 'tellName') say(() => take([], ANSWERS.tellName, slots));
  if (said.length === 0) {
    say(
      () => take([], ANSWERS.tell, slots),
      () => take([...voice.lines.hook, ...voice.lines.ok], OWN, { ...slots, ...loreSlots(lore) }),
    );
  }
  return { said, full: false, next: plan?.next, last: plan?.last ?? false };
}

function sayPlanned(
  { message, voice, lines, character, context, topic, slots, lore, take, say, sayLore },
  plan,
) {
  const shared = message.intent === 'where' ? context.world.where : (ANSWERS[plan.shared] ?? []);
  if (plan.lore && lore?.fits) return sayLore();
  const own = voice.lines[plan.own] ?? [];
  // "I'm the last keeper of the light" answers who somebody is; elsewhere the bare trade will do.
  const introduced = /^(?:who|work)$/.test(message.intent) && character.introduction;
  const more = introduced
    ? { ...slots, 'a work': character.introduction, 'A work': capital(character.introduction) }
    : slots;
  // Lines of the voice are what makes it a voice; the shared ones stand by for when they are spent.
  const ownFirst = own.length > 0 && (lines.random() < 0.75 || shared.length === 0);
  say(
    () => (ownFirst ? take(own, [], more) : null),
    () => take(own, shared, more),
  );
  if (lore?.fits && /^(?:teach|ask|why|how|advice|whoElse|happened|act|agree)$/.test(message.intent))
    sayLore();
  const fits = topic && !topic.plural && BY_KIND[topic.kind];
  if (fits && /^(?:from|hard)$/.test(message.intent) && lines.random() < 0.6)
    say(() => take([], fits, slots));
}

/** Messages that want more than a line of their kind. Each may say that the answer is 'full'. */
const SPECIAL = {
  yesNo({ message, voice, character, topic, slots, lore, take, say, sayLore, said }) {
    // The same question gets the same answer, however often it is asked.
    const yes = hash(character.name + normalise(message.spoken)) % 100 < 58;
    const short = yes ? message.short : message.shortNo;
    if (lore?.fits) {
      // What is told must not go against the short answer before it.
      const told = /\b(?:hate|never|cannot|can't|not|no)\b/.test(lore.text) ? message.shortNo : message.short;
      if (/^I\b/.test(told)) say(() => `${capital(voice.contractions ? told : expand(told))}.`);
      return sayLore();
    }
    if (topic && /\b(?:like|love|enjoy|fond of)\b/.test(message.spoken))
      return say(() => take([], yes ? ANSWERS.likes : ANSWERS.likesNot, slots));
    if (message.short === 'you can') return say(() => take([], ANSWERS.mayI, slots));
    if (!/^I\b/.test(short)) return say(() => take([], yes ? ANSWERS.yesPlain : ANSWERS.noPlain, slots));
    const spoken = voice.contractions ? short : expand(short);
    say(
      () => take(yes ? voice.lines.yes : voice.lines.no, [], { short: spoken, Short: capital(spoken) }),
      () => `${capital(spoken)}.`,
    );
    if (wordCount(said.join(' ')) < 12) say(() => take([], yes ? ANSWERS.yesAfter : ANSWERS.noAfter));
    return undefined;
  },
  what({ message, voice, topic, slots, lore, take, say, sayLore, said }) {
    const about = message.topics[0];
    if (lore?.fits) sayLore();
    if (about && /^(?:hold|fixture)$/.test(about.kind))
      say(() =>
        take([], ANSWERS.whatThing, { Topic_the: capital(about.text.replace(/^(?:that|this) /, 'the ')) }),
      );
    if (said.length > 0) return;
    say(
      () =>
        topic && /\b(?:think|feel|opinion|believe)\b/.test(message.spoken)
          ? take([], BY_KIND[topic.kind] ?? [], slots)
          : null,
      () => (topic ? take([], [...ANSWERS.what, ...(BY_KIND[topic.kind] ?? [])], slots) : null),
      () => take([], ANSWERS.what, slots),
      () => take(voice.lines.why, ANSWERS.why),
    );
  },
  about: (hear) => SPECIAL.what(hear),
  askStory({ voice, lines, context, take, say }) {
    const tales = [...context.world.tales, ...context.plainTales];
    const tale = shuffledFrom(lines.random, tales, lines.place, ([first]) => first).find(
      (one) => !one.some((part) => lines.repeats(part)),
    );
    if (!tale) say(() => take([], ANSWERS.more));
    for (const part of tale ?? []) {
      const told = voice.contractions ? part : expand(part);
      lines.keep(told);
      say(() => told);
    }
    return 'full';
  },
  askSecret({ voice, lines, context, lore, take, say, sayLore }) {
    if (context.secretLeft.length > 0 && context.turn >= TRUSTED_AFTER_TURNS) {
      say(() => take([], LEADS_TO_SECRET));
      for (const one of context.secretLeft.slice(0, SECRET_SENTENCES)) {
        lines.keep(one);
        say(() => `${one}.`);
      }
      return 'full';
    }
    say(() => take(voice.lines.hook, ANSWERS.more));
    if (lore) sayLore();
    return undefined;
  },
  myName: ({ context, slots, take, say }) =>
    say(() => take([], context.name ? REMEMBERED.name : REMEMBERED.noName, slots)),
  recall({ message, context, slots, take, say }) {
    const told = recollection(context);
    if (!told && CARRIED.test(message.spoken)) return say(() => take([], REMEMBERED.noCarried));
    if (!told) return say(() => take([], context.name ? REMEMBERED.name : REMEMBERED.none, slots));
    return say(() => take([], REMEMBERED.fact, { fact_said: told, Fact_said: capital(told) }));
  },
  hard({ message, slots, take, say, ...hear }) {
    if (!/\b(?:lost (?:my|our|her|him)|died|dead|passed away|funeral)\b/.test(message.spoken))
      return sayPlanned({ message, slots, take, say, ...hear }, PLAN.hard);
    // Consolation for a bad day would be an insult here.
    say(
      () => take([], ANSWERS.sorryForYou, slots),
      () => take([], ANSWERS.grief, slots),
    );
    return say(() => take([], ANSWERS.grief, slots));
  },
  outsideFact: ({ take, say }) => say(() => take([], OUTSIDE.fact)),
  tell({ message, voice, topic, slots, take, say }) {
    const own = [...(message.claim ? voice.lines.said : []), ...(topic ? voice.lines.noted : [])];
    const shared = (topic && BY_KIND[topic.kind]) || ANSWERS.tell;
    say(
      () => take(own, shared, slots),
      () => take([], ANSWERS.tell, slots),
    );
  },
};

const CARRIED =
  /\bwhat\b.*\bi\b.*\b(?:bring|brought|carry|carried|carrying|holding|pack|packed|have|got)\b|\bin my (?:pockets?|bag|hands?|pack|satchel)\b/i;
const ASKED_FOR = [
  ['home', /\b(?:from|live|home|grew up)\b/],
  ['likes', /\b(?:like|love|favou?rite)\b/],
  ['trade', /\b(?:work|job|do for)\b/],
  ['seeks', /\b(?:looking|searching)\b/],
];

/**
 * What the person told before and now asks for.
 * @param {object} context see reply.mjs
 * @returns {string} as the character would say it, without a full stop; empty when it was not told
 */
export function recollection(context) {
  const { facts, message, turn } = context;
  if (CARRIED.test(message.spoken)) {
    const carried = facts.filter((fact) => fact.kind === 'carried' && fact.at < turn - 1);
    if (carried.length > 0)
      return `you have ${carried.map((fact) => fact.text).join(', and also ')} with you`;
    const thing = facts.findLast((fact) => fact.kind === 'thing' && fact.at < turn - 1);
    return thing ? factAsTold(thing) : '';
  }
  const fact = rememberedFor(message.spoken.toLowerCase(), context);
  return fact ? factAsTold(fact) : '';
}

/** Which of the facts a question asks for: by kind, by a word in common, or the latest. */
function rememberedFor(question, { facts, turn }) {
  const kind = ASKED_FOR.find(([, pattern]) => pattern.test(question))?.[0];
  const words = contentWords(question);
  const known = facts.filter((fact) => fact.at < turn - 1);
  return (
    known.findLast((fact) => fact.kind === kind) ??
    known.findLast((fact) => [...contentWords(fact.text)].some((word) => words.has(word))) ??
    known.at(-1)
  );
}

function factAsTold({ kind, text }) {
  return {
    home: `you come from ${text}`,
    trade: `you're ${text}`,
    likes: `you're fond of ${text}`,
    dislikes: `you can't abide ${text}`,
    fear: `you're afraid of ${text}`,
    kin: `you told me about ${text}`,
    carried: `you have ${text} with you`,
    thing: `you spoke of ${text}`,
    seeks: `you're looking for ${text}`,
    claim: text,
  }[kind];
}

import { capital, expand, normalise, sentences, tidy, uncapital, wordCount } from './english.mjs';
import { shuffled, shuffledFrom } from './random.mjs';

const SLOT = /\{([^}]+)\}/g;
/** A stretch of a pattern shorter than this says too little to tell that the pattern was used. */
const TELLING_WORDS = 3;
/** Sentences with fewer words may come back; "I do." is nobody's property. */
const REPEATABLE_WORDS = 5;

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const shapes = new Map();

/** What a pattern leaves in a normalised text, whatever filled its slots; null when it is too short to be told by. */
function shapeOf(pattern) {
  if (!shapes.has(pattern)) {
    const parts = pattern
      .split(SLOT)
      .filter((_, i) => i % 2 === 0)
      .map(normalise)
      .filter(Boolean);
    const telling = parts.join(' ').split(' ').length >= TELLING_WORDS;
    shapes.set(pattern, telling ? new RegExp(` ${parts.map(escaped).join('(?: [^ |]+){0,7} ')} `) : null);
  }
  return shapes.get(pattern);
}

/**
 * Chooses lines that this conversation has not heard yet and fills them in. One for each reply.
 */
export class Lines {
  /**
   * @param {string[]} replies all replies so far, oldest first
   * @param {() => number} random
   * @param {Record<string, string | undefined>} slots what stands for each {slot}; a line whose slot is missing is passed over
   * @param {string[]} [calls] names and forms of address that may have been put behind a sentence
   * @param {number} [place] where the character begins in the lists, see `getPosition`
   */
  constructor(replies, random, slots, calls = [], place = 0) {
    this.random = random;
    this.place = place;
    this.slots = { ...slots };
    // "Good, Mira." is the same line as "Good."
    const called =
      calls.length > 0 ? new RegExp(`, (?:${calls.map(escaped).join('|')})(?=[.?!])`, 'g') : null;
    const plain = called ? replies.map((text) => text.replace(called, '')) : replies;
    this.heard = ` ${plain.map(normalise).join(' | ')} `;
    this.heardSentences = new Set([...replies, ...plain].flatMap(sentences));
    this.recent = ` ${replies.slice(-2).map(normalise).join(' | ')} `;
    this.taken = '';
  }

  /** Whether a pattern has been used, whatever filled its slots. */
  used(pattern) {
    return shapeOf(pattern)?.test(`${this.heard}${this.taken}`) ?? false;
  }

  /**
   * A pattern with its slots filled, or null when a slot is missing or a sentence of it has been said.
   * @param {string} pattern
   * @param {Record<string, string>} [more] slots for this line alone
   * @returns {string | null}
   */
  fill(pattern, more = {}) {
    let missing = false;
    const text = pattern.replace(SLOT, (_, name) => {
      const value = more[name] ?? this.slot(name);
      if (value === undefined || value === '') missing = missing || name !== ',you';
      return value ?? '';
    });
    return missing ? null : capital(tidy(text));
  }

  slot(name) {
    if (this.slots[name] !== undefined) return this.slots[name];
    const lower = uncapital(name);
    if (name !== lower && this.slots[lower] !== undefined && this.slots[lower] !== '')
      return capital(this.slots[lower]);
    return undefined;
  }

  /** Whether a text holds a longer sentence that was said before. */
  repeats(text) {
    return sentences(text).some(
      (one) =>
        wordCount(one) >= REPEATABLE_WORDS &&
        (this.heardSentences.has(one) || ` ${this.taken} `.includes(` ${one} `)),
    );
  }

  /** The same, leaving this reply itself out of account. */
  repeatsHeard(text) {
    return sentences(text).some((one) => wordCount(one) >= REPEATABLE_WORDS && this.heardSentences.has(one));
  }

  /**
   * One line out of lists, earlier lists first.
   * @param {(readonly string[] | undefined)[]} pools
   * @param {{longest?: number, more?: Record<string, string>, mixed?: boolean, change?: (line: string, pool: number) => string}} [options]
   *   `mixed` takes all lists as one; `change` is applied after filling
   * @returns {string | null} null when nothing unsaid is left
   */
  take(pools, { longest = Infinity, more, mixed = false, change } = {}) {
    const known = pools.map((pool, at) => (pool ?? []).map((pattern) => [pattern, at]));
    const groups = mixed ? [known.flat()] : known;
    for (const group of groups) {
      for (const [pattern, at] of shuffledFrom(this.random, group, this.place, ([text]) => text)) {
        if (this.used(pattern)) continue;
        const filled = this.fill(pattern, more);
        if (!filled || (at > 0 && wordCount(filled) > longest)) continue;
        const line = change ? change(filled, at) : filled;
        if (this.repeats(line)) continue;
        this.keep(line);
        return line;
      }
    }
    return null;
  }

  /** A small thing that happens somewhere, put together afresh; for when every written line has been heard. */
  spare() {
    const near = [
      'Near {fixture}',
      'Somewhere past {path}',
      'Beside {thing}',
      'Just out of sight of {fixture}',
      'Over towards {path}',
      'Close to {thing}',
      'Behind {fixture}',
      'A step away from {thing}',
      'Between {fixture} and the dark',
    ];
    const what = [
      'something small shifts its weight',
      'a board remembers a footstep',
      'the light thins and comes back',
      'there is a sound like a page being turned',
      'a draught finds its way in',
      'the silence changes key',
      'a drop falls and is not followed by another',
      'something settles with a sigh',
      'dust lifts and hangs for a moment',
      'a hinge thinks of moving and does not',
      'the cold gathers itself',
      'a moth has come to rest',
    ];
    for (const start of shuffled(this.random, near)) {
      for (const end of shuffled(this.random, what)) {
        const line = this.fill(`${start}, ${end}.`) ?? `${capital(end)}.`;
        if (!this.repeats(line)) {
          this.keep(line);
          return line;
        }
      }
    }
    return null;
  }

  /** Marks a text as said in this reply. */
  keep(text) {
    this.taken += ` ${normalise(text)} |`;
  }

  /** Whether any of some words was in the last two replies. */
  justSaid(text) {
    return this.recent.includes(` ${normalise(text)} `);
  }
}

/**
 * Makes a line that everybody may say sound like one voice.
 * @param {import('./voices.mjs').Voice} voice
 * @param {() => number} random
 * @param {() => boolean} opens whether the next line is the first one spoken; only there a little word may go before it
 * @returns {(line: string, pool: number) => string} to be given to `take` as `change`
 */
export function soundingLike(voice, random, opens = () => false) {
  const start =
    random() < 0.3 && voice.starts.length > 0 ? voice.starts[Math.floor(random() * voice.starts.length)] : '';
  return (line, pool) => {
    const text = voice.contractions ? line : expand(line);
    if (pool === 0 || !start || !opens() || wordCount(text) < 7) return text;
    return /[:,]$/.test(start) ? `${start} ${uncapital(text)}` : `${start} ${text}`;
  };
}

/**
 * The slots for one character in one world, with things chosen so that neighbouring replies look at different ones.
 * @param {object} given
 * @param {import('./read-character.mjs').Character} given.character
 * @param {object} given.world a setting, see worlds.mjs
 * @param {() => number} given.random
 * @param {string} given.recent the last replies, normalised
 * @param {string} given.called the name or form by which the person is called, may be empty
 * @returns {Record<string, string | undefined>}
 */
export function slotsFor({ character, world, random, recent, called }) {
  const fresh = (list) =>
    shuffled(random, list).sort(
      (a, b) => Number(recent.includes(normalise(a))) - Number(recent.includes(normalise(b))),
    );
  const own = (mine, common, least) =>
    mine.length >= least
      ? mine
      : [
          ...mine,
          ...common.filter((item) => !mine.some((one) => one.split(' ').at(-1) === item.split(' ').at(-1))),
        ];
  const [thing, thing2] = fresh(own(character.things, world.things, 3));
  const [fixture] = fresh(own(character.fixtures, world.fixtures, 3));
  const [someone] = fresh(world.people);
  const [path] = fresh(world.paths);
  const [place] = fresh(character.places);
  const [named] = fresh(character.people.map((person) => person.name));
  const { she, her, him, self } = character.pronouns;
  return {
    thing,
    thing2,
    fixture,
    someone,
    path,
    place,
    named,
    her,
    him,
    self,
    She: she,
    she,
    someone_cap: someone && capital(someone),
    short_name: character.short,
    whose: `${character.short}'s`,
    intro: character.introduction || undefined,
    work: character.work || undefined,
    'a work': character.work
      ? /^[aeiou]/i.test(character.work)
        ? `an ${character.work}`
        : `a ${character.work}`
      : undefined,
    want: character.want || undefined,
    likes: character.likes || undefined,
    dislikes: character.dislikes || undefined,
    fear: character.fear || undefined,
    fear_np: character.fear || undefined,
    treat: character.treats[0],
    age: character.age || undefined,
    ',you': called ? `, ${called}` : undefined,
  };
}

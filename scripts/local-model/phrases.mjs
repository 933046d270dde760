import { baseVerb, flipForNarration, flipForSpeech, straight, uncapital } from './english.mjs';
import { BASE_VERBS, MODIFIERS, PAST_FORMS, S_FORMS, STOP, isPlural, kindOf } from './lexicon.mjs';

/**
 * Something the person spoke of, ready for the character to take up.
 * @typedef {object} Topic
 * @property {string} text as the character would say it: "your brother", "the brass key"
 * @property {string} head the noun alone, lower case
 * @property {string} kind see lexicon; "name" for a proper name, "other" when not known
 * @property {boolean} plural
 * @property {boolean} mine true when it belongs to the person
 */

const DETERMINERS = /^(?:a|an|the|my|your|his|her|our|their|this|that|these|those|some)$/i;
const ADJECTIVE = /(?:ful|ous|ish|less|ic|al|ed|ing|ive|able|ern|y)$/;
const POOR_HEADS = new Set([
  'thing',
  'things',
  'way',
  'lot',
  'bit',
  'kind',
  'sort',
  'one',
  'stuff',
  'guy',
  'someone',
  'day',
  'days',
  'name',
  'please',
  'everything',
  'something',
  'anything',
  'nothing',
  'hello',
  'minute',
  'moment',
  'while',
  'others',
]);

function isVerbForm(word) {
  return BASE_VERBS.has(word) || S_FORMS.has(word) || PAST_FORMS.has(word);
}

/** The phrase that starts after a determiner at tokens[i], or null. */
function phraseAt(tokens, i) {
  const taken = [];
  for (let j = i + 1; j < tokens.length && taken.length < 3; j += 1) {
    const word = tokens[j].toLowerCase().replace(/'s$/, '');
    const proper = /^\p{Lu}/u.test(tokens[j]);
    if (!/^[\p{L}'-]{2,}$/u.test(tokens[j]) || STOP.has(word) || word.endsWith('ly')) break;
    // Once a noun stands there, only another noun can belong to the phrase.
    const previous = taken.at(-1)?.toLowerCase();
    if (previous && kindOf(previous) && !MODIFIERS.has(previous) && !kindOf(word)) break;
    if (previous && !MODIFIERS.has(previous) && !ADJECTIVE.test(previous) && !kindOf(word) && !proper) break;
    if (previous && isVerbForm(word) && !kindOf(word)) break;
    taken.push(tokens[j]);
    if (tokens[j].endsWith("'s")) continue;
    if (/[,.;!?]$/.test(tokens[j])) break;
  }
  while (taken.length > 0 && /^(?:.*(?:ing|ed))$/.test(taken.at(-1)) && !kindOf(taken.at(-1).toLowerCase()))
    taken.pop();
  return taken.length > 0 ? taken : null;
}

/**
 * What a text speaks of, the most telling first.
 * @param {string} text
 * @returns {Topic[]}
 */
export function topicsOf(text) {
  const found = new Map();
  const add = (topic, weight) => {
    const known = found.get(topic.head);
    if (POOR_HEADS.has(topic.head) || topic.kind === 'body' || (known && known.weight >= weight)) return;
    found.set(topic.head, { topic, weight });
  };
  const weightOf = (kind) =>
    ({ person: 6, hold: 6, creature: 6, place: 5, abstract: 4, treat: 5, fixture: 4, nature: 4, name: 5 })[
      kind
    ] ?? 2;
  for (const clause of straight(text).split(/[.!?;:*"()\n,]+/)) {
    const tokens = clause.trim().split(/\s+/).filter(Boolean);
    tokens.forEach((token, i) => {
      const lower = token.toLowerCase();
      if (DETERMINERS.test(token)) {
        const taken = phraseAt(tokens, i);
        if (!taken) return;
        const head = taken.at(-1).toLowerCase();
        const kind = kindOf(head) ?? 'other';
        if (kind === 'other' && (ADJECTIVE.test(head) || MODIFIERS.has(head))) return;
        const owner =
          {
            my: 'your',
            our: 'your',
            your: 'my',
            a: 'the',
            an: 'the',
            some: 'the',
            this: 'that',
            these: 'those',
          }[lower] ?? lower;
        add(
          {
            text: `${owner} ${taken.map((word) => (/^I$|^\p{Lu}/u.test(word) ? word : word.toLowerCase())).join(' ')}`,
            head,
            kind,
            plural: isPlural(head),
            mine: /^(?:my|our)$/.test(lower),
          },
          weightOf(kind) + (/^(?:my|our)$/.test(lower) ? 2 : 0) + (taken.length > 1 ? 1 : 0),
        );
        return;
      }
      const bare = lower.replace(/[^\p{L}'-]/gu, '');
      const before = (tokens[i - 1] ?? '').toLowerCase();
      if (
        i > 0 &&
        /^\p{Lu}\p{Ll}{2,}$/u.test(token) &&
        !STOP.has(lower) &&
        !/^(?:i'm|am|name|is|called|me)$/.test(before)
      ) {
        add({ text: token, head: lower, kind: 'name', plural: false, mine: false }, 5);
      } else if (
        kindOf(bare) &&
        /^(?:abstract|nature|treat)$/.test(kindOf(bare)) &&
        !isVerbForm(bare) &&
        !DETERMINERS.test(before) &&
        !MODIFIERS.has(before) &&
        (!kindOf(before) || isVerbForm(before))
      ) {
        add({ text: bare, head: bare, kind: kindOf(bare), plural: isPlural(bare), mine: false }, 3);
      } else if (
        kindOf(bare) &&
        isPlural(bare) &&
        !isVerbForm(bare) &&
        !DETERMINERS.test(before) &&
        !MODIFIERS.has(before)
      ) {
        add({ text: bare, head: bare, kind: kindOf(bare), plural: true, mine: false }, 3);
      }
    });
  }
  return [...found.values()].sort((a, b) => b.weight - a.weight).map((entry) => entry.topic);
}

const FILLER_START =
  /^(?:i (?:think|guess|know|mean|don't know|suppose|wonder|said|say|see|hope|bet|would|could|can|will|just|should|might|want to know|do|did|don't|didn't|can't|won't|really|agree|understand|like it|love it|promise|apologi[sz]e)\b|i'll|i'd)/i;

/**
 * Something the person told of themself, turned round: "I lost my brother at sea" → "you lost your brother at sea".
 * @param {string} text without actions
 * @returns {string} empty when there is nothing that can be said back with certainty
 */
export function claimOf(text) {
  for (const sentence of straight(text).split(/[.!?;\n]+/)) {
    const clause = sentence
      .trim()
      .replace(/^(?:well|so|yes|no|oh|and|but|actually|honestly|because|maybe|ok|okay)[, ]+/i, '')
      .split(/, | because | but | so | and i | when | which /i)[0]
      .trim();
    const count = clause.split(/\s+/).length;
    if (
      !/^(?:I|I'm|I've|i|i'm|i've|my)\s/.test(clause) ||
      FILLER_START.test(clause) ||
      count < 4 ||
      count > 10
    )
      continue;
    if (!/^[\p{L}' -]+$/u.test(clause) || /\b(?:you|your|you're|this|that|it|here|them|now)\b/i.test(clause))
      continue;
    if (/^I'?m? (?:am )?(?:[A-Z])/.test(clause.replace(/^I am/, 'I'))) continue;
    if (/^my name\b|^my\s/i.test(clause)) continue;
    return flipForSpeech(uncapital(clause).replace(/^I\b/, 'I').replace(/^i\b/, 'I'));
  }
  return '';
}

const GOING = /ing$/;

/**
 * What the person does, as a base-form clause for narration: "*sits down by your fire*" → "sit down by her fire".
 * @param {string} action the text between asterisks, or a clause that begins with "I"
 * @param {{him: string, her: string, self: string}} who the character's pronouns
 * @param {string} person the person's name, may be empty
 * @returns {string} empty when it cannot be put so
 */
export function deedOf(action, who, person) {
  const first = straight(action)
    .trim()
    .replace(/^(?:then|and|so|ok|okay|well|now)[, ]+/i, '')
    .split(
      /[.!?;,]| and | then | while | as (?=i\b|he\b|she\b|they\b|you\b)| but | before | until | because /i,
    )[0]
    .trim();
  const named = person
    ? new RegExp(`^(?:${person.split(/\s+/)[0].replace(/[^\p{L}]/gu, '.')})\\s+`, 'iu')
    : /^$/;
  const words = first
    .replace(named, '')
    .replace(/^(?:i|he|she|they|we)\s+/i, '')
    .split(/\s+/)
    .filter(Boolean);
  while (
    words.length > 1 &&
    (/ly$/i.test(words[0]) || /^(?:just|also|still|then|simply|try to|quickly)$/i.test(words[0]))
  )
    words.shift();
  if (words.length === 0 || words.length > 9 || !words.every((word) => /^[\p{L}'-]+$/u.test(word))) return '';
  const verb = words[0].toLowerCase();
  const base = GOING.test(verb) && !BASE_VERBS.has(verb) ? undouble(verb.slice(0, -3)) : baseVerb(verb);
  if (
    !base ||
    /^(?:know|think|want|mean|guess|need|like|love|hate|feel|have|believe|hope|see|hear|understand|wonder|wish|remember|forget|agree|say|tell|live|die|belong|seem)$/.test(
      base,
    )
  )
    return '';
  // An action told in the third person speaks of the person's own hands as "his" or "her".
  const own = /^(?:his|her|their)$/i.test(words[1] ?? '')
    ? `your ${words.slice(2).join(' ')}`
    : flipForNarration(words.slice(1).join(' '), who);
  if (/^(?:hug|kiss|pat|greet|follow)$/.test(base) && own === '') return `${base} ${who.him}`;
  return `${base} ${own}`.trim();
}

function undouble(stem) {
  if (BASE_VERBS.has(stem)) return stem;
  if (BASE_VERBS.has(`${stem}e`)) return `${stem}e`;
  if (BASE_VERBS.has(stem.slice(0, -1))) return stem.slice(0, -1);
  return null;
}

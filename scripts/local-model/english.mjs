/** English grammar, which the other languages replace with quotations of the user. */

const IRREGULAR = { does: 'do', goes: 'go', has: 'have', is: 'am', was: 'was' };

/** "keeps" → "keep", "carries" → "carry"; null for a word that is no verb in the third person. */
function toFirstPerson(verb) {
  if (IRREGULAR[verb]) return IRREGULAR[verb];
  if (/[^aeiou]ies$/.test(verb)) return verb.replace(/ies$/, 'y');
  if (/(?:ss|sh|ch|x|zz)es$/.test(verb)) return verb.slice(0, -2);
  return /[^siu]s$/.test(verb) ? verb.slice(0, -1) : null;
}

const replacePronouns = (text) =>
  text
    .replaceAll(/\b(?:she|he|they)(?= (?!are\b|were\b))/gi, 'I')
    .replaceAll(/\b(?:herself|himself|themselves|itself)\b/gi, 'myself')
    .replaceAll(/\bhis\b|\bher(?= (?!and|or|in|on|at|to|for|with|from|when|as)[a-z])/gi, 'my')
    .replaceAll(/\bher\b|\bhim\b/gi, 'me');

const FIRST_WORDS = /^(?:(She|He|They|It) |)(never |always |still |also |mostly )?([a-z]+) (.+)$/i;
/** Sentences about how the character talks, or about several people, do not work in the first person. */
const UNUSABLE =
  /[:{}"]|\band [a-z]+s\b|, [a-z]+s\b|\b(?:speaks?|talks?|says|calls|refers|narrates|cites|you|they|user)\b/i;
const MAX_WORDS = 18;

/**
 * Turns sentences of a card into the first person: "She keeps the lamp burning." → "I keep the lamp burning."
 * @param {string} traits
 * @param {string} short the character's short name
 * @returns {{own: string[], secrets: string[]}}
 */
export function readOwnSentences(traits, short) {
  const own = [];
  const secrets = [];
  for (const raw of traits.match(/[^.!?\n]+[.!?]?/g) ?? []) {
    const sentence = raw
      .trim()
      .replace(/[.!?]+$/, '')
      .replace(short, 'She');
    const secret = /^Secret(?:ly)?: (.+)$/i.exec(sentence)?.[1];
    if (secret) {
      const confession = replacePronouns(secret);
      secrets.push(`${confession.charAt(0).toUpperCase()}${confession.slice(1)}.`);
      continue;
    }
    const [, , adverb = '', verb = '', rest = ''] = FIRST_WORDS.exec(sentence) ?? [];
    const first = toFirstPerson(verb.toLowerCase());
    if (!first || UNUSABLE.test(sentence) || sentence.split(/\s+/).length > MAX_WORDS) continue;
    own.push(
      `I ${adverb.toLowerCase()}${first} ${replacePronouns(rest)}.`.replaceAll(/\bI has\b/g, 'I have'),
    );
  }
  return { own, secrets };
}

/** Returns the object pronoun for the character: the one that its card uses most. */
export function readPronoun(traits) {
  const count = (pattern) => traits.match(pattern)?.length ?? 0;
  const she = count(/\b(?:she|her|herself)\b/gi);
  const he = count(/\b(?:he|his|him|himself)\b/gi);
  if (she > he) return 'her';
  return he > 0 ? 'him' : 'them';
}

const POSSESSIVES = { her: 'her', him: 'his', them: 'their' };

/**
 * Narrates an action of the user: "hands you my letter" → "You hand her your letter".
 * @param {string} action
 * @param {string} object the character's pronoun: her, him or them
 * @returns {string} empty when the action has no known verb
 */
export function narrateAction(action, object) {
  const [clause] = action.trim().split(/[.;!]/);
  const [, first, verb = '', rest = ''] = /^(I )?([a-z']+)\b(.*)$/i.exec(clause.trim()) ?? [];
  const bare = first ? verb : toFirstPerson(verb.toLowerCase());
  if (!bare || rest.split(' ').length > 12) return '';
  const narrated = rest
    .replaceAll(/\byour\b/gi, POSSESSIVES[object])
    .replaceAll(/\byou\b/gi, object)
    .replaceAll(/\bmy(self)?\b/gi, 'your$1')
    .replaceAll(/\bme\b|\bI\b/g, 'you');
  return `You ${bare === 'am' ? 'are' : bare}${narrated}`;
}

const NO_TOPIC =
  /\b(?:way|thing|things|bit|lot|time|moment|minute|day|one|first|second|rest|end|same|kind|sort|idea|question|name)$/i;
const TOPIC =
  /\b(my|the|an?|our|this|that) ((?:[a-z-]+(?:ed|y|ful|en|ish|er|al|ic|ous|old|big|red|dark|blue|new|last|little|broken|long) )?[a-z-]{3,}(?:'s [a-z-]{3,})?)\b/gi;

/**
 * Finds a thing that the user mentions, in the character's words: "my grandmother's letter" → "your grandmother's letter".
 * @param {string} speech
 * @returns {string} empty when there is none
 */
export function findTopic(speech) {
  const found = [...speech.matchAll(TOPIC)]
    .map(([, article, noun]) => ({ isOwn: /^(?:my|our)$/i.test(article), noun }))
    .filter(
      ({ noun }) => !NO_TOPIC.test(noun) && !/^(?:is|was|are|has|and|not|very|would|will)\b/i.test(noun),
    );
  const topic = found.find(({ isOwn }) => isOwn) ?? found[0];
  if (topic) return `${topic.isOwn ? 'your' : 'the'} ${topic.noun}`;
  const plural =
    /\b(?:love|like|hate|miss|remember|about|of|in|to) ([a-z]+ ?[a-z]{3,}s|\p{Lu}\p{Ll}{2,})\b/u.exec(speech);
  return plural?.[1] ?? '';
}

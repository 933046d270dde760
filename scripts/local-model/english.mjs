import { BASE_VERBS, PAST_FORMS, S_FORMS } from './lexicon.mjs';

const LITTLE_BETWEEN = '((?: (?:only|never|just|always|already|not|ever|even))?';
const LONG_FORMS = [
  [/\bwon't\b/gi, 'will not'],
  [/\bcan't\b/gi, 'cannot'],
  [/\bshan't\b/gi, 'shall not'],
  [/\blet's\b/gi, 'let us'],
  [/\b(\w+)n't (I|you|he|she|it|we|they|that|there)\b/gi, '$1 $2 not'],
  [/n't\b/gi, ' not'],
  [/\bI'm\b/gi, 'I am'],
  [/'re\b/gi, ' are'],
  [/'ve\b/gi, ' have'],
  [/'ll\b/gi, ' will'],
  // 's and 'd stand for two words each; what follows tells which.
  [
    new RegExp(
      `\\b(it|that|there|who|he|she|nobody|somebody|something|everything|one)'s${LITTLE_BETWEEN} (?:been|taken|got|gone|cost|worked|served|learned|changed|had|kept|lost|left|made|sat|swept|run|asked|felt|seen|heard|known|become))\\b`,
      'gi',
    ),
    '$1 has$2',
  ],
  [
    /\b(it|that|there|here|what|who|where|he|she|how|everything|something|nobody|somebody|one)'s\b/gi,
    '$1 is',
  ],
  [
    new RegExp(
      `'d${LITTLE_BETWEEN} (?:better|been|lost|known|seen|forgotten|thought|taken|left|told|kept|given|gone|done|had|hoped|stopped|finished|promised|planned|decided|expected|learned|closed|looked|wanted|asked|begun|said|nothing planned|have died))\\b`,
      'gi',
    ),
    ' had$1',
  ],
  [/'d\b/gi, ' would'],
];

/**
 * Writes contractions out: "I don't" → "I do not". Keeps a capital first letter.
 * @param {string} text with straight apostrophes
 * @returns {string}
 */
export function expand(text) {
  let result = text;
  for (const [form, long] of LONG_FORMS) {
    result = result.replace(form, (found, ...groups) => {
      const full = long.replace(/\$(\d)/g, (_, n) => groups[Number(n) - 1] ?? '');
      return /^[A-Z]/.test(found) ? capital(full) : full;
    });
  }
  return result;
}

/**
 * Upper-case first letter; quotes and asterisks before it are stepped over.
 * @param {string} text
 * @returns {string}
 */
export function capital(text) {
  return text.replace(/^([^\p{L}\d]*)(\p{Ll})/u, (_, before, letter) => before + letter.toUpperCase());
}

/**
 * Lower-case first letter, except for "I", names in capitals and acronyms.
 * @param {string} text
 * @returns {string}
 */
export function uncapital(text) {
  return /^(I\b|I'|[A-Z]{2})/.test(text) ? text : text.charAt(0).toLowerCase() + text.slice(1);
}

/**
 * "a" or "an" before a phrase, by its first sound.
 * @param {string} phrase
 * @returns {string} the phrase with its article
 */
export function withArticle(phrase) {
  const vowel =
    /^(?:[aeio]|u(?!n(?:i|$)|s[eu]|ti|r[aei]|k)|hono|hour|heir)/i.test(phrase) &&
    !/^(?:one|once|eu)/i.test(phrase);
  return `${vowel ? 'an' : 'a'} ${phrase}`;
}

/**
 * Lower-case words alone, contractions written out; two texts with the same words give the same result.
 * @param {string} text
 * @returns {string}
 */
export function normalise(text) {
  return expand(straight(text))
    .toLowerCase()
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim();
}

/**
 * Typographic quotes and apostrophes as straight ones.
 * @param {string} text
 * @returns {string}
 */
export function straight(text) {
  return text.replace(/[‘’ʼ`´]/g, "'").replace(/[“”„«»]/g, '"');
}

/**
 * The sentences of a text, normalised; actions, speech and lines each end a sentence.
 * @param {string} text
 * @returns {string[]}
 */
export function sentences(text) {
  return straight(text)
    .split(/[.!?…:;\n*"()]+/)
    .map(normalise)
    .filter(Boolean);
}

/**
 * The number of words.
 * @param {string} text
 * @returns {number}
 */
export function wordCount(text) {
  return text.match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0;
}

/**
 * Small repairs after filling in: spaces, doubled stops, capitals at the start of sentences.
 * @param {string} text
 * @returns {string}
 */
export function tidy(text) {
  return capital(
    text
      .replace(/[ \t]+/g, ' ')
      .replace(/ ([,.;!?])/g, '$1')
      .replace(/,+([,.;!?])/g, '$1')
      .replace(/(?<!\.)\.\.(?!\.)/g, '.')
      .replace(/([!?])\./g, '$1')
      .replace(/(?<!\.)([.!?]["*]? +["*]?)(\p{Ll})/gu, (_, before, letter) => before + letter.toUpperCase())
      .trim(),
  );
}

/** Verbs before which "you" is the one who acts. */
const AFTER_SUBJECT =
  /^(are|were|have|had|can|could|will|would|should|shall|may|might|must|do|did|don't|didn't|can't|won't|know|think|want|need|said|say|look|seem|like|love|always|never|really|mean|told|make|made)$/i;

/**
 * Turns a person's words round so that the character can say them: I → you, your → my.
 * @param {string} text a phrase or clause without final stop
 * @returns {string}
 */
export function flipForSpeech(text) {
  const tokens = straight(text).split(/\s+/);
  const flipped = tokens.map((token, i) => {
    const [, word, tail] = /^(.*?)([,.;!?]*)$/.exec(token);
    const next = tokens[i + 1] ?? '';
    const before = (tokens[i - 1] ?? '').toLowerCase();
    const turned = {
      i: 'you',
      me: 'you',
      my: 'your',
      mine: 'yours',
      myself: 'yourself',
      "i'm": "you're",
      "i've": "you've",
      "i'd": "you'd",
      "i'll": "you'll",
      your: 'my',
      yours: 'mine',
      yourself: 'myself',
      "you're": "I'm",
      "you've": "I've",
      "you'd": "I'd",
      "you'll": "I'll",
      our: 'your',
      ours: 'yours',
    }[word.toLowerCase()];
    if (turned) return turned + tail;
    if (word.toLowerCase() === 'you') return (AFTER_SUBJECT.test(next) ? 'I' : 'me') + tail;
    if (before === 'i' && word === 'am') return `are${tail}`;
    if (before === 'i' && word === 'was') return `were${tail}`;
    if (before === 'i' && word === "wasn't") return `weren't${tail}`;
    if (before === 'you' && word === 'are') return `am${tail}`;
    if (before === 'you' && word === 'were') return `was${tail}`;
    return token;
  });
  return flipped.join(' ');
}

/**
 * Turns a person's words round for narration: I → you, your → her.
 * @param {string} text
 * @param {{him: string, her: string, self: string}} who the character's object, possessive and reflexive pronouns
 * @returns {string}
 */
export function flipForNarration(text, who) {
  return straight(text).replace(/\b(I'm|I|me|my|mine|myself|your|yours|yourself|you)\b/gi, (word) => {
    const turned = {
      "i'm": "you're",
      i: 'you',
      me: 'you',
      my: 'your',
      mine: 'yours',
      myself: 'yourself',
      your: who.her,
      yours: who.her,
      yourself: who.self,
      you: who.him,
    }[word.toLowerCase()];
    return turned ?? word;
  });
}

/**
 * The base form of a verb that may carry s, ed or be irregular; null when it is no verb known here.
 * @param {string} word lower case
 * @param {boolean} [anyVerb] take off an s even when the verb is not known
 * @returns {string | null}
 */
export function baseVerb(word, anyVerb = false) {
  if (BASE_VERBS.has(word)) return word;
  const known = S_FORMS.get(word) ?? PAST_FORMS.get(word);
  if (known) return known;
  if (word === 'does') return 'do';
  if (!anyVerb || !/[a-z]{2,}s$/.test(word) || /(ss|us|is|as)$/.test(word)) return null;
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(ss|sh|ch|x|zz|o)es$/.test(word)) return word.slice(0, -2);
  return word.slice(0, -1);
}

const LITTLE_ADVERBS = new Set([
  'never',
  'always',
  'still',
  'often',
  'secretly',
  'once',
  'also',
  'usually',
  'rarely',
  'only',
  'quietly',
  'just',
  'now',
  'sometimes',
  'recently',
  'privately',
  'barely',
  'slowly',
  'mostly',
]);

const OWN_WORDS = {
  she: { subject: ['she'], owner: ['her'], object: ['her'] },
  he: { subject: ['he'], owner: ['his'], object: ['him'] },
  they: { subject: ['they'], owner: ['their'], object: ['them'] },
  it: { subject: ['it'], owner: ['its'], object: ['it'] },
};

/**
 * Pronouns that stand for the character, as the character would say them: "her brother" → "my brother".
 * @param {string} text
 * @param {'she' | 'he' | 'they' | 'it'} gender which pronouns are the character's own
 * @returns {string}
 */
export function pronounsToMine(text, gender) {
  const { subject, owner, object } = OWN_WORDS[gender];
  const notOwned =
    '(?! (?:to|in|on|at|and|from|for|with|by|when|as|into|out|up|down|a|the|that|all|but|or|so|off|away)\\b)';
  const mine = text
    .replace(/\b(?:himself|herself|themselves|themself|itself)\b/gi, 'myself')
    .replace(
      new RegExp(
        `\\b${owner[0] === 'her' ? 'hers' : owner[0] === 'their' ? 'theirs' : owner[0]}(?=$|[,;])`,
        'gi',
      ),
      'mine',
    )
    .replace(
      new RegExp(`\\b${owner[0]}\\b${owner[0] === object[0] ? `(?= [a-z])${notOwned}` : ''}`, 'gi'),
      'my',
    );
  // "it" is as likely a thing as the character, so it stays.
  if (gender === 'it') return mine;
  return mine
    .replace(new RegExp(`\\b${subject[0]}\\b`, 'gi'), 'I')
    .replace(new RegExp(`\\b${object[0]}\\b`, 'gi'), 'me');
}

const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * A sentence about the character as the character would say it: "She keeps the light." → "I keep the light"; a sentence
 * without a subject is taken to be about the character too: "Hates eggs on trains" → "I hate eggs on trains".
 * @param {string} sentence without final stop
 * @param {string[]} names forms of the character's own name
 * @param {'she' | 'he' | 'they' | 'it'} gender which pronouns are the character's own
 * @returns {string | null} null when the sentence cannot be turned round with certainty
 */
export function toFirstPerson(sentence, names, gender) {
  if (/^i\b/i.test(sentence)) return capital(sentence);
  const own = [...names]
    .sort((a, b) => b.length - a.length)
    .map(escape)
    .join('|');
  let text = own
    ? sentence
        .replace(new RegExp(`\\b(?:${own})'s\\b`, 'g'), 'my')
        .replace(new RegExp(`\\b(?:[Tt]he )?(?:${own})(?:, (?:aged )?\\d+,?)?(?= )`, 'g'), '@me')
    : sentence;
  const subjects = new Set(['@me', OWN_WORDS[gender].subject[0]]);
  const first = text.split(' ')[0];
  const lower = first.toLowerCase();
  const bare = LITTLE_ADVERBS.has(lower) ? (text.split(' ')[1] ?? '') : lower;
  if (S_FORMS.has(bare) || /^(?:was|has|is|can|cannot|would|will|does|had)$/.test(bare))
    text = `@me ${uncapital(text)}`;
  const tokens = text.split(/\s+/);
  let seen = false;
  let mineNow = false;
  let end = tokens.length;
  for (let i = 0; i < tokens.length && i < end; i += 1) {
    const word = tokens[i].toLowerCase();
    if (subjects.has(word)) {
      let at = i + 1;
      while (LITTLE_ADVERBS.has(tokens[at]?.toLowerCase())) at += 1;
      const [, plain, tail] = /^(.*?)([,;]?)$/.exec(tokens[at] ?? '');
      const verb = firstPersonVerb(plain);
      if (!verb) return null;
      tokens[at] = verb + tail;
      tokens[i] = 'I';
      seen = true;
      mineNow = true;
    } else if (mineNow && word.endsWith('s') && follows(tokens, i)) {
      const open = !S_FORMS.has(word) && !/^(?:is|has|does)$/.test(word);
      if (
        open &&
        !/^(?:a|an|the|my|his|her|their|its|it|me|you|them|him|with|at|on|in|to|for|no|every|all)$/i.test(
          tokens[i + 1] ?? '',
        )
      )
        continue;
      tokens[i] = firstPersonVerb(word) ?? tokens[i];
    } else if (/^(?:who|which|that|where|what|as|when|while|since|if)$/.test(word)) {
      mineNow = false;
    }
  }
  if (!seen) return null;
  return capital(pronounsToMine(tokens.slice(0, end).join(' ').replace(/[,;]$/, ''), gender));
}

/** Whether a word stands where a second verb of the same subject would: "keeps the light and …", "slaps it, …". */
function follows(tokens, i) {
  const at = LITTLE_ADVERBS.has(tokens[i - 1]?.toLowerCase()) ? i - 2 : i - 1;
  return /^(?:and|but|or|nor|then)$|,$/.test(tokens[at]?.toLowerCase() ?? '');
}

function firstPersonVerb(verb) {
  if (/^(was|had|could|would|will|can|cannot|did|must|might|should|may)$/.test(verb)) return verb;
  if (verb === 'is' || verb === 'are') return 'am';
  if (verb === 'were') return 'was';
  if (verb === 'has') return 'have';
  if (verb === "doesn't") return "don't";
  if (verb === "isn't") return 'am not';
  if (PAST_FORMS.has(verb) || /[a-z]{2}ed$/.test(verb)) return verb;
  if (BASE_VERBS.has(verb)) return verb;
  return baseVerb(verb, true);
}

import { claimOf, topicsOf } from './phrases.mjs';
import { straight } from './english.mjs';

/**
 * Something the person told earlier.
 * @typedef {object} Fact
 * @property {'home' | 'trade' | 'likes' | 'dislikes' | 'fear' | 'kin' | 'carried' | 'thing' | 'seeks' | 'claim'} kind
 * @property {string} text as the character would say it
 * @property {number} at the index of the message, 0 is the oldest
 */

const NOT_A_NAME =
  /^(?:fine|good|ok|okay|well|sorry|tired|sad|happy|here|not|just|so|very|really|a|an|the|from|looking|going|afraid|scared|lost|hungry|cold|your|sure|glad|back|done|ready|new|alone|bored|curious|in|on|at|trying|hoping|still|only|also|always|never|nobody|nothing|no|one|called|human|please|later|tomorrow|when|if|whatever|i|you|what|that|it|him|her|them|by)$/i;

const tidyPhrase = (text) =>
  text
    .trim()
    .replace(/^(?:the|a|an) /i, '')
    .replace(/\s+(?:too|as well|very much|a lot|so much|though)$/i, '');

/**
 * The name the person gave for themself, the latest one.
 * @param {string[]} said oldest first
 * @returns {string} empty when none was given
 */
export function givenName(said) {
  for (const message of [...said].reverse()) {
    const text = straight(message).replace(/\*[^*]*\*/g, ' ');
    const clear =
      /\b(?:my name(?:'s| is)|(?:you can |just |please )?call me|the name(?:'s| is)|name's)\s+(\p{L}[\p{L}'-]{1,19})(?:\s+(\p{Lu}[\p{L}'-]+))?/iu.exec(
        text,
      );
    const likely =
      /(?:^|[.,!?]\s*|\b(?:hi|hello|hey)[, ]+)(?:I'm|I am|i'm|im)\s+(\p{Lu}\p{Ll}{1,19})(?=[.,!?]|$|\s+(?:and|from|by)\b)/u.exec(
        text,
      );
    const name = clear?.[1] ?? likely?.[1];
    if (name && !NOT_A_NAME.test(name)) return name.charAt(0).toUpperCase() + name.slice(1);
  }
  return '';
}

const END = String.raw`(?=[.,;!?\n]|$| and i\b| but | because | so | when | since )`;
const ONE_THING = String.raw`(?:an? |the |my |some |one |two |three )[\p{L}' -]{2,36}?`;
const THINGS = String.raw`(${ONE_THING}(?:, (?:and )?${ONE_THING})*)`;
const ABOUT_ME = String.raw`(?: (?:with|on) me| in my (?:pockets?|bag|hands?|pack|satchel|coat))`;
const RULES = [
  [
    'carried',
    new RegExp(
      [
        String.raw`\bi(?:'ve| have|'ve got| have got| carry| brought| own) (?:nothing|little|no more)(?: else)?(?: left)?${ABOUT_ME}? (?:but|except|save|other than|than) ${THINGS}${ABOUT_ME}?${END}`,
        String.raw`\bi(?:'ve| have)? (?:only |just |also )?(?:brought|packed|carry|carried)(?: along| with me)?(?: only| just)? ${THINGS}${ABOUT_ME}?(?: along)?${END}`,
        String.raw`\bi(?:'m| am) (?:only |just |also )?carrying(?: only| just)? ${THINGS}${ABOUT_ME}?${END}`,
        String.raw`\bi(?:'ve| have|'ve got| have got| got)(?: only| just| also)? ${THINGS}${ABOUT_ME}${END}`,
      ].join('|'),
      'giu',
    ),
  ],
  [
    'home',
    new RegExp(
      String.raw`\bi(?:'m| am| come| came) from ((?:the |a |an )?[\p{L}' -]{2,30}?)${END}|\bi (?:live|grew up|was born) in ((?:the |a |an )?[\p{L}' -]{2,30}?)${END}`,
      'giu',
    ),
  ],
  [
    'trade',
    new RegExp(
      String.raw`\bi work as (an? [\p{L}' -]{3,30}?)${END}|\bi(?:'m| am) (an? (?:[\p{L}-]+ )?(?:teacher|doctor|nurse|baker|student|writer|programmer|engineer|developer|soldier|sailor|painter|artist|musician|singer|lawyer|driver|cook|chef|farmer|thief|knight|wizard|witch|detective|designer|scientist|gardener|pilot|actor|librarian|merchant|traveller|traveler|hunter|poet|journalist|carpenter|mechanic|photographer))\b`,
      'giu',
    ),
  ],
  [
    'likes',
    new RegExp(
      String.raw`\bi (?:really |also |do |just |truly )?(?:love|like|enjoy|adore|prefer) ((?!it\b|you|that|this|him|her|them|to\b|how\b|your)[\p{L}' -]{3,30}?)${END}|\bmy favou?rite [\p{L} ]{3,14} is ([\p{L}' -]{3,24}?)${END}`,
      'giu',
    ),
  ],
  [
    'dislikes',
    new RegExp(
      String.raw`\bi (?:really |just )?(?:hate|dislike|despise|can't stand|don't like) ((?!it\b|you|that|this|him|her|them|to\b|how\b|your)[\p{L}' -]{3,30}?)${END}`,
      'giu',
    ),
  ],
  [
    'fear',
    new RegExp(
      String.raw`\bi(?:'m| am) (?:afraid|scared|terrified) of ((?!it\b|you|that|this)[\p{L}' -]{3,30}?)${END}|\bi fear ([\p{L}' -]{3,24}?)${END}`,
      'giu',
    ),
  ],
  [
    'seeks',
    new RegExp(
      String.raw`\bi(?:'m| am|'ve been)? (?:looking|searching|hunting) for ((?!you\b|it\b)[\p{L}' -]{3,30}?)${END}`,
      'giu',
    ),
  ],
];

const MOST_WORDS = 6;
/** Several things may be carried at once. */
const MOST_WORDS_CARRIED = 16;

/**
 * What the person told of themself.
 * @param {string[]} said oldest first
 * @returns {Fact[]} oldest first; each text once
 */
export function factsOf(said) {
  const facts = [];
  const add = (kind, text, at) => {
    const clean = text
      .trim()
      .replace(/\bmy\b/gi, 'your')
      .replace(/\bme\b/gi, 'you');
    if (
      clean.length > 2 &&
      clean.split(/\s+/).length <= (kind === 'carried' ? MOST_WORDS_CARRIED : MOST_WORDS) &&
      !/\b(?:i|i'm|you're)\b/i.test(clean) &&
      !facts.some((fact) => fact.text === clean)
    )
      facts.push({ kind, text: clean, at });
  };
  said.forEach((message, at) => {
    const text = straight(message).replace(/\*[^*]*\*/g, ' ');
    for (const [kind, pattern] of RULES) {
      for (const match of text.matchAll(pattern)) {
        const told = match.slice(1).find(Boolean) ?? '';
        add(kind, /^(?:home|trade|carried)$/.test(kind) ? told : tidyPhrase(told), at);
      }
    }
    // A thing that is kept needs no second remembering, and "nothing but" would lose its half.
    const kept = facts.some((fact) => fact.kind === 'carried' && fact.at === at);
    if (/\?\s*$/.test(text)) return;
    for (const topic of topicsOf(text).slice(0, 3)) {
      if (topic.mine && (topic.kind === 'person' || topic.kind === 'creature')) add('kin', topic.text, at);
      else if (
        topic.kind === 'hold' &&
        !kept &&
        (topic.mine || /\b(?:brought|found|carry|have|give|gave|made|kept|keep)\b/i.test(text))
      )
        add('thing', topic.text, at);
    }
    const claim = claimOf(text);
    if (
      claim &&
      !kept &&
      !/\b(?:love|like|hate|from|looking|today|tonight|now|yesterday|tomorrow|just|this (?:morning|evening|week))\b/.test(
        claim,
      )
    )
      add('claim', claim, at);
  });
  return facts;
}

import { readOwnSentences, readPronoun } from './english.mjs';
import { detectLanguage, LANGUAGES, splitSentences } from './languages.mjs';

/**
 * The character and its scene, in a form that the texts of a language can use.
 * @typedef {object} Character
 * @property {string} short the name in narration; `pronoun` is her, him or them
 * @property {string[]} people names of other people in the card
 * @property {string[]} things keys of the objects in the scene, the most mentioned first
 * @property {{acts: string[], openers: string[]}} manner
 * @property {string[]} own sentences of the card in the first person; `secrets` likewise
 * @property {string[]} narration sentences of the card in the third person
 */

const TITLES =
  /^(?:captain|dr|doctor|professor|prof|mr|mrs|ms|miss|sir|lord|lady|king|queen|magister|saint|the|old)\.?$/i;
const NO_PERSON =
  /^(?:The|She|He|They|It|Here|There|Three|Two|Four|People|One|Each|Every|When|Where|Will|Likes?|Goal|Secret|And|But|Never|Always)$/i;
const PEOPLE =
  /(?:^|[\s:;(])(\p{Lu}[\p{L}]+)(?: \p{Lu}\p{L}+)?(?:, (?:the|an?|who|\d+)\b| is (?:an?|the) )/gu;
const MAX_NARRATED_WORDS = 22;
const MAX_NARRATED_CHARACTERS = 140;

/** "Captain Nkechi Abara" → "Nkechi"; "Lord Ashgrove" and "Unit Seven" stay whole. */
function shortenName(name) {
  const words = name
    .split(/,| of | in /)[0]
    .trim()
    .split(/[\s・·]+/);
  if (/^the$/i.test(words[0]) || words.length === 1) return words.join(' ');
  if (words.length >= 3 && TITLES.test(words[0])) return words[1];
  return TITLES.test(words[0]) || /^unit$/i.test(words[0]) ? words.slice(0, 2).join(' ') : words[0];
}

function findPeople(scene, short) {
  const bold = [...scene.firstMessage.matchAll(/\*\*([^*:：\n]{2,30})[:：]\*\*/g)].map(([, name]) =>
    name.trim(),
  );
  const named = [...scene.traits.matchAll(PEOPLE)].map(([, name]) =>
    name === name.toUpperCase() ? name.charAt(0) + name.slice(1).toLowerCase() : name,
  );
  return [...new Set([...bold, ...named])].filter(
    (name) => !NO_PERSON.test(name) && !short.includes(name) && !scene.name.includes(name),
  );
}

/**
 * Reads the card and the greeting for a reply in a language; the card may be written in another one.
 * @param {import('./read-prompt.mjs').Scene} scene
 * @param {import('./languages.mjs').Language} language
 * @returns {Character}
 */
export function readCharacter(scene, language) {
  const card = [scene.name, scene.tagline, scene.traits, scene.firstMessage, scene.world].join('\n');
  const written = LANGUAGES[detectLanguage(card) ?? 'en'] ?? LANGUAGES.en;
  const isSame = written.code === language.code;
  const short = shortenName(scene.name);
  const rankKeys = (entries, text) =>
    Object.entries(entries)
      .map(([key, { find }]) => ({ key, hits: text.match(new RegExp(find, 'giu'))?.length ?? 0 }))
      .filter(({ hits }) => hits > 0)
      .sort((a, b) => b.hits - a.hits)
      .map(({ key }) => key);
  const [manner = 'gruff', second = manner] = rankKeys(written.manners, `${scene.tagline}\n${scene.traits}`);
  const manners = [manner, second].map((key) => language.manners[key]);
  const mergeTexts = (field) => [...new Set(manners.flatMap((one) => one[field]))];
  const narration = splitSentences(scene.traits)
    .filter((sentence) => sentence.startsWith(short) && !/[{}"*\d]/.test(sentence))
    .filter((sentence) => sentence.split(/\s+/).length <= MAX_NARRATED_WORDS)
    .filter((sentence) => sentence.length < MAX_NARRATED_CHARACTERS);
  return {
    short,
    pronoun: readPronoun(scene.traits),
    people: findPeople(scene, short),
    things: rankKeys(written.things, card).filter((key) => language.things[key]),
    manner: { acts: mergeTexts('acts'), openers: mergeTexts('openers') },
    ...(isSame && language.code === 'en' ? readOwnSentences(scene.traits, short) : { own: [], secrets: [] }),
    narration: isSame ? narration : [],
  };
}

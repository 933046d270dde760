// Checks the seed catalogue: text limits, publication rules, languages, variety, and a portrait for every character. Prints
// each fault as a sentence and exits with 1 if there is one.
import '../lib/binary-modules.mjs';
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { DEFAULT_LANGUAGE, LANGUAGES } from '../../src/config/languages.ts';
import { isSuggestedReply } from '../../src/features/character/character-rules.ts';
import { detectLanguage } from '../../src/locales/detect-language.ts';
import { readSeeds } from './read-seeds.mjs';

// The classifier's weights need the hook above, so the rules are loaded after it.
const { applyRules } = await import('../../src/features/safety/moderation.ts');

const HERE = import.meta.dirname;
const MIN_CHARACTERS = { own: 18, other: 6 };
const MIN_PER_TAG = 6;
const MAX_PICTURE_BYTES = 30_000;
const [WIDTH_PX, HEIGHT_PX] = [480, 640];
/** Returns the length of a text in code points. */
const LENGTHS = {
  name: [1, 50],
  oneliner: [1, 50],
  character_traits: [500, 1000],
  first_message: [300, 1200],
  summary: [200, 400],
};
/** A Chinese or Japanese character says as much as this many letters. */
const CJK_WEIGHT = 3;
const CHOICES = {
  model_type: ['roleplay', 'chatgpt'],
  point_of_view: ['normal', 'multiPeople', 'rpg', 'reverse'],
  mood: ['warm', 'strange', 'brave', 'playful', 'quiet'],
};
const TAGS = ['male', 'female', 'anime', 'fantasy', 'rpg'];
/** Further tags; `about` is the only field that a character may lack. */
const FREE_TAGS = { min: 2, max: 5, maxChars: 30 };
const MAX_ABOUT_CHARS = 600;
const REQUIRED_KEYS = [
  'slug',
  ...Object.keys(LENGTHS),
  ...Object.keys(CHOICES),
  'nsfw_allowed',
  'suggested_replies',
  'tags',
  'free_tags',
  'featured',
];
/** `language` and `index` are added by readSeeds. */
const KNOWN_KEYS = new Set([...REQUIRED_KEYS, 'about', 'language', 'index']);

const faults = [];
/** Records `sentence` as a fault unless `fine`. */
const expect = (fine, sentence) => {
  if (!fine) faults.push(sentence);
};
const repeated = (values) => values.filter((value, at) => values.indexOf(value) !== at);

function checkCharacter(character, at) {
  const who = character.slug ?? `Entry ${at + 1}`;
  const missing = REQUIRED_KEYS.filter((key) => !(key in character));
  const strange = Object.keys(character).filter((key) => !KNOWN_KEYS.has(key));
  expect(!missing.length, `${who} lacks ${missing.join(', ')}.`);
  expect(!strange.length, `${who} has fields nobody reads: ${strange.join(', ')}.`);
  expect(
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(character.slug ?? ''),
    `${who} has a slug that is not small letters and dashes.`,
  );
  for (const [key, [least, most]] of Object.entries(LENGTHS)) {
    const length = [...(character[key] ?? '')].length;
    const weight = ['ja', 'zh'].includes(character.language) ? CJK_WEIGHT : 1;
    expect(
      length * weight >= least && length <= most,
      `${who}: ${key} has ${length} characters, not ${least} to ${most}.`,
    );
    expect((character[key] ?? '').trim() === character[key], `${who}: ${key} begins or ends with a blank.`);
  }
  for (const [key, choices] of Object.entries(CHOICES)) {
    expect(
      choices.includes(character[key]),
      `${who}: ${key} is "${character[key]}", not one of ${choices.join(', ')}.`,
    );
  }
  expect(character.nsfw_allowed === false, `${who} allows adult content, which no seed may.`);
  expect(typeof character.featured === 'boolean', `${who}: featured is neither true nor false.`);
  const replies = character.suggested_replies ?? [];
  expect(replies.length === 3, `${who} has ${replies.length} suggested replies, not 3.`);
  expect(!repeated(replies).length, `${who} suggests the same reply twice.`);
  for (const reply of replies) {
    expect(isSuggestedReply(reply), `${who}: "${reply}" does not have 3 to 5 words.`);
  }
  const tags = character.tags ?? [];
  expect(tags.length > 0, `${who} has no tag.`);
  expect(!repeated(tags).length, `${who} has a tag twice.`);
  expect(
    tags.every((tag) => TAGS.includes(tag)),
    `${who} has a tag outside ${TAGS.join(', ')}.`,
  );
  const freeTags = character.free_tags ?? [];
  expect(
    freeTags.length >= FREE_TAGS.min && freeTags.length <= FREE_TAGS.max,
    `${who} has ${freeTags.length} free tags, not ${FREE_TAGS.min} to ${FREE_TAGS.max}.`,
  );
  expect(!repeated([...tags, ...freeTags]).length, `${who} has a free tag twice.`);
  for (const tag of freeTags) {
    const normalized = tag.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/gu, ' ');
    expect(
      tag === normalized && tag !== '' && [...tag].length <= FREE_TAGS.maxChars,
      `${who}: the free tag "${tag}" is too long or not in lower case.`,
    );
  }
  const about = character.about;
  expect(
    about === undefined || (about.trim() === about && about !== '' && [...about].length <= MAX_ABOUT_CHARS),
    `${who}: about is empty, longer than ${MAX_ABOUT_CHARS} characters, or begins or ends with a blank.`,
  );
  const opening = character.first_message ?? '';
  expect(/\*[^*]+\*/u.test(opening), `${who}: the first message shows no *action*.`);
  expect(
    (opening.match(/\*/gu) ?? []).length % 2 === 0,
    `${who}: the first message leaves an asterisk open.`,
  );
  expect(
    (opening.match(/"/gu) ?? []).length % 2 === 0,
    `${who}: the first message leaves a quotation mark open.`,
  );
  const macros = `${opening}${character.character_traits}`.match(/\{\{.*?\}\}/gu) ?? [];
  expect(
    macros.every((macro) => ['{{user}}', '{{char}}'].includes(macro)),
    `${who} uses a placeholder other than {{user}} and {{char}}.`,
  );
}

/** Checks a character's texts as the site checks what people publish: each with the others as its context. */
function checkTexts(character) {
  const texts = [
    ...Object.keys(LENGTHS).map((key) => character[key]),
    ...(character.about === undefined ? [] : [character.about]),
    ...character.suggested_replies,
    ...character.free_tags,
  ];
  const context = texts.join('\n');
  for (const text of texts) {
    const { ok, rule } = applyRules(text, { place: 'publication', adult: false, context });
    expect(ok, `${character.slug}: the rule "${rule}" refuses "${text}".`);
  }
  const long = `${character.character_traits}\n${character.first_message}\n${character.summary}`;
  const language = detectLanguage(long, DEFAULT_LANGUAGE);
  expect(
    language === character.language,
    `${character.slug} is written in ${language}, not in ${character.language}.`,
  );
}

/** Checks that each language has characters of every kind. */
function checkLanguage(language, characters) {
  const wanted = language === DEFAULT_LANGUAGE ? MIN_CHARACTERS.own : MIN_CHARACTERS.other;
  const count = (test) => characters.filter(test).length;
  expect(
    characters.length >= wanted,
    `There are ${characters.length} characters in ${language}, not ${wanted}.`,
  );
  expect(count(({ featured }) => featured) > 0, `Nobody is featured in ${language}.`);
  expect(
    count(({ model_type }) => model_type === 'chatgpt') > 0,
    `No character in ${language} has the model chatgpt.`,
  );
  expect(count(({ point_of_view }) => point_of_view === 'rpg') > 0, `There is no game in ${language}.`);
  for (const tag of ['male', 'female'])
    expect(count(({ tags }) => tags.includes(tag)) > 0, `The tag ${tag} is on nobody in ${language}.`);
  const moods = new Set(characters.map(({ mood }) => mood)).size;
  expect(moods >= 4, `The characters in ${language} have ${moods} moods, fewer than 4.`);
}

function checkCatalogue(characters) {
  const count = (test) => characters.filter(test).length;
  for (const tag of TAGS) {
    const found = count(({ tags = [] }) => tags.includes(tag));
    expect(found >= MIN_PER_TAG, `The tag ${tag} is on ${found} characters, fewer than ${MIN_PER_TAG}.`);
  }
  for (const key of ['slug', 'name', 'oneliner']) {
    const twice = repeated(characters.map((character) => character[key]));
    expect(!twice.length, `The ${key} is used twice: ${twice.join(', ')}.`);
  }
}

async function checkPortraits(slugs) {
  const folder = join(HERE, 'portraits');
  const seen = new Map();
  for (const slug of slugs) {
    const bytes = await readFile(join(folder, `${slug}.webp`)).catch(() => null);
    expect(bytes, `${slug} has no portrait; node tools/portraits/write-portraits.mjs draws it.`);
    if (!bytes) continue;
    expect(
      bytes.length <= MAX_PICTURE_BYTES,
      `The portrait of ${slug} has ${bytes.length} bytes, more than ${MAX_PICTURE_BYTES}.`,
    );
    const { format, width, height } = await sharp(bytes)
      .metadata()
      .catch(() => ({}));
    expect(
      format === 'webp' && width === WIDTH_PX && height === HEIGHT_PX,
      `The portrait of ${slug} is ${format} ${width} by ${height}, not webp ${WIDTH_PX} by ${HEIGHT_PX}.`,
    );
    const hash = createHash('sha256').update(bytes).digest('hex');
    expect(!seen.has(hash), `${slug} and ${seen.get(hash)} have the same portrait.`);
    seen.set(hash, slug);
  }
  const files = await readdir(folder).catch(() => []);
  const spare = files.filter((file) => !slugs.includes(file.replace(/\.webp$/u, '')));
  expect(!spare.length, `These portraits belong to nobody: ${spare.join(', ')}.`);
}

const characters = readSeeds();
for (const [at, character] of characters.entries()) {
  checkCharacter(character, at);
  checkTexts(character);
}
for (const language of LANGUAGES)
  checkLanguage(
    language,
    characters.filter((character) => character.language === language),
  );
checkCatalogue(characters);
await checkPortraits(characters.map(({ slug }) => slug));

if (faults.length) {
  for (const fault of faults) console.error(fault);
  process.exitCode = 1;
} else
  console.log(
    `The seed catalogue is in order: ${characters.length} characters, ${characters.length} portraits.`,
  );

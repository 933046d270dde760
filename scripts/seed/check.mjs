// Checks the seed catalogue: text limits, variety, and a portrait for every character. Prints each fault as a sentence and
// exits with 1 if there is one.
import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const HERE = import.meta.dirname;
const CHARACTERS = 28;
const FEATURED = 8;
const CHATGPT = 5;
const MIN_PER_TAG = 6;
const MAX_PICTURE_BYTES = 45_000;
const [WIDTH_PX, HEIGHT_PX] = [480, 640];
/** Returns the length of a text in code points. */
const LENGTHS = {
  name: [1, 50],
  oneliner: [1, 50],
  character_traits: [500, 1000],
  first_message: [300, 1200],
  summary: [200, 400],
};
const CHOICES = {
  model_type: ['roleplay', 'chatgpt'],
  point_of_view: ['normal', 'multiPeople', 'rpg', 'reverse'],
  mood: ['warm', 'strange', 'brave', 'playful', 'quiet'],
};
const POINTS_OF_VIEW = { rpg: 4, multiPeople: 2, reverse: 2 };
const TAGS = ['male', 'female', 'anime', 'fantasy', 'rpg'];
const KEYS = [
  'slug',
  ...Object.keys(LENGTHS),
  ...Object.keys(CHOICES),
  'nsfw_allowed',
  'suggested_replies',
  'tags',
  'featured',
];

const faults = [];
/** Records `sentence` as a fault unless `fine`. */
const expect = (fine, sentence) => {
  if (!fine) faults.push(sentence);
};
const repeated = (values) => values.filter((value, at) => values.indexOf(value) !== at);
const words = (text) => text.trim().split(/\s+/u).length;

function checkCharacter(character, at) {
  const who = character.slug ?? `Entry ${at + 1}`;
  const missing = KEYS.filter((key) => !(key in character));
  const strange = Object.keys(character).filter((key) => !KEYS.includes(key));
  expect(!missing.length, `${who} lacks ${missing.join(', ')}.`);
  expect(!strange.length, `${who} has fields nobody reads: ${strange.join(', ')}.`);
  expect(
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(character.slug ?? ''),
    `${who} has a slug that is not small letters and dashes.`,
  );
  for (const [key, [least, most]] of Object.entries(LENGTHS)) {
    const length = [...(character[key] ?? '')].length;
    expect(
      length >= least && length <= most,
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
    expect(
      words(reply) >= 3 && words(reply) <= 5,
      `${who}: "${reply}" has ${words(reply)} words, not 3 to 5.`,
    );
  }
  const tags = character.tags ?? [];
  expect(tags.length > 0, `${who} has no tag.`);
  expect(!repeated(tags).length, `${who} has a tag twice.`);
  expect(
    tags.every((tag) => TAGS.includes(tag)),
    `${who} has a tag outside ${TAGS.join(', ')}.`,
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

function checkCatalogue(characters) {
  const count = (test) => characters.filter(test).length;
  const exactly = (found, wanted, what) =>
    expect(found === wanted, `There are ${found} ${what}, not ${wanted}.`);
  exactly(characters.length, CHARACTERS, 'characters');
  exactly(
    count(({ featured }) => featured),
    FEATURED,
    'featured characters',
  );
  exactly(
    count(({ model_type }) => model_type === 'chatgpt'),
    CHATGPT,
    'chatgpt characters',
  );
  for (const [view, wanted] of Object.entries(POINTS_OF_VIEW)) {
    exactly(
      count(({ point_of_view }) => point_of_view === view),
      wanted,
      `characters with the point of view ${view}`,
    );
  }
  for (const tag of TAGS) {
    const found = count(({ tags = [] }) => tags.includes(tag));
    expect(found >= MIN_PER_TAG, `The tag ${tag} is on ${found} characters, fewer than ${MIN_PER_TAG}.`);
  }
  for (const mood of CHOICES.mood)
    expect(count((character) => character.mood === mood) > 0, `Nobody has the mood ${mood}.`);
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

const characters = JSON.parse(await readFile(join(HERE, 'characters.json'), 'utf8'));
for (const [at, character] of characters.entries()) checkCharacter(character, at);
checkCatalogue(characters);
await checkPortraits(characters.map(({ slug }) => slug));

if (faults.length) {
  for (const fault of faults) console.error(fault);
  process.exitCode = 1;
} else
  console.log(
    `The seed catalogue is in order: ${characters.length} characters, ${characters.length} portraits.`,
  );

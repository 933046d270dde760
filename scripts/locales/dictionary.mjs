// Whether a language has every text that English has, in every form that it needs. Plain JavaScript for Node 20.
import { error, warning } from './finding.mjs';
import { BASE, fileOf } from './texts.mjs';
import { THREE_DOTS, typographyProblems, wrongScript } from './typography.mjs';

const FORM = /^(.*?)(_ordinal)?_(zero|one|two|few|many|other)$/;
/** From here on a label has room: what is longer in English wraps anyway. */
const LABEL_CHARACTERS = 20;
const LABEL_GROWTH = 2.2;
/** Below this a label fits wherever English does. */
const SHORT_ENOUGH = 14;

/** The plural forms that a language has, as i18next writes their suffixes. */
export const formsOf = (lang, type = 'cardinal') =>
  new Intl.PluralRules(lang, { type }).resolvedOptions().pluralCategories;

/**
 * The keys that English counts: by their beginning, `blog:readingTime` and `place_ordinal`. A key that only ends like
 * a form (`reason_other`) is none.
 */
export function countedKeys(english) {
  const counted = new Map();
  for (const key of english.keys()) {
    const [, base, ordinal = ''] = FORM.exec(key) ?? [];
    if (base === undefined) continue;
    const start = base + ordinal;
    if (english.has(`${start}_one`) && english.has(`${start}_other`)) {
      counted.set(start, ordinal === '' ? 'cardinal' : 'ordinal');
    }
  }
  return counted;
}

/** The beginning of a counted key, or null for a text that is not counted. */
function countedStart(key, counted) {
  const [, base, ordinal = ''] = FORM.exec(key) ?? [];
  return base !== undefined && counted.has(base + ordinal) ? base + ordinal : null;
}

/**
 * The keys that a language must have, no more and no fewer.
 * @param {string} lang
 * @param {ReadonlyMap<string, unknown>} english
 */
export function neededKeys(lang, english) {
  const counted = countedKeys(english);
  const needed = new Set();
  for (const key of english.keys()) {
    const start = countedStart(key, counted);
    if (start === null) needed.add(key);
    else {
      for (const form of formsOf(lang, counted.get(start))) needed.add(`${start}_${form}`);
      // i18next knows a form for none at all, beside those of any language.
      if (key.endsWith('_zero')) needed.add(key);
    }
  }
  return needed;
}

const placeholdersOf = (text) =>
  new Set([...text.matchAll(/\{\{(.*?)\}\}/gs)].map(([, inner]) => inner.replaceAll(/\s+/g, '')));
const nestingsOf = (text) => new Set([...text.matchAll(/\$t\([^)]*\)/g)].map(([whole]) => whole));
const tagsOf = (text) =>
  [...text.matchAll(/<\/?[a-z\d][^<>]*>/gi)].map(([whole]) => whole.replaceAll(/\s+/g, '')).sort();

const missingFrom = (wanted, given) => [...wanted].filter((item) => !given.has(item));

/** Whether a language's form for one stands for the number 1 alone, so that a text may say «one» for it. */
function oneIsOne(lang) {
  const rules = new Intl.PluralRules(lang);
  return [0, 1.5, 21].every((number) => rules.select(number) !== 'one');
}

/**
 * What stands in braces, in `$t(…)` or in tags, and got lost, added or misspelt on the way.
 * @returns {string[]}
 */
export function markupProblems(text, english, { mayOmitCount = false } = {}) {
  const problems = [];
  const wanted = placeholdersOf(english);
  const given = placeholdersOf(text);
  const lost = missingFrom(wanted, given).filter(
    (name) => !(mayOmitCount && name.split(',', 1)[0] === 'count'),
  );
  const added = missingFrom(given, wanted);
  if (lost.length > 0) problems.push(`lost ${lost.map((name) => `{{${name}}}`).join(', ')}`);
  if (added.length > 0) problems.push(`English has no ${added.map((name) => `{{${name}}}`).join(', ')}`);
  const rest = text.replaceAll(/\{\{.*?\}\}/gs, '');
  if (/[{}]/.test(rest) && !/[{}]/.test(english.replaceAll(/\{\{.*?\}\}/gs, ''))) {
    problems.push('a brace that opens or closes no placeholder');
  }
  const nestings = [
    missingFrom(nestingsOf(english), nestingsOf(text)),
    missingFrom(nestingsOf(text), nestingsOf(english)),
  ];
  if (nestings[0].length > 0) problems.push(`lost ${nestings[0].join(', ')}`);
  if (nestings[1].length > 0) problems.push(`English has no ${nestings[1].join(', ')}`);
  if (tagsOf(text).join() !== tagsOf(english).join()) {
    problems.push(`tags differ from English: ${tagsOf(english).join(' ') || 'none'} there`);
  }
  return problems;
}

/** What is left to translate in a text: letters, without placeholders, tags, addresses and names. */
export function wordsIn(text, names = []) {
  let rest = text
    .replaceAll(/\{\{.*?\}\}|\$t\([^)]*\)|<\/?[a-z\d][^<>]*>|https?:\/\/\S+|\S+@\S+/gis, ' ')
    .replaceAll('\u{FFFC}', ' ');
  for (const name of names)
    rest = rest.replaceAll(new RegExp(`(?<![\\p{L}\\d])${escaped(name)}(?![\\p{L}\\d])`, 'gu'), ' ');
  return rest.replaceAll(/[^\p{L}\p{M}]+/gu, ' ').trim();
}

const escaped = (text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

const allows = (patterns, key) =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? key.startsWith(pattern.slice(0, -1)) : pattern === key,
  );

/** How wide a text is, in letters of the Latin script. */
const widthOf = (text) =>
  [...text].reduce((sum, c) => sum + (/[\u{1100}-\u{11FF}\u{2E80}-\u{FFDC}]/u.test(c) ? 2 : 1), 0);

function textFindings(lang, key, text, { markup, wording, names, same, mayOmitCount }) {
  const file = fileOf(lang, key);
  if (typeof text !== 'string') return [error(file, key, 'not a text')];
  if (text.trim() === '') return [error(file, key, 'empty')];
  if (lang !== BASE && text === wording && !same && wordsIn(wording, names) !== '') {
    return [error(file, key, `reads as in English: «${wording}»`)];
  }
  const findings = [
    ...typographyProblems(lang, text)
      .filter((what) => !(what === THREE_DOTS && lang === BASE && key.startsWith('errors:')))
      .map((what) => error(file, key, what)),
    ...wrongScript(lang, text, names).map((what) => error(file, key, what)),
  ];
  if (lang === BASE) return findings;
  for (const what of markupProblems(text, markup, { mayOmitCount })) findings.push(error(file, key, what));
  const width = widthOf(text);
  if (wording.length < LABEL_CHARACTERS && width > SHORT_ENOUGH && width > LABEL_GROWTH * wording.length) {
    findings.push(
      warning(
        file,
        key,
        `${width} wide where English has ${wording.length} («${wording}»): is there a shorter word?`,
      ),
    );
  }
  return findings;
}

/**
 * Everything that is wrong with the dictionaries of one language, namespaces that could not be read left out.
 * @param {string} lang
 * @param {{ texts: ReadonlyMap<string, unknown>, present: readonly string[] }} given
 * @param {ReadonlyMap<string, string>} english
 * @param {{ keys: Record<string, string[]>, names: string[] }} sameAsEnglish
 * @returns {import('./finding.mjs').Finding[]}
 */
export function dictionaryFindings(lang, { texts, present }, english, sameAsEnglish) {
  const counted = countedKeys(english);
  const needed = neededKeys(lang, english);
  const findings = [];
  for (const key of needed) {
    if (texts.has(key) || !present.includes(key.split(':', 1)[0])) continue;
    const start = countedStart(key, counted);
    const forms =
      start === null ? '' : ` (${lang} counts in ${formsOf(lang, counted.get(start)).join(', ')})`;
    findings.push(error(fileOf(lang, key), key, `missing${forms}`));
  }
  const patterns = [...(sameAsEnglish.keys['*'] ?? []), ...(sameAsEnglish.keys[lang] ?? [])];
  for (const [key, text] of texts) {
    const start = countedStart(key, counted);
    if (!needed.has(key)) {
      const why = start === null ? 'English has no such text' : `${lang} has no such plural form`;
      findings.push(error(fileOf(lang, key), key, `superfluous: ${why}`));
      continue;
    }
    findings.push(
      ...textFindings(lang, key, text, {
        // One and «other» may differ in what they name: the fuller of them says what must be kept.
        markup: english.get(start === null ? key : `${start}_other`) ?? '',
        wording: english.get(key) ?? english.get(`${start}_other`) ?? '',
        names: sameAsEnglish.names,
        same: allows(patterns, key),
        mayOmitCount: start !== null && (key.endsWith('_zero') || (key.endsWith('_one') && oneIsOne(lang))),
      }),
    );
  }
  return findings;
}

/** Entries of the allow-list whose text does not exist any more. */
export function staleAllowances(sameAsEnglish, english) {
  const keys = [...english.keys()];
  return Object.entries(sameAsEnglish.keys).flatMap(([lang, patterns]) =>
    patterns
      .filter((pattern) => !keys.some((key) => allows([pattern], key)))
      .map((pattern) =>
        error('scripts/locales/same-as-english.json', pattern, `${lang}: English has no such text`),
      ),
  );
}

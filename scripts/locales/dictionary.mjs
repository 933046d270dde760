// Checks that a language has every text of English in every plural form that it needs. Plain JavaScript for Node 20.
import { error, warning } from './finding.mjs';
import { BASE, fileOf } from './texts.mjs';
import { THREE_DOTS, typographyProblems, wrongScript } from './typography.mjs';

const FORM = /^(.*?)(_ordinal)?_(zero|one|two|few|many|other)$/;
/** English labels of at least this length wrap anyway, so their translations may be longer. */
const LABEL_CHARACTERS = 20;
const LABEL_GROWTH = 2.2;
/** A label up to this width fits wherever English does. */
const SHORT_ENOUGH = 14;

/** Returns the plural forms of a language as i18next's suffixes. */
export const formsOf = (lang, type = 'cardinal') =>
  new Intl.PluralRules(lang, { type }).resolvedOptions().pluralCategories;

/**
 * Returns the keys with plural forms in English, without their suffix: `blog:readingTime` and `place_ordinal`. A key that
 * only ends like a form (`reason_other`) is not one of them.
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

/** Returns a plural key without its suffix, or null for a text without plural forms. */
function countedStart(key, counted) {
  const [, base, ordinal = ''] = FORM.exec(key) ?? [];
  return base !== undefined && counted.has(base + ordinal) ? base + ordinal : null;
}

/**
 * Returns exactly the keys that a language must have.
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
      // i18next has a form for zero, in addition to those of the language.
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

/** Whether a language uses its singular only for the number 1, so that a text may say «one» instead of the number. */
function oneIsOne(lang) {
  const rules = new Intl.PluralRules(lang);
  return [0, 1.5, 21].every((number) => rules.select(number) !== 'one');
}

/**
 * Finds placeholders in braces, `$t(…)` and tags that a translation lacks, adds or misspells.
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

/** Returns the translatable words of a text, without placeholders, tags, addresses and names. */
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

/** Returns the width of a text in Latin letters. */
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
 * Lists all errors in the dictionaries of one language, except in namespaces that could not be read.
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
        // The singular may lack a placeholder that the plural has, so compare with «other».
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

/** Lists entries of the allow-list whose text no longer exists. */
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

/** Lists notes for translators whose text no longer exists. */
export function staleNotes(notes, english) {
  const keys = [...english.keys()];
  return Object.keys(notes)
    .filter((pattern) => !keys.some((key) => allows([pattern], key)))
    .map((pattern) => error('src/locales/notes.json', pattern, 'English has no such text'));
}

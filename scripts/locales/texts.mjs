// Reads the product's texts from its dictionary files. Plain JavaScript for Node 20.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { error } from './finding.mjs';

/** Interface languages; the others are translated from the first one. */
export const LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt', 'ru', 'ja', 'hi', 'pl', 'zh', 'id'];
export const BASE = 'en';

/**
 * Returns the texts of one namespace by their full keys: `home:how.title` → text.
 * @param {string} namespace
 * @param {unknown} messages a parsed dictionary file
 * @returns {Map<string, unknown>} values that are not strings are included, so that they can be reported
 */
export function flatten(namespace, messages) {
  const texts = new Map();
  const walk = (value, key) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) texts.set(key, value);
    else
      for (const [name, inner] of Object.entries(value))
        walk(inner, key.endsWith(':') ? key + name : `${key}.${name}`);
  };
  walk(messages, `${namespace}:`);
  return texts;
}

const jsonNames = (folder) =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => name.slice(0, -'.json'.length))
        .sort()
    : [];

/** Lists the namespaces of English. */
export const namespacesOf = (root) => jsonNames(join(root, 'src', 'locales', BASE));

/**
 * Reads every dictionary of one language.
 * @param {string} root the checkout
 * @param {string} lang
 * @param {readonly string[]} namespaces those that English has
 * @returns {{ texts: Map<string, unknown>, present: string[], findings: import('./finding.mjs').Finding[] }}
 *   `present`: the namespaces whose file could be read
 */
export function readDictionaries(root, lang, namespaces) {
  const folder = join(root, 'src', 'locales', lang);
  const shown = (name) => `src/locales/${lang}/${name}.json`;
  const texts = new Map();
  const present = [];
  if (!existsSync(folder)) {
    return { texts, present, findings: [error(`src/locales/${lang}`, '', 'this language has no folder')] };
  }
  const findings = [];
  const found = jsonNames(folder);
  for (const name of found.filter((name) => !namespaces.includes(name))) {
    findings.push(error(shown(name), '', 'English has no such namespace'));
  }
  for (const name of namespaces) {
    if (!found.includes(name)) {
      findings.push(error(shown(name), '', 'this file is missing'));
      continue;
    }
    try {
      const messages = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
      for (const [key, text] of flatten(name, messages)) texts.set(key, text);
      present.push(name);
    } catch (problem) {
      findings.push(error(shown(name), '', `not readable as JSON: ${problem.message}`));
    }
  }
  return { texts, present, findings };
}

/** Returns the path of the file with a key of a language, relative to the checkout. */
export const fileOf = (lang, key) => `src/locales/${lang}/${key.split(':', 1)[0]}.json`;

/**
 * Reads the texts that may equal English: keys by language (a star at the end matches any rest, the language `*` means
 * every language), and `names`, words that stay untranslated in every language.
 * @returns {{ keys: Record<string, string[]>, names: string[] }}
 */
export function readSameAsEnglish(root) {
  const { names, ...keys } = JSON.parse(
    readFileSync(join(root, 'scripts', 'locales', 'same-as-english.json'), 'utf8'),
  );
  return { keys, names };
}

/**
 * Reads the notes for translators: where a text is shown, or what it means, by its key. A star at the end of a key matches
 * the rest.
 * @returns {Record<string, string>}
 */
export const readNotes = (root) =>
  JSON.parse(readFileSync(join(root, 'src', 'locales', 'notes.json'), 'utf8'));

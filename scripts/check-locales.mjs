// Checks that every text exists in all twelve languages, complete and in the language's typography, that every text is
// used, and that no text is outside the dictionaries. Plain JavaScript for Node 20.
//
//   node scripts/check-locales.mjs                     everything
//   node scripts/check-locales.mjs de pl               only German and Polish
//   node scripts/check-locales.mjs --only locales ja   only the dictionaries
//   node scripts/check-locales.mjs --only blog         only the posts
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dictionaryFindings, staleAllowances, staleNotes } from './locales/dictionary.mjs';
import { error, lineOf } from './locales/finding.mjs';
import { blogFindings } from './locales/posts.mjs';
import {
  BASE,
  LANGUAGES,
  namespacesOf,
  readDictionaries,
  readNotes,
  readSameAsEnglish,
} from './locales/texts.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
const USAGE = 'Usage: node scripts/check-locales.mjs [--only locales|blog|sources] [language …]';

function asked() {
  try {
    const { values, positionals } = parseArgs({
      options: { only: { type: 'string' } },
      allowPositionals: true,
    });
    const unknown = positionals.filter((lang) => !LANGUAGES.includes(lang));
    if (unknown.length > 0 || (values.only && !['locales', 'blog', 'sources'].includes(values.only)))
      throw new Error(USAGE);
    return { languages: positionals.length > 0 ? positionals : LANGUAGES, only: values.only ?? null };
  } catch {
    console.error(USAGE);
    process.exit(2);
  }
}

/** Namespaces that have a file but are missing from the product's list of namespaces. */
function unnamedNamespaces(file, namespaces) {
  const source = readFileSync(join(ROOT, file), 'utf8');
  return namespaces
    .filter((name) => !new RegExp(`(?:^|[\\s'"/])${name}(?:['".:]|$)`, 'm').test(source))
    .map((name) => error(file, name, 'this namespace is not named here'));
}

async function sourceFindings(namespaces, english, names) {
  // Load the parsers only for the checks that need them.
  const [{ readSources }, { literalFindings }, { shellWordFindings, usageFindings }] = await Promise.all([
    import('./locales/sources.mjs'),
    import('./locales/literals.mjs'),
    import('./locales/usage.mjs'),
  ]);
  const sources = readSources(ROOT, (file) => !file.startsWith('src/locales/'));
  // The gallery in src/integrations shows controls to developers and is not part of the product.
  const seen = sources.filter(({ file }) => /^src\/(?:pages\/|layouts\/|components\/|islands\/)/.test(file));
  const registers = ['i18n.ts', 'i18next.d.ts'].map((name) => `src/locales/${name}`);
  return [
    ...registers.flatMap((file) => unnamedNamespaces(file, namespaces)),
    ...usageFindings(sources, english, namespaces),
    ...shellWordFindings(sources),
    ...seen.flatMap((source) => literalFindings(source, names)),
  ];
}

const { languages, only } = asked();
const sameAsEnglish = readSameAsEnglish(ROOT);
const namespaces = namespacesOf(ROOT);
const base = readDictionaries(ROOT, BASE, namespaces);
const english = new Map([...base.texts].filter(([, text]) => typeof text === 'string'));
const wants = (part) => only === null || only === part;

const findings = [];
if (wants('locales')) {
  for (const lang of languages) {
    const given = lang === BASE ? base : readDictionaries(ROOT, lang, namespaces);
    findings.push(...given.findings, ...dictionaryFindings(lang, given, english, sameAsEnglish));
  }
  if (languages.includes(BASE)) {
    findings.push(...staleAllowances(sameAsEnglish, english), ...staleNotes(readNotes(ROOT), english));
  }
}
if (wants('blog')) findings.push(...blogFindings(ROOT, languages, sameAsEnglish.names));
// Only English is checked against the sources, because the other languages follow English.
if (wants('sources') && languages.includes(BASE)) {
  findings.push(...(await sourceFindings(namespaces, english, sameAsEnglish.names)));
}

for (const finding of findings) console.log(lineOf(finding));
const errors = findings.filter(({ level }) => level === 'error').length;
if (errors > 0) console.log(`\n${errors} findings, ${findings.length - errors} warnings.`);
else
  console.log(
    `Complete: ${english.size} English texts, ${languages.join(' ')}; ${findings.length} warnings.`,
  );
process.exitCode = errors > 0 ? 1 : 0;

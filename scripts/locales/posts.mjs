// Checks that every blog post exists in every language and is complete. Plain JavaScript for Node 20.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { wordsIn } from './dictionary.mjs';
import { error } from './finding.mjs';
import { BASE } from './texts.mjs';
import { STRAIGHT_QUOTES, typographyProblems, wrongScript } from './typography.mjs';

/** Front matter to translate; all other fields are the same in every language. */
const TRANSLATED = /^(?:title|description|summary|\w*(?:Alt|Caption))$/;
/** Shorter paragraphs, such as a name, a number or a formula, may be the same in every language. */
const PARAGRAPH_LETTERS = 30;

/**
 * Parses a post.
 * @param {string} text the whole file
 * @returns {{ data: Map<string, string>, headings: number[], blocks: string[], links: string[], paragraphs: string[] }}
 *   `headings`: their levels in order; `blocks`: fenced code; `links`: targets of links and pictures
 */
export function readPost(text) {
  const [, front = '', body = ''] = /^---\r?\n(.*?)\r?\n---\r?\n?(.*)$/s.exec(text) ?? [undefined, '', text];
  const data = new Map();
  let last = '';
  for (const line of front.split(/\r?\n/)) {
    const [, key, value] = /^([A-Za-z]\w*):\s*(.*)$/.exec(line) ?? [];
    if (key === undefined) data.set(last, `${data.get(last) ?? ''} ${line.trim()}`.trim());
    else data.set((last = key), value.trim());
  }
  data.delete('');
  const blocks = [];
  const prose = body.replaceAll(/^(`{3,}|~{3,})[^\n]*\n(.*?)^\1\s*$/gms, (_, fence, code) => {
    blocks.push(code);
    return '';
  });
  return {
    data,
    headings: [...prose.matchAll(/^(#{1,6})\s/gm)].map(([, marks]) => marks.length),
    blocks,
    links: [...prose.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, target]) => target),
    paragraphs: prose
      .split(/\n\s*\n/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== ''),
  };
}

/**
 * Returns the text of a paragraph as the page shows it, with one string for each list entry, table cell and quoted line.
 * Wrapped lines are joined.
 */
const readable = (paragraph) =>
  paragraph
    .replaceAll(/`[^`\n]*`/g, '\u{FFFC}')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/^\s*(?:#{1,6}|>|[-*+]|\d+\.)\s+|\s*\|\s*/gm)
    .map((line) =>
      line
        .replaceAll(/[*_]+/g, '')
        .replaceAll(/\s*\n\s*/g, ' ')
        .trim(),
    )
    .filter((line) => /\p{L}/u.test(line));

/** Returns a front matter value without YAML's quoting and list syntax. */
const plain = (value) =>
  value
    .replaceAll(/["'[\],]/g, ' ')
    .replaceAll(/(?:^|\s)-\s/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Returns a link's target for a language: an address with a language prefix has the language of the post. */
const inLanguage = (target, lang) => target.replace(new RegExp(`^/${BASE}(?=/|$)`), `/${lang}`);

/**
 * Lists what a translated post lacks or has in addition to the English one.
 * @param {string} lang
 * @param {string} file its name, for the findings
 * @param {string} text
 * @param {string} english the whole English file
 * @param {readonly string[]} names words that stay untranslated in every language
 * @returns {import('./finding.mjs').Finding[]}
 */
export function postFindings(lang, file, text, english, names = []) {
  const findings = [];
  const say = (key, what) => findings.push(error(file, key, what));
  const post = readPost(text);
  const original = readPost(english);
  for (const [key, wanted] of original.data) {
    const given = post.data.get(key);
    if (given === undefined) say(key, 'missing in the front matter');
    else if (!TRANSLATED.test(key)) {
      if (plain(given) !== plain(wanted)) say(key, `differs from English: ${given} instead of ${wanted}`);
    } else if (lang !== BASE && plain(given) === plain(wanted) && wordsIn(given, names) !== '') {
      say(key, 'reads as in English');
    }
  }
  for (const key of post.data.keys())
    if (!original.data.has(key)) say(key, 'English has no such front matter');

  const pairs = [
    ['headings', post.headings.join(), original.headings.join()],
    ['code blocks', String(post.blocks.length), String(original.blocks.length)],
  ];
  for (const [what, given, wanted] of pairs) {
    if (given !== wanted)
      say('', `its ${what} differ from English: ${given || 'none'} instead of ${wanted || 'none'}`);
  }
  const wantedLinks = original.links.map((target) => inLanguage(target, lang)).sort();
  const links = [...post.links].sort();
  if (links.join('\n') !== wantedLinks.join('\n')) {
    say(
      '',
      `its links differ from English: ${links.join(' ') || 'none'} instead of ${wantedLinks.join(' ') || 'none'}`,
    );
  }

  const known = new Set(original.paragraphs);
  for (const paragraph of [...post.data]
    .filter(([key]) => TRANSLATED.test(key))
    .map(([, value]) => value)
    .concat(post.paragraphs)) {
    const lines = readable(paragraph.replaceAll(/^(["'])(.*)\1$/gs, '$2'));
    const beginning = (text) => `«${[...text].slice(0, 40).join('')}»`;
    if (lang !== BASE && known.has(paragraph) && wordsIn(lines.join(' '), names).length > PARAGRAPH_LETTERS) {
      say(beginning(lines.join(' ')), 'reads as in English');
      continue;
    }
    for (const line of lines) {
      for (const what of [...typographyProblems(lang, line), ...wrongScript(lang, line, names)]) {
        // The page replaces straight quotation marks with English ones in every language.
        if (lang !== BASE || what !== STRAIGHT_QUOTES) say(beginning(line), what);
      }
    }
  }
  return findings;
}

/**
 * Checks every post of some languages against the English posts.
 * @param {string} root the checkout
 * @param {readonly string[]} languages
 * @param {readonly string[]} names
 */
export function blogFindings(root, languages, names) {
  const folderOf = (lang) => `src/content/blog/${lang}`;
  const postsOf = (lang) =>
    existsSync(join(root, folderOf(lang)))
      ? readdirSync(join(root, folderOf(lang))).filter((name) => name.endsWith('.md'))
      : [];
  const slugs = postsOf(BASE).sort();
  return languages.flatMap((lang) => {
    const own = postsOf(lang);
    const superfluous = own
      .filter((name) => !slugs.includes(name))
      .map((name) => error(`${folderOf(lang)}/${name}`, '', 'English has no such post'));
    const checked = slugs.flatMap((name) => {
      const file = `${folderOf(lang)}/${name}`;
      if (!own.includes(name)) return [error(file, '', 'this post is missing')];
      const read = (code) => readFileSync(join(root, folderOf(code), name), 'utf8');
      return postFindings(lang, file, read(lang), read(BASE), names);
    });
    return [...superfluous, ...checked];
  });
}

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const DOCS = new URL('../../docs/', import.meta.url);

/** What wrangler does by the configuration that was built here last, where none is named: another Worker's, as a rule. */
const BY_THE_LAST_BUILD = /^(?:deploy|preview|triggers deploy|versions (?:deploy|upload)) /;

/** Each command for wrangler that a page names, in one line. */
function commandsOf(page: string): string[] {
  const text = readFileSync(new URL(page, DOCS), 'utf8');
  const blocks = [...text.matchAll(/^( *)```\w*\n([\s\S]*?)^\1```/gm)].map(([, , block = '']) => block);
  const lines = blocks.flatMap((block) => block.replaceAll(/\\\n\s*/g, ' ').split('\n'));
  const spans = [...text.replaceAll(/^( *)```[\s\S]*?^\1```/gm, '').matchAll(/`([^`]+)`/g)].map(
    ([, span = '']) => span.replaceAll(/\s+/g, ' '),
  );
  return [...lines, ...spans].flatMap((line) => {
    const [, words] = /^(?:[A-Z_]+=\S+ )*(?:npx )?wrangler (.*)$/.exec(line.trim()) ?? [];
    return words === undefined ? [] : [`${words.replace(/\s+#.*$/, '')} `];
  });
}

const NAMED = readdirSync(DOCS, { encoding: 'utf8' })
  .filter((page) => page.endsWith('.md'))
  .flatMap((page) => commandsOf(page).map((words) => ({ page, words })));

test('Each command that I am told to type works on the Worker that it names, whatever was built here last', () => {
  const redirected = NAMED.filter(({ words }) => BY_THE_LAST_BUILD.test(words) && / --\w/.test(words));
  expect(redirected.length).toBeGreaterThan(3);
  expect(redirected.filter(({ words }) => !words.includes(' --config '))).toEqual([]);
  // The built configuration is of one environment alone, and wrangler.toml of all.
  for (const { page, words } of redirected)
    expect(words.includes(' --env '), `${page}: ${words}`).toBe(words.includes(' --config wrangler.toml '));
});

test('Each command that makes or takes a secret says of which environment', () => {
  const secrets = NAMED.filter(({ words }) => /^(?:versions )?secret (?:put|delete) \w/.test(words));
  expect(secrets.length).toBeGreaterThan(2);
  expect(secrets.filter(({ words }) => !words.includes(' --env '))).toEqual([]);
});

import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const DOCS = new URL('../../../docs/', import.meta.url);

/** Wrangler commands that follow the last built configuration, often another Worker's, unless one is named. */
const BUILD_DEPENDENT = /^(?:deploy|preview|triggers deploy|versions (?:deploy|upload)) /;

/** Every wrangler command that a page names, each in one line. */
function listCommands(page: string): string[] {
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

const COMMANDS = readdirSync(DOCS, { encoding: 'utf8' })
  .filter((page) => page.endsWith('.md'))
  .flatMap((page) => listCommands(page).map((words) => ({ page, words })));

test('every documented wrangler command that depends on the last build names its configuration', () => {
  const redirected = COMMANDS.filter(({ words }) => BUILD_DEPENDENT.test(words) && / --\w/.test(words));
  expect(redirected.length).toBeGreaterThan(3);
  expect(redirected.filter(({ words }) => !words.includes(' --config '))).toEqual([]);
  // The built configuration has one environment, while wrangler.toml has all of them.
  for (const { page, words } of redirected)
    expect(words.includes(' --env '), `${page}: ${words}`).toBe(words.includes(' --config wrangler.toml '));
});

test('every documented command that sets or deletes a secret names its environment', () => {
  const secrets = COMMANDS.filter(({ words }) => /^(?:versions )?secret (?:put|delete) \w/.test(words));
  expect(secrets.length).toBeGreaterThan(2);
  expect(secrets.filter(({ words }) => !words.includes(' --env '))).toEqual([]);
});

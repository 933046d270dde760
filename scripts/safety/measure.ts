import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readTexts } from './data.ts';
import { measureAll, formatTable } from './measuring.ts';
import { formatSpeeds, measureSpeeds } from './speed.ts';

// `npm run safety:measure`: measures the decisions on texts outside the training set, and their speed in the Workers runtime,
// and updates docs/tables/safety-figures.md.

const PAGE = new URL('../../docs/tables/safety-figures.md', import.meta.url);

/** Replaces the text between two marks of the page. */
function writeTable(mark: string, table: string): void {
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const page = readFileSync(PAGE, 'utf8');
  const before = page.split(begin)[0];
  const after = page.split(end)[1];
  if (before === undefined || after === undefined)
    throw new Error(`docs/tables/safety-figures.md has no ${begin}`);
  console.log(table);
  writeFileSync(PAGE, `${before}${begin}\n\n${table}\n\n${end}${after}`);
}

const texts = readTexts();
writeTable('figures', formatTable(measureAll(texts)));
writeTable('speed', formatSpeeds(await measureSpeeds(texts)));
execFileSync('oxfmt', [fileURLToPath(PAGE)]);

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readTexts } from './data.ts';
import { measureAll, formatTable } from './measuring.ts';

// `npm run safety:measure`: measures the decisions on texts outside the training set and updates docs/tables/safety-figures.md.

const PAGE = new URL('../../docs/tables/safety-figures.md', import.meta.url);
const [BEGIN, END] = ['<!-- figures -->', '<!-- /figures -->'];

const table = formatTable(measureAll(readTexts()));
console.log(table);
const page = readFileSync(PAGE, 'utf8');
const before = page.split(BEGIN)[0];
const after = page.split(END)[1];
if (before === undefined || after === undefined)
  throw new Error(`docs/tables/safety-figures.md has no ${BEGIN}`);
writeFileSync(PAGE, `${before}${BEGIN}\n\n${table}\n\n${END}${after}`);
execFileSync('oxfmt', [fileURLToPath(PAGE)]);

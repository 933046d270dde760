// Writes docs/variables.md from the table of variables: `node scripts/deploy/write-variables.mjs`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeRequirement } from '../../src/env/check.js';
import { MODEL_FIELDS, MODEL_NAMES, OWN_VARIABLES } from '../../src/env/variables.js';
import { ROOT } from '../lib/process.mjs';

const FILE = join(ROOT, 'docs', 'variables.md');

/** What the tools of this checkout read of a shell; the Worker knows nothing of it. */
const OF_TOOLS = {
  PORT: ['the port of `npm start`', '8787'],
  CHROMIUM_PATH: ['the browser of `npm test`', 'an installed one'],
  VARNISHD_PATH: ['the shared cache of `npm test`', 'an installed one'],
  CLOUDFLARE_API_TOKEN: [
    'by which wrangler is let in. [Its rights](operate.md#1-an-account)',
    'whoever logged in',
  ],
  CLOUDFLARE_ACCOUNT_ID: ['which account, for whoever has several', 'the only one'],
  CF_ACCESS_CLIENT_ID: [
    'a service token of Zero Trust Access, by which `npm run deploy` is let in to a site that others are kept out of. [How](operate.md#staging-and-production)',
    'it asks like anybody',
  ],
  CF_ACCESS_CLIENT_SECRET: ['its secret; the two belong together', 'the same'],
};

/** When it is needed, or what holds without it. */
function otherwise({ needed, deployed, neededWith, default: value, without, made }) {
  const told = without ?? (value === undefined ? 'none' : `\`${value}\``);
  if (made === true) return 'needed; the setup makes one';
  if (needed === true) return 'needed';
  if (deployed === true)
    return value === undefined ? 'needed for a deployment' : `${told}; needed for a deployment`;
  if (neededWith !== undefined)
    return `${told === 'none' ? '' : `${told}; `}needed with ${neededWith.map((name) => `\`${name}\``).join(' or ')}`;
  return told;
}

const row = (name, variable) =>
  `| \`${name}\` | ${variable.what} | ${describeRequirement(variable).replaceAll(/(https?:\/\/[\w.]*|\b\w+@[\w.]+\b|Name=https:\/\/…|Name <[^>]+>)/g, '`$1`')} | ${otherwise(variable)} | ${variable.locally ?? 'the same'} | ${variable.secret === true ? 'yes' : ''} |`;

const HEAD = `| variable | what it is | what it may be | without it | locally | secret |
| --- | --- | --- | --- | --- | --- |`;

/** The page. */
export function variablesPage() {
  const own = Object.entries(OWN_VARIABLES).map(([name, variable]) => row(name, variable));
  const models = Object.entries(MODEL_FIELDS).map(([field, variable]) =>
    row(`MODEL_<NAME>_${field}`, variable),
  );
  const tools = Object.entries(OF_TOOLS).map(
    ([name, [what, without]]) => `| \`${name}\` | ${what} | ${without} |`,
  );
  return `# Variables

<!-- Written from src/env/variables.js by scripts/deploy/write-variables.mjs; change it there. -->

What an operator sets, all of it. For \`npm start\` it is set in the shell; for a deployment it stands in
\`[env.<name>.vars]\` of wrangler.toml, and what is secret goes by \`wrangler secret\`
([operate.md](operate.md)). What points, plans and limits are is no variable: [business.md](business.md) says how those
change without a deployment.

An empty variable is one that was left out. Each is checked by this very table before anything is answered. One that is
missing or wrong is told in a sentence that names it and what it wants, and never its value: \`npm start\` ends with it,
\`npm run deploy:check\` has it in its list, and a Worker that is deployed with it answers every request with a bare 503
and writes it to its log, as \`environment_wrong\`.

## Of the site

${HEAD}
${own.join('\n')}

## Of each model

\`<NAME>\` is ${MODEL_NAMES.map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')}.

${HEAD}
${models.join('\n')}

## Of the tools

They are read from the shell by the commands of this checkout, and by nothing that is deployed.

| variable | what it is | without it |
| --- | --- | --- |
${tools.join('\n')}
`;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  writeFileSync(FILE, variablesPage());

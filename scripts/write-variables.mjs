// Writes docs/variables.md from the table of variables: `node scripts/write-variables.mjs`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeRequirement } from '../src/env/check.js';
import { MODEL_FIELDS, MODEL_NAMES, OWN_VARIABLES } from '../src/env/variables.js';
import { ROOT } from './lib/process.mjs';

/** Variables that the commands of this checkout read; the Worker has none of them. */
const TOOL_VARIABLES = {
  PORT: ['the port of `npm start`', '8787'],
  CHROMIUM_PATH: ['the browser of `npm test`', 'an installed one'],
  VARNISHD_PATH: ['the shared cache of `npm test`', 'an installed one'],
  CLOUDFLARE_API_TOKEN: [
    'logs wrangler in. [Its rights](operate.md#1-an-account)',
    'the account of `wrangler login`',
  ],
  CLOUDFLARE_ACCOUNT_ID: ['the account, if you have several', 'the only one'],
  CF_ACCESS_CLIENT_ID: [
    'a service token of Zero Trust Access, with which `npm run deploy` reaches a protected site. [How](operate.md#staging-and-production)',
    'requests without a token',
  ],
  CF_ACCESS_CLIENT_SECRET: ['the secret of that token', 'the same'],
};

/** What happens without the variable, or when it is needed. */
function describeDefault({ needed, deployed, neededWith, default: value, without, made }) {
  const fallback = without ?? (value === undefined ? 'none' : `\`${value}\``);
  if (made === true) return 'needed; the setup makes one';
  if (needed === true) return 'needed';
  if (deployed === true)
    return value === undefined ? 'needed for a deployment' : `${fallback}; needed for a deployment`;
  if (neededWith !== undefined)
    return `${fallback === 'none' ? '' : `${fallback}; `}needed with ${neededWith.map((name) => `\`${name}\``).join(' or ')}`;
  return fallback;
}

const row = (name, variable) =>
  `| \`${name}\` | ${variable.what} | ${describeRequirement(variable).replaceAll(/(https?:\/\/[\w.]*|\b\w+@[\w.]+\b|Name=https:\/\/…|Name <[^>]+>)/g, '`$1`')} | ${describeDefault(variable)} | ${variable.locally ?? 'the same'} | ${variable.secret === true ? 'yes' : ''} |`;

const HEAD = `| variable | what it is | what it may be | without it | locally | secret |
| --- | --- | --- | --- | --- | --- |`;

/** Returns the page. */
export function variablesPage() {
  const own = Object.entries(OWN_VARIABLES).map(([name, variable]) => row(name, variable));
  const models = Object.entries(MODEL_FIELDS).map(([field, variable]) =>
    row(`MODEL_<NAME>_${field}`, variable),
  );
  const tools = Object.entries(TOOL_VARIABLES).map(
    ([name, [what, without]]) => `| \`${name}\` | ${what} | ${without} |`,
  );
  return `# Variables

<!-- Written from src/env/variables.js by scripts/write-variables.mjs; change it there. -->

Everything that an operator sets. For \`npm start\`, set variables in the shell; for a deployment, in \`[env.<name>.vars]\`
of wrangler.toml, and secrets with \`npm run setup:cloudflare\` ([operate.md](operate.md)). Points, plans and limits are not
variables: they change without a deployment ([business.md](business.md)).

An empty variable counts as missing. Every variable is checked against this table. The error names the variable and what it
has to be, never its value: \`npm start\` stops with it, \`npm run deploy:check\` lists it, and a deployed Worker answers every
request with 503 and logs it as \`environment_wrong\`.

## The site

${HEAD}
${own.join('\n')}

## Each model

\`<NAME>\` is ${MODEL_NAMES.map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')}.

${HEAD}
${models.join('\n')}

## Commands

The commands of this checkout read them from the shell. The deployed Worker does not.

| variable | what it is | without it |
| --- | --- | --- |
${tools.join('\n')}
`;
}

if (import.meta.main) writeFileSync(join(ROOT, 'docs', 'variables.md'), variablesPage());

// Writes docs/tables/variables.md from the schema of the environment: `node scripts/write-variables.mjs`.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getVariables, MODEL_NAMES } from '../src/env/schema.js';
import { ROOT } from './lib/process.mjs';

/** Variables that the commands of this checkout read; the Worker has none of them. */
const TOOL_VARIABLES = {
  PORT: ['the port of `npm start`', '8787'],
  CHROMIUM_PATH: ['the browser of `npm test`', 'an installed one'],
  VARNISHD_PATH: ['the shared cache of `npm test`', 'an installed one'],
  CLOUDFLARE_API_TOKEN: [
    'logs wrangler in. [Its rights](deployment.md#1-account)',
    'the account of `wrangler login`',
  ],
  CLOUDFLARE_ACCOUNT_ID: ['the account, if you have several', 'the only one'],
  CF_ACCESS_CLIENT_ID: [
    'a service token of Zero Trust Access, with which `npm run deploy` reaches a protected site. [How](deployment.md#staging-and-production)',
    'requests without a token',
  ],
  CF_ACCESS_CLIENT_SECRET: ['the secret of that token', 'the same'],
};

/** Describes what happens without the variable, or when it is required. */
function describeDefault({ required, requiredToDeploy, requiredWith, default: value, ifMissing, generated }) {
  const fallback = ifMissing ?? (value === undefined ? 'none' : `\`${value}\``);
  if (generated) return 'required; the setup generates it';
  if (required) return 'required';
  if (requiredToDeploy) return value === undefined ? 'required to deploy' : `${fallback}; required to deploy`;
  if (requiredWith !== undefined)
    return `${fallback === 'none' ? '' : `${fallback}; `}required with ${requiredWith.map((name) => `\`${name}\``).join(' or ')}`;
  return fallback;
}

const row = (name, variable) =>
  `| \`${name}\` | ${variable.description} | ${variable.wants.replaceAll(/(https?:\/\/[\w.]*|\b\w+@[\w.]+\b|Name=https:\/\/…|Name <[^>]+>)/g, '`$1`')} | ${describeDefault(variable)} | ${variable.locally ?? 'the same'} | ${variable.secret ? 'yes' : ''} |`;

/** Descriptions link to pages of docs, one folder above the written page. */
const fromTables = (table) => table.join('\n').replaceAll('](', '](../');

const HEAD = `| variable | what it is | what it may be | without it | locally | secret |
| --- | --- | --- | --- | --- | --- |`;

/** Returns docs/tables/variables.md. */
export function variablesPage() {
  const variables = Object.entries(getVariables());
  const own = variables
    .filter(([name]) => !name.startsWith('MODEL_'))
    .map(([name, variable]) => row(name, variable));
  // The models have the same variables.
  const prefix = `MODEL_${MODEL_NAMES[0]}_`;
  const models = variables
    .filter(([name]) => name.startsWith(prefix))
    .map(([name, variable]) => row(name, variable).replaceAll(prefix, 'MODEL_<NAME>_'));
  const tools = Object.entries(TOOL_VARIABLES).map(
    ([name, [what, without]]) => `| \`${name}\` | ${what} | ${without} |`,
  );
  return `# Environment variables

Everything that an operator sets. \`node scripts/write-variables.mjs\` writes this page from \`src/env/schema.js\`; change it there.

For \`npm start\`, set variables in the shell. For a deployment, set them in \`[env.<name>.vars]\` of wrangler.toml, and secrets with
\`npm run setup:cloudflare\` ([deployment](../deployment.md)). Points, plans and limits are not variables: they change without a
deployment ([runtime configuration](../runtime-config.md)).

An empty variable counts as missing. Every variable is checked against this table. The error names the variable and what it
has to be, never its value: \`npm start\` stops with it, \`npm run deploy:check\` lists it, and a deployed Worker answers every
request with 503 and logs it as \`config_invalid\`.

## The site

${HEAD}
${fromTables(own)}

## Each model

\`<NAME>\` is ${MODEL_NAMES.map((name) => `\`${name}\``)
    .join(', ')
    .replace(/, (?=[^,]*$)/, ' or ')}.

${HEAD}
${fromTables(models)}

## Commands

The commands of this checkout read them from the shell. The deployed Worker does not.

| variable | what it is | without it |
| --- | --- | --- |
${fromTables(tools)}
`;
}

if (import.meta.main) writeFileSync(join(ROOT, 'docs', 'tables', 'variables.md'), variablesPage());

// Checks the settings of an environment in wrangler.toml without calling anything.
import { readVariables } from '../../src/env/check.js';
import { VARIABLES } from '../../src/env/variables.js';
import { isPlaceholder, readTable } from './wrangler-toml.mjs';

/** Stands for every secret that is needed: only the platform knows their values. */
const SECRET_STAND_IN = 'set-at-the-platform-and-not-known-here';
/** This machine, and the top-level domain that is reserved for tests (RFC 2606). */
const TEST_HOST = /(?<![\w-])localhost(?![\w-])|\.test(?![\w.-])|127\.0\.0\.1/;

/** @param {string} toml @param {string} env @returns {Record<string, string>} */
export const readVars = (toml, env) => readTable(toml, `env.${env}.vars`);

/** Whether one of the conditions holds. @param {readonly string[]} conditions `NAME` or `NAME=value` @param {Record<string, string>} vars */
export const holdsAny = (conditions, vars) =>
  conditions.some((condition) => {
    const [name, value] = condition.split('=');
    return value === undefined ? (vars[name] ?? '') !== '' : vars[name] === value;
  });

/**
 * Lists the secrets that an environment needs, and those that would have an effect.
 * @param {string} toml
 * @param {string} env
 */
export function listSecrets(toml, env) {
  const vars = readVars(toml, env);
  const lists = { needed: [], useful: [] };
  for (const [name, { secret, needed, neededWith = [], goesWith }] of Object.entries(VARIABLES)) {
    if (secret !== true) continue;
    if (needed === true || holdsAny(neededWith, vars)) lists.needed.push(name);
    else if (goesWith !== undefined && holdsAny([goesWith], vars)) lists.useful.push(name);
  }
  return lists;
}

/**
 * Describes the secrets at the platform that have no effect with these settings, with the commands that delete them.
 * @param {string} toml
 * @param {string} env
 * @param {readonly string[]} stored names of the secrets at the platform
 * @returns {string | null}
 */
export function describeUnusedSecrets(toml, env, stored) {
  const { needed, useful } = listSecrets(toml, env);
  const unused = stored.filter((name) => !needed.includes(name) && !useful.includes(name));
  if (unused.length === 0) return null;
  const described = unused.map((name) => {
    const { goesWith, neededWith = [] } = VARIABLES[name] ?? {};
    const others = [goesWith ?? [], neededWith].flat();
    return `${name} (${others.length === 0 ? 'no secret of this product' : `goes with ${others.join(' or ')}, which is not set`})`;
  });
  // The deployed version may still use them.
  const commands = unused.map(
    (name) => `npx wrangler secret delete ${name} --env ${env} --config wrangler.toml`,
  );
  return `unused, and harmless: ${described.join(', ')}. After the next deployment, delete with:\n  ${commands.join('\n  ')}`;
}

/** The hosts of the custom domains. @param {string} toml @param {string} env @returns {string[]} */
function listCustomDomains(toml, env) {
  const { routes = '' } = readTable(toml, `env.${env}`);
  return [...routes.matchAll(/\{[^}]*\}/g)].flatMap(([route]) => {
    const [, pattern] = /\bpattern\s*=\s*["']([^"']+)["']/.exec(route) ?? [];
    return pattern !== undefined && /\bcustom_domain\s*=\s*true\b/.test(route) ? [pattern] : [];
  });
}

/** @param {string} name @param {string} value @param {string} env @returns {string | null} what is wrong with one variable */
function checkVariable(name, value, env) {
  const table = `[env.${env}.vars]`;
  if (VARIABLES[name] === undefined)
    return `unknown; docs/variables.md lists all variables, take it out of ${table}.`;
  if (VARIABLES[name].secret === true)
    return `a secret must not be in wrangler.toml; take it out of ${table}, replace it with a new one at its provider, and run npm run setup:cloudflare -- --env ${env}.`;
  if (TEST_HOST.test(value)) return `it names this machine or a test domain; set another in ${table}.`;
  if (name === 'SITE_URL' && value.startsWith('http://')) return 'a deployed site needs https://.';
  if (name === 'RATE_LIMITS' && value === 'off' && env === 'production')
    return `off is for this machine and for tests; set it to on in ${table}.`;
  return null;
}

/** @returns {string | null} why the site would not be where SITE_URL says */
function checkDomain(toml, env, siteUrl) {
  const domains = listCustomDomains(toml, env);
  const host = URL.canParse(siteUrl) ? new URL(siteUrl).hostname : null;
  if (host === null || domains.length === 0 || domains.includes(host)) return null;
  const fix = host.endsWith('.workers.dev')
    ? 'remove that line and set workers_dev = true'
    : `npm run setup:cloudflare -- --env ${env} sets it`;
  return `${host} is not the custom domain in routes of [env.${env}], which is ${domains.join(', ')}; ${fix}.`;
}

/**
 * Finds what is wrong with the variables of an environment.
 * @param {string} toml
 * @param {string} env
 * @returns {string[]} one sentence for each error
 */
export function findWrongVariables(toml, env) {
  const vars = readVars(toml, env);
  const isSet = (name) => (vars[name] ?? '') !== '';
  const wrong = Object.keys(vars)
    .filter(isSet)
    .map((name) => [name, checkVariable(name, vars[name], env)]);
  const secrets = Object.fromEntries(listSecrets(toml, env).needed.map((name) => [name, SECRET_STAND_IN]));
  for (const { name, text } of readVariables({ ...vars, ...secrets }).troubles)
    wrong.push([name, `${text}; set it in [env.${env}.vars].`]);
  for (const [name, { deployed }] of Object.entries(VARIABLES))
    if (deployed === true && !isSet(name))
      wrong.push([name, `it is missing; npm run setup:cloudflare -- --env ${env} asks for it.`]);
  wrong.push(['SITE_URL', checkDomain(toml, env, vars.SITE_URL ?? '')]);
  if (!Object.keys(vars).some((name) => /^MODEL_\w+_BASE_URL$/.test(name) && isSet(name)))
    wrong.push(['MODEL_ROLEPLAY_BASE_URL', 'no model is set; docs/operate.md has examples.']);
  return [...new Set(wrong.filter(([, text]) => text !== null).map(([name, text]) => `${name}: ${text}`))];
}

/** Lists the ids that are still placeholders. @param {string} toml @param {string} env */
export const listPlaceholders = (toml, env) =>
  [
    ['d1_databases', 'database_id'],
    ['kv_namespaces', 'id'],
  ]
    .filter(([table, key]) => isPlaceholder(readTable(toml, `env.${env}.${table}`)[key] ?? ''))
    .map(([table, key]) => `${key} in [[env.${env}.${table}]]`);

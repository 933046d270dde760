// Checks the settings of an environment in wrangler.toml without calling anything.
import { getVariables, isConditionMet, parseVariables } from '../../src/env/schema.js';
import { isPlaceholder, readTable } from './wrangler-toml.mjs';

const VARIABLES = getVariables();
/** Placeholder for required secrets: only the platform knows their values. */
const SECRET_STAND_IN = 'set-at-the-platform-and-not-known-here';
/** This machine, and the top-level domain that is reserved for tests (RFC 2606). */
const TEST_HOST = /(?<![\w-])localhost(?![\w-])|\.test(?![\w.-])|127\.0\.0\.1/;

/** @param {string} toml @param {string} env @returns {Record<string, string>} */
export const readVars = (toml, env) => readTable(toml, `env.${env}.vars`);

/** Whether one of the conditions of a variable is met. @param {readonly string[]} conditions @param {Record<string, string>} vars */
export const isAnyMet = (conditions, vars) => conditions.some((condition) => isConditionMet(condition, vars));

/**
 * Lists the secrets that an environment requires, and the optional ones that would have an effect.
 * @param {string} toml
 * @param {string} env
 */
export function listSecrets(toml, env) {
  const vars = readVars(toml, env);
  const lists = { required: [], optional: [] };
  for (const [name, { secret, required, requiredWith = [], onlyWith }] of Object.entries(VARIABLES)) {
    if (!secret) continue;
    if (required || isAnyMet(requiredWith, vars)) lists.required.push(name);
    else if (onlyWith !== undefined && isConditionMet(onlyWith, vars)) lists.optional.push(name);
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
  const { required, optional } = listSecrets(toml, env);
  const unused = stored.filter((name) => !required.includes(name) && !optional.includes(name));
  if (unused.length === 0) return null;
  const described = unused.map((name) => {
    const { onlyWith, requiredWith = [] } = VARIABLES[name] ?? {};
    const others = [onlyWith ?? [], requiredWith].flat();
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
    return `unknown; docs/tables/variables.md lists all variables, take it out of ${table}.`;
  if (VARIABLES[name].secret)
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
  const secrets = Object.fromEntries(listSecrets(toml, env).required.map((name) => [name, SECRET_STAND_IN]));
  for (const { name, text } of parseVariables({ ...vars, ...secrets }).issues)
    wrong.push([name, `${text}; set it in [env.${env}.vars].`]);
  for (const [name, { requiredToDeploy }] of Object.entries(VARIABLES))
    if (requiredToDeploy && !isSet(name))
      wrong.push([name, `it is missing; npm run setup:cloudflare -- --env ${env} asks for it.`]);
  wrong.push(['SITE_URL', checkDomain(toml, env, vars.SITE_URL ?? '')]);
  if (!Object.keys(vars).some((name) => /^MODEL_\w+_BASE_URL$/.test(name) && isSet(name)))
    wrong.push(['MODEL_ROLEPLAY_BASE_URL', 'no model is set; docs/deployment.md has examples.']);
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

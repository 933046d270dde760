// What stands in wrangler.toml for an environment, and what is wrong with it: known without asking anybody.
import { readVariables } from '../../src/env/check.js';
import { VARIABLES } from '../../src/env/variables.js';
import { isPlaceholder, valueIn, valuesIn } from './toml.mjs';

/** A value of each secret's kind: whether it is set, nobody here can see. */
const STAND_IN = 'set-at-the-platform-and-not-known-here';

/** A value that names this machine, or a domain that exists for tests alone (RFC 2606). */
const OF_TESTS = /(?<![\w-])localhost(?![\w-])|\.test(?![\w.-])|127\.0\.0\.1/;

/** @param {string} condition `NAME` or `NAME=value` @param {Record<string, string>} set */
const holds = (condition, set) => {
  const [name, value] = condition.split('=');
  return value === undefined ? (set[name] ?? '') !== '' : set[name] === value;
};

/**
 * The secrets of an environment: those that it cannot do without, and those that are of use.
 * @param {string} toml
 * @param {string} env
 */
export function secretsOf(toml, env) {
  const set = valuesIn(toml, `env.${env}.vars`);
  const secrets = Object.entries(VARIABLES).filter(([, variable]) => variable.secret === true);
  const isNeeded = ([, { needed, neededWith = [] }]) =>
    needed === true || neededWith.some((condition) => holds(condition, set));
  const isOfUse = ([, { goesWith }]) => goesWith !== undefined && holds(goesWith, set);
  const needed = secrets.filter(isNeeded).map(([name]) => name);
  const useful = secrets.filter((one) => !isNeeded(one) && isOfUse(one)).map(([name]) => name);
  return { needed, useful };
}

/**
 * Secrets that are at the platform and do nothing with what stands in wrangler.toml: they were put before what they go with,
 * or that was taken out again. They harm nothing.
 * @param {string} toml
 * @param {string} env
 * @param {readonly string[]} there the names of those that are at the platform
 * @returns {string | null} a note for the operator, with what takes them away
 */
export function leftoverNote(toml, env, there) {
  const { needed, useful } = secretsOf(toml, env);
  const idle = there.filter((name) => !needed.includes(name) && !useful.includes(name));
  if (idle.length === 0) return null;
  const told = idle.map((name) => {
    const { goesWith, neededWith = [] } = VARIABLES[name] ?? {};
    const others = [...(goesWith === undefined ? [] : [goesWith]), ...neededWith];
    return `${name} (${others.length === 0 ? 'no secret of this product' : `goes with ${others.join(' or ')}, which is not set`})`;
  });
  // Before the deployment the version that answers may still go by them.
  const lines = idle.map((name) => `npx wrangler secret delete ${name} --env ${env} --config wrangler.toml`);
  return `of no use at the platform, and no harm: ${told.join(', ')}. Once what stands here is deployed, this takes ${idle.length === 1 ? 'it' : 'them'} away:\n             ${lines.join('\n             ')}`;
}

/** The hosts at which the deployment connects the Worker. @param {string} toml @param {string} env @returns {string[]} */
function customDomainsOf(toml, env) {
  const routes = valueIn(toml, `env.${env}`, 'routes') ?? '';
  return [...routes.matchAll(/\{[^}]*\}/g)].flatMap(([route]) => {
    const [, pattern] = /\bpattern\s*=\s*["']([^"']+)["']/.exec(route) ?? [];
    return pattern !== undefined && /\bcustom_domain\s*=\s*true\b/.test(route) ? [pattern] : [];
  });
}

/** How far apart two names are, for those that were mistyped. */
function distance(one, other) {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [to, wanted] of [...other].entries())
      next.push(Math.min(next[to] + 1, row[to + 1] + 1, row[to] + (letter === wanted ? 0 : 1)));
    row = next;
  }
  return row[other.length];
}

/** The name that somebody may have meant. @param {string} name */
function meant(name) {
  const near = Object.keys(VARIABLES)
    .map((known) => ({ known, far: distance(name, known) }))
    .sort((one, other) => one.far - other.far)[0];
  return near !== undefined && near.far <= 4 ? ` Is ${near.known} meant?` : '';
}

/**
 * What is wrong with the variables of an environment, each in a sentence.
 * @param {string} toml
 * @param {string} env
 * @returns {string[]}
 */
export function wrongVariables(toml, env) {
  const table = `env.${env}.vars`;
  const set = valuesIn(toml, table);
  const wrong = [];
  for (const [name, value] of Object.entries(set)) {
    if (value === '') continue;
    if (VARIABLES[name] === undefined)
      wrong.push(`${name}: no variable of this product; take it out of [${table}].${meant(name)}`);
    else if (VARIABLES[name].secret === true)
      wrong.push(
        `${name}: a secret does not belong in wrangler.toml; take it out of [${table}], change it where it came from, and run npm run setup:cloudflare -- --env ${env}.`,
      );
    else if (OF_TESTS.test(value))
      wrong.push(`${name}: it names this machine or a place for tests; set another in [${table}].`);
  }
  const secrets = Object.fromEntries(secretsOf(toml, env).needed.map((name) => [name, STAND_IN]));
  for (const { name, text } of readVariables({ ...set, ...secrets }).troubles)
    wrong.push(`${name}: ${text}; set it in [${table}].`);
  for (const [name, { deployed }] of Object.entries(VARIABLES))
    if (deployed === true && (set[name] ?? '') === '')
      wrong.push(`${name}: it is missing; npm run setup:cloudflare -- --env ${env} asks for it.`);
  if ((set.SITE_URL ?? '').startsWith('http://'))
    wrong.push('SITE_URL: a deployed site is reached by https://.');
  const domains = customDomainsOf(toml, env);
  const host = URL.canParse(set.SITE_URL ?? '') ? new URL(set.SITE_URL).hostname : null;
  if (host !== null && domains.length > 0 && !domains.includes(host)) {
    const mend = host.endsWith('.workers.dev')
      ? 'take that line out, and set workers_dev = true'
      : `npm run setup:cloudflare -- --env ${env} writes the one of SITE_URL there`;
    wrong.push(
      `SITE_URL: ${host} is not where the site will be: the custom domain in routes of [env.${env}] is ${domains.join(', ')}; ${mend}.`,
    );
  }
  if (env === 'production' && set.RATE_LIMITS === 'off')
    wrong.push(
      `RATE_LIMITS: off is for this machine and for tests; take it out of [${table}], or set it to on.`,
    );
  if (!Object.keys(set).some((name) => /^MODEL_\w+_BASE_URL$/.test(name) && set[name] !== ''))
    wrong.push(
      'MODEL_ROLEPLAY_BASE_URL: no model is set, so nobody is answered; docs/operate.md has examples.',
    );
  return [...new Set(wrong)];
}

/** Ids that nobody made yet. @param {string} toml @param {string} env @returns {string[]} */
export function placeholdersOf(toml, env) {
  return [
    ['d1_databases', 'database_id'],
    ['kv_namespaces', 'id'],
  ]
    .filter(([table, key]) => isPlaceholder(valueIn(toml, `env.${env}.${table}`, key) ?? ''))
    .map(([table, key]) => `${key} in [[env.${env}.${table}]]`);
}

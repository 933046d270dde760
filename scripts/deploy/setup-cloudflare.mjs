// `npm run setup:cloudflare -- --env staging|production`: creates what an environment needs at Cloudflare and writes ids and
// variables to wrangler.toml. Each step keeps what exists and saves what it creates, so a run can be repeated. docs/deployment.md
import { randomBytes } from 'node:crypto';
import { getVariables, isConditionMet, isValidValue } from '../../src/env/schema.js';
import { CliError } from '../lib/prepare.mjs';
import { openPrompt, readArguments, readToml, runCommand, WRANGLER_TOML, writeToml } from './command.mjs';
import { describeUnusedSecrets, findWrongVariables, isAnyMet, readVars } from './settings.mjs';
import { describeFailure, parseJson, requireWrangler, runWrangler } from './wrangler.mjs';
import { isPlaceholder, quote, readTable, setValue } from './wrangler-toml.mjs';

const USAGE = `usage: npm run setup:cloudflare -- --env staging|production [--replace NAME …]
Values may come from the shell: SITE_URL=https://chat.example npm run setup:cloudflare -- --env production
--replace: sets a secret that exists already.`;

/**
 * @typedef {object} Setup
 * @property {string} env `staging` or `production`
 * @property {ReadonlySet<string>} replace secrets to set although they exist
 * @property {import('./wrangler.mjs').Wrangler} wrangler
 * @property {() => string} readToml
 * @property {(text: string) => void} writeToml
 * @property {((question: { name: string, text: string, secret: boolean }) => Promise<string>) | null} ask null without a terminal
 * @property {Readonly<Record<string, string | undefined>>} shell values by the variables' names
 * @property {(text: string) => void} say
 */

/** @param {Setup} setup @param {string} action @param {string[]} args @param {{ input?: string }} [options] */
const run = ({ wrangler, env }, action, args, options) =>
  requireWrangler(wrangler, action, [...args, '--env', env], options);

/** @param {Setup} setup @param {string} table within the environment; '' is the environment itself */
const getTable = ({ env }, table) => `env.${env}${table === '' ? '' : `.${table}`}`;
const read = (setup, table, key) => readTable(setup.readToml(), getTable(setup, table))[key] ?? '';
const write = (setup, table, key, written) =>
  setup.writeToml(setValue(setup.readToml(), getTable(setup, table), key, written));

/** @param {Setup} setup */
async function checkAccount({ wrangler, say }) {
  const result = await wrangler(['whoami', '--json']);
  if (result.code !== 0)
    throw new CliError(
      'You are not logged in to Cloudflare: set CLOUDFLARE_API_TOKEN (docs/deployment.md lists the rights it needs), or run npx wrangler login.',
    );
  const { accounts = [] } = parseJson(result.out);
  const chosen = process.env.CLOUDFLARE_ACCOUNT_ID;
  const named = accounts.map(({ id, name }) => `${id} (${name})`).join(', ');
  if (accounts.length > 1 && !chosen)
    throw new CliError(`You have several accounts: set CLOUDFLARE_ACCOUNT_ID to one of ${named}.`);
  say(`account     ${chosen ?? named}: logged in`);
}

/**
 * Finds a store by its name, or creates it, and writes its id to wrangler.toml.
 * @param {Setup} setup
 * @param {{ kind: string, table: string, key: string, name: string, command: string[], toEntry: (row: any) => { id: string, name: string } }} store (any: a row of wrangler's list, whose fields differ by store)
 */
async function ensureStore(setup, { kind, table, key, name, command, toEntry }) {
  const label = `${kind.padEnd(11)} ${name}`;
  const list = async () => {
    const json = command[0] === 'd1' ? ['--json'] : [];
    const { out } = await run(setup, `Listing the ${kind}s`, [...command, 'list', ...json]);
    return parseJson(out).map(toEntry);
  };
  const entries = await list();
  const id = read(setup, table, key);
  if (!isPlaceholder(id)) {
    if (!entries.some((entry) => entry.id === id))
      throw new CliError(
        `wrangler.toml names the ${kind} ${id}, which this account does not have. Is it the right account? If it was deleted, set ${key} to "" there and run this again.`,
      );
    return setup.say(`${label}: exists`);
  }
  let found = entries.find((entry) => entry.name === name);
  setup.say(`${label}: ${found === undefined ? 'creating' : 'exists already'}`);
  if (found === undefined) {
    // With --env, wrangler would prefix the name of a namespace.
    await requireWrangler(setup.wrangler, `Creating the ${kind} ${name}`, [...command, 'create', name]);
    found = (await list()).find((entry) => entry.name === name);
    if (found === undefined)
      throw new CliError(`The ${kind} ${name} was created and is not listed yet. Run this again.`);
  }
  return write(setup, table, key, quote(found.id));
}

/** @param {Setup} setup */
async function ensureBucket(setup) {
  const { wrangler, env, say } = setup;
  const name = read(setup, 'r2_buckets', 'bucket_name');
  const info = await wrangler(['r2', 'bucket', 'info', name, '--json', '--env', env]);
  if (info.code === 0) return say(`pictures    ${name}: exists`);
  if (!/10006|not exist|not found/i.test(info.out + info.err))
    throw new CliError(`Reading the bucket ${name} failed: ${describeFailure(info)}`);
  await run(setup, `Creating the bucket ${name}`, ['r2', 'bucket', 'create', name]);
  return say(`pictures    ${name}: created`);
}

/** @param {string} markdown */
const stripMarkdown = (markdown) => markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '');

/** Takes a value from the shell or asks for it; '' if there is none. @param {Setup} setup @param {string} name */
export async function getValue({ shell, ask, say }, name) {
  const { wants, description, hint, secret, required, requiredToDeploy } = getVariables()[name];
  const given = shell[name] ?? '';
  if (given !== '' && !isValidValue(name, given)) throw new CliError(`${name}: it wants ${wants}.`);
  if (given !== '' || ask === null) return given;
  const source = hint === undefined ? '' : ` (from ${hint})`;
  const skip = required || requiredToDeploy ? '' : ' Press Enter to skip it.';
  const text = `${name}: ${stripMarkdown(description)}${source}.${skip}`;
  for (;;) {
    const answer = (await ask({ name, text, secret })).trim();
    if (answer === '' || isValidValue(name, answer)) return answer;
    say(`That does not fit: it has to be ${wants}.`);
  }
}

/** Writes the variables to wrangler.toml. @param {Setup} setup @returns {Promise<string[]>} names of those that are missing */
async function ensureVariables(setup) {
  const missing = [];
  for (const [name, variable] of Object.entries(getVariables())) {
    if (variable.secret) continue;
    const { prompted, onlyWith, requiredWith = [] } = variable;
    const current = read(setup, 'vars', name);
    const given = setup.shell[name] ?? '';
    const isRequired = variable.required || variable.requiredToDeploy === true;
    const isPrompted =
      isRequired ||
      prompted === true ||
      (onlyWith === undefined && isAnyMet(requiredWith, readVars(setup.readToml(), setup.env)));
    if (current !== '' && (given === '' || given === current)) setup.say(`variable    ${name}: set`);
    else if (given !== '' || isPrompted) {
      const value = await getValue(setup, name);
      if (value !== '') write(setup, 'vars', name, quote(value));
      else if (isRequired) missing.push(name);
      const state = value === '' ? (isRequired ? 'MISSING' : 'skipped') : 'written to wrangler.toml';
      setup.say(`variable    ${name}: ${state}`);
    }
  }
  return missing;
}

/** Makes the host of SITE_URL the Worker's custom domain. @param {Setup} setup */
function ensureDomain(setup) {
  const site = read(setup, 'vars', 'SITE_URL');
  if (!URL.canParse(site)) return setup.say('domain      none yet: SITE_URL is missing');
  const { hostname, protocol } = new URL(site);
  if (protocol !== 'https:') throw new CliError('SITE_URL: a deployed site needs https://.');
  if (hostname.endsWith('.workers.dev')) return setup.say(`domain      ${hostname}: the platform’s own`);
  if (read(setup, '', 'routes').includes(`pattern = ${quote(hostname)},`))
    return setup.say(`domain      ${hostname}: set`);
  write(setup, '', 'routes', `[{ pattern = ${quote(hostname)}, custom_domain = true }]`);
  // A second address of the site would be another origin for cookies, caches and Google.
  write(setup, '', 'workers_dev', 'false');
  return setup.say(`domain      ${hostname}: written to wrangler.toml, the deployment connects it`);
}

/** Wrangler refuses a secret while the newest version is not the live one: after a rollback, or a failed deployment. */
const NEWEST_NOT_LIVE = /latest version of your Worker isn't currently deployed|\[code: 1021[45]\]/;

/** @param {Setup} setup @param {string} name @param {string} value @returns {Promise<string>} when it takes effect */
async function setSecret(setup, name, value) {
  const put = ['secret', 'put', name];
  const result = await setup.wrangler([...put, '--env', setup.env], { input: value });
  if (result.code === 0) return 'set';
  if (!NEWEST_NOT_LIVE.test(result.err + result.out))
    throw new CliError(`Setting the secret ${name} failed: ${describeFailure(result)}`);
  // Added to the newest version, the secret is part of the next upload, without that version's code.
  await run(setup, `Setting the secret ${name}`, ['versions', ...put], { input: value });
  return 'set for the NEXT deployment: the newest version is not live, docs/deployment.md, «Changes»';
}

/** Sets the secrets of the features in use. @param {Setup} setup @returns {Promise<{ missing: string[], unused: string | null }>} */
async function ensureSecrets(setup) {
  const { wrangler, env, shell, replace, say } = setup;
  const listed = await wrangler(['secret', 'list', '--format', 'json', '--env', env]);
  if (listed.code !== 0 && !/not found/i.test(listed.err + listed.out))
    throw new CliError(`Listing the secrets failed: ${describeFailure(listed)}`);
  const stored = new Set(listed.code === 0 ? parseJson(listed.out).map(({ name }) => name) : []);
  const vars = readVars(setup.readToml(), env);
  const missing = [];
  for (const [name, variable] of Object.entries(getVariables())) {
    if (!variable.secret) continue;
    const isGiven = (shell[name] ?? '') !== '';
    // A stored secret cannot be compared, and a new AUTH_SECRET invalidates the codes in mails on their way.
    if (stored.has(name) && !replace.has(name)) {
      say(`secret      ${name}: set${isGiven ? ` (--replace ${name} would set the given one)` : ''}`);
      continue;
    }
    const { requiredWith = [], onlyWith } = variable;
    const isRequired = variable.required || isAnyMet(requiredWith, vars);
    if (!isGiven && !isRequired && (onlyWith === undefined || !isConditionMet(onlyWith, vars))) continue;
    const isGenerated = variable.generated === true && !isGiven;
    const value = isGenerated ? randomBytes(32).toString('hex') : await getValue(setup, name);
    if (value !== '') {
      const state = await setSecret(setup, name, value);
      stored.add(name);
      say(`secret      ${name}: ${isGenerated ? 'generated and ' : ''}${state}`);
    } else {
      if (isRequired) missing.push(name);
      say(`secret      ${name}: ${isRequired ? 'MISSING' : 'skipped'}`);
    }
  }
  return { missing, unused: describeUnusedSecrets(setup.readToml(), env, [...stored]) };
}

/** Enables sending from the domain of MAIL_FROM. A failure does not stop the setup. @param {Setup} setup */
async function ensureMail(setup) {
  const [, domain] = /@([^@<>\s]+?)>?\s*$/.exec(read(setup, 'vars', 'MAIL_FROM')) ?? [];
  const say = (text) => setup.say(`mail        ${text}`);
  if (domain === undefined) return say('no domain yet: MAIL_FROM is missing');
  if (domain.endsWith('.workers.dev'))
    return say(`${domain}: cannot send; people can log in as guests or with Google`);
  const call = (action) => setup.wrangler(['email', 'sending', action, domain, '--env', setup.env]);
  const settings = await call('settings');
  if (settings.code === 0 && /Enabled:\s+true/.test(settings.out)) return say(`${domain}: can send`);
  const enabled = await call('enable');
  if (enabled.code === 0) return say(`${domain}: sending enabled, its DNS records follow within minutes`);
  return say(
    `${domain}: NOT YET (${describeFailure(enabled)}). In the dashboard: Compute > Email Service > Email Sending > Onboard Domain; docs/deployment.md, «Mail».`,
  );
}

/**
 * Prepares an environment for its deployment.
 * @param {Setup} setup
 * @returns {Promise<number>} the exit code: 1 if values are missing or wrong
 */
export async function setUp(setup) {
  const { env, say } = setup;
  await checkAccount(setup);
  await ensureStore(setup, {
    ...{ kind: 'database', table: 'd1_databases', key: 'database_id', command: ['d1'] },
    name: read(setup, 'd1_databases', 'database_name'),
    toEntry: ({ uuid, name }) => ({ id: uuid, name }),
  });
  await ensureStore(setup, {
    ...{ kind: 'namespace', table: 'kv_namespaces', key: 'id', command: ['kv', 'namespace'] },
    name: `${read(setup, '', 'name')}-kv`,
    toEntry: ({ id, title }) => ({ id, name: title }),
  });
  await ensureBucket(setup);
  const missingVariables = await ensureVariables(setup);
  ensureDomain(setup);
  const secrets = await ensureSecrets(setup);
  await ensureMail(setup);
  if (secrets.unused !== null) say(`secrets     ${secrets.unused}`);
  const missing = [...missingVariables, ...secrets.missing];
  if (missing.length > 0)
    say(`\nMissing: ${missing.join(', ')}. Run this again in a terminal, or with them in the shell.`);
  const wrong = findWrongVariables(setup.readToml(), env).filter(
    (sentence) => !missing.includes(sentence.split(':')[0]),
  );
  if (wrong.length > 0) say(`\nNot ready to be deployed:\n${wrong.join('\n')}`);
  if (missing.length + wrong.length > 0) return 1;
  say(`\nReady. Next: npm run deploy:check -- --env ${env}, then npm run deploy -- --env ${env}.`);
  return 0;
}

if (import.meta.main)
  await runCommand(async () => {
    const options = { replace: { type: 'string', multiple: true, default: [] } };
    const { env, replace } = readArguments(process.argv.slice(2), { usage: USAGE, options });
    const prompt = openPrompt();
    try {
      return await setUp({
        ...{ env, replace: new Set(replace), shell: process.env, ask: prompt?.ask ?? null },
        wrangler: (args, more) => runWrangler(['--config', WRANGLER_TOML, ...args], more),
        ...{ readToml, writeToml, say: (text) => console.log(text) },
      });
    } finally {
      prompt?.close();
    }
  });

// What `npm run setup:cloudflare` does, apart from where it reads, writes and asks. Every step looks first whether it is
// done already, and what was made is written down at once: a run that broke off is repeated, and goes on where it stopped.
import { randomBytes } from 'node:crypto';
import { validateVariable, describeRequirement } from '../../src/env/check.js';
import { VARIABLES } from '../../src/env/variables.js';
import { Trouble } from '../lib/prepare.mjs';
import { leftoverNote, wrongVariables } from './settings.mjs';
import { isPlaceholder, quoted, valueIn, valuesIn, withValue } from './toml.mjs';
import { complaintOf, jsonIn } from './wrangler.mjs';

/**
 * @typedef {object} World
 * @property {string} env `staging` or `production`
 * @property {boolean} dryRun nothing is made or written
 * @property {ReadonlySet<string>} replace secrets that are set anew though they are there
 * @property {import('./wrangler.mjs').Wrangler} wrangler
 * @property {() => string} readToml
 * @property {(text: string) => void} writeToml
 * @property {((question: { name: string, text: string, secret: boolean }) => Promise<string>) | null} ask null where nobody can be asked
 * @property {Readonly<Record<string, string | undefined>>} shell values by the variables' names
 * @property {(text: string) => void} say
 */

/** Runs wrangler, or ends with why it could not. @param {World} world */
async function must({ wrangler, env }, what, args, { inEnvironment = true, ...options } = {}) {
  const said = await wrangler(inEnvironment ? [...args, '--env', env] : args, options);
  if (said.code !== 0) throw new Trouble(`${what} did not work: ${complaintOf(said)}`);
  return said;
}

/** @param {World} world @param {string} table @param {string} key @param {string} written as TOML has it */
function keep({ readToml, writeToml, env }, table, key, written) {
  writeToml(withValue(readToml(), `env.${env}${table === '' ? '' : `.${table}`}`, key, written));
}

/** @param {World} world */
const writtenIn = ({ dryRun }) => (dryRun ? 'would be written to wrangler.toml' : 'written to wrangler.toml');

/** What is only tried is written to a copy, so that what follows goes by it. @param {World} world @returns {World} */
function withDraft(world) {
  let draft = world.readToml();
  return { ...world, readToml: () => draft, writeToml: (text) => void (draft = text) };
}

/** Whether somebody is logged in, and where. @param {World} world */
async function checkAccount({ wrangler, say }) {
  const said = await wrangler(['whoami', '--json']);
  if (said.code !== 0)
    throw new Trouble(
      'Cloudflare does not know you: set CLOUDFLARE_API_TOKEN (docs/operate.md says which rights it needs), or run npx wrangler login.',
    );
  const { accounts = [] } = jsonIn(said.out);
  if (accounts.length > 1 && !process.env.CLOUDFLARE_ACCOUNT_ID)
    throw new Trouble(
      `You have several accounts: set CLOUDFLARE_ACCOUNT_ID to one of ${accounts
        .map(({ id, name }) => `${id} (${name})`)
        .join(', ')}.`,
    );
  say(
    `account     ${process.env.CLOUDFLARE_ACCOUNT_ID ?? accounts.map(({ name }) => name).join(', ')}: logged in`,
  );
}

/**
 * A store that is known by an id: it is looked for by its name, made where there is none, and its id is written down.
 * @param {World} world
 * @param {{ what: string, table: string, key: string, name: string, list: string[], create: string[], idIn: (row: any) => { id: string, name: string } }} store (any: a row of wrangler's list, whose fields differ by store)
 */
async function settleStore(world, { what, table, key, name, list, create, idIn }) {
  const label = what.padEnd(11);
  const known = valueIn(world.readToml(), `env.${world.env}.${table}`, key);
  const look = async () => jsonIn((await must(world, `Listing what ${what} there is`, list)).out).map(idIn);
  const rows = await look();
  if (known !== undefined && !isPlaceholder(known)) {
    if (!rows.some(({ id }) => id === known))
      throw new Trouble(
        `wrangler.toml names the ${what} ${known}, and this account has none of that id. Is it the right account? If it is gone for good, set ${key} to "" there and run this again.`,
      );
    world.say(`${label} ${name}: there`);
    return;
  }
  let found = rows.find((row) => row.name === name);
  if (found === undefined) {
    if (world.dryRun) return world.say(`${label} ${name}: would be made`);
    // With an environment wrangler would put its name before a namespace's.
    await must(world, `Making the ${what} ${name}`, create, { inEnvironment: false });
    found = (await look()).find((row) => row.name === name);
    if (found === undefined)
      throw new Trouble(`The ${what} ${name} was made and is not listed yet. Run this again.`);
    world.say(`${label} ${name}: made`);
  } else world.say(`${label} ${name}: found, it was there already`);
  keep(world, table, key, quoted(found.id));
}

/** @param {World} world */
async function settleBucket(world) {
  const name = valueIn(world.readToml(), `env.${world.env}.r2_buckets`, 'bucket_name');
  const info = await world.wrangler(['r2', 'bucket', 'info', name, '--json', '--env', world.env]);
  if (info.code === 0) return world.say(`pictures    ${name}: there`);
  if (!/10006|not exist|not found/i.test(info.out + info.err))
    throw new Trouble(`Looking for the bucket ${name} did not work: ${complaintOf(info)}`);
  if (world.dryRun) return world.say(`pictures    ${name}: would be made`);
  await must(world, `Making the bucket ${name}`, ['r2', 'bucket', 'create', name]);
  world.say(`pictures    ${name}: made`);
}

/** A sentence of the table without its Markdown. @param {string} text */
const plain = (text) => text.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '');

/**
 * A value from the shell, or from whoever is asked; empty where it is left out.
 * @param {World} world
 * @param {string} name
 */
async function valueFor({ shell, ask, say }, name) {
  const variable = VARIABLES[name];
  const given = shell[name];
  if (given !== undefined && given !== '') {
    const trouble = validateVariable(name, given);
    if (trouble !== null) throw new Trouble(`${name}: ${trouble.text}.`);
    return given;
  }
  if (ask === null) return '';
  const found = variable.found === undefined ? '' : ` (from ${variable.found})`;
  const left = variable.needed || variable.deployed ? '' : ' Enter leaves it out.';
  for (;;) {
    const text = (
      await ask({
        name,
        text: `${name}: ${plain(variable.what)}${found}.${left}`,
        secret: variable.secret === true,
      })
    ).trim();
    const trouble = text === '' ? null : validateVariable(name, text);
    if (trouble === null) return text;
    say(`Not that: it wants ${describeRequirement(variable)}.`);
  }
}

/** Whether a variable is of use with those that are set. @param {Record<string, string>} set */
function isOfUse({ goesWith, neededWith = [] }, set) {
  return [...(goesWith === undefined ? [] : [goesWith]), ...neededWith].some((one) => {
    const [name, value] = one.split('=');
    return value === undefined ? (set[name] ?? '') !== '' : set[name] === value;
  });
}

/** The variables that are no secrets: into wrangler.toml. @param {World} world @returns names of those that are missing */
async function settleVariables(world) {
  const missing = [];
  for (const [name, variable] of Object.entries(VARIABLES)) {
    if (variable.secret === true) continue;
    const set = valuesIn(world.readToml(), `env.${world.env}.vars`);
    const isThere = (set[name] ?? '') !== '';
    const isWanted = variable.needed === true || variable.deployed === true;
    const isAsked = isWanted || variable.asked === true || (isOfUse(variable, set) && !variable.goesWith);
    const isGiven = (world.shell[name] ?? '') !== '';
    if (isThere && (!isGiven || world.shell[name] === set[name])) {
      world.say(`variable    ${name}: set`);
      continue;
    }
    if (!isGiven && !isAsked) continue;
    if (world.dryRun && !isGiven) {
      world.say(`variable    ${name}: would be asked for`);
      continue;
    }
    const value = await valueFor(world, name);
    if (value === '') {
      if (isWanted) missing.push(name);
      world.say(`variable    ${name}: ${isWanted ? 'MISSING' : 'left out'}`);
    } else {
      keep(world, 'vars', name, quoted(value));
      world.say(`variable    ${name}: ${writtenIn(world)}`);
    }
  }
  return missing;
}

/** The site's own domain is where the Worker answers. @param {World} world */
function settleDomain(world) {
  const site = valueIn(world.readToml(), `env.${world.env}.vars`, 'SITE_URL') ?? '';
  if (!URL.canParse(site)) return world.say('domain      none yet: SITE_URL says which');
  const { hostname, protocol } = new URL(site);
  if (protocol !== 'https:')
    throw new Trouble('SITE_URL: a deployed site is reached by https://, and by nothing else.');
  if (hostname.endsWith('.workers.dev')) return world.say(`domain      ${hostname}: the platform’s own`);
  const routes = `[{ pattern = ${quoted(hostname)}, custom_domain = true }]`;
  if (
    (valueIn(world.readToml(), `env.${world.env}`, 'routes') ?? '').includes(`pattern = ${quoted(hostname)},`)
  )
    return world.say(`domain      ${hostname}: written`);
  keep(world, '', 'routes', routes);
  // The same site at a second address would be another origin, for cookies, caches and Google.
  keep(world, '', 'workers_dev', 'false');
  world.say(`domain      ${hostname}: ${writtenIn(world)}, the deployment connects it`);
}

/** How wrangler refuses a secret after a deployment that went back, or a rollback: the newest version answers nobody. */
const NEWEST_ANSWERS_NOBODY = /latest version of your Worker isn't currently deployed|\[code: 1021[45]\]/;

/**
 * @param {World} world
 * @param {string} name
 * @param {string} value
 * @returns {Promise<string>} since when it is in force
 */
async function setSecret(world, name, value) {
  const put = ['secret', 'put', name];
  const said = await world.wrangler([...put, '--env', world.env], { input: value });
  if (said.code === 0) return 'set';
  if (!NEWEST_ANSWERS_NOBODY.test(said.err + said.out))
    throw new Trouble(`Setting the secret ${name} did not work: ${complaintOf(said)}`);
  // Put at the newest version, it comes with the next one that is uploaded, and no other code with it.
  await must(world, `Setting the secret ${name}`, ['versions', ...put], { input: value });
  return 'set for the NEXT deployment: the newest version is not the one that answers, docs/operate.md, «Changes»';
}

/**
 * Secrets go by wrangler, and are never read back.
 * @param {World} world
 * @returns names of those that are missing, and a note on those that are there for nothing
 */
async function settleSecrets(world) {
  const listed = await world.wrangler(['secret', 'list', '--format', 'json', '--env', world.env]);
  const isNew = listed.code !== 0 && /not found/i.test(listed.err + listed.out);
  if (listed.code !== 0 && !isNew)
    throw new Trouble(`Listing the secrets did not work: ${complaintOf(listed)}`);
  const there = new Set(isNew ? [] : jsonIn(listed.out).map(({ name }) => name));
  const set = valuesIn(world.readToml(), `env.${world.env}.vars`);
  const missing = [];
  for (const [name, variable] of Object.entries(VARIABLES)) {
    if (variable.secret !== true) continue;
    const isGiven = (world.shell[name] ?? '') !== '';
    // One that is there stays: nobody can read whether it is another, and another AUTH_SECRET ends what is on its way.
    if (there.has(name) && !world.replace.has(name)) {
      world.say(`secret      ${name}: there${isGiven ? ` (--replace ${name} sets what was given)` : ''}`);
      continue;
    }
    const isNeeded =
      variable.needed === true || (variable.neededWith !== undefined && isOfUse(variable, set));
    if (!isGiven && !isNeeded && !isOfUse(variable, set)) continue;
    if (world.dryRun && !isGiven) {
      world.say(`secret      ${name}: would be ${variable.made === true ? 'made' : 'asked for'}`);
      continue;
    }
    const isMade = variable.made === true && !isGiven;
    const value = isMade ? randomBytes(32).toString('hex') : await valueFor(world, name);
    if (value === '') {
      if (isNeeded) missing.push(name);
      world.say(`secret      ${name}: ${isNeeded ? 'MISSING' : 'left out'}`);
      continue;
    }
    if (world.dryRun) {
      world.say(`secret      ${name}: would be set`);
      continue;
    }
    const done = await setSecret(world, name, value);
    there.add(name);
    world.say(`secret      ${name}: ${isMade ? 'made and ' : ''}${done}`);
  }
  return { missing, note: leftoverNote(world.readToml(), world.env, [...there]) };
}

/** Mails go out from a domain that was let to send. @param {World} world */
async function settleMail(world) {
  const from = valueIn(world.readToml(), `env.${world.env}.vars`, 'MAIL_FROM') ?? '';
  const [, domain] = /@([^@<>\s]+?)>?\s*$/.exec(from) ?? [];
  if (domain === undefined) return world.say('mail        no domain yet: MAIL_FROM says which');
  if (domain.endsWith('.workers.dev'))
    return world.say(
      `mail        ${domain}: the platform’s own, from which no mail goes out; people come in as guests or with Google`,
    );
  const told = await world.wrangler(['email', 'sending', 'settings', domain, '--env', world.env]);
  if (told.code === 0 && /Enabled:\s+true/.test(told.out))
    return world.say(`mail        ${domain}: may send`);
  if (world.dryRun) return world.say(`mail        ${domain}: would be let to send`);
  const done = await world.wrangler(['email', 'sending', 'enable', domain, '--env', world.env]);
  if (done.code === 0)
    return world.say(`mail        ${domain}: let to send, its DNS records follow within minutes`);
  world.say(
    `mail        ${domain}: NOT YET (${complaintOf(done)}). In the dashboard: Compute > Email Service > Email Sending > Onboard Domain; docs/operate.md, «Mail».`,
  );
  return undefined;
}

/**
 * Makes an environment ready to be deployed to.
 * @param {World} asked
 * @returns {Promise<number>} the exit code: 1 where something is missing that only somebody can say
 */
export async function setUp(asked) {
  const world = asked.dryRun ? withDraft(asked) : asked;
  const { env, say } = world;
  await checkAccount(world);
  const text = world.readToml();
  const database = valueIn(text, `env.${env}.d1_databases`, 'database_name');
  await settleStore(world, {
    ...{ what: 'database', table: 'd1_databases', key: 'database_id', name: database },
    ...{ list: ['d1', 'list', '--json'], create: ['d1', 'create', database] },
    idIn: ({ uuid, name }) => ({ id: uuid, name }),
  });
  const namespace = `${valueIn(text, `env.${env}`, 'name')}-kv`;
  await settleStore(world, {
    ...{ what: 'keys', table: 'kv_namespaces', key: 'id', name: namespace },
    list: ['kv', 'namespace', 'list'],
    create: ['kv', 'namespace', 'create', namespace],
    idIn: ({ id, title }) => ({ id, name: title }),
  });
  await settleBucket(world);
  const missing = await settleVariables(world);
  settleDomain(world);
  const secrets = await settleSecrets(world);
  missing.push(...secrets.missing);
  await settleMail(world);
  if (secrets.note !== null) say(`secrets     ${secrets.note}`);
  if (missing.length > 0)
    say(
      `\nStill missing: ${missing.join(', ')}. Run this again in a terminal, or with them in the environment.`,
    );
  else if (world.dryRun) {
    say('\nNothing was changed.');
    return 0;
  }
  // What was only tried has no answers in it, and would seem to be wrong for want of them.
  const wrong = world.dryRun
    ? []
    : wrongVariables(world.readToml(), env).filter(
        (sentence) => !missing.includes(sentence.split(':')[0] ?? ''),
      );
  if (wrong.length > 0) say(`\nNot ready: it would not go out like this.\n${wrong.join('\n')}`);
  if (missing.length + wrong.length > 0) return 1;
  say(`\nReady. Next: npm run deploy:check -- --env ${env}, then npm run deploy -- --env ${env}.`);
  return 0;
}

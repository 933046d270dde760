// What `npm run deploy` does, apart from where it asks: the way back is noted first, the database goes before the code, and
// a new version has to answer before anybody meets it.
import { Trouble } from '../lib/prepare.mjs';
import { ARRIVAL_TRIES, askSite, SMOKE_TRIES, smokePatiently, Visitor } from './smoke.mjs';
import { complaintOf, jsonIn } from './wrangler.mjs';

/**
 * @typedef {object} Rollout
 * @property {string} env
 * @property {string} name of the Worker
 * @property {string} siteUrl
 * @property {string} config the built configuration, which is the environment's alone
 * @property {string} toml the checkout's wrangler.toml
 * @property {number} percent who meets the new version first; 0: nobody, then everybody
 * @property {number} watchSeconds so long that percentage is watched
 * @property {boolean} atOnce by one plain deployment
 * @property {Record<string, string>} [access] headers by which Zero Trust Access lets these questions in
 * @property {string} message
 * @property {import('./wrangler.mjs').Wrangler} wrangler
 * @property {(args: string[]) => Promise<{ said: import('./wrangler.mjs').Said, told: Record<string, any>[] }>} upload runs wrangler and gives what it wrote for programs
 * @property {typeof fetch} ask
 * @property {(ms: number) => Promise<void>} wait
 * @property {(text: string) => void} say
 * @property {(record: Record<string, unknown>) => void} note
 */

const WATCH_PAUSE_MS = 10_000;
/** While it is watched, a single question may be lost on its way here. */
const WATCH_FAILURES = 3;

/**
 * The service token of Zero Trust Access, for a site that others are kept out of.
 * @param {Readonly<Record<string, string | undefined>>} shell
 * @returns {Record<string, string>} the headers that it goes by; none where there is no token
 * @throws Trouble where only half of one is there
 */
export function accessHeaders({ CF_ACCESS_CLIENT_ID: id = '', CF_ACCESS_CLIENT_SECRET: secret = '' }) {
  if (id === '' && secret === '') return {};
  if (id === '' || secret === '')
    throw new Trouble(
      `CF_ACCESS_CLIENT_${id === '' ? 'ID' : 'SECRET'} is missing: a service token of Access is both, docs/operate.md, «Staging and production».`,
    );
  return { 'cf-access-client-id': id, 'cf-access-client-secret': secret };
}

const overrideOf = ({ name }, version) => ({
  'cloudflare-workers-version-overrides': `${name}="${version}"`,
});

/** @param {Rollout} rollout @param {string} what @param {string[]} args */
async function must({ wrangler }, what, args) {
  const said = await wrangler(args);
  if (said.code !== 0) throw new Trouble(`${what} did not work: ${complaintOf(said)}`);
  return said;
}

/** What answers now: null before the first deployment. @param {Rollout} rollout @returns {Promise<string | null>} */
async function versionNow({ wrangler, config }) {
  const said = await wrangler(['deployments', 'status', '--json', '--config', config]);
  if (said.code !== 0) {
    if (/no deployments|not found|does not exist|10007/i.test(said.err + said.out)) return null;
    throw new Trouble(`Asking what is deployed did not work: ${complaintOf(said)}`);
  }
  const { versions = [] } = jsonIn(said.out);
  if (versions.length > 1)
    throw new Trouble(
      `A gradual deployment is under way (${versions
        .map(({ version_id, percentage }) => `${version_id} at ${percentage} %`)
        .join(', ')}). End it first: npx wrangler versions deploy <version>@100% --yes --config ${config}`,
    );
  return versions[0]?.version_id ?? null;
}

/**
 * Where people meet the version that answers now. Where the site moves, its new address is connected only once everybody is
 * on the new version, so until then that one is asked where the one before is.
 * @param {Rollout} rollout
 * @param {string} version
 * @returns {Promise<string | null>} null where it is no site: wrangler makes an empty Worker when a secret is put before
 *   anything was deployed
 */
async function addressOf(rollout, version) {
  const { out } = await must(rollout, 'Asking where the site is now', [
    ...['versions', 'view', version, '--json', '--config', rollout.config],
  ]);
  const { resources } = jsonIn(out);
  const bindings = resources.bindings ?? [];
  const site = bindings.find(({ type, name }) => type === 'plain_text' && name === 'SITE_URL');
  return site === undefined ? null : new URL(site.text || rollout.siteUrl).origin;
}

/**
 * The version that people meet now, and where.
 * @param {Rollout} rollout
 * @returns {Promise<{ before: string | null, address: string }>} before: null where there is nothing to go back to
 */
async function siteNow(rollout) {
  const version = await versionNow(rollout);
  const address = version === null ? null : await addressOf(rollout, version);
  return { before: address === null ? null : version, address: address ?? rollout.siteUrl };
}

/** @param {Rollout} rollout @param {[string, number][]} split */
const shift = (rollout, split) =>
  must(rollout, 'Shifting the traffic', [
    ...['versions', 'deploy', ...split.map(([version, percent]) => `${version}@${percent}%`)],
    ...['--yes', '--message', rollout.message, '--config', rollout.config],
  ]);

/** Files that a page of one version has and one of another has not. @param {string} page */
const filesOf = (page) => new Set(page.match(/\/_astro\/[\w.-]+\.(?:js|css)/g));

/** How one goes back, in the words that one types. @param {Rollout} rollout */
function wayBack({ config, toml, env }, before, bookmark) {
  const lines = [];
  if (before !== null)
    lines.push(`code:  npx wrangler rollback ${before} --yes --message "back" --config ${config}`);
  if (bookmark !== null)
    lines.push(
      `data:  npx wrangler d1 time-travel restore DB --bookmark=${bookmark} --config ${toml} --env ${env}   (everything written since is lost: only where the data itself is damaged)`,
    );
  return lines;
}

/** Why an upload failed, and what to do about what wrangler names by a number. @param {import('./wrangler.mjs').Said} said */
const uploadComplaintOf = (said) =>
  /\b10089\b/.test(said.err + said.out)
    ? `${complaintOf(said)}\nAnalytics Engine is opened once for an account, in the dashboard under Storage & databases. Without it: take [[env.….analytics_engine_datasets]] out of wrangler.toml, and page views are not counted.`
    : complaintOf(said);

/** By one deployment: the first one, and those that change the objects' classes. @param {Rollout} rollout @param {string} why */
async function deployAtOnce(rollout, why) {
  rollout.say(`deploying   at once: ${why}`);
  const { said, told } = await rollout.upload([
    ...['deploy', '--config', rollout.config, '--message', rollout.message],
  ]);
  if (said.code !== 0) throw new Trouble(`Deploying did not work: ${uploadComplaintOf(said)}`);
  return told.find(({ type }) => type === 'deploy')?.version_id ?? null;
}

/** @param {Rollout} rollout @param {string} fresh @param {string} before */
async function shiftGradually(rollout, fresh, before) {
  const { say, percent } = rollout;
  const goBack = async (wrong) => {
    await shift(rollout, [[before, 100]]);
    throw new Trouble(
      `The new version failed (${wrong}). Everybody is on ${before} again; ${fresh} stays uploaded.`,
    );
  };
  await shift(rollout, [
    [before, 100],
    [fresh, 0],
  ]);
  const alone = await smokePatiently(rollout, overrideOf(rollout, fresh), fresh);
  if (alone !== null) await goBack(alone);
  say('smoke       the new version answers, and nobody meets it yet');
  if (percent > 0) {
    const [pageNow, pageNew] = [
      await askSite(rollout, '/en', overrideOf(rollout, before)),
      await askSite(rollout, '/en', overrideOf(rollout, fresh)),
    ];
    const now = filesOf(pageNow.text);
    const ownFile = [...filesOf(pageNew.text)].find((file) => !now.has(file)) ?? null;
    await shift(rollout, [
      [before, 100 - percent],
      [fresh, percent],
    ]);
    say(`shifted     ${percent} % meet the new version`);
    const visitor = new Visitor(rollout, ownFile, percent);
    let waited = 0;
    // The share holds everywhere only after a while, and nothing tells when: each time it is asked again.
    while (!(await visitor.meetsBoth()) && waited < rollout.watchSeconds * 1000) {
      await rollout.wait(WATCH_PAUSE_MS);
      waited += WATCH_PAUSE_MS;
      const wrong = await smokePatiently(rollout, overrideOf(rollout, fresh), fresh, WATCH_FAILURES);
      if (wrong !== null) await goBack(wrong);
    }
    say(
      visitor.metBoth
        ? `watched     ${waited / 1000} s and no longer: a visitor meets both versions by turns, and their files do not mix. docs/operate.md, «Gradually», has the rule that keeps each with one`
        : `watched     ${rollout.watchSeconds} s`,
    );
  }
  await shift(rollout, [[fresh, 100]]);
  const wrong = await smokePatiently(rollout, {}, fresh);
  if (wrong !== null) await goBack(wrong);
  say('shifted     everybody meets the new version, and it answers');
}

/**
 * Brings a build out.
 * @param {Rollout} rollout
 * @returns {Promise<number>} the exit code
 */
export async function rollOut(rollout) {
  const { wrangler, say, toml, env, note } = rollout;
  const { before, address } = await siteNow(rollout);
  const moves = before !== null && address !== new URL(rollout.siteUrl).origin;
  if (moves) say(`domain      ${address} until everybody meets the new version, then ${rollout.siteUrl}`);
  const travel = await wrangler([
    'd1',
    'time-travel',
    'info',
    'DB',
    '--json',
    '--config',
    toml,
    '--env',
    env,
  ]);
  if (travel.code !== 0)
    throw new Trouble(
      `The database’s bookmark was not given, so nothing was changed: ${complaintOf(travel)}`,
    );
  const { bookmark } = jsonIn(travel.out);
  note({ env, at: new Date().toISOString(), before, bookmark, message: rollout.message });
  say(`way back    version ${before ?? 'none yet'}, database ${bookmark}`);

  await must(rollout, 'Migrating the database', [
    ...['d1', 'migrations', 'apply', 'DB', '--remote', '--config', toml, '--env', env],
  ]);
  say('migrations  applied; the version that answers goes on beside them');

  let fresh;
  if (before === null) fresh = await deployAtOnce(rollout, 'nothing is deployed yet');
  else if (rollout.atOnce) fresh = await deployAtOnce(rollout, 'as you said');
  else {
    const { said, told } = await rollout.upload([
      ...['versions', 'upload', '--config', rollout.config, '--message', rollout.message],
    ]);
    if (said.code !== 0 && /pending Durable Object migration/i.test(said.err + said.out))
      fresh = await deployAtOnce(rollout, 'a change of the objects’ classes cannot go gradually');
    else if (said.code !== 0) throw new Trouble(`Uploading did not work: ${uploadComplaintOf(said)}`);
    else {
      fresh = told.find(({ type }) => type === 'version-upload')?.version_id;
      if (fresh === undefined) throw new Trouble('Wrangler did not say which version it uploaded.');
      say(`uploaded    ${fresh}`);
      await shiftGradually({ ...rollout, siteUrl: address }, fresh, before);
      note({ env, at: new Date().toISOString(), version: fresh });
      // A version has code and settings; addresses and times are the Worker's own.
      const triggers = ['triggers', 'deploy', '--config', rollout.config];
      const set = await wrangler(triggers);
      if (set.code !== 0)
        throw new Trouble(
          `Everybody meets the new version, and setting addresses and times did not work: ${complaintOf(set)}\nMend that, then: npx wrangler ${triggers.join(' ')}`,
        );
      say('triggers    addresses and times are set');
      if (!moves) return done(rollout, before, bookmark);
    }
  }
  // A new domain has no record and no certificate at first.
  const tries = before === null || moves ? ARRIVAL_TRIES : SMOKE_TRIES;
  const wrong = await smokePatiently(rollout, {}, fresh, tries);
  note({ env, at: new Date().toISOString(), version: fresh, wrong });
  if (wrong !== null) {
    const back = wayBack(rollout, before, bookmark).join('\n');
    throw new Trouble(
      `It is deployed, and ${wrong} at ${rollout.siteUrl}. A new domain takes some minutes; look at npx wrangler tail ${rollout.name}.${back === '' ? '' : `\nBack:\n${back}`}`,
    );
  }
  say('smoke       the site answers');
  return done(rollout, before, bookmark);
}

function done(rollout, before, bookmark) {
  rollout.say(`\n${rollout.siteUrl} runs what is checked out. The way back, should it be wanted:`);
  for (const line of wayBack(rollout, before, bookmark)) rollout.say(`  ${line}`);
  return 0;
}

/** What would be done, in the words that one would type. @param {Pick<Rollout, 'config' | 'toml' | 'env' | 'percent' | 'siteUrl'>} rollout */
export function planOf({ config, toml, env, percent, siteUrl }) {
  const steps = [
    `CLOUDFLARE_ENV=${env} astro build`,
    `wrangler deployments status --json --config ${config}`,
    `wrangler versions view <before> --json --config ${config}`,
    `wrangler d1 time-travel info DB --json --config ${toml} --env ${env}`,
    `wrangler d1 migrations apply DB --remote --config ${toml} --env ${env}`,
    `wrangler versions upload --config ${config}   (the first time, and for new classes of objects: wrangler deploy)`,
    `wrangler versions deploy <before>@100% <new>@0% --yes --config ${config}`,
    `GET ${siteUrl}/api/health and two more, of the new version alone`,
  ];
  if (percent > 0)
    steps.push(
      `wrangler versions deploy <before>@${100 - percent}% <new>@${percent}% --yes --config ${config}`,
    );
  steps.push(
    `wrangler versions deploy <new>@100% --yes --config ${config}`,
    `wrangler triggers deploy --config ${config}`,
  );
  return steps;
}

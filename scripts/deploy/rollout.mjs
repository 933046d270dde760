// Deploys a build: it records how to go back, migrates the database, and gives the new version traffic only after it has
// passed its smoke test.
import { CliError } from '../lib/prepare.mjs';
import { ARRIVAL_TRIES, requestPage, SMOKE_TRIES, waitUntilHealthy, watchVisitor } from './smoke.mjs';
import { describeFailure, parseJson, requireWrangler } from './wrangler.mjs';

/**
 * @typedef {object} Rollout
 * @property {string} env
 * @property {string} name of the Worker
 * @property {string} siteUrl
 * @property {string} config the configuration of the build, which belongs to one environment
 * @property {string} toml the checkout's wrangler.toml
 * @property {number} percent share of visitors that get the new version first; 0 goes from none to all
 * @property {number} watchSeconds how long that share is watched
 * @property {boolean} atOnce whether to deploy without a gradual shift
 * @property {Record<string, string>} [access] headers that Zero Trust Access lets in
 * @property {string} message
 * @property {import('./wrangler.mjs').Wrangler} wrangler
 * @property {typeof import('./wrangler.mjs').runWranglerWithEvents} upload
 * @property {typeof fetch} fetch
 * @property {(ms: number) => Promise<void>} wait
 * @property {(text: string) => void} say
 * @property {(record: Record<string, unknown>) => void} record writes to the list of deployments
 */

const WATCH_PAUSE_MS = 10_000;
/** During the watch a single request may be lost. */
const WATCH_FAILURES = 3;

/**
 * Returns the headers of the Zero Trust Access service token in the shell; none if there is no token.
 * @param {Readonly<Record<string, string | undefined>>} shell
 * @returns {Record<string, string>}
 * @throws CliError if half of the token is missing
 */
export function readAccessHeaders({ CF_ACCESS_CLIENT_ID: id = '', CF_ACCESS_CLIENT_SECRET: secret = '' }) {
  if (id === '' && secret === '') return {};
  if (id === '' || secret === '')
    throw new CliError(
      `CF_ACCESS_CLIENT_${id === '' ? 'ID' : 'SECRET'} is missing: a service token is both, docs/deployment.md, «Staging and production».`,
    );
  return { 'cf-access-client-id': id, 'cf-access-client-secret': secret };
}

const overrideVersion = ({ name }, version) => ({
  'cloudflare-workers-version-overrides': `${name}="${version}"`,
});

/** @param {Rollout} rollout @returns {Promise<string | null>} the live version; null before the first deployment */
async function getLiveVersion({ wrangler, config }) {
  const result = await wrangler(['deployments', 'status', '--json', '--config', config]);
  if (result.code !== 0) {
    if (/no deployments|not found|does not exist|10007/i.test(result.err + result.out)) return null;
    throw new CliError(`Reading the deployed version failed: ${describeFailure(result)}`);
  }
  const { versions = [] } = parseJson(result.out);
  if (versions.length <= 1) return versions[0]?.version_id ?? null;
  const shares = versions.map(({ version_id, percentage }) => `${version_id} at ${percentage} %`);
  throw new CliError(
    `A gradual deployment is in progress (${shares.join(', ')}). End it first: npx wrangler versions deploy <version>@100% --yes --config ${config}`,
  );
}

/**
 * Finds the live version and its address: a site that moves stays at its old address until the end of the deployment.
 * @param {Rollout} rollout
 * @returns {Promise<{ before: string | null, address: string }>} before: null if there is nothing to go back to
 */
async function getLiveSite(rollout) {
  const { siteUrl, config } = rollout;
  const version = await getLiveVersion(rollout);
  if (version === null) return { before: null, address: siteUrl };
  const view = ['versions', 'view', version, '--json', '--config', config];
  const { out } = await requireWrangler(rollout.wrangler, 'Reading the site’s address', view);
  const site = (parseJson(out).resources.bindings ?? []).find(
    ({ type, name }) => type === 'plain_text' && name === 'SITE_URL',
  );
  // Wrangler makes an empty Worker if a secret is set before the first deployment.
  if (site === undefined) return { before: null, address: siteUrl };
  return { before: version, address: new URL(site.text || siteUrl).origin };
}

/** @param {Rollout} rollout @param {[string, number][]} shares */
const shiftTraffic = ({ wrangler, message, config }, shares) =>
  requireWrangler(wrangler, 'Shifting the traffic', [
    ...['versions', 'deploy', ...shares.map(([version, percent]) => `${version}@${percent}%`)],
    ...['--yes', '--message', message, '--config', config],
  ]);

/** The commands that go back. @param {Rollout} rollout */
function describeRollback({ config, toml, env }, before, bookmark) {
  const data = `data:  npx wrangler d1 time-travel restore DB --bookmark=${bookmark} --config ${toml} --env ${env}   (loses everything written since: only for damaged data)`;
  if (before === null) return data;
  return `code:  npx wrangler rollback ${before} --yes --message "back" --config ${config}\n  ${data}`;
}

function describeUploadFailure(result) {
  const failure = describeFailure(result);
  return /\b10089\b/.test(failure)
    ? `${failure}\nEnable Analytics Engine once for the account, in the dashboard under Storage & databases. To do without page views, remove [[env.….analytics_engine_datasets]] from wrangler.toml.`
    : failure;
}

/** @returns {Promise<string | null>} the new version, if wrangler named it */
async function deployAtOnce({ config, message, say, upload }, reason) {
  say(`deploying   at once: ${reason}`);
  const { result, events } = await upload(['deploy', '--config', config, '--message', message]);
  if (result.code !== 0) throw new CliError(`The deployment failed: ${describeUploadFailure(result)}`);
  return events.find(({ type }) => type === 'deploy')?.version_id ?? null;
}

/** Finds a file that only the new version has; null if there is none. */
async function findNewFile(rollout, fresh, before) {
  const [newFiles, oldFiles] = await Promise.all(
    [fresh, before].map(async (version) => {
      const { text } = await requestPage(rollout, '/en', overrideVersion(rollout, version));
      return new Set(text.match(/\/_astro\/[\w.-]+\.(?:js|css)/g));
    }),
  );
  return [...newFiles].find((file) => !oldFiles.has(file)) ?? null;
}

/** Gives a share of the visitors the new version, and watches it. @returns {Promise<string | null>} why it failed */
async function watchShare(rollout, fresh, before) {
  const { say, percent, watchSeconds, wait } = rollout;
  const visit = watchVisitor(rollout, await findNewFile(rollout, fresh, before), percent);
  await shiftTraffic(rollout, [
    [before, 100 - percent],
    [fresh, percent],
  ]);
  say(`shifted     ${percent} % get the new version`);
  let waited = 0;
  let alternates = await visit();
  while (!alternates && waited < watchSeconds * 1000) {
    await wait(WATCH_PAUSE_MS);
    waited += WATCH_PAUSE_MS;
    const error = await waitUntilHealthy(rollout, overrideVersion(rollout, fresh), fresh, WATCH_FAILURES);
    if (error !== null) return error;
    alternates = await visit();
  }
  say(
    alternates
      ? `watched     ${waited / 1000} s only: a visitor gets both versions in turn. docs/deployment.md, «Gradual rollout», has the rule that keeps each on one`
      : `watched     ${watchSeconds} s`,
  );
  return null;
}

/** @param {Rollout} rollout @param {string} fresh @param {string} before */
async function shiftGradually(rollout, fresh, before) {
  const { say, percent } = rollout;
  await shiftTraffic(rollout, [
    [before, 100],
    [fresh, 0],
  ]);
  let error = await waitUntilHealthy(rollout, overrideVersion(rollout, fresh), fresh);
  if (error === null) {
    say('smoke       the new version answers, without traffic so far');
    if (percent > 0) error = await watchShare(rollout, fresh, before);
  }
  if (error === null) {
    await shiftTraffic(rollout, [[fresh, 100]]);
    error = await waitUntilHealthy(rollout, {}, fresh);
  }
  if (error !== null) {
    await shiftTraffic(rollout, [[before, 100]]);
    throw new CliError(
      `The new version failed (${error}). All traffic is back on ${before}; ${fresh} remains uploaded.`,
    );
  }
  say('shifted     everybody gets the new version, and it answers');
}

/**
 * Deploys the new version, gradually if possible.
 * @returns {Promise<{ fresh: string | null, isDone: boolean }>} isDone: whether all visitors have it and it passed its smoke test
 */
async function deployVersion(rollout, before) {
  const { config, message, say, upload, wrangler, record, env } = rollout;
  if (before === null)
    return { fresh: await deployAtOnce(rollout, 'it is the first deployment'), isDone: false };
  if (rollout.atOnce) return { fresh: await deployAtOnce(rollout, '--at-once'), isDone: false };
  const { result, events } = await upload(['versions', 'upload', '--config', config, '--message', message]);
  if (result.code !== 0 && /pending Durable Object migration/i.test(result.err + result.out))
    return { fresh: await deployAtOnce(rollout, 'it changes the classes of objects'), isDone: false };
  if (result.code !== 0) throw new CliError(`The upload failed: ${describeUploadFailure(result)}`);
  const fresh = events.find(({ type }) => type === 'version-upload')?.version_id;
  if (fresh === undefined) throw new CliError('Wrangler did not name the version that it uploaded.');
  say(`uploaded    ${fresh}`);
  await shiftGradually(rollout, fresh, before);
  record({ env, at: new Date().toISOString(), version: fresh });
  // Routes and crons belong to the Worker, not to a version.
  const triggers = ['triggers', 'deploy', '--config', config];
  const set = await wrangler(triggers);
  if (set.code !== 0)
    throw new CliError(
      `The new version is live, but setting its routes and crons failed: ${describeFailure(set)}\nFix that, then run: npx wrangler ${triggers.join(' ')}`,
    );
  say('triggers    routes and crons are set');
  return { fresh, isDone: true };
}

/**
 * Deploys a build.
 * @param {Rollout} rollout
 * @returns {Promise<number>} the exit code
 */
export async function rollOut(rollout) {
  const { say, toml, env, record, siteUrl, message } = rollout;
  const { before, address } = await getLiveSite(rollout);
  const isMoving = before !== null && address !== new URL(siteUrl).origin;
  if (isMoving) say(`domain      ${address} until everybody gets the new version, then ${siteUrl}`);
  const place = ['--config', toml, '--env', env];
  const run = (action, ...args) => requireWrangler(rollout.wrangler, action, ['d1', ...args, ...place]);
  const reading = 'Nothing was changed: reading the database’s bookmark';
  const { bookmark } = parseJson((await run(reading, 'time-travel', 'info', 'DB', '--json')).out);
  record({ env, at: new Date().toISOString(), before, bookmark, message });
  say(`way back    version ${before ?? 'none yet'}, database ${bookmark}`);
  await run('Migrating the database', 'migrations', 'apply', 'DB', '--remote');
  say('migrations  applied; the live version keeps working with them');
  const { fresh, isDone } = await deployVersion({ ...rollout, siteUrl: address }, before);
  const rollback = describeRollback(rollout, before, bookmark);
  if (!isDone || isMoving) {
    // A new domain first needs its DNS record and certificate.
    const tries = before === null || isMoving ? ARRIVAL_TRIES : SMOKE_TRIES;
    const error = await waitUntilHealthy(rollout, {}, fresh, tries);
    record({ env, at: new Date().toISOString(), version: fresh, error });
    if (error !== null)
      throw new CliError(
        `It is deployed, but ${error} at ${siteUrl}. A new domain takes some minutes; see npx wrangler tail ${rollout.name}.\nTo go back:\n  ${rollback}`,
      );
    say('smoke       the site answers');
  }
  say(`\n${siteUrl} runs this checkout. To go back:\n  ${rollback}`);
  return 0;
}

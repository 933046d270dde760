// Brings a checkout from wherever it is to ready to serve: installed, built, migrated, seeded. Each
// step knows by a stamp whether its inputs changed. Plain JavaScript for Node 20.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT, run, toolEnvironment } from './process.mjs';

/** A failure that a person can act on: one sentence, no stack. */
export class Trouble extends Error {}

/** Every file below a folder of the checkout, by its path from there. */
export function filesBelow(path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) return [];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/** Files of the checkout, each with its name. */
export function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(ROOT, path)))
      .update('\0');
  return hash.digest('hex');
}

const readStamp = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : null);

function writeStamp(file, value) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, value);
}

async function step(name, command, args, options) {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new Trouble(`${name} failed:\n${output.trim().split('\n').slice(-25).join('\n')}`);
  return output;
}

/** Stops early, in one sentence, where the machine cannot do. */
export async function checkTools() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20) throw new Trouble(`Node 20 or newer is needed; this is ${process.version}.`);
  const { code } = await run('npm', ['--version'], { env: process.env });
  if (code !== 0) throw new Trouble('npm is needed and was not found on the PATH.');
}

/** Installs dependencies when the lock changed since the last time. */
export async function install(say) {
  const stamp = join(ROOT, 'node_modules', '.installed-lock');
  const wanted = hashOf(['package-lock.json']);
  if (readStamp(stamp) === wanted) return;
  say('Installing dependencies (once, a minute or so) …');
  await step('The installation', 'npm', ['ci', '--no-audit', '--no-fund'], { env: process.env });
  writeStamp(stamp, wanted);
}

/**
 * Builds into `outDir` when a source changed.
 * @param {{ deployed?: boolean }} how `deployed`: as it goes out, without the ways in that only this machine has
 */
export async function build(say, outDir, { deployed = false } = {}) {
  const stamp = join(ROOT, outDir, '.built-from');
  const inputs = ['src', 'public', 'migrations'].flatMap(filesBelow);
  const sources = hashOf([
    ...inputs,
    'astro.config.mjs',
    'wrangler.toml',
    'package-lock.json',
    'tsconfig.json',
  ]);
  const wanted = deployed ? `${sources} deployed` : sources;
  if (readStamp(stamp) === wanted) return;
  say('Building …');
  rmSync(join(ROOT, outDir), { recursive: true, force: true });
  await step('The build', 'astro', ['build'], {
    env: toolEnvironment({ LORELOOM_OUT_DIR: `./${outDir}`, LORELOOM_LOCAL_BUILD: deployed ? '' : '1' }),
  });
  writeStamp(stamp, wanted);
}

/** What a build was made from, as sources: built again of the same it is the same. Null where `build` did not make it. */
export const builtFrom = (outDir) => readStamp(join(ROOT, outDir, '.built-from'));

/** Where a build's own wrangler configuration is. */
export const builtConfig = (outDir) => join(ROOT, outDir, 'server', 'wrangler.json');

/** The files that define tables: those of the database and those of each kind of object. */
const listSchemaFiles = () => [
  ...filesBelow('migrations').filter((path) => path.endsWith('.sql')),
  'src/features/conversation/conversation-migrations.ts',
  'src/features/search/search-migrations.ts',
  'src/features/wallet/wallet-migrations.ts',
];

/**
 * Refuses local data that was stored in other tables than this checkout's. Until 0.2.0 migrations change in place
 * (docs/schema-changes.md), so such data cannot be migrated.
 * @throws Trouble that names `npm run reset`
 */
export function checkSchema(stateDir) {
  if (!existsSync(join(stateDir, '.prepared-with'))) return;
  if (readStamp(join(stateDir, '.schema')) === hashOf(listSchemaFiles())) return;
  throw new Trouble(
    'The local data is from another version of Loreloom, and its tables have changed since. `npm run reset` deletes it ' +
      '(the accounts, conversations and characters on this machine); then run `npm start` again.',
  );
}

/** Applies migrations to the local database, then the seed, each only when there is something new. */
export async function prepareState(say, { outDir, stateDir }) {
  const stamp = join(stateDir, '.prepared-with');
  const now = new Date();
  const files = hashOf([
    ...filesBelow('migrations'),
    ...filesBelow('scripts/seed').filter((path) => /\.(?:json|webp)$/.test(path)),
    'scripts/seed.mjs',
    // By what rules words are found: with others, those of every character are made anew.
    'src/features/character/discovery/search.ts',
    'src/features/character/discovery/word-forms.ts',
    'src/features/search/search-words.ts',
  ]);
  // Each quarter of a year is a season of the competition here.
  const wanted = `${files} ${now.getUTCFullYear()}-${Math.floor(now.getUTCMonth() / 3)}`;
  if (readStamp(stamp) === wanted) return;
  checkSchema(stateDir);
  say('Preparing the local database and catalogue …');
  await step(
    'Migrating the local database',
    'wrangler',
    [
      ...['d1', 'migrations', 'apply', 'DB', '--local', '--persist-to', stateDir],
      ...['--config', builtConfig(outDir)],
    ],
    { env: toolEnvironment({ CI: '1' }) },
  );
  await step('Seeding the catalogue', 'node', [
    join(ROOT, 'scripts', 'seed.mjs'),
    builtConfig(outDir),
    stateDir,
  ]);
  writeStamp(join(stateDir, '.schema'), hashOf(listSchemaFiles()));
  writeStamp(stamp, wanted);
}

/** The secret that login codes are hashed with: made once for each local state, kept out of git. */
export function localSecret(stateDir) {
  const file = join(stateDir, 'auth-secret');
  const known = readStamp(file);
  if (known !== null) return known;
  const secret = randomBytes(32).toString('hex');
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(file, secret, { mode: 0o600 });
  return secret;
}

/** Writes the variables that a local Worker is started with to a file that only its owner reads. */
export function writeEnvironmentFile(file, variables) {
  mkdirSync(dirname(file), { recursive: true });
  const lines = Object.entries(variables)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${JSON.stringify(String(value))}`);
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
}

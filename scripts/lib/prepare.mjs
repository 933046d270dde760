// Prepares a checkout: installs, builds, migrates, seeds. Each step compares its inputs with a stamp file and runs only if
// they changed. Plain JavaScript for Node 20.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ROOT, run, toolEnvironment } from './process.mjs';

/** An error that the user can act on: commands print its message without a stack. */
export class CliError extends Error {}

/** Lists every file below a folder of the checkout, relative to the checkout. */
export function listFiles(path) {
  const full = join(ROOT, path);
  if (!existsSync(full)) return [];
  return readdirSync(full, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/** Hashes the names and contents of files of the checkout. */
export function hashFiles(paths) {
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
  if (code !== 0) throw new CliError(`${name} failed:\n${output.trim().split('\n').slice(-25).join('\n')}`);
  return output;
}

/** Stops if Node is too old or npm is missing. */
export async function checkTools() {
  const [major] = process.versions.node.split('.').map(Number);
  if (major < 20) throw new CliError(`Node 20 or newer is needed; this is ${process.version}.`);
  const { code } = await run('npm', ['--version'], { env: process.env });
  if (code !== 0) throw new CliError('npm is needed and was not found on the PATH.');
}

/** Installs dependencies when the lock changed since the last time. */
export async function install(say) {
  const stamp = join(ROOT, 'node_modules', '.installed-lock');
  const wanted = hashFiles(['package-lock.json']);
  if (readStamp(stamp) === wanted) return;
  say('Installing dependencies (once, a minute or so) …');
  await step('The installation', 'npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], {
    env: process.env,
  });
  writeStamp(stamp, wanted);
}

/**
 * Builds into `outDir` when a source changed.
 * @param {{ deployed?: boolean }} options `deployed`: without the test sign-in of local builds
 */
export async function build(say, outDir, { deployed = false } = {}) {
  const stamp = join(ROOT, outDir, '.built-from');
  const inputs = ['src', 'public', 'migrations'].flatMap(listFiles);
  const sources = hashFiles([
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

/** The wrangler configuration of a build. */
export const builtConfig = (outDir) => join(ROOT, outDir, 'server', 'wrangler.json');

/** The files that define tables: those of the database and those of each kind of object. */
const listSchemaFiles = () => [
  ...listFiles('migrations').filter((path) => path.endsWith('.sql')),
  'src/features/conversation/conversation-migrations.ts',
  'src/features/search/search-migrations.ts',
  'src/features/wallet/wallet-migrations.ts',
];

/**
 * Refuses local data that was stored in other tables than this checkout's. Until 0.2.0 migrations change in place
 * (docs/migrations.md), so such data cannot be migrated.
 * @throws CliError that names `npm run reset`
 */
export function checkSchema(stateDir) {
  if (!existsSync(join(stateDir, '.prepared-with'))) return;
  if (readStamp(join(stateDir, '.schema')) === hashFiles(listSchemaFiles())) return;
  throw new CliError(
    'The local data is from another version of Loreloom, and its tables have changed since. `npm run reset` deletes it ' +
      '(the accounts, conversations and characters on this machine); then run `npm start` again.',
  );
}

/** Migrates the local database and seeds it, if the inputs changed. */
export async function prepareState(say, { outDir, stateDir }) {
  const stamp = join(stateDir, '.prepared-with');
  const now = new Date();
  const files = hashFiles([
    ...listFiles('migrations'),
    ...listFiles('scripts/seed').filter((path) => /\.(?:json|webp)$/.test(path)),
    'scripts/seed.mjs',
    // The rules that extract words: when they change, the words of every character are extracted again.
    'src/features/character/discovery/search.ts',
    'src/features/character/discovery/word-forms.ts',
    'src/features/search/search-words.ts',
  ]);
  // Locally, each quarter of a year is a season of the competition.
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
  writeStamp(join(stateDir, '.schema'), hashFiles(listSchemaFiles()));
  writeStamp(stamp, wanted);
}

/** Returns the secret that hashes login codes. It is generated once for each local state. */
export function localSecret(stateDir) {
  const file = join(stateDir, 'auth-secret');
  const known = readStamp(file);
  if (known !== null) return known;
  const secret = randomBytes(32).toString('hex');
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(file, secret, { mode: 0o600 });
  return secret;
}

/** Writes the variables of a local Worker to a file that only its owner can read. */
export function writeEnvironmentFile(file, variables) {
  mkdirSync(dirname(file), { recursive: true });
  const lines = Object.entries(variables)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${name}=${JSON.stringify(String(value))}`);
  writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
}

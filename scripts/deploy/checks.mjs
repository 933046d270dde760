// What `npm run deploy:check` looks at: whether this checkout would go out, without asking anybody outside this machine.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT, run, toolEnvironment } from '../lib/process.mjs';
import { tryMigrations } from './migrations.mjs';
import { leftoverNote, placeholdersOf, secretsOf, wrongVariables } from './settings.mjs';
import { valuesIn } from './toml.mjs';
import { complaintOf } from './wrangler.mjs';

const MIB = 1024 * 1024;
/** What the platform takes, packed; https://developers.cloudflare.com/workers/platform/limits/ */
const SIZE_LIMITS = { paid: 10 * MIB, free: 3 * MIB };

/** @typedef {{ name: string, ok: boolean, text: string, fix?: string, note?: string }} Line a note keeps nothing from going out */

/** The last that a program said, where nobody can read all of it. @param {string} output */
const lastOf = (output) => stripVTControlCharacters(output).trim().split('\n').slice(-12).join('\n');

/** Where the first errors are; a check says as much of what is only advice. @param {string} output */
function typeErrorsOf(output) {
  const lines = stripVTControlCharacters(output).split('\n');
  const errors = lines.filter((line) => / - error |^error/.test(line));
  return errors.length === 0
    ? lastOf(output)
    : [`${errors.length} errors`, ...errors.slice(0, 5).map((line) => line.slice(0, 160))].join(
        '\n             ',
      );
}

/** @param {string} toml @param {string} env @returns {Line[]} */
export function lookAtSettings(toml, env) {
  const placeholders = placeholdersOf(toml, env);
  const wrong = wrongVariables(toml, env);
  const { needed, useful } = secretsOf(toml, env);
  const count = Object.values(valuesIn(toml, `env.${env}.vars`)).filter((value) => value !== '').length;
  return [
    placeholders.length === 0
      ? { name: 'ids', ok: true, text: 'every store has one' }
      : {
          name: 'ids',
          ok: false,
          text: `not made yet: ${placeholders.join(', ')}`,
          fix: `npm run setup:cloudflare -- --env ${env}`,
        },
    wrong.length === 0
      ? { name: 'variables', ok: true, text: `${count} set, all of them right` }
      : { name: 'variables', ok: false, text: wrong.join('\n             ') },
    {
      name: 'secrets',
      ok: true,
      text: `needed: ${needed.join(', ')}${useful.length === 0 ? '' : `; of use: ${useful.join(', ')}`} (--online looks whether they are there)`,
    },
  ];
}

/** Whether the secrets that are needed are at the platform; those that nothing needs are noted. @returns {Promise<Line>} */
export async function lookAtSecrets(toml, env, wrangler) {
  const { needed } = secretsOf(toml, env);
  const said = await wrangler(['secret', 'list', '--format', 'json', '--env', env]);
  const there =
    said.code === 0 ? JSON.parse(said.out.slice(said.out.indexOf('['))).map(({ name }) => name) : [];
  if (said.code !== 0 && !/not found/i.test(said.err + said.out))
    return { name: 'secrets', ok: false, text: `not to be seen: ${complaintOf(said)}` };
  const missing = needed.filter((name) => !there.includes(name));
  const left = leftoverNote(toml, env, there);
  const noted = left === null ? {} : { note: left };
  return missing.length === 0
    ? { name: 'secrets', ok: true, text: `there: ${there.join(', ')}`, ...noted }
    : {
        ...{ name: 'secrets', ok: false, text: `missing: ${missing.join(', ')}` },
        ...{ fix: `npm run setup:cloudflare -- --env ${env}`, ...noted },
      };
}

/** @returns {Promise<Line>} */
export async function lookAtTypes() {
  const { code, output } = await run('astro', ['check', '--minimumFailingSeverity', 'error']);
  return code === 0
    ? { name: 'types', ok: true, text: 'astro check finds nothing' }
    : { name: 'types', ok: false, text: typeErrorsOf(output), fix: 'npm run check' };
}

/**
 * Builds for an environment, without what local builds have.
 * @param {string} env
 * @param {string} outDir
 * @returns {Promise<Line>}
 */
export async function buildFor(env, outDir) {
  const started = Date.now();
  const { LORELOOM_LOCAL_BUILD: _, ...environment } = toolEnvironment({
    CLOUDFLARE_ENV: env,
    LORELOOM_OUT_DIR: `./${outDir}`,
  });
  const { code, output } = await run('astro', ['build'], { env: environment });
  if (code !== 0) return { name: 'build', ok: false, text: lastOf(output), fix: 'npm run check' };
  const server = join(ROOT, outDir, 'server');
  const built = JSON.parse(readFileSync(join(server, 'wrangler.json'), 'utf8'));
  if (built.targetEnvironment !== env)
    return { name: 'build', ok: false, text: `it was built for ${built.name}, not for ${env}` };
  const entry = readFileSync(join(server, 'entry.mjs'), 'utf8');
  const exported = [...entry.matchAll(/export\s*\{([^}]*)\}/g)].map(([, names]) => names).join();
  const lost = built.durable_objects.bindings
    .map(({ class_name }) => class_name)
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(exported));
  if (lost.length > 0) return { name: 'build', ok: false, text: `it does not export ${lost.join(', ')}` };
  // The page and the route, each as the builder writes it.
  const door = /["'`]\/test-login["'`]|route\(["'`]\/auth\/test-login["'`]/;
  const modules = readdirSync(server, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.mjs'),
  );
  if (modules.some((file) => door.test(readFileSync(join(server, file), 'utf8'))))
    return { name: 'build', ok: false, text: 'it has the test login of local builds' };
  return { name: 'build', ok: true, text: `for ${env} in ${((Date.now() - started) / 1000).toFixed(0)} s` };
}

/** Kibibytes or mebibytes as wrangler prints them. @param {string} text @param {string} unit */
const bytesOf = (text, unit) => Number(text) * (unit === 'MiB' ? MIB : 1024);

/**
 * Has wrangler put together what it would send.
 * @param {{ outDir: string, toml: string, wrangler: import('./wrangler.mjs').Wrangler }} built
 * @returns {Promise<Line[]>}
 */
export async function tryDeployment({ outDir, wrangler }) {
  const config = join(ROOT, outDir, 'server', 'wrangler.json');
  const said = await wrangler(['deploy', '--dry-run', '--config', config]);
  if (said.code !== 0) return [{ name: 'dry run', ok: false, text: complaintOf(said) }];
  const [, size, sizeUnit, packed, packedUnit] =
    /Total Upload: ([\d.]+) (KiB|MiB) \/ gzip: ([\d.]+) (KiB|MiB)/.exec(said.out) ?? [];
  const bindings = [...said.out.matchAll(/^\s*env\.([A-Z0-9_]+)/gm)].map(([, name]) => name);
  const { d1_databases, kv_namespaces, r2_buckets, durable_objects, send_email, ratelimits } = JSON.parse(
    readFileSync(config, 'utf8'),
  );
  const wanted = [
    ...[...d1_databases, ...kv_namespaces, ...r2_buckets].map(({ binding }) => binding),
    ...[...durable_objects.bindings, ...send_email, ...ratelimits].map(({ name }) => name),
  ];
  const lost = [
    'DB',
    'KV',
    'MEDIA',
    'CONVERSATIONS',
    'WALLETS',
    'SEARCHES',
    'EMAIL',
    'AUTH_LIMIT',
    'LIMIT_40',
    'LIMIT_120',
    'LIMIT_600',
    'LIMIT_3000',
    'VERSION',
    ...wanted,
  ].filter((name) => !bindings.includes(name));
  const gzip = packed === undefined ? Number.NaN : bytesOf(packed, packedUnit);
  const fits = gzip <= SIZE_LIMITS.paid;
  const mib = (bytes) => (bytes / MIB).toFixed(2);
  return [
    lost.length === 0
      ? {
          name: 'dry run',
          ok: true,
          text: `wrangler takes it, with ${bindings.length} bindings and variables`,
        }
      : { name: 'dry run', ok: false, text: `it has no ${[...new Set(lost)].join(', ')}` },
    {
      name: 'size',
      ok: fits,
      text: Number.isNaN(gzip)
        ? 'wrangler did not say how large it is'
        : `${mib(gzip)} MiB packed (${mib(bytesOf(size, sizeUnit))} MiB), of ${mib(SIZE_LIMITS.paid)} on the paid plan${gzip <= SIZE_LIMITS.free ? ` and ${mib(SIZE_LIMITS.free)} on the free one` : '; too large for the free one'}`,
    },
  ];
}

/** @param {string | undefined} copy @returns {Line} */
export function lookAtMigrations(copy) {
  if (copy !== undefined && !existsSync(copy))
    return { name: 'migrations', ok: false, text: `there is no ${copy}` };
  return { name: 'migrations', ...tryMigrations(copy) };
}

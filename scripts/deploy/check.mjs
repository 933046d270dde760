// `npm run deploy:check [-- --env staging|production]`: checks on this machine that this checkout can be deployed. It prints a
// line for each check and exits with 1 if one fails. docs/deployment.md
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT, run, toolEnvironment } from '../lib/process.mjs';
import { readArguments, readToml, runCommand, WRANGLER_TOML } from './command.mjs';
import { tryMigrations } from './migrations.mjs';
import {
  describeUnusedSecrets,
  findWrongVariables,
  listPlaceholders,
  listSecrets,
  readVars,
} from './settings.mjs';
import { describeFailure, parseJson, runWrangler } from './wrangler.mjs';

const USAGE = `usage: npm run deploy:check [-- --env staging|production] [--copy FILE] [--online]
Without --env it skips the settings. --copy: a backup to try the migrations on. --online: whether the secrets exist.`;
const MIB = 1024 * 1024;
/** Compressed size that the platform accepts: https://developers.cloudflare.com/workers/platform/limits/ */
const SIZE_LIMITS = { paid: 10 * MIB, free: 3 * MIB };
/** Bindings that the code needs, in case the environment and its configuration both lack one. */
const BINDINGS = [
  ...['DB', 'KV', 'MEDIA', 'CONVERSATIONS', 'WALLETS', 'SEARCHES', 'EMAIL', 'VERSION'],
  ...['AUTH_LIMIT', 'LIMIT_40', 'LIMIT_120', 'LIMIT_600', 'LIMIT_3000', 'LIMIT_15000'],
];

/** @typedef {{ name: string, ok: boolean, text: string, fix?: string, note?: string }} Check */

const fail = (name, text, fix) => ({ name, ok: false, text, ...(fix === undefined ? {} : { fix }) });
const pass = (name, text) => ({ name, ok: true, text });

/** The folder of an environment's build, relative to the checkout. @param {string} env */
const getOutDir = (env) => join('.wrangler', 'deploy-check', env);
/** The wrangler configuration of that build. @param {string} env */
export const getBuiltConfig = (env) => join(ROOT, getOutDir(env), 'server', 'wrangler.json');

/** Checks ids and variables. @param {string} toml @param {string} env @returns {Check[]} */
export function checkSettings(toml, env) {
  const placeholders = listPlaceholders(toml, env);
  const wrong = findWrongVariables(toml, env);
  const count = Object.values(readVars(toml, env)).filter((value) => value !== '').length;
  return [
    placeholders.length === 0
      ? pass('ids', 'every store has one')
      : fail('ids', `missing: ${placeholders.join(', ')}`, `npm run setup:cloudflare -- --env ${env}`),
    wrong.length === 0
      ? pass('variables', `${count} set, all valid`)
      : fail('variables', wrong.join('\n             ')),
  ];
}

/** Lists the secrets to set. @param {string} toml @param {string} env @returns {Check} */
export function showSecrets(toml, env) {
  const { required, optional } = listSecrets(toml, env);
  const others = optional.length === 0 ? '' : `; optional: ${optional.join(', ')}`;
  return pass('secrets', `needed: ${required.join(', ')}${others} (--online checks whether they exist)`);
}

/**
 * Checks that the required secrets exist at the platform.
 * @param {string} toml @param {string} env @param {import('./wrangler.mjs').Wrangler} wrangler
 * @returns {Promise<Check>} with a note on those that are unused
 */
export async function checkSecrets(toml, env, wrangler) {
  const result = await wrangler(['secret', 'list', '--format', 'json', '--env', env]);
  if (result.code !== 0 && !/not found/i.test(result.err + result.out))
    return fail('secrets', `cannot be listed: ${describeFailure(result)}`);
  const stored = result.code === 0 ? parseJson(result.out).map(({ name }) => name) : [];
  const missing = listSecrets(toml, env).required.filter((name) => !stored.includes(name));
  const unused = describeUnusedSecrets(toml, env, stored);
  return {
    ...(missing.length === 0
      ? pass('secrets', `set: ${stored.join(', ')}`)
      : fail('secrets', `missing: ${missing.join(', ')}`, `npm run setup:cloudflare -- --env ${env}`)),
    ...(unused === null ? {} : { note: unused }),
  };
}

/** The end of a program's output. @param {string} output */
const lastLines = (output) => stripVTControlCharacters(output).trim().split('\n').slice(-12).join('\n');

async function checkTypes() {
  const only = ['--minimumSeverity', 'error', '--minimumFailingSeverity', 'error'];
  const { code, output } = await run('astro', ['check', ...only]);
  if (code === 0) return pass('types', 'astro check finds no errors');
  return fail('types', lastLines(output), 'npm run check');
}

/** Builds for an environment, without the parts of local builds. @param {string} env @returns {Promise<Check>} */
export async function buildFor(env) {
  const started = Date.now();
  const { LORELOOM_LOCAL_BUILD: _, ...environment } = toolEnvironment({
    CLOUDFLARE_ENV: env,
    LORELOOM_OUT_DIR: `./${getOutDir(env)}`,
  });
  const { code, output } = await run('astro', ['build'], { env: environment });
  if (code !== 0) return fail('build', lastLines(output), 'npm run check');
  const server = join(ROOT, getOutDir(env), 'server');
  const built = JSON.parse(readFileSync(getBuiltConfig(env), 'utf8'));
  if (built.targetEnvironment !== env) return fail('build', `it is for ${built.name}, not for ${env}`);
  const entry = readFileSync(join(server, 'entry.mjs'), 'utf8');
  const exported = [...entry.matchAll(/export\s*\{([^}]*)\}/g)].map(([, names]) => names).join();
  const missing = built.durable_objects.bindings
    .map(({ class_name }) => class_name)
    .filter((name) => !new RegExp(`\\b${name}\\b`).test(exported));
  if (missing.length > 0) return fail('build', `it does not export ${missing.join(', ')}`);
  // The page and the API route of the test sign-in, as the bundler writes them.
  const testLogin = /["'`]\/test-login["'`]|route\(["'`]\/auth\/test-login["'`]/;
  const modules = readdirSync(server, { recursive: true, encoding: 'utf8' });
  const hasTestLogin = (file) =>
    file.endsWith('.mjs') && testLogin.test(readFileSync(join(server, file), 'utf8'));
  if (modules.some(hasTestLogin)) return fail('build', 'it contains the test sign-in of local builds');
  return pass('build', `for ${env} in ${((Date.now() - started) / 1000).toFixed(0)} s`);
}

/** Bundles as a deployment does, and checks bindings and size. @param {string} env @returns {Promise<Check[]>} */
async function checkBundle(env) {
  const config = getBuiltConfig(env);
  const result = await runWrangler(['deploy', '--dry-run', '--config', config]);
  if (result.code !== 0) return [fail('dry run', describeFailure(result))];
  const built = JSON.parse(readFileSync(config, 'utf8'));
  const stores = [...built.d1_databases, ...built.kv_namespaces, ...built.r2_buckets];
  const named = [...built.durable_objects.bindings, ...built.send_email, ...built.ratelimits];
  const bound = [...result.out.matchAll(/^\s*env\.([A-Z0-9_]+)/gm)].map(([, name]) => name);
  const needed = [...BINDINGS, ...stores.map(({ binding }) => binding), ...named.map(({ name }) => name)];
  const missing = [...new Set(needed)].filter((name) => !bound.includes(name));
  const [, size, unit] = /gzip: ([\d.]+) (KiB|MiB)/.exec(result.out) ?? [];
  const bytes = Number(size) * (unit === 'MiB' ? MIB : 1024);
  const mib = (count) => `${(count / MIB).toFixed(2)} MiB`;
  const limits = `${mib(SIZE_LIMITS.paid)}, or ${mib(SIZE_LIMITS.free)} on the free plan`;
  return [
    missing.length === 0
      ? pass('dry run', `wrangler accepts it, with ${bound.length} bindings and variables`)
      : fail('dry run', `bindings are missing: ${missing.join(', ')}`),
    Number.isNaN(bytes)
      ? fail('size', 'wrangler did not print it')
      : {
          ...pass('size', `${mib(bytes)} compressed; the limit is ${limits}`),
          ok: bytes <= SIZE_LIMITS.paid,
        },
  ];
}

/** Prints a check. @param {Check} check @returns {boolean} whether it passed */
function print({ name, ok, text, fix, note }) {
  console.log(`${ok ? '✓' : '✗'} ${name.padEnd(11)}${text}`);
  if (fix !== undefined) console.log(`             → ${fix}`);
  if (note !== undefined) console.log(`             note: ${note.replaceAll('\n', '\n           ')}`);
  return ok;
}

if (import.meta.main)
  await runCommand(async () => {
    const options = readArguments(process.argv.slice(2), {
      usage: USAGE,
      options: { copy: { type: 'string' }, online: { type: 'boolean' } },
      needsEnvironment: false,
    });
    const toml = readToml();
    const { env = 'production' } = options;
    const results = [];
    if (options.env === undefined) console.log('  settings   skipped: name an environment with --env');
    else {
      results.push(...checkSettings(toml, env).map(print));
      const wrangler = (args, more) => runWrangler(['--config', WRANGLER_TOML, ...args], more);
      const isOnline = options.online === true;
      results.push(print(isOnline ? await checkSecrets(toml, env, wrangler) : showSecrets(toml, env)));
    }
    results.push(print({ name: 'migrations', ...(await tryMigrations(options.copy)) }));
    results.push(print(await checkTypes()));
    const isBuilt = print(await buildFor(env));
    results.push(isBuilt, ...(isBuilt ? (await checkBundle(env)).map(print) : []));
    const failed = results.filter((ok) => !ok).length;
    console.log(
      failed === 0
        ? '\nIt can be deployed. npm run test:security -- --audit asks the registry for known holes in the dependencies.'
        : `\nIt cannot be deployed: ${failed} of these checks failed.`,
    );
    return failed === 0 ? 0 : 1;
  });

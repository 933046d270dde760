// `npm run deploy -- --env staging|production`: deploys this checkout. docs/deployment.md
import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../lib/prepare.mjs';
import { pause, ROOT } from '../lib/process.mjs';
import { buildFor, checkSecrets, checkSettings, getBuiltConfig } from './check.mjs';
import { readArguments, readToml, runCommand, WRANGLER_TOML } from './command.mjs';
import { readAccessHeaders, rollOut } from './rollout.mjs';
import { readVars } from './settings.mjs';
import { runWrangler, runWranglerWithEvents } from './wrangler.mjs';
import { readTable } from './wrangler-toml.mjs';

const USAGE = `usage: npm run deploy -- --env staging|production [--percent 10] [--watch 60] [--at-once]
--percent: share of visitors that get the new version first; --watch: seconds for which it is watched; --at-once: without that.`;
const RECORD = join(ROOT, '.wrangler', 'deployments.ndjson');

function parseNumber(text, name, max) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > max)
    throw new CliError(`--${name} needs a whole number from 0 to ${max}.\n${USAGE}`);
  return value;
}

await runCommand(async () => {
  const { env, ...options } = readArguments(process.argv.slice(2), {
    usage: USAGE,
    options: {
      percent: { type: 'string', default: '10' },
      watch: { type: 'string', default: '60' },
      'at-once': { type: 'boolean', default: false },
    },
  });
  const toml = readToml();
  const git = spawnSync('git', ['describe', '--always', '--dirty', '--match', ''], { cwd: ROOT });
  const rollout = {
    ...{ env, toml: WRANGLER_TOML, config: getBuiltConfig(env), atOnce: options['at-once'] },
    siteUrl: (readVars(toml, env).SITE_URL ?? '').replace(/\/+$/, ''),
    name: readTable(toml, `env.${env}`).name,
    access: readAccessHeaders(process.env),
    percent: parseNumber(options.percent, 'percent', 99),
    watchSeconds: parseNumber(options.watch, 'watch', 3600),
    message: git.stdout?.toString().trim() || 'no commit',
  };
  const checks = checkSettings(toml, env);
  if (checks.every(({ ok }) => ok))
    checks.push(await checkSecrets(toml, env, (args) => runWrangler(['--config', WRANGLER_TOML, ...args])));
  const failed = checks.filter(({ ok }) => !ok);
  if (failed.length > 0)
    throw new CliError(
      `Nothing was changed:\n${failed.map(({ name, text, fix = '' }) => `${name}: ${text}${fix && `\n→ ${fix}`}`).join('\n')}`,
    );
  console.log('building …');
  const built = await buildFor(env);
  if (!built.ok) throw new CliError(`The build failed, and nothing was changed:\n${built.text}`);
  mkdirSync(dirname(RECORD), { recursive: true });
  const code = await rollOut({
    ...{ ...rollout, wrangler: runWrangler, upload: runWranglerWithEvents, fetch, wait: pause },
    say: (line) => console.log(line),
    record: (line) => appendFileSync(RECORD, `${JSON.stringify(line)}\n`),
  });
  // The previous version may need unused secrets, so they are listed after the deployment.
  for (const { name, note } of checks) if (note !== undefined) console.log(`\n${name.padEnd(12)}${note}`);
  return code;
});

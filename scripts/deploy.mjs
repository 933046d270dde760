// `npm run deploy -- --env staging|production`: brings out what is checked out, migrations before code and with a way back.
// docs/operate.md
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, readArguments } from './deploy/arguments.mjs';
import { buildFor, lookAtSecrets, lookAtSettings } from './deploy/checks.mjs';
import { accessHeaders, planOf, rollOut } from './deploy/rollout.mjs';
import { valueIn } from './deploy/toml.mjs';
import { runWrangler, runWranglerForPrograms } from './deploy/wrangler.mjs';
import { Trouble } from './lib/prepare.mjs';
import { pause, ROOT } from './lib/process.mjs';

const USAGE = `usage: npm run deploy -- --env staging|production [--percent 10] [--watch 60] [--at-once] [--dry-run]
--percent: how many meet the new version first, 0 for nobody; --watch: for how many seconds; --at-once: by one step.`;

/** A number from a word. */
function numberOf(text, name, most) {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > most)
    throw new Trouble(`--${name} wants a whole number from 0 to ${most}.\n${USAGE}`);
  return value;
}

/** What is checked out, in a word. */
function checkedOut() {
  const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' with changes'}`;
  } catch {
    return 'no commit';
  }
}

await command(async () => {
  const options = readArguments(process.argv.slice(2), {
    usage: USAGE,
    options: {
      percent: { type: 'string', default: '10' },
      watch: { type: 'string', default: '60' },
      'at-once': { type: 'boolean', default: false },
      'dry-run': { type: 'boolean', default: false },
    },
  });
  const { env } = options;
  const toml = process.env.LORELOOM_WRANGLER_TOML ?? join(ROOT, 'wrangler.toml');
  const text = readFileSync(toml, 'utf8');
  const say = (line) => console.log(line);
  const siteUrl = (valueIn(text, `env.${env}.vars`, 'SITE_URL') ?? '').replace(/\/+$/, '');
  const outDir = join('.wrangler', 'deploy-check', env);
  const rollout = {
    ...{ env, siteUrl, toml, config: join(ROOT, outDir, 'server', 'wrangler.json') },
    name: valueIn(text, `env.${env}`, 'name'),
    access: accessHeaders(process.env),
    percent: numberOf(options.percent, 'percent', 99),
    watchSeconds: numberOf(options.watch, 'watch', 3600),
    atOnce: options['at-once'],
    message: checkedOut(),
  };
  if (options['dry-run']) {
    for (const step of planOf({ ...rollout, siteUrl: siteUrl || '<SITE_URL>' })) say(step);
    return 0;
  }
  const looks = lookAtSettings(text, env).filter(({ name }) => name !== 'secrets');
  if (looks.every(({ ok }) => ok))
    looks.push(
      await lookAtSecrets(text, env, (args, more) => runWrangler(['--config', toml, ...args], more)),
    );
  const wrong = looks.filter(({ ok }) => !ok);
  if (wrong.length > 0)
    throw new Trouble(
      `Nothing was changed:\n${wrong.map(({ name, text: told, fix }) => `${name}: ${told}${fix === undefined ? '' : `\n→ ${fix}`}`).join('\n')}`,
    );
  const notes = looks.flatMap(({ name, note }) => (note === undefined ? [] : [`${name.padEnd(12)}${note}`]));
  say('building …');
  const built = await buildFor(env, outDir);
  if (!built.ok) throw new Trouble(`The build failed, and nothing was changed:\n${built.text}`);
  const record = join(ROOT, '.wrangler', 'deployments.ndjson');
  mkdirSync(join(ROOT, '.wrangler'), { recursive: true });
  const code = await rollOut({
    ...rollout,
    ...{ wrangler: runWrangler, upload: runWranglerForPrograms, ask: fetch, wait: pause, say },
    note: (line) => appendFileSync(record, `${JSON.stringify(line)}\n`),
  });
  // What is left over is told at the end: it may go once the version that needed it has gone.
  for (const note of notes) say(`\n${note}`);
  return code;
});

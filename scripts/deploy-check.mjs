// `npm run deploy:check [-- --env staging|production]`: proves on this machine that what is checked out would go out. One
// line for each look; it ends with 1 where one of them fails. docs/operate.md
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, readArguments } from './deploy/arguments.mjs';
import {
  buildFor,
  lookAtMigrations,
  lookAtSecrets,
  lookAtSettings,
  lookAtTypes,
  tryDeployment,
} from './deploy/checks.mjs';
import { runWrangler } from './deploy/wrangler.mjs';
import { ROOT } from './lib/process.mjs';

const USAGE = `usage: npm run deploy:check [-- --env staging|production] [--copy FILE] [--online]
Without --env: whether the code would go out, whatever is set. --copy: a database or its export, to try migrations on.`;

await command(async () => {
  const options = readArguments(process.argv.slice(2), {
    usage: USAGE,
    options: { copy: { type: 'string' }, online: { type: 'boolean' } },
    needsEnvironment: false,
  });
  const file = process.env.LORELOOM_WRANGLER_TOML ?? join(ROOT, 'wrangler.toml');
  const toml = readFileSync(file, 'utf8');
  const env = options.env ?? 'production';
  const outDir = join('.wrangler', 'deploy-check', env);
  let failed = 0;
  /** @param {import('./deploy/checks.mjs').Line} line */
  const tell = ({ name, ok, text, fix, note }) => {
    if (!ok) failed += 1;
    console.log(
      `${ok ? '✓' : '✗'} ${name.padEnd(11)}${text}${fix === undefined ? '' : `\n             → ${fix}`}${note === undefined ? '' : `\n             note: ${note}`}`,
    );
    return ok;
  };
  if (options.env === undefined)
    console.log('  settings   not looked at: --env staging or --env production says whose');
  else {
    for (const line of lookAtSettings(toml, env)) {
      if (line.name === 'secrets' && options.online === true)
        tell(await lookAtSecrets(toml, env, (args, more) => runWrangler(['--config', file, ...args], more)));
      else tell(line);
    }
  }
  tell(lookAtMigrations(options.copy));
  tell(await lookAtTypes());
  if (tell(await buildFor(env, outDir)))
    for (const line of await tryDeployment({ outDir, wrangler: runWrangler })) tell(line);
  console.log(
    failed === 0
      ? '\nIt would go out. Not looked at, because that asks outside this machine: known holes in what it is built from, by npm run test:security -- --audit.'
      : `\n${failed} of these ${failed === 1 ? 'keeps' : 'keep'} it from going out.`,
  );
  return failed === 0 ? 0 : 1;
});

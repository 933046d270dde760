// `npm run setup:cloudflare -- --env staging|production`: makes what the product needs at Cloudflare, and writes its names
// and ids into wrangler.toml. It may be run as often as one likes. docs/operate.md
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { command, readArguments } from './deploy/arguments.mjs';
import { askerOf } from './deploy/asking.mjs';
import { setUp } from './deploy/setup.mjs';
import { runWrangler } from './deploy/wrangler.mjs';
import { ROOT } from './lib/process.mjs';

const USAGE = `usage: npm run setup:cloudflare -- --env staging|production [--dry-run] [--replace NAME …]
Values may come from the environment: SITE_URL=https://chat.example npm run setup:cloudflare -- --env production`;

await command(async () => {
  const {
    env,
    'dry-run': dryRun = false,
    replace = [],
  } = readArguments(process.argv.slice(2), {
    usage: USAGE,
    options: { 'dry-run': { type: 'boolean' }, replace: { type: 'string', multiple: true } },
  });
  const file = process.env.LORELOOM_WRANGLER_TOML ?? join(ROOT, 'wrangler.toml');
  const asker = dryRun ? null : askerOf(process.stdin, process.stdout);
  try {
    return await setUp({
      ...{ env, dryRun, replace: new Set(replace) },
      wrangler: (args, options) => runWrangler(['--config', file, ...args], options),
      readToml: () => readFileSync(file, 'utf8'),
      writeToml: (text) => writeFileSync(file, text),
      ask: asker === null ? null : asker.ask,
      shell: process.env,
      say: (text) => console.log(text),
    });
  } finally {
    asker?.close();
  }
});

// `npm run setup:paypal -- --env staging|production`: makes the product, the plan and the webhook at PayPal, and writes their
// ids into wrangler.toml. It may be run as often as one likes. docs/paypal.md
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { validateVariable } from '../src/env/check.js';
import { VARIABLES } from '../src/env/variables.js';
import { command, readArguments } from './deploy/arguments.mjs';
import { askerOf } from './deploy/asking.mjs';
import { OWN_PRICE_CENTS, setUpPayPal } from './deploy/paypal.mjs';
import { valuesIn } from './deploy/toml.mjs';
import { Trouble } from './lib/prepare.mjs';
import { ROOT } from './lib/process.mjs';

const USAGE = `usage: npm run setup:paypal -- --env staging|production [--cents 699] [--dry-run]
It asks for what it needs, or takes it from the environment: PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET, and for the sandbox
PAYPAL_API_BASE=https://api-m.sandbox.paypal.com. --cents: the price, where it is no more that of src/features/runtime-config/defaults.ts.`;

await command(async () => {
  const options = readArguments(process.argv.slice(2), {
    usage: USAGE,
    options: { 'dry-run': { type: 'boolean' }, cents: { type: 'string' } },
  });
  const cents = Number(options.cents ?? OWN_PRICE_CENTS);
  if (!Number.isInteger(cents) || cents < 1)
    throw new Trouble(`--cents wants a price in whole cents.\n${USAGE}`);
  const file = process.env.LORELOOM_WRANGLER_TOML ?? join(ROOT, 'wrangler.toml');
  const set = valuesIn(readFileSync(file, 'utf8'), `env.${options.env}.vars`);
  const asker = askerOf(process.stdin, process.stdout);
  const settle = async (name) => {
    const known = process.env[name] || set[name] || VARIABLES[name].default;
    if (known === undefined && asker === null)
      throw new Trouble(`${name} is missing: ${VARIABLES[name].what.replaceAll(/\[|\]\([^)]*\)/g, '')}.`);
    const value =
      known ?? (await asker.ask({ text: `${name}:`, secret: VARIABLES[name].secret === true })).trim();
    const trouble = validateVariable(name, value);
    if (trouble !== null) throw new Trouble(`${name}: ${trouble.text}.`);
    return value.replace(/\/+$/, '');
  };
  try {
    return await setUpPayPal({
      env: options.env,
      dryRun: options['dry-run'] === true,
      account: {
        clientId: await settle('PAYPAL_CLIENT_ID'),
        clientSecret: await settle('PAYPAL_CLIENT_SECRET'),
        apiBase: await settle('PAYPAL_API_BASE'),
      },
      siteUrl: process.env.SITE_URL || set.SITE_URL || '',
      cents,
      readToml: () => readFileSync(file, 'utf8'),
      writeToml: (text) => writeFileSync(file, text),
      say: (text) => console.log(text),
    });
  } finally {
    asker?.close();
  }
});

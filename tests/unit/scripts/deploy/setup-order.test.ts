import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { checkSecrets, checkSettings } from '../../../../scripts/deploy/check.mjs';
import { DEFAULT_CENTS, setUpPayPal } from '../../../../scripts/deploy/setup-paypal.mjs';
import { setUp } from '../../../../scripts/deploy/setup-cloudflare.mjs';
import { quote, readTable, setValue } from '../../../../scripts/deploy/wrangler-toml.mjs';
import { parseVariables } from '../../../../src/env/schema.js';
import { type PayPalServer, startPayPalServer } from '../../../support/paypal-server.ts';
import { createEmptyAccount, createFakeWrangler } from '../../../support/fake-wrangler.ts';

const TOML = readFileSync(new URL('../../../../wrangler.toml', import.meta.url), 'utf8');
const PAGE = readFileSync(new URL('../../../../docs/deployment.md', import.meta.url), 'utf8');
const APP = { clientId: 'our-id', clientSecret: 'our-secret-at-paypal' };
const SHELL = {
  SITE_URL: 'https://chat.example',
  MAIL_FROM: 'Loreloom <hello@chat.example>',
  ADMIN_EMAILS: 'me@chat.example',
  MODEL_ROLEPLAY_BASE_URL: 'https://api.example/v1',
};
/** Values for the places where the page has three dots. */
const TYPED: Record<string, string> = {
  PAYPAL_CLIENT_ID: APP.clientId,
  PAYPAL_CLIENT_SECRET: APP.clientSecret,
  GOOGLE_CLIENT_ID: 'ours.apps.googleusercontent.com',
  GOOGLE_CLIENT_SECRET: 'our-secret-at-google',
};

let payPal: PayPalServer;
beforeEach(async () => void (payPal = await startPayPalServer(APP)));
afterEach(() => payPal.close());

/** A live site and its operator. */
async function operator(first: Record<string, string> = SHELL) {
  const account = createEmptyAccount();
  const wrangler = createFakeWrangler(account);
  let toml = TOML;
  let deployed: Record<string, string> = {};
  const files = { readToml: () => toml, writeToml: (text: string) => void (toml = text) };
  const atPlatform = () => account.workers.get('loreloom-production') ?? new Map<string, string>();
  const me = {
    /** The output of the first setup. */
    said: '',
    toml: () => toml,
    write: (text: string) => void (toml = text),
    wrangler,
    /** A setting becomes part of the site with its deployment; a secret is as soon as it is put. */
    deploy: () => void (deployed = readTable(toml, 'env.production.vars')),
    issues: () => parseVariables({ ...deployed, ...Object.fromEntries(atPlatform()) }).issues,
    async setUp(shell: Record<string, string>) {
      const said: string[] = [];
      const code = await setUp({
        ...{ env: 'production', replace: new Set<string>(), wrangler, ask: null, shell },
        ...files,
        say: (text: string) => void said.push(text),
      });
      return { code, said: said.join('\n') };
    },
    setUpPayPal: () =>
      setUpPayPal({
        ...{ env: 'production', siteUrl: SHELL.SITE_URL, cents: DEFAULT_CENTS },
        account: { ...APP, apiBase: payPal.url },
        ...files,
        say: () => undefined,
      }),
  };
  me.said = (await me.setUp(first)).said;
  me.deploy();
  return me;
}

/** Reads the commands of a section. */
function readCommands(section: string): { name: string; shell: Record<string, string> }[] {
  const [, text = ''] = PAGE.split(`\n## ${section}\n`);
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(text) ?? [];
  return block
    .trim()
    .split('\n')
    .map((line) => ({
      name: /npm run ([\w:]+)/.exec(line)?.[1] ?? '',
      shell: Object.fromEntries(
        [...line.matchAll(/(\w+)=…/g)].map(([, name = '']) => [name, TYPED[name] ?? '']),
      ),
    }));
}

describe('A live site', () => {
  test.each(['8 PayPal', '9 Google'])(
    'a live site stays open at every step of «%s», in the order of the page and in reverse',
    async (section) => {
      const commands = readCommands(section);
      expect(commands.map(({ name }) => name)).toContain('setup:cloudflare');
      for (const order of [commands, commands.toReversed()]) {
        const me = await operator();
        for (const { name, shell } of order) {
          if (name === 'setup:paypal') expect(await me.setUpPayPal()).toBe(0);
          else await me.setUp(shell);
          expect(me.issues(), name).toEqual([]);
        }
        me.deploy();
        expect(me.issues()).toEqual([]);
        expect(me.toml()).not.toContain('our-secret');
      }
    },
  );

  test('a live site stays open while a feature is removed, and its secret is listed until it is deleted', async () => {
    const me = await operator();
    await me.setUpPayPal();
    await me.setUp(TYPED);
    me.deploy();
    me.write(
      me
        .toml()
        .split('\n')
        .filter((line) => !line.startsWith('PAYPAL_'))
        .join('\n'),
    );
    const look = () => checkSecrets(me.toml(), 'production', me.wrangler);
    const line = await look();
    expect(line.ok).toBe(true);
    const [, told] = /npx wrangler (secret delete PAYPAL_CLIENT_SECRET .*)/.exec(line.note ?? '') ?? [];
    expect(told).toBe('secret delete PAYPAL_CLIENT_SECRET --env production --config wrangler.toml');
    expect(line.note).toContain('PAYPAL_CLIENT_SECRET (goes with PAYPAL_CLIENT_ID, which is not set)');
    expect(line.note).not.toContain('GOOGLE_CLIENT_SECRET');
    me.deploy();
    expect(me.issues()).toEqual([]);
    await me.wrangler((told ?? '').split(' '));
    expect(me.issues()).toEqual([]);
    expect((await look()).note).toBeUndefined();
  });
});

describe('The setup', () => {
  test('the setup names the variable that an unused secret belongs to', async () => {
    const me = await operator();
    const { code, said } = await me.setUp({ CACHE_PURGE_SECRET: 'a-secret-of-the-cache' });
    expect(code).toBe(0);
    expect(said).toContain('CACHE_PURGE_SECRET (goes with CACHE_PURGE_URL, which is not set)');
  });

  test.each<[string, Record<string, string>]>([
    ['MODERATION_BASE_URL: it is missing, and MODERATION_KIND needs it', { MODERATION_KIND: 'openai' }],
    [
      'AGE_CHECK_URL: it is missing, and AGE_CHECK needs it',
      { AGE_CHECK: 'required', AGE_CHECK_SECRET: 'x'.repeat(32) },
    ],
    ['MODEL_ROLEPLAY_BASE_URL: no model is set', { MODEL_ROLEPLAY_BASE_URL: '' }],
  ])(
    'the setup is not ready when the check before a deployment would fail with «%s»',
    async (sentence, set) => {
      const me = await operator();
      for (const [name, value] of Object.entries(set))
        if (value === '') me.write(setValue(me.toml(), 'env.production.vars', name, quote('')));
      const { code, said } = await me.setUp(set);
      expect(code).toBe(1);
      expect(said).not.toContain('Ready.');
      expect(said).toContain(sentence);
      const looked = checkSettings(me.toml(), 'production').find(({ ok }) => !ok);
      expect(looked?.text).toContain(sentence);
    },
  );

  test('the setup is ready with the platform’s own address, and enables no mail for it', async () => {
    const host = 'loreloom-production.ours.workers.dev';
    const { said, wrangler } = await operator({
      ...SHELL,
      SITE_URL: `https://${host}`,
      MAIL_FROM: `Loreloom <hello@${host}>`,
    });
    expect(said).toContain(`mail        ${host}: cannot send`);
    expect(said).toContain('Ready.');
    expect(wrangler.calls.join('\n')).not.toContain('email sending');
  });
});

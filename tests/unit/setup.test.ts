import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { setUp } from '../../scripts/deploy/setup.mjs';
import { valueIn, valuesIn } from '../../scripts/deploy/toml.mjs';
import type { CloudflareAccount } from '../support/cloudflare-server.ts';
import { createEmptyAccount, createFakeWrangler } from '../support/fake-wrangler.ts';

const TOML = readFileSync(new URL('../../wrangler.toml', import.meta.url), 'utf8');
const SHELL = {
  SITE_URL: 'https://chat.example',
  MAIL_FROM: 'Loreloom <hello@chat.example>',
  ADMIN_EMAILS: 'me@chat.example',
  MODEL_ROLEPLAY_BASE_URL: 'https://api.example/v1',
};

/** An operator with a checkout and an account. */
function operator(account: CloudflareAccount = createEmptyAccount()) {
  let toml = TOML;
  return {
    account,
    toml: () => toml,
    /** Runs the setup; gives its exit code, or what it ended with, and all that it said. */
    async run(
      shell: Record<string, string> = {},
      options: {
        env?: string;
        dryRun?: boolean;
        breaks?: number;
        replace?: string[];
        answers?: Record<string, string>;
      } = {},
    ) {
      const said: string[] = [];
      const asked: string[] = [];
      const wrangler = createFakeWrangler(account, options.breaks);
      const { answers } = options;
      const code = await setUp({
        env: options.env ?? 'production',
        dryRun: options.dryRun ?? false,
        replace: new Set(options.replace),
        wrangler,
        readToml: () => toml,
        writeToml: (text) => void (toml = text),
        ask:
          answers === undefined
            ? null
            : ({ name }) => {
                asked.push(name);
                return Promise.resolve(answers[name] ?? '');
              },
        shell,
        say: (text) => void said.push(text),
      }).catch((error: unknown) => (error as Error).message);
      return { code, said: said.join('\n'), asked, calls: wrangler.calls };
    },
  };
}

describe('Setting up at Cloudflare', () => {
  test('makes what is needed and writes its names and ids into my environment alone', async () => {
    const me = operator();
    const { code } = await me.run(SHELL);
    expect(code).toBe(0);
    expect(me.account.changes).toEqual([
      'database loreloom-production',
      'namespace loreloom-production-kv',
      'bucket loreloom-production-media',
      'secret AUTH_SECRET of loreloom-production',
      'sender chat.example',
    ]);
    expect(valueIn(me.toml(), 'env.production.d1_databases', 'database_id')).toBe(
      me.account.databases[0]?.uuid,
    );
    expect(valueIn(me.toml(), 'env.production.kv_namespaces', 'id')).toBe(me.account.namespaces[0]?.id);
    expect(valuesIn(me.toml(), 'env.production.vars')).toMatchObject(SHELL);
    expect(valueIn(me.toml(), 'env.production', 'routes')).toBe(
      '[{ pattern = "chat.example", custom_domain = true }]',
    );
    for (const table of ['', 'vars', 'd1_databases', 'kv_namespaces'])
      for (const before of ['', 'env.staging.'])
        expect(valuesIn(me.toml(), `${before}${table}`)).toEqual(valuesIn(TOML, `${before}${table}`));
    const comments = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('#'));
    expect(comments(me.toml())).toEqual(comments(TOML));
  });

  test('changes nothing when it is run again, with the same words or with none', async () => {
    const me = operator();
    await me.run(SHELL);
    const [toml, changes] = [me.toml(), [...me.account.changes]];
    for (const shell of [SHELL, {}]) {
      expect((await me.run(shell)).code).toBe(0);
      expect(me.toml()).toBe(toml);
      expect(me.account.changes).toEqual(changes);
    }
  });

  test('only says what it would do when it is asked for that', async () => {
    const me = operator();
    const { code, said } = await me.run(SHELL, { dryRun: true });
    expect(code).toBe(0);
    expect(me.toml()).toBe(TOML);
    expect(me.account.changes).toEqual([]);
    expect(said).toContain('loreloom-production: would be made');
    expect(said).toContain('chat.example: would be let to send');
    expect(said).toContain('Nothing was changed.');
  });

  test.each([1, 2, 3, 4, 5])(
    'that breaks off at its change number %i is repeated, and goes on where it stopped',
    async (breaks) => {
      const me = operator();
      const first = await me.run(SHELL, { breaks });
      // A domain that cannot send yet keeps nothing else from being there.
      if (breaks < 5) expect(first.code).toMatch(/did not work: .*unexpected error/);
      else expect(first.said).toContain('chat.example: NOT YET');
      expect(me.account.changes).toHaveLength(breaks - 1);
      expect((await me.run(SHELL)).code).toBe(0);
      expect([...me.account.changes].sort()).toEqual(
        [
          'bucket loreloom-production-media',
          'database loreloom-production',
          'namespace loreloom-production-kv',
          'secret AUTH_SECRET of loreloom-production',
          'sender chat.example',
        ].sort(),
      );
      expect(valueIn(me.toml(), 'env.production.d1_databases', 'database_id')).toBe(
        me.account.databases[0]?.uuid,
      );
    },
  );

  test('takes what is there already under its name, and makes no second one', async () => {
    const account = createEmptyAccount();
    account.databases.push({ uuid: '22222222-2222-4222-8222-222222222222', name: 'loreloom-staging' });
    const me = operator(account);
    await me.run(SHELL, { env: 'staging' });
    expect(valueIn(me.toml(), 'env.staging.d1_databases', 'database_id')).toBe(account.databases[0]?.uuid);
    expect(account.databases).toHaveLength(1);
  });

  test('stops at a database that this account does not have: it may be the wrong account', async () => {
    const me = operator();
    await me.run(SHELL);
    me.account.databases.length = 0;
    const { code } = await me.run(SHELL);
    expect(code).toMatch(/this account has none of that id. Is it the right account\?/);
    expect(me.account.databases).toEqual([]);
  });

  test('says what is needed where Cloudflare does not know me, and asks it for nothing else', async () => {
    const me = operator({ ...createEmptyAccount(), isForeign: true });
    const { code, calls } = await me.run(SHELL);
    expect(code).toMatch(/^Cloudflare does not know you: set CLOUDFLARE_API_TOKEN/);
    expect(calls).toHaveLength(1);
    expect(me.toml()).toBe(TOML);
  });

  test('asks for each value with a word on it, again where it is none, and for secrets of what I use alone', async () => {
    const me = operator();
    const { code, asked } = await me.run(
      {},
      {
        answers: {
          ...SHELL,
          GOOGLE_CLIENT_ID: 'ours.apps.googleusercontent.com',
          GOOGLE_CLIENT_SECRET: 'secret-of-google',
        },
      },
    );
    expect(code).toBe(0);
    expect(asked).toEqual(expect.arrayContaining(['SITE_URL', 'MAIL_FROM', 'GOOGLE_CLIENT_SECRET']));
    expect(asked).not.toContain('AUTH_SECRET');
    expect(asked).not.toContain('PAYPAL_CLIENT_SECRET');
    expect(me.account.workers.get('loreloom-production')?.get('GOOGLE_CLIENT_SECRET')).toBe(
      'secret-of-google',
    );
  });

  test('tells no secret: in no word to wrangler, in nothing it says, and not in wrangler.toml', async () => {
    const me = operator();
    const shell = { ...SHELL, PAYPAL_CLIENT_ID: 'id-at-paypal', PAYPAL_CLIENT_SECRET: 'secret-at-paypal' };
    const { said, calls } = await me.run(shell);
    const secrets = me.account.workers.get('loreloom-production') ?? new Map<string, string>();
    expect([...secrets.keys()].sort()).toEqual(['AUTH_SECRET', 'PAYPAL_CLIENT_SECRET']);
    for (const secret of secrets.values())
      expect([...calls, said, me.toml()].join('\n')).not.toContain(secret);
    expect(secrets.get('AUTH_SECRET')).toMatch(/^[\da-f]{64}$/);
  });

  test('leaves a secret that is there, and sets it anew where I say so', async () => {
    const me = operator();
    await me.run(SHELL);
    const first = me.account.workers.get('loreloom-production')?.get('AUTH_SECRET');
    await me.run({ ...SHELL, AUTH_SECRET: 'another-one-of-the-operator' });
    expect(me.account.workers.get('loreloom-production')?.get('AUTH_SECRET')).toBe(first);
    await me.run({ ...SHELL, AUTH_SECRET: 'another-one-of-the-operator' }, { replace: ['AUTH_SECRET'] });
    expect(me.account.workers.get('loreloom-production')?.get('AUTH_SECRET')).toBe(
      'another-one-of-the-operator',
    );
  });

  test('keeps a secret for the next deployment where the newest version is not the one that answers', async () => {
    const me = operator();
    await me.run(SHELL);
    me.account.newestReturnsNull = true;
    const shell = { ...SHELL, AUTH_SECRET: 'another-one-of-the-operator' };
    const { code, said, calls } = await me.run(shell, { replace: ['AUTH_SECRET'] });
    expect(code).toBe(0);
    expect(said).toContain('secret      AUTH_SECRET: set for the NEXT deployment');
    expect(said).toContain('Ready. Next:');
    expect(me.account.changes.at(-1)).toBe('secret AUTH_SECRET of the newest loreloom-production');
    expect(calls.join('\n')).not.toContain(shell.AUTH_SECRET);
  });

  test('names what only I can say, and ends with it', async () => {
    const me = operator();
    const { code, said } = await me.run({ SITE_URL: 'https://chat.example' });
    expect(code).toBe(1);
    expect(said).toContain('Still missing: MAIL_FROM, ADMIN_EMAILS.');
  });

  test('refuses a value that is none before anything is written of it, without repeating it', async () => {
    const me = operator();
    const { code } = await me.run({ ...SHELL, MAIL_FROM: 'nobody-at-all' });
    expect(code).toMatch(/^MAIL_FROM: it wants an e-mail address/);
    expect(code).not.toContain('nobody-at-all');
    expect(valuesIn(me.toml(), 'env.production.vars').MAIL_FROM).toBe('');
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { setUp } from '../../scripts/deploy/setup-cloudflare.mjs';
import { readTable } from '../../scripts/deploy/wrangler-toml.mjs';
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
    /** Runs the setup and returns its exit code or error, its output, its questions and its calls. */
    async run(
      shell: Record<string, string> = {},
      options: {
        env?: string;
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

describe('The setup at Cloudflare', () => {
  test('creates what is needed and writes names and ids into one environment only', async () => {
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
    expect(readTable(me.toml(), 'env.production.d1_databases').database_id).toBe(
      me.account.databases[0]?.uuid,
    );
    expect(readTable(me.toml(), 'env.production.kv_namespaces').id).toBe(me.account.namespaces[0]?.id);
    expect(readTable(me.toml(), 'env.production.vars')).toMatchObject(SHELL);
    expect(readTable(me.toml(), 'env.production').routes).toBe(
      '[{ pattern = "chat.example", custom_domain = true }]',
    );
    for (const table of ['', 'vars', 'd1_databases', 'kv_namespaces'])
      for (const before of ['', 'env.staging.'])
        expect(readTable(me.toml(), `${before}${table}`)).toEqual(readTable(TOML, `${before}${table}`));
    const comments = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('#'));
    expect(comments(me.toml())).toEqual(comments(TOML));
  });

  test('changes nothing when it runs again, with the same values or with none', async () => {
    const me = operator();
    await me.run(SHELL);
    const [toml, changes] = [me.toml(), [...me.account.changes]];
    for (const shell of [SHELL, {}]) {
      expect((await me.run(shell)).code).toBe(0);
      expect(me.toml()).toBe(toml);
      expect(me.account.changes).toEqual(changes);
    }
  });

  test.each([1, 2, 3, 4, 5])(
    'creates nothing twice when it is repeated after it failed at change %i',
    async (breaks) => {
      const me = operator();
      const first = await me.run(SHELL, { breaks });
      // A domain that cannot send yet keeps nothing else from being there.
      if (breaks < 5) expect(first.code).toMatch(/failed: .*unexpected error/);
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
      expect(readTable(me.toml(), 'env.production.d1_databases').database_id).toBe(
        me.account.databases[0]?.uuid,
      );
    },
  );

  test('uses a store that exists under its name and creates no second one', async () => {
    const account = createEmptyAccount();
    account.databases.push({ uuid: '22222222-2222-4222-8222-222222222222', name: 'loreloom-staging' });
    const me = operator(account);
    await me.run(SHELL, { env: 'staging' });
    expect(readTable(me.toml(), 'env.staging.d1_databases').database_id).toBe(account.databases[0]?.uuid);
    expect(account.databases).toHaveLength(1);
  });

  test('stops at a database that this account does not have', async () => {
    const me = operator();
    await me.run(SHELL);
    me.account.databases.length = 0;
    const { code } = await me.run(SHELL);
    expect(code).toMatch(/which this account does not have. Is it the right account\?/);
    expect(me.account.databases).toEqual([]);
  });

  test('says how to log in and makes no other call when Cloudflare rejects the operator', async () => {
    const me = operator({ ...createEmptyAccount(), isForeign: true });
    const { code, calls } = await me.run(SHELL);
    expect(code).toMatch(/^You are not logged in to Cloudflare: set CLOUDFLARE_API_TOKEN/);
    expect(calls).toHaveLength(1);
    expect(me.toml()).toBe(TOML);
  });

  test('asks for the variables and for the secrets of the features in use only', async () => {
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

  test('puts no secret into an argument of wrangler, its output or wrangler.toml', async () => {
    const me = operator();
    const shell = { ...SHELL, PAYPAL_CLIENT_ID: 'id-at-paypal', PAYPAL_CLIENT_SECRET: 'secret-at-paypal' };
    const { said, calls } = await me.run(shell);
    const secrets = me.account.workers.get('loreloom-production') ?? new Map<string, string>();
    expect([...secrets.keys()].sort()).toEqual(['AUTH_SECRET', 'PAYPAL_CLIENT_SECRET']);
    for (const secret of secrets.values())
      expect([...calls, said, me.toml()].join('\n')).not.toContain(secret);
    expect(secrets.get('AUTH_SECRET')).toMatch(/^[\da-f]{64}$/);
  });

  test('keeps a secret that exists and replaces it with --replace', async () => {
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

  test('sets a secret for the next deployment when the newest version is not live', async () => {
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

  test('lists the missing values and exits with 1', async () => {
    const me = operator();
    const { code, said } = await me.run({ SITE_URL: 'https://chat.example' });
    expect(code).toBe(1);
    expect(said).toContain('Missing: MAIL_FROM, ADMIN_EMAILS.');
  });

  test('rejects an invalid value without writing or repeating it', async () => {
    const me = operator();
    const { code } = await me.run({ ...SHELL, MAIL_FROM: 'nobody-at-all' });
    expect(code).toMatch(/^MAIL_FROM: it wants an e-mail address/);
    expect(code).not.toContain('nobody-at-all');
    expect(readTable(me.toml(), 'env.production.vars').MAIL_FROM).toBe('');
  });
});

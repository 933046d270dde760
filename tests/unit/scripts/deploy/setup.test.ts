import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { setUp } from '../../../../scripts/deploy/setup-cloudflare.mjs';
import { readTable } from '../../../../scripts/deploy/wrangler-toml.mjs';
import type { CloudflareAccount } from '../../../support/cloudflare-server.ts';
import { createEmptyAccount, createFakeWrangler } from '../../../support/fake-wrangler.ts';

const TOML = readFileSync(new URL('../../../../wrangler.toml', import.meta.url), 'utf8');
const SHELL = {
  SITE_URL: 'https://chat.example',
  MAIL_FROM: 'Loreloom <hello@chat.example>',
  ADMIN_EMAILS: 'me@chat.example',
  MODEL_ROLEPLAY_BASE_URL: 'https://api.example/v1',
};

/** An operator with a checkout and an account. */
function createOperator(account: CloudflareAccount = createEmptyAccount()) {
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
      const output: string[] = [];
      const questions: string[] = [];
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
                questions.push(name);
                return Promise.resolve(answers[name] ?? '');
              },
        shell,
        say: (text) => void output.push(text),
      }).catch((error: unknown) => (error as Error).message);
      return { code, output: output.join('\n'), questions, calls: wrangler.calls };
    },
  };
}

describe('Cloudflare setup', () => {
  test('the setup creates what is needed and writes names and ids into one environment only', async () => {
    const operator = createOperator();
    const { code } = await operator.run(SHELL);
    expect(code).toBe(0);
    expect(operator.account.changes).toEqual([
      'database loreloom-production',
      'namespace loreloom-production-kv',
      'bucket loreloom-production-media',
      'secret AUTH_SECRET of loreloom-production',
      'sender chat.example',
    ]);
    expect(readTable(operator.toml(), 'env.production.d1_databases').database_id).toBe(
      operator.account.databases[0]?.uuid,
    );
    expect(readTable(operator.toml(), 'env.production.kv_namespaces').id).toBe(
      operator.account.namespaces[0]?.id,
    );
    expect(readTable(operator.toml(), 'env.production.vars')).toMatchObject(SHELL);
    expect(readTable(operator.toml(), 'env.production').routes).toBe(
      '[{ pattern = "chat.example", custom_domain = true }]',
    );
    for (const table of ['', 'vars', 'd1_databases', 'kv_namespaces'])
      for (const before of ['', 'env.staging.'])
        expect(readTable(operator.toml(), `${before}${table}`)).toEqual(readTable(TOML, `${before}${table}`));
    const comments = (text: string): string[] => text.split('\n').filter((line) => line.startsWith('#'));
    expect(comments(operator.toml())).toEqual(comments(TOML));
  });

  test('the setup changes nothing when it runs again, with the same values or with none', async () => {
    const operator = createOperator();
    await operator.run(SHELL);
    const [toml, changes] = [operator.toml(), [...operator.account.changes]];
    for (const shell of [SHELL, {}]) {
      expect((await operator.run(shell)).code).toBe(0);
      expect(operator.toml()).toBe(toml);
      expect(operator.account.changes).toEqual(changes);
    }
  });

  test.each([1, 2, 3, 4, 5])(
    'the setup creates nothing twice when it is repeated after it failed at change %i',
    async (breaks) => {
      const operator = createOperator();
      const first = await operator.run(SHELL, { breaks });
      // A domain that cannot send mail yet does not stop the rest of the setup.
      if (breaks < 5) expect(first.code).toMatch(/failed: .*unexpected error/);
      else expect(first.output).toContain('chat.example: NOT YET');
      expect(operator.account.changes).toHaveLength(breaks - 1);
      expect((await operator.run(SHELL)).code).toBe(0);
      expect([...operator.account.changes].sort()).toEqual(
        [
          'bucket loreloom-production-media',
          'database loreloom-production',
          'namespace loreloom-production-kv',
          'secret AUTH_SECRET of loreloom-production',
          'sender chat.example',
        ].sort(),
      );
      expect(readTable(operator.toml(), 'env.production.d1_databases').database_id).toBe(
        operator.account.databases[0]?.uuid,
      );
    },
  );

  test('the setup uses a store that exists under its name and creates no second one', async () => {
    const account = createEmptyAccount();
    account.databases.push({ uuid: '22222222-2222-4222-8222-222222222222', name: 'loreloom-staging' });
    const operator = createOperator(account);
    await operator.run(SHELL, { env: 'staging' });
    expect(readTable(operator.toml(), 'env.staging.d1_databases').database_id).toBe(
      account.databases[0]?.uuid,
    );
    expect(account.databases).toHaveLength(1);
  });

  test('the setup stops at a database that this account does not have', async () => {
    const operator = createOperator();
    await operator.run(SHELL);
    operator.account.databases.length = 0;
    const { code } = await operator.run(SHELL);
    expect(code).toMatch(/which this account does not have. Is it the right account\?/);
    expect(operator.account.databases).toEqual([]);
  });

  test('the setup explains how to log in and makes no other call when Cloudflare rejects the operator', async () => {
    const operator = createOperator({ ...createEmptyAccount(), isForeign: true });
    const { code, calls } = await operator.run(SHELL);
    expect(code).toMatch(/^You are not logged in to Cloudflare: set CLOUDFLARE_API_TOKEN/);
    expect(calls).toHaveLength(1);
    expect(operator.toml()).toBe(TOML);
  });

  test('the setup asks for the variables and for the secrets of the features in use only', async () => {
    const operator = createOperator();
    const { code, questions } = await operator.run(
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
    expect(questions).toEqual(expect.arrayContaining(['SITE_URL', 'MAIL_FROM', 'GOOGLE_CLIENT_SECRET']));
    expect(questions).not.toContain('AUTH_SECRET');
    expect(questions).not.toContain('PAYPAL_CLIENT_SECRET');
    expect(operator.account.workers.get('loreloom-production')?.get('GOOGLE_CLIENT_SECRET')).toBe(
      'secret-of-google',
    );
  });

  test('the setup puts no secret into an argument of wrangler, its output or wrangler.toml', async () => {
    const operator = createOperator();
    const shell = { ...SHELL, PAYPAL_CLIENT_ID: 'id-at-paypal', PAYPAL_CLIENT_SECRET: 'secret-at-paypal' };
    const { output, calls } = await operator.run(shell);
    const secrets = operator.account.workers.get('loreloom-production') ?? new Map<string, string>();
    expect([...secrets.keys()].sort()).toEqual(['AUTH_SECRET', 'PAYPAL_CLIENT_SECRET']);
    for (const secret of secrets.values())
      expect([...calls, output, operator.toml()].join('\n')).not.toContain(secret);
    expect(secrets.get('AUTH_SECRET')).toMatch(/^[\da-f]{64}$/);
  });

  test('the setup keeps a secret that exists and replaces it with --replace', async () => {
    const operator = createOperator();
    await operator.run(SHELL);
    const first = operator.account.workers.get('loreloom-production')?.get('AUTH_SECRET');
    await operator.run({ ...SHELL, AUTH_SECRET: 'another-one-of-the-operator' });
    expect(operator.account.workers.get('loreloom-production')?.get('AUTH_SECRET')).toBe(first);
    await operator.run(
      { ...SHELL, AUTH_SECRET: 'another-one-of-the-operator' },
      { replace: ['AUTH_SECRET'] },
    );
    expect(operator.account.workers.get('loreloom-production')?.get('AUTH_SECRET')).toBe(
      'another-one-of-the-operator',
    );
  });

  test('the setup sets a secret for the next deployment when the newest version is not live', async () => {
    const operator = createOperator();
    await operator.run(SHELL);
    operator.account.newestReturnsNull = true;
    const shell = { ...SHELL, AUTH_SECRET: 'another-one-of-the-operator' };
    const { code, output, calls } = await operator.run(shell, { replace: ['AUTH_SECRET'] });
    expect(code).toBe(0);
    expect(output).toContain('secret      AUTH_SECRET: set for the NEXT deployment');
    expect(output).toContain('Ready. Next:');
    expect(operator.account.changes.at(-1)).toBe('secret AUTH_SECRET of the newest loreloom-production');
    expect(calls.join('\n')).not.toContain(shell.AUTH_SECRET);
  });

  test('the setup lists the missing values and exits with 1', async () => {
    const operator = createOperator();
    const { code, output } = await operator.run({ SITE_URL: 'https://chat.example' });
    expect(code).toBe(1);
    expect(output).toContain('Missing: MAIL_FROM, ADMIN_EMAILS.');
  });

  test('the setup rejects an invalid value without writing or repeating it', async () => {
    const operator = createOperator();
    const { code } = await operator.run({ ...SHELL, MAIL_FROM: 'nobody-at-all' });
    expect(code).toMatch(/^MAIL_FROM: it wants an e-mail address/);
    expect(code).not.toContain('nobody-at-all');
    expect(readTable(operator.toml(), 'env.production.vars').MAIL_FROM).toBe('');
  });
});

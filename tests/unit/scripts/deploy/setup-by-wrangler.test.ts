import { spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTable } from '../../../../scripts/deploy/wrangler-toml.mjs';
import { ACCOUNT_ID, startCloudflareServer } from '../../../support/cloudflare-server.ts';

const ROOT = join(import.meta.dirname, '../../../..');

/** Runs the command as an operator does, without anything of this machine's own account. */
function setUp(
  environment: Record<string, string>,
  words: string[] = [],
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [join(ROOT, 'scripts', 'deploy', 'setup-cloudflare.mjs'), '--env', 'production', ...words],
      { env: { PATH: process.env.PATH, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)));
    child.on('close', (code) => resolve({ code, output }));
  });
}

// Each of its dozen starts takes seconds on a busy machine.
test('the setup with the real wrangler creates everything in an empty account, and nothing the second time @all', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loreloom-setup-'));
  const cloudflare = await startCloudflareServer();
  try {
    const toml = join(folder, 'wrangler.toml');
    copyFileSync(join(ROOT, 'wrangler.toml'), toml);
    const shell = {
      HOME: folder,
      LORELOOM_WRANGLER_TOML: toml,
      CLOUDFLARE_API_BASE_URL: cloudflare.url,
      CLOUDFLARE_API_TOKEN: 'a-token-for-the-stand-in',
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID,
    };
    const first = await setUp({
      ...shell,
      SITE_URL: 'https://chat.example',
      MAIL_FROM: 'Loreloom <hello@chat.example>',
      ADMIN_EMAILS: 'me@chat.example',
      MODEL_ROLEPLAY_BASE_URL: 'https://api.example/v1',
    });
    expect(first.output).toContain('Ready. Next: npm run deploy:check -- --env production');
    expect(first.code).toBe(0);
    const { account } = cloudflare;
    expect(account.changes).toEqual([
      'database loreloom-production',
      'namespace loreloom-production-kv',
      'bucket loreloom-production-media',
      'worker loreloom-production',
      'secret AUTH_SECRET of loreloom-production',
      'sender chat.example',
    ]);
    const writtenToml = readFileSync(toml, 'utf8');
    expect(readTable(writtenToml, 'env.production.d1_databases').database_id).toBe(
      account.databases[0]?.uuid,
    );
    expect(readTable(writtenToml, 'env.production.kv_namespaces').id).toBe(account.namespaces[0]?.id);
    const secret = account.workers.get('loreloom-production')?.get('AUTH_SECRET') ?? '';
    expect(secret).toMatch(/^[\da-f]{64}$/);
    expect(first.output + writtenToml).not.toContain(secret);

    const second = await setUp(shell);
    expect(second.code).toBe(0);
    expect(account.changes).toHaveLength(6);
    expect(readFileSync(toml, 'utf8')).toBe(writtenToml);

    // After a rollback wrangler refuses secrets, with a message that the setup recognizes.
    account.newestReturnsNull = true;
    const third = await setUp({ ...shell, AUTH_SECRET: 'another-of-the-operator' }, [
      '--replace',
      'AUTH_SECRET',
    ]);
    expect(third.output).toContain('AUTH_SECRET: set for the NEXT deployment');
    expect(third.code).toBe(0);
    expect(account.workers.get('loreloom-production')?.get('AUTH_SECRET')).toBe('another-of-the-operator');
  } finally {
    await cloudflare.close();
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);

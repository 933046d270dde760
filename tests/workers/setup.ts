import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterAll, expect, vi } from 'vitest';

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);

// A run that ends while something still goes on behind an answer, as a summary that a model writes, does not end at all.
afterAll(async () => {
  const behind = () => (globalThis as { behindAnswers?: number }).behindAnswers ?? 0;
  await vi.waitFor(() => expect(behind()).toBe(0), { timeout: 20_000, interval: 20 });
});

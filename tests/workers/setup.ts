import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterAll, beforeEach, expect, inject, vi } from 'vitest';
import { resetModelState } from '../../src/features/model/model-gateway.ts';
import { SEED } from '../support/random.ts';
import { forgetContextRatios } from '../support/scripted-model.ts';

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);

if (inject('searchMs') === 0) fc.configureGlobal({ seed: SEED });

// All files share one Worker: what one had its models do is not to keep those of another from being asked.
beforeEach(resetModelState);

// A run that ends while something still goes on behind an answer, as a summary that a model writes, does not end at all.
afterAll(async () => {
  const behind = () => (globalThis as { behindAnswers?: number }).behindAnswers ?? 0;
  await vi.waitFor(() => expect(behind()).toBe(0), { timeout: 20_000, interval: 20 });
  // A learned ratio would shorten the prompts of the next files.
  await forgetContextRatios();
});

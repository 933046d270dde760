import { listDurableObjectIds, runDurableObjectAlarm } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import {
  RUNTIME_CONFIG_KV_KEY,
  updateRuntimeConfig,
  clearRuntimeConfigCache,
} from '../../src/features/runtime-config/runtime-config-gateway.ts';
import type { RuntimeConfigOverrides } from '../../src/features/runtime-config/contract.ts';
import { resetModelState } from '../../src/features/model/model-gateway.ts';

const MODELS = ['loreloom', 'chatgpt', 'deepseek', 'mistral'];

/** Lets conversations of other test files send their figures now, so that none arrive during a test of the budget. */
export async function endSittings(): Promise<void> {
  const ids = await listDurableObjectIds(env.CONVERSATIONS as unknown as DurableObjectNamespace);
  // A conversation that a test has damaged has nothing to send.
  for (const id of ids) await runDurableObjectAlarm(env.CONVERSATIONS.get(id)).catch(() => false);
}

/** Resets the constants and all that is known about the models, also for other test files. */
export async function resetModelConfig(): Promise<void> {
  vi.useRealTimers();
  await Promise.all([
    env.KV.delete(RUNTIME_CONFIG_KV_KEY),
    env.DB.prepare('delete from hourly_model_usage').run(),
    ...MODELS.map((id) => env.KV.delete(`model-paused:${id}`)),
  ]);
  clearRuntimeConfigCache(env);
  resetModelState();
}

/** Changes constants of the runtime configuration and forgets what this isolate knows about the models. */
export async function changeConfig(change: RuntimeConfigOverrides): Promise<void> {
  expect(await updateRuntimeConfig(env, change)).toMatchObject({ ok: true });
  resetModelState();
}

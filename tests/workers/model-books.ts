import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import {
  BUSINESS_KEY,
  changeBusiness,
  forgetBusiness,
} from '../../src/features/runtime-config/runtime-config-gateway.ts';
import type { BusinessChange } from '../../src/features/runtime-config/contract.ts';
import { forgetModels } from '../../src/features/model/model-gateway.ts';

const MODELS = ['loreloom', 'chatgpt', 'deepseek', 'mistral'];

/** No constant is changed and no model is known, here and for the tests beside. */
export async function asItWas(): Promise<void> {
  vi.useRealTimers();
  await Promise.all([
    env.KV.delete(BUSINESS_KEY),
    env.DB.prepare('delete from turn_hours').run(),
    ...MODELS.map((id) => env.KV.delete(`model-paused:${id}`)),
  ]);
  forgetBusiness(env);
  forgetModels();
}

/** Changes constants of the business, and has this isolate find out everything anew. */
export async function set(change: BusinessChange): Promise<void> {
  expect(await changeBusiness(env, change)).toMatchObject({ ok: true });
  forgetModels();
}

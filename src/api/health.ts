import { Hono } from 'hono';
import { z } from 'zod';
import packageInfo from '../../package.json' with { type: 'json' };
import type { ApiEnv } from './context.ts';
import { answers } from './describe.ts';

const healthy = z.object({ ok: z.literal(true), version: z.string() });

/** A wallet that belongs to nobody; asking it proves that objects answer. */
const PROBE_WALLET = 'health';

export const health = new Hono<ApiEnv>().get(
  '/',
  answers('Whether all stores answer', { 200: healthy }),
  async (c) => {
    await Promise.all([
      c.env.DB.prepare('select 1 from characters limit 1').first(),
      c.env.KV.get('health'),
      c.env.WALLETS.get(c.env.WALLETS.idFromName(PROBE_WALLET)).ping(),
    ]);
    return c.json({ ok: true as const, version: packageInfo.version });
  },
);

import { Hono } from 'hono';
import { appealBody, appealMade } from '../features/safety/appeal-contract.ts';
import { keepAppeal } from '../features/safety/appeal-store.ts';
import type { ApiEnv } from './context.ts';
import { answers } from './describe.ts';
import { requireCaller } from './guards.ts';
import { Problem, secondsUntil } from './problems.ts';
import { valid } from './valid.ts';

/** What people say against a measure, or against a text of theirs being refused; guests too. */
export const appeals = new Hono<ApiEnv>().post(
  '/',
  answers('Appeal against a measure, or against a text being refused', { 201: appealMade }),
  valid('json', appealBody),
  async (c) => {
    const { user } = await requireCaller(c);
    const now = Date.now();
    const kept = await keepAppeal(c.get('db'), { userId: user.id, body: c.req.valid('json'), now });
    if (kept.kept) return c.json({ id: kept.id }, 201);
    if (typeof kept.why === 'string') throw new Problem(kept.why);
    throw new Problem('too_many_requests', {}, secondsUntil(kept.why, now));
  },
);

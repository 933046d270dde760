import type { Context } from 'hono';

/** The address that a call comes from, as the platform tells it; whoever has none is counted as one. */
export const addressOf = (c: Pick<Context, 'req'>): string => c.req.header('cf-connecting-ip') ?? 'unknown';

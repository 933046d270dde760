import type { Context } from 'hono';

/** Returns the client's IP address as the platform reports it; null when it reports none. */
export const readClientIp = (c: Pick<Context, 'req'>): string | null =>
  c.req.header('cf-connecting-ip') ?? null;

/** Returns the client's IP address for limits. All clients without one count together. */
export const getClientIp = (c: Pick<Context, 'req'>): string => readClientIp(c) ?? 'unknown';

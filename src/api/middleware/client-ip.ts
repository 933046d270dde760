import type { Context } from 'hono';

/** The client's IP address as the platform reports it; null where it reports none. */
export const readClientIp = (c: Pick<Context, 'req'>): string | null =>
  c.req.header('cf-connecting-ip') ?? null;

/** The client's IP address for limits: clients without one count together. */
export const getClientIp = (c: Pick<Context, 'req'>): string => readClientIp(c) ?? 'unknown';

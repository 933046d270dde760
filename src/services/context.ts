import type { Database } from '../db/open.ts';
import type { Environment } from '../env/read-environment.ts';

/** What a use case needs of the request that runs it. */
export interface ServiceContext {
  env: Env;
  db: Database;
  settings: Environment;
  /** Its `waitUntil` lets work end after the response is sent. */
  execution: ExecutionContext;
}

/** The refusal of a use case: a problem code of the API and the additional fields of the response. */
export interface Refused<Code extends string = string> {
  ok: false;
  code: Code;
  extra?: Record<string, unknown>;
  /** Seconds until a retry can succeed. */
  retryAfterSeconds?: number;
}

export type Result<Value, Code extends string> = { ok: true; value: Value } | Refused<Code>;

export const succeed = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value });

/** @param extra additional fields of the response */
export function refuse<Code extends string>(
  code: Code,
  extra: Record<string, unknown> = {},
  retryAfterSeconds?: number,
): Refused<Code> {
  return { ok: false, code, extra, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

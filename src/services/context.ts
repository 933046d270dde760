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

/** Why a use case was not carried out: a code of the API's table of problems, and what the response adds to it. */
export interface Refused<Code extends string = string> {
  ok: false;
  code: Code;
  extra?: Record<string, unknown>;
  /** When trying again makes sense. */
  retryAfterSeconds?: number;
}

export type Result<Value, Code extends string> = { ok: true; value: Value } | Refused<Code>;

export const succeed = <Value>(value: Value): { ok: true; value: Value } => ({ ok: true, value });

/** @param extra what the response adds to the code */
export function refuse<Code extends string>(
  code: Code,
  extra: Record<string, unknown> = {},
  retryAfterSeconds?: number,
): Refused<Code> {
  return { ok: false, code, extra, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
}

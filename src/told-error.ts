import { DrizzleQueryError } from 'drizzle-orm/errors';

/** What a log may hold of an error. */
export interface ToldError {
  /** Why, in the words of whoever failed first. */
  message: string;
  /** Where it was noticed, without the message. */
  stack: string;
}

/**
 * An error as logs may tell of it. A query that failed names its parameters, which are somebody's words: of it stands
 * here why the database refused, and the query with its parameters' places alone.
 */
export function toldError(error: unknown): ToldError {
  if (!(error instanceof Error)) return { message: String(error), stack: '' };
  const at = error.stack?.search(/^ +at /m) ?? -1;
  const stack = at < 0 ? '' : (error.stack ?? '').slice(at);
  if (!(error instanceof DrizzleQueryError)) return { message: error.message, stack };
  const { message } = toldError(error.cause ?? 'unknown');
  return { message: `${message}: ${error.query}`, stack };
}

/** Why something failed, in a line for a log. @see toldError */
export const reasonOf = (error: unknown): string => toldError(error).message;

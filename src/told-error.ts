import { DrizzleQueryError } from 'drizzle-orm/errors';

/** What a log may hold of an error. */
export interface ToldError {
  /** Why, in the words of whoever failed first. */
  message: string;
  /** Where it was noticed, without the message. */
  stack: string;
}

/** One line of a log is read by people, and paid for. */
const MOST_CHARS = 2000;

/** What names or opens somebody, wherever it stands, and what stands there in its place. */
const NEVER_TOLD: readonly [RegExp, string][] = [
  // A query that failed elsewhere comes as a sentence alone, with all that was put into it at its end.
  [/(Failed query: [^]*?)\nparams:[^]*/g, '$1'],
  // SQLite quotes where it stopped, and so does whoever reads JSON: both are somebody's words.
  [/\bnear "[^]*?"/g, 'near "…"'],
  [/^[^]* is not valid JSON/, 'This is not valid JSON'],
  // Addresses of mail, of networks of either kind, and what opens a door: tokens, keys, hashes.
  [/[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g, '…@…'],
  [/(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/g, '…'],
  [
    /(?<![\w:])(?:[\da-f]{1,4}:){3,7}(?::|[\da-f]{1,4})(?![\w:])|(?<![\w:])[\da-f]{1,4}(?::[\da-f]{1,4})*::[\da-f:]*/gi,
    '…',
  ],
  [/\b(?:bearer|basic)\s+\S+/gi, '…'],
  [/\b(?:sk|pk|rk|key|ghp|xox[a-z])[-_][\w-]{8,}/gi, '…'],
  [/(?<![\w-])[\da-f]{40,}(?![\w-])/gi, '…'],
];

/** A sentence as a log may hold it. */
export function tellable(text: string): string {
  let left = text.slice(0, 4 * MOST_CHARS);
  for (const [what, instead] of NEVER_TOLD) left = left.replace(what, instead);
  return left.length > MOST_CHARS ? `${left.slice(0, MOST_CHARS)}…` : left;
}

/**
 * An error as logs may tell of it. A query that failed names its parameters, which are somebody's words: of it stands
 * here why the database refused, and the query with its parameters' places alone.
 */
export function toldError(error: unknown): ToldError {
  if (!(error instanceof Error)) return { message: tellable(String(error)), stack: '' };
  const at = error.stack?.search(/^ +at /m) ?? -1;
  const stack = at < 0 ? '' : tellable((error.stack ?? '').slice(at));
  if (!(error instanceof DrizzleQueryError)) return { message: tellable(error.message), stack };
  const { message } = toldError(error.cause ?? 'unknown');
  return { message: tellable(`${message}: ${error.query}`), stack };
}

/** Why something failed, in a line for a log. @see toldError */
export const reasonOf = (error: unknown): string => toldError(error).message;

/** The same error for whoever writes it down as it is: with no more in it than a log may hold. */
export function withoutWords(error: unknown): Error {
  const { message, stack } = toldError(error);
  const told = new Error(message);
  told.stack = `Error: ${message}\n${stack}`;
  return told;
}

import { DrizzleQueryError } from 'drizzle-orm/errors';

/** An error without personal data, for the log. */
export interface RedactedError {
  /** The redacted message. For a failed query: its cause and the SQL with placeholders. */
  message: string;
  /** The stack frames without the message. */
  stack: string;
}

/** In UTF-16 units. Keeps log lines readable; the platform also charges for them. */
const MAX_CHARS = 2000;

/** Patterns of personal data and secrets, and their replacements. */
const PERSONAL_DATA: readonly [RegExp, string][] = [
  // Drizzle appends the parameters of a failed query to its message.
  [/(Failed query: [^]*?)\nparams:[^]*/g, '$1'],
  // SQLite and JSON.parse quote the input at which they stopped.
  [/\bnear "[^]*?"/g, 'near "…"'],
  [/^[^]* is not valid JSON/, 'This is not valid JSON'],
  // Email and IP addresses, tokens, keys and hashes.
  [/(?<![^\s@<>"'(),;:])[^\s@<>"'(),;:]+@[^\s@<>"'(),;:]+/g, '…@…'],
  [/(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?![\w.])/g, '…'],
  [
    /(?<![\w:])(?:[\da-f]{1,4}:){3,7}(?::|[\da-f]{1,4})(?![\w:])|(?<![\w:])[\da-f]{1,4}(?::[\da-f]{1,4})*::[\da-f:]*/gi,
    '…',
  ],
  [/\b(?:bearer|basic)\s+\S+/gi, '…'],
  [/\b(?:sk|pk|rk|key|ghp|xox[a-z])[-_][\w-]{8,}/gi, '…'],
  [/(?<![\w-])[\da-f]{40,}(?![\w-])/gi, '…'],
];

/** Removes personal data and secrets from a text and cuts it to the length of a log line. */
export function redactText(text: string): string {
  let redacted = text.slice(0, 4 * MAX_CHARS);
  for (const [pattern, replacement] of PERSONAL_DATA) redacted = redacted.replace(pattern, replacement);
  return redacted.length > MAX_CHARS ? `${redacted.slice(0, MAX_CHARS)}…` : redacted;
}

/**
 * Redacts an error for the log. For a failed query it keeps the database's reason and the SQL with placeholders, and
 * drops the parameters, which hold users' texts.
 */
export function redactError(error: unknown): RedactedError {
  if (!(error instanceof Error)) return { message: redactText(String(error)), stack: '' };
  const at = error.stack?.search(/^ +at /m) ?? -1;
  const stack = at < 0 ? '' : redactText((error.stack ?? '').slice(at));
  if (!(error instanceof DrizzleQueryError)) return { message: redactText(error.message), stack };
  const { message } = redactError(error.cause ?? 'unknown');
  return { message: redactText(`${message}: ${error.query}`), stack };
}

/** Returns the redacted message of an error. */
export const describeError = (error: unknown): string => redactError(error).message;

/** Copies an error with a redacted message and stack, for a runtime that logs whole errors. */
export function copyRedacted(error: unknown): Error {
  const { message, stack } = redactError(error);
  const copy = new Error(message);
  copy.stack = `Error: ${message}\n${stack}`;
  return copy;
}

import type { Failure } from '../shared/api.ts';

const CODES: Readonly<Record<string, string>> = {
  // The user cancelled, waited too long or has no passkey for this site: browsers do not tell these apart.
  NotAllowedError: 'passkey_cancelled',
  AbortError: 'passkey_cancelled',
  InvalidStateError: 'passkey_known',
};

/** Converts what a browser throws instead of a passkey. */
export const toPasskeyFailure = (error: unknown): Failure => ({
  ok: false,
  status: 0,
  code: CODES[(error as Partial<Error> | null)?.name ?? ''] ?? 'passkey_failed',
  error: '',
});

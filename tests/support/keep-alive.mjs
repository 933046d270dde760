/**
 * How long a test server keeps an idle connection open, in ms. Node closes idle connections after a few seconds, and a busy
 * runtime that sends into one at that moment loses its request.
 */
export const KEEP_ALIVE_TIMEOUT_MS = 600_000;

/**
 * How long a server of tests keeps a connection on which nothing is asked, in ms. Node closes one after a few seconds; what
 * a runtime that is busy sends into it in that moment is lost.
 */
export const KEEP_ALIVE_TIMEOUT_MS = 600_000;

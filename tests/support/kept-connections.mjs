/**
 * How long a server of tests keeps a connection on which nothing is asked, in ms. Node closes one after five seconds, and
 * workerd, which takes it up again without looking, loses what it sends in that very moment.
 */
export const KEPT_CONNECTION_MS = 600_000;

/** Maximum request bodies in bytes (docs/api.md). */
export const BODY_LIMITS = {
  json: 1024 * 1024,
  /** A chat to import. The multipart envelope comes on top. */
  chatFile: 50 * 1024 * 1024,
  /** A picture to upload (docs/product.md). */
  avatar: 2 * 1024 * 1024,
  /** A character card to import (docs/product.md). */
  card: 50 * 1024 * 1024,
  /** The other form fields and the multipart envelope around a file. */
  formFrame: 64 * 1024,
} as const;

/**
 * How long a request's body may take (docs/limits.md). 50 MiB in a quarter of an hour is 470 kbit/s, which slow mobile
 * connections have.
 */
export const BODY_DEADLINE = { idleMs: 30_000, totalMs: 15 * 60_000 } as const;

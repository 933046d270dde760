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

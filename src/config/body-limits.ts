/** Request bodies in bytes (contract, «Conventions»). */
export const BODY_LIMITS = {
  json: 1024 * 1024,
  /** A chat brought in; what frames the file in its form comes on top. */
  chatFile: 50 * 1024 * 1024,
  /** A picture of somebody (SPEC section 5). */
  avatar: 2 * 1024 * 1024,
  /** A character as a file (contract). */
  card: 50 * 1024 * 1024,
  /** The other fields and the frame of a form that brings a file. */
  formFrame: 64 * 1024,
} as const;

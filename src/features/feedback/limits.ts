/** Each message is a mail to the operator. */
export const FEEDBACK = {
  /** For one user with a session. */
  maxPerHour: 10,
  /**
   * For callers without an account, guests among them: for an IPv4 address or the first 64 bits of an IPv6 address, and for
   * the first 48 bits of one.
   */
  perNetworkPerDay: 20,
  perWiderNetworkPerDay: 40,
} as const;

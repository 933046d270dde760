/** Tokens of the context that are reserved for the reply. */
export const MAX_REPLY_TOKENS = 1000;

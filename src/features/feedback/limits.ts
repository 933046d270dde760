/** What somebody with a session may tell the operator; who has none is bounded by network address. */
export const FEEDBACK = { maxPerHour: 10 } as const;

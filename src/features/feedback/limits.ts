/** What somebody with a session may tell the operator; who has none is bounded by network address. */
export const FEEDBACK = { perHour: 10 } as const;

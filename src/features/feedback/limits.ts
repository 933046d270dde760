/** Per user with a session. Requests without one are limited by network. */
export const FEEDBACK = { maxPerHour: 10 } as const;

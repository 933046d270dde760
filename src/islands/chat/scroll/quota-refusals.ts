const QUOTA_CODES: Record<string, true> = { points_exhausted: true, daily_limit_reached: true };

/** Whether only more points or a new day can resolve a refusal, so that a retry now would fail again. */
export const isQuotaExceeded = (code: string): boolean => QUOTA_CODES[code] === true;

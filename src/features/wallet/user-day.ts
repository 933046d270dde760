import { memoizeLru } from '../../lib/memoize-lru.ts';

/** A person's own days: the dates of their time zone, each as the number of days since 1970. */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Nowhere does a date begin sooner before its midnight in UTC, or later after it. */
const MAX_ZONE_OFFSET_MS = 15 * 3_600_000;

/**
 * Clocks of zones are costly to make: as many are kept as one object's people bring.
 * @throws RangeError for a zone that nobody knows
 */
const getDayFormat = memoizeLru(
  32,
  (zone) =>
    new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone: zone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
    }),
);

/** The time zone of this name as it is properly written; null where there is none such. */
export function parseTimeZone(name: string | null | undefined): string | null {
  // Bare offsets are left out: they know nothing of summer.
  if (name == null || !/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return null;
  try {
    return getDayFormat(name).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The date in a zone at a moment; in UTC where there is no zone, or one that is unknown by now. */
export function getLocalDay(zone: string | null, now: number): number {
  if (zone === null) return Math.floor(now / DAY_MS);
  try {
    const parts = new Map(
      getDayFormat(zone)
        .formatToParts(now)
        .map(({ type, value }) => [type, Number(value)]),
    );
    return Date.UTC(parts.get('year') ?? 0, (parts.get('month') ?? 1) - 1, parts.get('day') ?? 1) / DAY_MS;
  } catch {
    return Math.floor(now / DAY_MS);
  }
}

/** When a date begins in a zone, in ms: not at midnight where the clocks leave that out, nor where a whole day is. */
export function getStartOfDay(zone: string | null, day: number): number {
  if (zone === null) return day * DAY_MS;
  let before = (day * DAY_MS - MAX_ZONE_OFFSET_MS) / MINUTE_MS;
  let upper = (day * DAY_MS + MAX_ZONE_OFFSET_MS) / MINUTE_MS;
  while (upper - before > 1) {
    const middle = Math.floor((before + upper) / 2);
    if (getLocalDay(zone, middle * MINUTE_MS) >= day) upper = middle;
    else before = middle;
  }
  return upper * MINUTE_MS;
}

import { memoizeLru } from '../../lib/memoize-lru.ts';

/** A person's own days: the dates of their time zone, each as the number of days since 1970. */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Nowhere does a date begin sooner before its midnight in UTC, or later after it. */
const FARTHEST_MS = 15 * 3_600_000;

/**
 * Clocks of zones are costly to make: as many are kept as one object's people bring.
 * @throws RangeError for a zone that nobody knows
 */
const clockOf = memoizeLru(
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
export function zoneNamed(name: string | null | undefined): string | null {
  // Bare offsets are left out: they know nothing of summer.
  if (name == null || !/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return null;
  try {
    return clockOf(name).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The date in a zone at a moment; in UTC where there is no zone, or one that is unknown by now. */
export function dayIn(zone: string | null, now: number): number {
  if (zone === null) return Math.floor(now / DAY_MS);
  try {
    const told = new Map(
      clockOf(zone)
        .formatToParts(now)
        .map(({ type, value }) => [type, Number(value)]),
    );
    return Date.UTC(told.get('year') ?? 0, (told.get('month') ?? 1) - 1, told.get('day') ?? 1) / DAY_MS;
  } catch {
    return Math.floor(now / DAY_MS);
  }
}

/** When a date begins in a zone, in ms: not at midnight where the clocks leave that out, nor where a whole day is. */
export function dayBegins(zone: string | null, day: number): number {
  if (zone === null) return day * DAY_MS;
  let before = (day * DAY_MS - FARTHEST_MS) / MINUTE_MS;
  let begun = (day * DAY_MS + FARTHEST_MS) / MINUTE_MS;
  while (begun - before > 1) {
    const middle = Math.floor((before + begun) / 2);
    if (dayIn(zone, middle * MINUTE_MS) >= day) begun = middle;
    else before = middle;
  }
  return begun * MINUTE_MS;
}

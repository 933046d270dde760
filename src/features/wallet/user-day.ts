import { memoizeLru } from '../../lib/memoize-lru.ts';

/** A user's local days, as the number of days since 1970. */

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** Upper bound for the distance between a local midnight and UTC midnight. */
const MAX_ZONE_OFFSET_MS = 15 * 3_600_000;

/**
 * Cached because `Intl.DateTimeFormat` is expensive to create. One object needs only the zones of its user.
 * @throws RangeError for an unknown zone
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

/** The canonical name of a time zone; null if it is unknown. */
export function parseTimeZone(name: string | null | undefined): string | null {
  // Reject plain offsets: they ignore daylight saving time.
  if (name == null || !/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return null;
  try {
    return getDayFormat(name).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}

/** The local day at a given time; UTC if the zone is null or no longer supported. */
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

/** The start of a local day, in ms. Not always midnight: clock changes can skip midnight or a whole day. */
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

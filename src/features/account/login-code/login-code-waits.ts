import { LOGIN_CODE } from '../limits.ts';

/** Who requests a code. */
export interface CodeRequester {
  /** Keyed hash of a network or of a browser. */
  requester: string;
  /** Whether it is a browser that has logged in to the address before. */
  isKnownBrowser: boolean;
}

/** The codes that a requester has had for an address within a day; times in milliseconds since 1970. */
export interface RequestedCodes extends CodeRequester {
  sentAt: number;
  expiresAt: number;
  /** How many in a row without using one. */
  unused: number;
}

/** Codes that this requester may leave unused before it waits for longer. */
export const getMaxUnused = ({ isKnownBrowser }: CodeRequester): number =>
  isKnownBrowser ? LOGIN_CODE.maxUnusedKnownBrowser : LOGIN_CODE.maxUnused;

/** How long a requester waits after its latest code, in milliseconds. */
export function getWait(unused: number, maxUnused: number): number {
  if (unused < maxUnused) return LOGIN_CODE.resendAfterMs;
  return unused === maxUnused ? LOGIN_CODE.hourWaitMs : LOGIN_CODE.dayWaitMs;
}

/** When some of the codes, of which at most `limit` may be unused within a day, leave room for another one. */
function findRoom(codes: readonly RequestedCodes[], limit: number): number {
  let total = codes.reduce((sum, { unused }) => sum + unused, 0);
  let room = 0;
  for (const { sentAt, unused } of codes.toSorted((one, other) => one.sentAt - other.sentAt)) {
    if (total < limit) break;
    total -= unused;
    room = sentAt + LOGIN_CODE.dayWaitMs;
  }
  return room;
}

/**
 * Returns why no code is sent to an address now, and when the next one may be.
 * @param known the address's codes
 * @returns `code_recently_sent` while the requester's latest code still works
 */
export function describeCodeWait(
  known: readonly RequestedCodes[],
  by: CodeRequester,
  now: number,
): { code: 'code_recently_sent' | 'too_many_unused_codes'; retryAt: number } {
  const recent = known.filter(({ sentAt }) => sentAt > now - LOGIN_CODE.dayWaitMs);
  const own = recent.find(({ requester }) => requester === by.requester);
  const strangers = by.isKnownBrowser ? [] : recent.filter(({ isKnownBrowser }) => !isKnownBrowser);
  const retryAt = Math.max(
    now,
    own === undefined ? 0 : own.sentAt + getWait(own.unused, getMaxUnused(by)),
    findRoom(strangers, LOGIN_CODE.maxUnusedOfStrangers),
  );
  const isUsable = own !== undefined && own.expiresAt > now;
  return { code: isUsable ? 'code_recently_sent' : 'too_many_unused_codes', retryAt };
}

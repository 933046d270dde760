import { computeKeyedHash } from '../../lib/hash.ts';
import { getNetworkPrefix, getWiderNetworkPrefix } from './network-prefix.ts';

/** Hex digits of each half: enough to tell networks apart, and no more. */
const HALF_LENGTH = 8;

/**
 * Returns a fingerprint of the network of an IP address: equal for equal networks, and meaningless without the
 * operator's secret. Its first half identifies the wider network.
 */
export async function computeNetworkFingerprint(address: string, authSecret: string): Promise<string> {
  const key = `networks of conversations\n${authSecret}`;
  const half = async (what: string) => (await computeKeyedHash(key, what)).slice(0, HALF_LENGTH);
  const [wider, own] = await Promise.all([
    // Prefixed, because a wider network may have the same text as a network.
    half(`wider ${getWiderNetworkPrefix(address)}`),
    half(getNetworkPrefix(address)),
  ]);
  return `${wider}${own}`;
}

/** Returns the wider network's half of a fingerprint; any other text is returned unchanged. */
export const getWiderFingerprint = (mark: string): string =>
  /^[0-9a-f]{16}$/.test(mark) ? mark.slice(0, HALF_LENGTH) : mark;

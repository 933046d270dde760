import { computeKeyedHash } from '../../lib/hash.ts';
import { getNetworkPrefix, getWiderNetworkPrefix } from './network-prefix.ts';

/** In hexadecimal digits, of each half: enough to tell networks apart, and no more. */
const HALF_LENGTH = 8;

/**
 * The network of an address as a mark: the same for the same network, and without the operator's secret it says nothing.
 * Its first half is that of the larger network that it lies in.
 */
export async function computeNetworkFingerprint(address: string, authSecret: string): Promise<string> {
  const key = `networks of conversations\n${authSecret}`;
  const half = async (what: string) => (await computeKeyedHash(key, what)).slice(0, HALF_LENGTH);
  const [wider, own] = await Promise.all([
    // Not to be mixed up with a network that is called the same.
    half(`wider ${getWiderNetworkPrefix(address)}`),
    half(getNetworkPrefix(address)),
  ]);
  return `${wider}${own}`;
}

/** The larger network of a mark; what is none stands for itself. */
export const getWiderFingerprint = (mark: string): string =>
  /^[0-9a-f]{16}$/.test(mark) ? mark.slice(0, HALF_LENGTH) : mark;

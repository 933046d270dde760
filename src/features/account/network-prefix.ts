/**
 * Returns the network of an IP address: an IPv4 address itself, and the first 64 bits of an IPv6 address. One household
 * has a /64 to itself, and devices change the other half at will.
 * @returns a text that is equal for addresses of one network; a text that is no IP address is returned in lower case
 */
export function getNetworkPrefix(address: string): string {
  const text = address.trim().toLowerCase();
  if (!text.includes(':')) return text;
  // An IPv4-mapped IPv6 address.
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(text)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = text.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  return [...before, ...Array.from({ length: gap }, () => '0'), ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/**
 * Returns the wider network of an address: the first 48 bits of IPv6, in which one customer may have 65,536 networks,
 * and the first three numbers of IPv4, which are rented together.
 */
export function getWiderNetworkPrefix(address: string): string {
  const network = getNetworkPrefix(address);
  if (network.includes(':')) return network.split(':').slice(0, 3).join(':');
  return /^(\d+\.\d+\.\d+)\.\d+$/.exec(network)?.[1] ?? network;
}

/** Lists the networks that an address counts towards: the first 64 and the first 48 bits of IPv6, or the IPv4 address alone. */
export function listNetworks(address: string): [own: string, wider?: string] {
  const network = getNetworkPrefix(address);
  return network.includes(':') ? [network, getWiderNetworkPrefix(address)] : [network];
}

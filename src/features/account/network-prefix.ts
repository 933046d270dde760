/**
 * The network that an address belongs to, as far as it tells: an IPv4 address itself, and of IPv6 the first 64 bits,
 * which one household has to itself, and whose other half a device changes at will.
 * @returns a text that is the same for the same network; what is no address stands for itself
 */
export function getNetworkPrefix(address: string): string {
  const text = address.trim().toLowerCase();
  if (!text.includes(':')) return text;
  // An IPv4 address in the clothes of an IPv6 one.
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
 * The larger network that a network lies in: of IPv6 the first 48 bits, which one contract may have 65,536 networks of,
 * and of IPv4 the first three numbers, which are rented together.
 */
export function getWiderNetworkPrefix(address: string): string {
  const network = getNetworkPrefix(address);
  if (network.includes(':')) return network.split(':').slice(0, 3).join(':');
  return /^(\d+\.\d+\.\d+)\.\d+$/.exec(network)?.[1] ?? network;
}

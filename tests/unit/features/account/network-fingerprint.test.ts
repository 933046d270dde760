import { describe, expect, test } from 'vitest';
import {
  computeNetworkFingerprint,
  getWiderFingerprint,
} from '../../../../src/features/account/network-fingerprint.ts';
import {
  getNetworkPrefix,
  getWiderNetworkPrefix,
  listNetworks,
} from '../../../../src/features/account/network-prefix.ts';

describe('Network prefix', () => {
  test('an IPv4 address is its own network, also when mapped to IPv6', () => {
    expect(getNetworkPrefix('203.0.113.7')).toBe('203.0.113.7');
    expect(getNetworkPrefix('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(getNetworkPrefix('203.0.113.7')).not.toBe(getNetworkPrefix('203.0.113.8'));
  });

  test('all IPv6 addresses of one household have the same network prefix', () => {
    const home = getNetworkPrefix('2001:db8:0:12:aaaa:bbbb:cccc:dddd');
    for (const address of ['2001:db8:0:12::1', '2001:0DB8:0000:0012::', ' 2001:db8::12:0:0:0:1 '])
      expect(getNetworkPrefix(address)).toBe(home);
    expect(getNetworkPrefix('2001:db8:0:13::1')).not.toBe(home);
  });

  test('an IPv6 address counts towards its /64 and its /48, an IPv4 address towards itself alone', () => {
    expect(listNetworks('2001:db8:1:2::1')).toEqual(['2001:db8:1:2', '2001:db8:1']);
    expect(listNetworks('203.0.113.7')).toEqual(['203.0.113.7']);
    expect(listNetworks('::ffff:203.0.113.7')).toEqual(['203.0.113.7']);
    expect(listNetworks('unknown')).toEqual(['unknown']);
  });

  test('a text that is no address still has a network prefix', () => {
    expect(getNetworkPrefix('unknown')).toBe('unknown');
    for (const invalid of ['', '::', ':', ':::::::::::', '::1'])
      expect(typeof getNetworkPrefix(invalid)).toBe('string');
  });
});

describe('Wider network prefix', () => {
  test('addresses that are rented together have the same wider prefix', () => {
    expect(getWiderNetworkPrefix('203.0.113.7')).toBe(getWiderNetworkPrefix('::ffff:203.0.113.250'));
    expect(getWiderNetworkPrefix('203.0.113.7')).not.toBe(getWiderNetworkPrefix('203.0.114.7'));
    expect(getWiderNetworkPrefix('2001:db8:1:2::1')).toBe(getWiderNetworkPrefix('2001:DB8:0001:ffff:1::'));
    expect(getWiderNetworkPrefix('2001:db8:1::1')).not.toBe(getWiderNetworkPrefix('2001:db8:2::1'));
    for (const invalid of ['', 'unknown', '::', ':', '1.2.3'])
      expect(typeof getWiderNetworkPrefix(invalid)).toBe('string');
  });

  test('a network fingerprint reveals only its wider network', async () => {
    const [one, neighbour, far] = await Promise.all(
      ['2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2:2::1'].map((address) =>
        computeNetworkFingerprint(address, 'a'),
      ),
    );
    expect(new Set([one, neighbour, far]).size).toBe(3);
    expect(getWiderFingerprint(one as string)).toBe(getWiderFingerprint(neighbour as string));
    expect(getWiderFingerprint(one as string)).not.toBe(getWiderFingerprint(far as string));
    expect(await computeNetworkFingerprint('2001:db8:1:2::1', 'b')).not.toBe(one);
    expect(getWiderFingerprint('no mark')).toBe('no mark');
  });
});

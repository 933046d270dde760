import { describe, expect, test } from 'vitest';
import { networkOf } from '../../src/features/account/network.ts';

describe('The network that an address belongs to', () => {
  test('is the address itself where there is one for a household, however it is dressed', () => {
    expect(networkOf('203.0.113.7')).toBe('203.0.113.7');
    expect(networkOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(networkOf('203.0.113.7')).not.toBe(networkOf('203.0.113.8'));
  });

  test('is the same for every address that a device may give itself at home', () => {
    const home = networkOf('2001:db8:0:12:aaaa:bbbb:cccc:dddd');
    for (const address of ['2001:db8:0:12::1', '2001:0DB8:0000:0012::', ' 2001:db8::12:0:0:0:1 '])
      expect(networkOf(address)).toBe(home);
    expect(networkOf('2001:db8:0:13::1')).not.toBe(home);
  });

  test('is something for what is no address, too', () => {
    expect(networkOf('unknown')).toBe('unknown');
    for (const odd of ['', '::', ':', ':::::::::::', '::1']) expect(typeof networkOf(odd)).toBe('string');
  });
});

import { describe, expect, test } from 'vitest';
import { networkMark, widerOf } from '../../src/features/account/network-counter.ts';
import { networkOf, widerNetworkOf } from '../../src/features/account/network.ts';

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

describe('The larger network that a network lies in', () => {
  test('is what is rented together', () => {
    expect(widerNetworkOf('203.0.113.7')).toBe(widerNetworkOf('::ffff:203.0.113.250'));
    expect(widerNetworkOf('203.0.113.7')).not.toBe(widerNetworkOf('203.0.114.7'));
    expect(widerNetworkOf('2001:db8:1:2::1')).toBe(widerNetworkOf('2001:DB8:0001:ffff:1::'));
    expect(widerNetworkOf('2001:db8:1::1')).not.toBe(widerNetworkOf('2001:db8:2::1'));
    for (const odd of ['', 'unknown', '::', ':', '1.2.3']) expect(typeof widerNetworkOf(odd)).toBe('string');
  });

  test('is told by the mark of a network, and by nothing else of it', async () => {
    const [one, neighbour, far] = await Promise.all(
      ['2001:db8:1:2::1', '2001:db8:1:3::1', '2001:db8:2:2::1'].map((address) => networkMark(address, 'a')),
    );
    expect(new Set([one, neighbour, far]).size).toBe(3);
    expect(widerOf(one as string)).toBe(widerOf(neighbour as string));
    expect(widerOf(one as string)).not.toBe(widerOf(far as string));
    expect(await networkMark('2001:db8:1:2::1', 'b')).not.toBe(one);
    expect(widerOf('no mark')).toBe('no mark');
  });
});

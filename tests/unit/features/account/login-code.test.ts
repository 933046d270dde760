import { describe, expect, test } from 'vitest';
import { hashLoginCode, generateLoginCode } from '../../../../src/features/account/login-code/login-code.ts';
import { loginWithCodeBody, sendLoginCodeBody } from '../../../../src/features/account/contract.ts';
import { timingSafeEqual } from '../../../../src/lib/timing-safe-equal.ts';
import { computeHash } from '../../../../src/lib/hash.ts';

const SECRET = 'a-secret-of-the-operator';

describe('Login codes', () => {
  test('a login code has six digits that are about equally frequent, also at the front', () => {
    const codes = Array.from({ length: 5000 }, generateLoginCode);
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    for (let place = 0; place < 6; place += 1) {
      for (let digit = 0; digit < 10; digit += 1) {
        const count = codes.filter((code) => code[place] === String(digit)).length;
        // 500 are expected; ten standard deviations either way never happen by chance.
        expect(count).toBeGreaterThan(280);
        expect(count).toBeLessThan(720);
      }
    }
    expect(new Set(codes).size).toBeGreaterThan(4900);
  });

  test('the stored hash hides the code and depends on the address and the secret', async () => {
    const hash = await hashLoginCode('me@example.test', '123456', SECRET);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashLoginCode('me@example.test', '123456', SECRET)).toBe(hash);
    const others = await Promise.all([
      hashLoginCode('you@example.test', '123456', SECRET),
      hashLoginCode('me@example.test', '123457', SECRET),
      hashLoginCode('me@example.test', '123456', `${SECRET}!`),
      hashLoginCode('me@example.test\n1', '23456', SECRET),
    ]);
    expect(new Set([hash, ...others]).size).toBe(5);
    expect(hash).not.toBe(await computeHash('123456'));
  });

  test('the comparison of codes accepts only equal texts', () => {
    expect(timingSafeEqual('abc', 'abc')).toBe(true);
    expect(timingSafeEqual('', '')).toBe(true);
    for (const different of ['abd', 'Abc', 'ab', 'abcd', '', 'cba'])
      expect(timingSafeEqual('abc', different)).toBe(false);
  });

  test('a login code is accepted only as six ASCII digits', () => {
    const typed = (code: unknown) => loginWithCodeBody.safeParse({ email: 'a@b.cd', code }).success;
    expect(typed('012345')).toBe(true);
    for (const code of [
      '12345',
      '1234567',
      '12 456',
      '１２３４５６',
      '12345a',
      '-12345',
      '123456\n',
      123_456,
      null,
    ])
      expect(typed(code)).toBe(false);
  });
});

describe('Email addresses', () => {
  test('an email address is normalized in case and surrounding whitespace', () => {
    expect(sendLoginCodeBody.parse({ email: ' Me.Too+Tag@Example.TEST\n' })).toEqual({
      email: 'me.too+tag@example.test',
    });
  });

  test('an email address may be long or international, and must be valid', () => {
    const good = (email: string) => sendLoginCodeBody.safeParse({ email }).success;
    for (const email of ['a@b.cd', 'jürgen@müller.de', '例@例え.jp', `${'a'.repeat(247)}@b.cde`])
      expect(good(email)).toBe(true);
    for (const email of [
      '',
      'a',
      'a@b',
      'a@@b.cd',
      'a@b.cd, c@d.ef',
      'a b@c.de',
      'a@b.',
      `${'a'.repeat(250)}@b.cd`,
    ])
      expect(good(email)).toBe(false);
  });
});

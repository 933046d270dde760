import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCents, parseMoney } from '../../../src/vendors/paypal-money.ts';

describe('PayPal amounts', () => {
  test('an amount is exact to the cent', () => {
    fc.assert(
      fc.property(fc.nat({ max: 1_000_000_000 }), fc.nat({ max: 99 }), (whole, cents) => {
        const value = `${whole}.${String(cents).padStart(2, '0')}`;
        expect(parseCents(value, 'USD')).toBe(whole * 100 + cents);
        expect(parseCents(`${value}00`, 'USD')).toBe(whole * 100 + cents);
        expect(parseCents(`${whole}.0`, 'JPY')).toBe(whole);
      }),
    );
  });

  test.each([
    ['6.99', 'USD', 699],
    ['4.35', 'USD', 435],
    ['1.1', 'EUR', 110],
    ['24', 'USD', 2400],
    ['.5', 'GBP', 50],
    ['0.0', 'USD', 0],
    ['500', 'JPY', 500],
    ['500.00', 'HUF', 500],
  ])('the amount %s %s is %i in the smallest unit', (value, currency, cents) => {
    expect(parseCents(value, currency)).toBe(cents);
    expect(parseMoney({ value, currency_code: currency })).toEqual({ cents, currency });
    expect(parseMoney({ total: value, currency })).toEqual({ cents, currency });
  });

  test.each<[number, string, number | null]>([
    [6.99, 'USD', 699],
    [0, 'USD', 0],
    [4.35, 'EUR', 435],
    [500, 'JPY', 500],
    [6.999, 'USD', null],
    [-6.99, 'USD', null],
    [0.1 + 0.2, 'USD', null],
    [1e21, 'USD', null],
    [NaN, 'USD', null],
  ])('the amount written as the number %d %s is %j', (value, currency, cents) => {
    expect(parseCents(value, currency)).toBe(cents);
  });

  test.each<[unknown, unknown]>([
    ['6.999', 'USD'],
    ['500.5', 'JPY'],
    ['-6.99', 'USD'],
    ['+6.99', 'USD'],
    ['6,99', 'USD'],
    ['1e3', 'USD'],
    ['0x10', 'USD'],
    [' 6.99', 'USD'],
    ['6.99\n', 'USD'],
    ['', 'USD'],
    ['.', 'USD'],
    ['9999999999999', 'USD'],
    ['NaN', 'USD'],
    [{}, 'USD'],
    [null, 'USD'],
    ['6.99', 'usd'],
    ['6.99', 'DOLLAR'],
    ['6.99', null],
  ])('%j %j is not an amount', (value, currency) => {
    expect(parseCents(value, currency)).toBeNull();
    expect(parseMoney({ value, currency_code: currency })).toBeNull();
  });

  test('a missing amount is null', () => {
    expect([parseMoney(null), parseMoney('6.99'), parseMoney({}), parseMoney([])]).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import { isLocalhost } from '../../../../src/features/account/session/session-cookie.ts';

describe('Localhost detection', () => {
  test.each(['http://localhost:8787/login', 'http://127.0.0.1/', 'http://[::1]:3000/'])(
    '%s is recognized as localhost',
    (address) => {
      expect(isLocalhost(new URL(address))).toBe(true);
    },
  );

  test.each([
    'https://localhost/',
    'https://loreloom.example/',
    'http://loreloom.example/',
    'http://localhost.loreloom.example/',
    'http://127.0.0.1.loreloom.example/',
    'http://192.168.1.4:8787/',
    'http://0.0.0.0/',
  ])('%s is not recognized as localhost', (address) => {
    expect(isLocalhost(new URL(address))).toBe(false);
  });
});

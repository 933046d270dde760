import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGoogleFlow, fetchPersonByCode, fetchPersonByToken } from '../../../src/vendors/google.ts';

/** A server that never answers, or starts an answer and never ends it. */
const silent = createServer((req, res) => {
  if (req.url?.includes('slow')) res.writeHead(200, { 'content-type': 'application/json' }).write('{"aud":');
});
let apiBase = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  apiBase = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
afterAll(() => {
  silent.closeAllConnections();
  silent.close();
});

const PATIENCE_MS = 80;
const settings = () => ({ clientId: 'ours', clientSecret: 'secret', apiBase });
const UNAVAILABLE = {
  ok: false,
  code: 'google_unavailable',
  reason: expect.stringContaining('did not answer'),
};

describe('Google without an answer', () => {
  test.each(['token', 'slow'])(
    'a token check ends with an error when Google does not answer in time: %s',
    async (token) => {
      expect(await fetchPersonByToken(settings(), token, Date.now(), PATIENCE_MS)).toEqual(UNAVAILABLE);
    },
  );

  test('the exchange of a code ends with an error when Google does not answer in time', async () => {
    const input = {
      code: 'code',
      redirectUri: 'https://loreloom.example/api/auth/google/callback',
      flow: createGoogleFlow(),
      now: Date.now(),
    };
    expect(await fetchPersonByCode(settings(), input, PATIENCE_MS)).toEqual(UNAVAILABLE);
  });

  test('the logged reason contains nothing of the token', async () => {
    const answer = await fetchPersonByToken(settings(), 'ya29.secret-token', Date.now(), PATIENCE_MS);
    expect(JSON.stringify(answer)).not.toContain('secret-token');
  });
});

import { describe, expect, test } from 'vitest';
import { env } from 'cloudflare:workers';
import { api } from '../../../../src/api/app.ts';
import { ORIGIN, Visitor } from '../../../support/factories.ts';

describe('Test login', () => {
  test.each([ORIGIN, 'http://localhost:8787', 'http://127.0.0.1'])(
    'the test login does not exist in a deployed product, even at %s',
    async (origin) => {
      const context = { waitUntil: () => undefined } as unknown as ExecutionContext;
      for (const person of ['admin', 'reader', 'newcomer', 'nobody']) {
        const answer = await api.fetch(
          new Request(`${origin}/api/auth/test-login`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ person }),
          }),
          env,
          context,
        );
        expect(answer.status).toBe(404);
        expect(await answer.json()).toMatchObject({ code: 'not_found' });
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    },
  );

  test('the OpenAPI document does not contain the test login', async () => {
    const { paths } = await new Visitor().ask<{ paths: object }>('/api/openapi.json');
    expect(Object.keys(paths).filter((path) => path.includes('test-login'))).toEqual([]);
  });
});

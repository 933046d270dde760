import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { api } from '../../src/api/app.ts';
import { signInGuest, ORIGIN, Visitor } from '../support/factories.ts';

const LOOK = { path: '/de/character-info/01JSECRET?from=mail', language: 'de' };

/** Looks at a page on a product that counts; gives its answer and everything that was written of it. */
async function look(
  json: unknown,
  headers: Record<string, string> = {},
): Promise<{ answer: Response; written: AnalyticsEngineDataPoint[] }> {
  const written: AnalyticsEngineDataPoint[] = [];
  const ANALYTICS = { writeDataPoint: (point: AnalyticsEngineDataPoint) => void written.push(point) };
  const context = createExecutionContext();
  const request = new Request(`${ORIGIN}/api/page-views`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(json),
  });
  const answer = await api.fetch(request, { ...env, ANALYTICS }, context);
  await waitOnExecutionContext(context);
  return { answer, written };
}

describe('When I look at a page', () => {
  test('its kind, the language, my sort of device and where I came from are counted, and no more', async () => {
    const me = await signInGuest();
    const { answer, written } = await look(
      { ...LOOK, viewport: 'phone', referrer: 'https://www.google.de/search?q=my+secret' },
      {
        cookie: me.cookie,
        'cf-connecting-ip': '203.0.113.7',
        'user-agent': 'Mozilla/5.0 (Secret Phone)',
        origin: ORIGIN,
      },
    );
    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe('');
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(written).toEqual([
      { blobs: ['character-info', 'de', 'phone', 'search'], doubles: [1], indexes: ['character-info'] },
    ]);
    expect(JSON.stringify(written)).not.toMatch(/secret|203\.0|mail/i);
    expect(JSON.stringify(written)).not.toContain(me.id);
  });

  test('the browser’s hint says what device it is where the page does not', async () => {
    expect((await look(LOOK, { 'sec-ch-ua-mobile': '?1' })).written[0]?.blobs).toContain('phone');
    expect((await look(LOOK)).written[0]?.blobs).toContain('desk');
  });

  test('coming from another page of the product is told from coming from elsewhere', async () => {
    expect((await look({ ...LOOK, referrer: `${ORIGIN}/en` })).written[0]?.blobs?.[3]).toBe('own');
    expect((await look({ ...LOOK, referrer: 'https://else.example' })).written[0]?.blobs?.[3]).toBe('other');
    expect((await look(LOOK)).written[0]?.blobs?.[3]).toBe('none');
  });

  test.each([
    ['Do Not Track', { dnt: '1' }],
    ['Global Privacy Control', { 'sec-gpc': '1' }],
  ])('nothing is kept when my browser asks for that: %s', async (_, headers) => {
    const { answer, written } = await look(LOOK, headers as Record<string, string>);
    expect(answer.status).toBe(204);
    expect(written).toEqual([]);
  });

  test('from a page of another site, nothing is counted', async () => {
    const { answer, written } = await look(LOOK, { origin: 'https://evil.example' });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'cross_origin' });
    expect(written).toEqual([]);
  });

  test.each([
    ['nothing', {}],
    ['a path that is none', { ...LOOK, path: 'home' }],
    ['a language that is not offered', { ...LOOK, language: 'xx' }],
    ['a field that nobody knows', { ...LOOK, user_id: '1' }],
  ])('with a body that makes no sense nothing is counted: %s', async (_, body) => {
    const { answer, written } = await look(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'invalid_input' });
    expect(written).toEqual([]);
  });

  test('on a site that does not count, that is no error', async () => {
    expect((await new Visitor().call('/api/page-views', { json: LOOK })).status).toBe(204);
  });
});

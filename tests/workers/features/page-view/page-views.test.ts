import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { api } from '../../../../src/api/app.ts';
import { signInGuest, ORIGIN, Visitor } from '../../../support/factories.ts';

const PAGE_VIEW = { path: '/de/character-info/01JSECRET?from=mail', language: 'de' };

/** Posts a page view to a site with analytics; returns its answer and the written data points. */
async function postPageView(
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

describe('Page views', () => {
  test('a page view counts the page kind, language, device and origin, and nothing personal', async () => {
    const me = await signInGuest();
    const { answer, written } = await postPageView(
      { ...PAGE_VIEW, viewport: 'phone', referrer: 'https://www.google.de/search?q=my+secret' },
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

  test('a page view takes the device from the browser’s hint if the page does not send it', async () => {
    expect((await postPageView(PAGE_VIEW, { 'sec-ch-ua-mobile': '?1' })).written[0]?.blobs).toContain(
      'phone',
    );
    expect((await postPageView(PAGE_VIEW)).written[0]?.blobs).toContain('desk');
  });

  test('a page view separates visits from the product’s own pages from those from elsewhere', async () => {
    expect((await postPageView({ ...PAGE_VIEW, referrer: `${ORIGIN}/en` })).written[0]?.blobs?.[3]).toBe(
      'own',
    );
    expect(
      (await postPageView({ ...PAGE_VIEW, referrer: 'https://else.example' })).written[0]?.blobs?.[3],
    ).toBe('other');
    expect((await postPageView(PAGE_VIEW)).written[0]?.blobs?.[3]).toBe('none');
  });

  test.each([
    ['Do Not Track', { dnt: '1' }],
    ['Global Privacy Control', { 'sec-gpc': '1' }],
  ])('a page view is not counted when the browser asks for privacy: %s', async (_, headers) => {
    const { answer, written } = await postPageView(PAGE_VIEW, headers as Record<string, string>);
    expect(answer.status).toBe(204);
    expect(written).toEqual([]);
  });

  test('a page view from another site is refused', async () => {
    const { answer, written } = await postPageView(PAGE_VIEW, { origin: 'https://evil.example' });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'cross_origin' });
    expect(written).toEqual([]);
  });

  test.each([
    ['nothing', {}],
    ['an invalid path', { ...PAGE_VIEW, path: 'home' }],
    ['a language that is not offered', { ...PAGE_VIEW, language: 'xx' }],
    ['an unknown field', { ...PAGE_VIEW, user_id: '1' }],
  ])('a page view with an invalid body is refused and not counted: %s', async (_, body) => {
    const { answer, written } = await postPageView(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: 'invalid_input' });
    expect(written).toEqual([]);
  });

  test('a page view on a site without analytics is no error', async () => {
    expect((await new Visitor().call('/api/page-views', { json: PAGE_VIEW })).status).toBe(204);
  });
});

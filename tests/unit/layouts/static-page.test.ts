import { describe, expect, it } from 'vitest';
import { renderOnce } from '../../../src/layouts/static-page.ts';

/** A renderer that numbers its pages. */
function createRenderer(init?: ResponseInit) {
  let count = 0;
  return () => {
    count += 1;
    return Promise.resolve(new Response(`page ${count}`, init));
  };
}

const open = async (url: string, render: () => Promise<Response>, { lang = 'en', method = 'GET' } = {}) =>
  (await renderOnce({ method, url: `https://static.test${url}` }, lang as 'en', render)).text();

describe('Static pages', () => {
  it.each(['/about', '/privacy', '/terms', '/en/blog', '/en/blog/a-post', '/en/safety', '/zh-TW/offline'])(
    '%s is rendered once for each language',
    async (url) => {
      const render = createRenderer();
      expect(await open(url, render)).toBe('page 1');
      expect(await open(url, render)).toBe('page 1');
      expect(await open(url, render, { lang: 'de' })).toBe('page 2');
    },
  );

  it.each([
    '/en',
    '/en/discover',
    '/en/status',
    '/en/character-info/x',
    '/en/blog/a/b',
    '/account',
    '/en/blog/rss.xml?x',
  ])('%s is rendered for each request', async (url) => {
    const render = createRenderer();
    await open(url, render);
    expect(await open(url, render)).toBe('page 2');
  });

  it('pages with a query and HEAD requests are rendered for each request', async () => {
    const render = createRenderer();
    await open('/en/blog?tag=news', render);
    expect(await open('/en/blog?tag=news', render)).toBe('page 2');
    await open('/en/blog/head', render, { method: 'HEAD' });
    expect(await open('/en/blog/head', render, { method: 'HEAD' })).toBe('page 4');
  });

  it('a missing page and a page with a cookie are not kept', async () => {
    for (const init of [{ status: 404 }, { headers: { 'set-cookie': 'lang=de' } }]) {
      const render = createRenderer(init);
      await open('/en/blog/not-kept', render);
      expect(await open('/en/blog/not-kept', render)).toBe('page 2');
    }
  });

  it('a kept page has the headers it was rendered with', async () => {
    const render = createRenderer({ headers: { 'content-security-policy': "default-src 'self'" } });
    await open('/en/blog/headers', render);
    const page = await renderOnce(
      { method: 'GET', url: 'https://static.test/en/blog/headers' },
      'en',
      render,
    );
    expect(page.headers.get('content-security-policy')).toBe("default-src 'self'");
  });

  it('only the latest pages are kept', async () => {
    const render = createRenderer();
    expect(await open('/en/blog/first', render)).toBe('page 1');
    for (let index = 0; index < 100; index += 1) await open(`/en/blog/post-${index}`, render);
    expect(await open('/en/blog/first', render)).toBe('page 102');
  });
});

import { describe, expect, it } from 'vitest';
import { findKeptPage, getPagePlace, keepPage } from '../../../src/layouts/kept-pages.ts';

const readKept = (key: string, data: string) => findKeptPage(getPagePlace(key), data)?.text();

describe('Kept pages', () => {
  it('a page is returned again for the same data, with its headers', async () => {
    const headers = { 'content-security-policy': "default-src 'self'" };
    const page = await keepPage(getPagePlace('en /kept'), '[1]', new Response('one', { headers }));
    expect(await page.text()).toBe('one');
    expect(page.headers.get('content-security-policy')).toBe("default-src 'self'");
    expect(await readKept('en /kept', '[1]')).toBe('one');
    expect(await readKept('en /kept', '[1]')).toBe('one');
    const kept = findKeptPage(getPagePlace('en /kept'), '[1]');
    expect(kept?.headers.get('content-security-policy')).toBe("default-src 'self'");
  });

  it('a page is rendered again when its data or its address is another one', async () => {
    const place = getPagePlace('en /changed');
    await keepPage(place, '[1]', new Response('one'));
    expect(await readKept('en /changed', '[2]')).toBeUndefined();
    expect(await readKept('de /changed', '[1]')).toBeUndefined();
    await keepPage(place, '[2]', new Response('two'));
    expect(await readKept('en /changed', '[2]')).toBe('two');
    expect(await readKept('en /changed', '[1]')).toBeUndefined();
  });

  it('a failed page and a page with a cookie are passed on and not kept', async () => {
    for (const init of [{ status: 503 }, { headers: { 'set-cookie': 'lang=de' } }]) {
      const response = await keepPage(getPagePlace('en /not-kept'), '', new Response('page', init));
      expect(await response.text()).toBe('page');
      expect(await readKept('en /not-kept', '')).toBeUndefined();
    }
  });
});

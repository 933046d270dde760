import { describe, expect, test } from 'vitest';
import { documentedOperations, openApi } from '../support/documented.ts';
import { Visitor } from '../support/makers.ts';

describe('The reference', () => {
  test('shows every route of the published document to whoever comes', async () => {
    const answer = await new Visitor().call('/api/docs');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    const page = await answer.text();
    const shown = [...page.matchAll(/<b>([A-Z]+)<\/b>\s*<code>([^<]+)<\/code>/g)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    const known = (await documentedOperations()).map(({ method, path }) => `${method} /api${path}`);
    expect(shown.length).toBeGreaterThan(100);
    expect(new Set(shown)).toEqual(new Set(known));
  });

  test('runs nothing, and its one style sheet is allowed by a word that is new each time', async () => {
    const ask = async () => {
      const answer = await new Visitor().call('/api/docs');
      const policy = answer.headers.get('content-security-policy') ?? '';
      const [, nonce] = /style-src 'nonce-([^']+)'/.exec(policy) ?? [];
      return { policy, nonce, page: await answer.text() };
    };
    const [one, other] = [await ask(), await ask()];
    expect(one.policy).toContain("default-src 'none'");
    expect(one.page).toContain(`<style nonce="${one.nonce}">`);
    expect(one.page).not.toMatch(/<script|javascript:|\son\w+=/i);
    expect(one.nonce).not.toBe(other.nonce);
  });

  test('says of each route who may call it: what is marked as anybody’s does not ask who I am', async () => {
    const { paths } = (await openApi()) as unknown as {
      paths: Record<string, Record<string, { security?: object[] }>>;
    };
    const marked = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({
        path,
        method,
        open: security?.length === 0,
      })),
    );
    for (const { path, method, open } of marked) {
      const address = path.replaceAll(/\{\w+\}/g, '0'.repeat(26));
      const answer = await new Visitor().call(address, { method: method.toUpperCase() });
      await answer.body?.cancel();
      expect({ method, path, asked: answer.status === 401 }).toEqual({ method, path, asked: !open });
    }
  });
});

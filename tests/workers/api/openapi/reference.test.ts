import { describe, expect, test } from 'vitest';
import { buildOperationPath, listOperations, readOpenApi } from '../../../support/openapi-operations.ts';
import { signInGuest, Visitor } from '../../../support/factories.ts';

describe('API reference', () => {
  test('the API reference lists every route of the OpenAPI document', async () => {
    const answer = await new Visitor().call('/api/docs');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=UTF-8');
    const page = await answer.text();
    const listed = [...page.matchAll(/<b>([A-Z]+)<\/b>\s*<code>([^<]+)<\/code>/g)].map(
      ([, method, path]) => `${method} ${path}`,
    );
    const known = (await listOperations()).map(({ method, path }) => `${method} /api${path}`);
    expect(listed.length).toBeGreaterThan(100);
    expect(new Set(listed)).toEqual(new Set(known));
  });

  test('the API reference has no scripts, and its style sheet is allowed by a nonce per request', async () => {
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

  test('the API reference says who may call each route, as the OpenAPI document does', async () => {
    const page = await (await new Visitor().call('/api/docs')).text();
    const listed = [...page.matchAll(/<b>([A-Z]+)<\/b>\s*<code>([^<]+)<\/code>[^]*?<p>For ([^;.,]+)/g)].map(
      ([, method, path, who]) => [`${method} ${path}`, who],
    );
    const words: Record<string, string> = {
      '': 'users with a session',
      account: 'users with an account',
      owner: 'the owner',
      'owner account': 'the owner',
      staff: 'staff',
    };
    const documented = (await listOperations()).map(({ method, path, security: [asked] }) => [
      `${method} /api${path}`,
      asked === undefined ? 'everyone' : words[asked.session.join(' ')],
    ]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(documented));
    expect(page).toContain('<p>For the owner, with an account; guests get 403');
  });

  test('the API reference lists each file type that a route can return', async () => {
    const page = await (await new Visitor().call('/api/docs')).text();
    const [, card = ''] = /<details id="getApiCharactersByIdCard">([^]*?)<\/details>/.exec(page) ?? [];
    expect([...card.matchAll(/<h4>200 <small>([^<]+)/g)].map(([, type]) => type)).toEqual([
      'image/png',
      'application/json',
      'application/zip',
    ]);
  });

  test('every route that requires an account refuses a guest, whatever the body', async () => {
    const me = await signInGuest();
    const accountRoutes = (await listOperations()).filter(({ security }) =>
      security.some(({ session }) => session.includes('account')),
    );
    expect(accountRoutes.length).toBeGreaterThan(30);
    for (const operation of accountRoutes) {
      const { method, path } = operation;
      const sent = method === 'GET' ? {} : { json: { nonsense: true } };
      const answer = await me.call(buildOperationPath(operation, {}), { method, ...sent });
      const { code } = await answer.json<{ code: string }>();
      expect({ method, path, code }).toEqual({ method, path, code: 'account_required' });
    }
  });

  test('exactly the routes without security in the OpenAPI document can be called without a session', async () => {
    const { paths } = await readOpenApi();
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => ({
        path,
        method,
        open: security.length === 0,
      })),
    );
    for (const { path, method, open } of operations) {
      const address = path.replaceAll(/\{\w+\}/g, '0'.repeat(26));
      const answer = await new Visitor().call(address, { method: method.toUpperCase() });
      await answer.body?.cancel();
      expect({ method, path, asked: answer.status === 401 }).toEqual({ method, path, asked: !open });
    }
  });
});

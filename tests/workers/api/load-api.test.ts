import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { api } from '../../../src/api/app.ts';
import { loadApi } from '../../../src/api/load-api.ts';

const listRoutes = (app: { routes: { method: string; path: string }[] }) =>
  app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);

test('every route is in the area that its path leads to', async () => {
  const routes = api.routes.filter(({ method }) => method !== 'ALL');
  expect(routes.length).toBeGreaterThan(150);
  for (const { method, path } of routes)
    expect(listRoutes(await loadApi(path)), path).toContain(`${method} ${path}`);
});

test('a path that no area knows is answered with 404', async () => {
  const path = '/api/constructor';
  const answer = await (await loadApi(path)).request(path, {}, env);
  expect(answer.status).toBe(404);
});

import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { awake, expect, test } from './journey.ts';

interface Weight {
  requests: number;
  bytes: number;
  scriptBytes: number;
}

/** What a page loads until it rests, pictures aside, in gzip bytes as the edge would send them. */
async function weigh(page: Page, path: string): Promise<Weight> {
  const weight: Weight = { requests: 0, bytes: 0, scriptBytes: 0 };
  const counting: Promise<void>[] = [];
  page.on('response', (response) => {
    const type = response.request().resourceType();
    if (type === 'image') return;
    counting.push(
      (async () => {
        const size = gzipSync(await response.body()).length;
        weight.requests += 1;
        weight.bytes += size;
        if (type === 'script') weight.scriptBytes += size;
      })(),
    );
  });
  await page.goto(path, { waitUntil: 'networkidle' });
  await awake(page);
  await Promise.all(counting);
  return weight;
}

const KB = 1000;

for (const path of ['/en', '/en/discover']) {
  test(`${path} weighs at most 60 kB in 12 requests, with 15 kB of JavaScript, pictures aside`, async ({
    page,
  }) => {
    const weight = await weigh(page, path);
    test.info().annotations.push({ type: 'weight', description: JSON.stringify({ path, ...weight }) });
    expect(weight.bytes).toBeLessThanOrEqual(60 * KB);
    expect(weight.scriptBytes).toBeLessThanOrEqual(15 * KB);
    expect(weight.requests).toBeLessThanOrEqual(12);
  });
}

test('a chat brings at most 150 kB of JavaScript', async ({ page }) => {
  await page.request.post('/api/auth/anonymous');
  const { items } = (await (await page.request.get('/api/characters?limit=1')).json()) as {
    items: { id: string }[];
  };
  const weight = await weigh(page, `/character/${items[0]?.id}`);
  test.info().annotations.push({ type: 'weight', description: JSON.stringify({ path: 'chat', ...weight }) });
  expect(weight.scriptBytes).toBeLessThanOrEqual(150 * KB);
});

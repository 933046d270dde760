import { randomInt, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { getCharacterTag, getCreatorTag } from '../../src/features/page-cache/page-tags.ts';
import { openCreatorPages } from '../support/creator-pages.ts';
import { createUniquePicture } from '../support/pictures.ts';
import { t } from '../support/texts.ts';
import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { catalogue, expect, test } from './journey.ts';

// What a real shared cache in front of the built Worker stores, and for whom. Parallel tests change lists and purge them
// from the cache at any time, so these tests repeat a request until the cache answers it.

test.beforeAll(() => {
  expect(process.env.LORELOOM_SHARED_CACHE, 'Varnish is to be installed').toBeDefined();
});

interface Answer {
  status: number;
  /** Whether the cache answered, so that the request did not reach the Worker. */
  hit: boolean;
  caching: string | null;
  body: string;
}

async function fetchAnswer(
  origin: string | undefined,
  path: string,
  headers: Record<string, string>,
): Promise<Answer> {
  const answer = await fetch(`${origin}${path}`, { headers, redirect: 'manual' });
  return {
    status: answer.status,
    hit: answer.headers.get('x-cache') === 'hit',
    caching: answer.headers.get('cache-control'),
    body: await answer.text(),
  };
}
const fetchFromCache = (path: string, headers: Record<string, string> = {}) =>
  fetchAnswer(process.env.LORELOOM_SHARED_CACHE, path, headers);
const fetchFromWorker = (path: string, headers: Record<string, string> = {}) =>
  fetchAnswer(process.env.LORELOOM_URL, path, headers);

/** Returns the page's cookies as a request header. */
async function getCookieHeader(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

const getInfoPath = (id: string) => `/en/character-info/${id}`;

test('the shared cache stores public pages, which are the same for guests and logged-in users', async ({
  page,
  request,
  baseURL,
}) => {
  const [character] = await catalogue(request, 1);
  await signInAsCreator(page, baseURL as string);
  const ownHeaders = {
    cookie: `${await getCookieHeader(page)}; lang=ja`,
    'accept-language': 'fr',
    'user-agent': 'another',
  };
  const paths = [
    '/en',
    '/de',
    '/en/discover',
    '/en/discover?sort=new',
    '/en/tag/fantasy',
    getInfoPath(character?.id as string),
    '/en/safety',
    '/en/creator-competition',
    '/en/blog',
    '/en/blog?tag=privacy',
    '/en/blog/no-reply-is-lost',
    '/en/blog/rss.xml',
    '/robots.txt',
    '/sitemap.xml',
    '/sitemaps/en.xml',
    '/en/manifest.webmanifest',
  ];
  for (const path of paths) {
    await expect
      .poll(async () => {
        const [guestAnswer, ownAnswer] = await Promise.all([
          fetchFromWorker(path),
          fetchFromWorker(path, ownHeaders),
        ]);
        return guestAnswer.status === 200 && guestAnswer.body === ownAnswer.body;
      }, `${path} is the same`)
      .toBe(true);
    // The answer to a logged-in user fills the cache for guests.
    await expect
      .poll(async () => {
        const first = await fetchFromCache(path, ownHeaders);
        const next = await fetchFromCache(path);
        return first.body === next.body && next.hit;
      }, `${path} comes from the cache`)
      .toBe(true);
  }
});

test('the shared cache stores no search, no unknown query and no page of one user', async ({ request }) => {
  const [character] = await catalogue(request, 1);
  const info = getInfoPath(character?.id as string);
  const details = await request.get(`/api/characters/${character?.id}`);
  const { creator } = (await details.json()) as { creator: { id: string } };
  const paths = [
    '/en/discover?q=rain',
    '/en/discover?sort=popular',
    '/en/discover?cursor=0.0',
    '/en/discover?cursor=x',
    '/sitemaps/creators-after-7.x.xml',
    '/en/discover?utm_source=letter',
    '/en/discover?spicy',
    '/en/tag/fantasy?spicy=1',
    '/en/tag/nothing',
    '/en?x=1',
    '/en/blog?tag=nothing',
    '/en/blog?lng=de',
    '/robots.txt?x=1',
    `${info}?own`,
    `${info}?spicy`,
    `${info}?lng=de`,
    getInfoPath('nobody'),
    `/creator/${creator.id}`,
    `/creator/${creator.id}?own`,
    '/discover',
    '/',
  ];
  for (const path of paths) {
    await fetchFromCache(path);
    expect(await fetchFromCache(path), path).toMatchObject({ hit: false });
  }
  // Pages contain their host name, so under another host they are private.
  const otherHost = new URL(process.env.LORELOOM_URL as string);
  otherHost.hostname = '127.0.0.1';
  for (const path of ['/en', info, '/robots.txt', '/sitemap.xml']) {
    const answer = await fetch(new URL(path, otherHost));
    expect(
      answer.headers.get('cloudflare-cdn-cache-control') ?? answer.headers.get('cache-control'),
      path,
    ).toBe('private, no-store');
  }
});

test('a creator’s page is in the visitor’s language, although its address names none', async ({
  request,
}) => {
  const [character] = await catalogue(request, 1);
  const { creator } = (await (await request.get(`/api/characters/${character?.id}`)).json()) as {
    creator: { id: string };
  };
  for (const lang of ['de', 'ja', 'pt', 'zh', 'en']) {
    // Another test's chat with the creator's character may be counted between the two.
    await expect(async () => {
      const accepted = await fetchFromCache(`/creator/${creator.id}`, { 'accept-language': lang });
      const chosen = await fetchFromCache(`/creator/${creator.id}`, {
        'accept-language': 'fr',
        cookie: `lang=${lang}`,
      });
      expect(accepted.caching).toBe('private, no-store');
      expect(accepted.body).toContain(`<html lang="${lang}"`);
      expect(chosen.body).toBe(accepted.body);
    }).toPass({ timeout: 20_000 });
  }
});

test('the Worker’s page cache stores a creator’s page per language with tags of creator and characters', async ({
  request,
}) => {
  const [character] = await catalogue(request, 1);
  const path = `/api/characters/${character?.id}`;
  const { creator } = (await (await request.get(path)).json()) as { creator: { id: string } };
  const { creatorPages, close } = await openCreatorPages();
  try {
    const fetchPage = async (address: string) => {
      const answer = await creatorPages.fetch(`${process.env.LORELOOM_URL}${address}`);
      const { status, headers } = answer;
      return {
        status,
        body: await answer.text(),
        forCaches: headers.get('cloudflare-cdn-cache-control'),
        forBrowsers: headers.get('cache-control'),
        tags: headers.get('cache-tag')?.split(','),
      };
    };
    for (const lang of ['en', 'de']) {
      const page = await fetchPage(`/${lang}/creator/${creator.id}`);
      expect(page).toMatchObject({ status: 200, forBrowsers: 'public, max-age=0' });
      expect(page.forCaches).toMatch(/^public, max-age=300, .*stale-if-error=3600$/);
      expect(page.tags).toEqual(
        expect.arrayContaining([
          'creator',
          getCreatorTag(creator.id),
          getCharacterTag(character?.id as string),
        ]),
      );
      expect(page.body).toContain(`<html lang="${lang}"`);
    }
    for (const other of ['nobody', `${creator.id}?utm_source=letter`, `${creator.id}?cursor=x`]) {
      const page = await fetchPage(`/en/creator/${other}`);
      expect(page, other).toMatchObject({ forCaches: null, forBrowsers: 'private, no-store' });
    }
  } finally {
    await close();
  }
});

test('a change to a character purges the pages that show it, and no others', async ({
  page,
  baseURL,
  request,
}) => {
  await signInAsCreator(page, baseURL as string);
  const [known] = await catalogue(request, 1);
  const other = getInfoPath(known?.id as string);
  const name = `Ode ${randomUUID().slice(0, 8)}`;
  // A unique picture: another character with the same picture would keep it public.
  const buffer = Buffer.from(createUniquePicture(randomInt(2 ** 32)));
  const uploaded = await page.request.post('/api/uploads/avatar', {
    multipart: { file: { name: 'portrait.gif', mimeType: 'image/gif', buffer } },
  });
  const { avatar_id } = (await uploaded.json()) as { avatar_id: string };
  const { id } = await makeCharacter(page, { name, tags: ['rpg'], avatar_id });
  const own = getInfoPath(id);
  const shown = await page.request.get(`/api/characters/${id}`);
  const { avatar_url: portrait } = (await shown.json()) as { avatar_url: string };
  const newest = '/en/discover?sort=new';
  const change = async (data: object) =>
    expect((await page.request.patch(`/api/characters/${id}`, { data })).status()).toBe(200);
  const expectAnswer = (path: string, test: (answer: Answer) => boolean, what: string) =>
    expect.poll(async () => test(await fetchFromCache(path)), what).toBe(true);
  const isCached = ({ hit }: Answer) => hit;

  await expectAnswer(newest, ({ body }) => body.includes(name), 'a new character is in the lists');
  // A parallel test may change a character that the other page lists as similar, which purges it: then try again.
  await expect(async () => {
    await expectAnswer(own, isCached, 'its page is cached');
    await expectAnswer(other, isCached, 'another character’s page is cached');
    const oneliner = `Tunes bells ${randomUUID().slice(0, 8)}`;
    await change({ oneliner });
    await expectAnswer(own, ({ body }) => body.includes(oneliner), 'its page shows the change');
    expect((await fetchFromCache(other)).hit).toBe(true);
  }).toPass();
  await expectAnswer(portrait, ({ status, hit }) => status === 200 && hit, 'its portrait is cached');

  await change({ visibility: 'private' });
  await expectAnswer(portrait, ({ status, hit }) => status === 404 && !hit, 'its portrait is gone');
  expect(await fetchFromCache(portrait)).toMatchObject({ status: 404, hit: false });
  await expectAnswer(own, ({ status, hit }) => status === 404 && !hit, 'its page is gone');
  await expectAnswer(newest, ({ body }) => !body.includes(name), 'it is in no list');
  await fetchFromCache(own);
  expect(await fetchFromCache(own)).toMatchObject({ status: 404, hit: false });

  await change({ visibility: 'unlisted' });
  for (let attempt = 0; attempt < 3; attempt += 1) {
    expect(await fetchFromCache(own)).toMatchObject({
      status: 200,
      hit: false,
      caching: 'private, no-store',
    });
  }
});

/** Returns the address of every page of the product, with the given ids in place of its parameters. */
function listPagePaths(id: string, userId: string): string[] {
  const files = readdirSync('src/pages', { recursive: true, encoding: 'utf8' });
  const parameters: Record<string, string> = {
    lang: 'en',
    slug: 'no-reply-is-lost',
    tag: 'fantasy',
    file: 'en',
  };
  return files
    .filter((file) => /(?:\.astro|\.(?:xml|txt|webmanifest)\.ts)$/.test(file) && !/^_|\/_/.test(file))
    .map((file) =>
      `/${file}`
        .replace(/\.(?:astro|ts)$/, '')
        .replace(/\/index$/, '')
        .replaceAll(/\[(\w+)\]/g, (_, part: string) =>
          part === 'id' ? (file.startsWith('creator/') ? userId : id) : (parameters[part] as string),
        ),
    );
}

/** The pages among them that shared caches may store; all others are `private, no-store`. */
const PUBLIC = [
  /^\/en(?:\/discover|\/creator-competition|\/safety|\/status|\/tag\/\w+|\/blog(?:\/[^?]+)?|\/manifest\.webmanifest)?$/,
  /^\/en\/character-info\/[\w-]+$/,
  /^\/api\/status$/,
  /^\/(?:robots\.txt|sitemap\.xml|sitemaps\/en\.xml)$/,
];

test('a business setting of the operator appears on cached pages without a deployment', async ({ page }) => {
  await page.request.post('/api/auth/test-login', { data: { person: 'admin' } });
  const set = async (refill_hours: number | null) =>
    expect((await page.request.put('/api/admin/business', { data: { refill_hours } })).status()).toBe(200);
  const expectRefill = (hours: number) => {
    const sentence = t('home:answers.free.answer', { start: 50, refill: 50, count: hours });
    return expect
      .poll(async () => {
        const { hit, body } = await fetchFromCache('/en');
        return hit && body.includes(sentence);
      }, sentence)
      .toBe(true);
  };
  await expectRefill(8);
  try {
    await set(1);
    await expectRefill(1);
  } finally {
    await set(null);
  }
  await expectRefill(8);
});

test('the shared cache never gives one user’s data to another, on any page or API call', async ({
  page,
  baseURL,
}) => {
  const { id: userId } = await signInAsCreator(page, baseURL as string);
  const mark = randomUUID().slice(0, 8);
  const account = { age_confirmed: true, spicy_mode: true };
  expect((await page.request.patch('/api/account', { data: account })).status()).toBe(200);
  const { id: adultId } = await makeCharacter(page, { name: `Ember ${mark}`, nsfw_allowed: true });
  const { id: privateId } = await makeCharacter(page, { name: `Moss ${mark}`, visibility: 'private' });
  const persona = { name: `Vesper ${mark}`, description: 'Somebody else for once' };
  expect((await page.request.post('/api/personas', { data: persona })).status()).toBe(201);
  const headers = { cookie: await getCookieHeader(page) };
  const { paths } = (await (await page.request.get('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const calls = Object.entries(paths)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) => path.replaceAll(/\{\w+\}/g, privateId));
  const pages = [privateId, adultId].flatMap((id) => listPagePaths(id, userId));
  const asAdult = ['discover?sort=new', 'tag/fantasy?sort=new', `character-info/${adultId}`].map(
    (path) => `/en/${path}${path.includes('?') ? '&' : '?'}spicy`,
  );
  const own = `/en/character-info/${privateId}?own`;
  const all = [...new Set([...pages, ...asAdult, own, ...calls])];
  expect(all.length).toBeGreaterThan(60);
  let ownPages = 0;
  for (const path of all) {
    const ownAnswer = await fetchFromCache(path, headers);
    if (ownAnswer.body.includes(mark)) ownPages += 1;
    const next = await fetchFromCache(path);
    expect(next.body.includes(mark), path).toBe(false);
    if (PUBLIC.some((form) => form.test(path)) && next.status === 200) continue;
    expect({ path, hit: next.hit, caching: [ownAnswer.caching, next.caching] }).toEqual({
      path,
      hit: false,
      caching: ['private, no-store', 'private, no-store'],
    });
  }
  // The user's own pages did contain the user's data.
  expect(ownPages).toBeGreaterThan(5);
});

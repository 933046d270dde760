import { randomInt, randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { getCharacterTag, getCreatorTag } from '../../src/features/page-cache/page-tags.ts';
import { openCreatorPages } from '../support/creator-pages.ts';
import { createUniquePicture } from '../support/pictures.ts';
import { makeCharacter, signInAsCreator } from './creator-hands.ts';
import { catalogue, expect, test } from './journey.ts';

// What a real shared cache, in front of the built Worker, keeps and gives to whom. Tests beside these change lists at any
// time, and have the cache forget them: what must come from it is asked for until it does.

test.beforeAll(() => {
  expect(process.env.LORELOOM_SHARED_CACHE, 'Varnish is to be installed').toBeDefined();
});

interface Answer {
  status: number;
  /** Whether it came out of the cache, and did not reach the Worker. */
  hit: boolean;
  caching: string | null;
  body: string;
}

async function ask(
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
const throughCache = (path: string, headers: Record<string, string> = {}) =>
  ask(process.env.LORELOOM_SHARED_CACHE, path, headers);
const fromWorker = (path: string, headers: Record<string, string> = {}) =>
  ask(process.env.LORELOOM_URL, path, headers);

/** Who one is, as a browser says it with each request. */
async function cookiesOf(page: Page): Promise<string> {
  const cookies = await page.context().cookies();
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

const infoOf = (id: string) => `/en/character-info/${id}`;

test('public pages come from the cache to everybody, and are the same for everybody', async ({
  page,
  request,
  baseURL,
}) => {
  const [somebody] = await catalogue(request, 1);
  await signInAsCreator(page, baseURL as string);
  const mine = {
    cookie: `${await cookiesOf(page)}; lang=ja`,
    'accept-language': 'fr',
    'user-agent': 'another',
  };
  const paths = [
    '/en',
    '/de',
    '/en/discover',
    '/en/discover?sort=new',
    '/en/tag/fantasy',
    infoOf(somebody?.id as string),
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
        const [guests, own] = await Promise.all([fromWorker(path), fromWorker(path, mine)]);
        return guests.status === 200 && guests.body === own.body;
      }, `${path} is the same`)
      .toBe(true);
    // Filled by somebody with an account, given to a guest; what a guest filled, to that somebody.
    await expect
      .poll(async () => {
        const first = await throughCache(path, mine);
        const next = await throughCache(path);
        return first.body === next.body && next.hit;
      }, `${path} comes from the cache`)
      .toBe(true);
  }
});

test('what is searched, asked for in another form or by one person, is never kept', async ({ request }) => {
  const [somebody] = await catalogue(request, 1);
  const info = infoOf(somebody?.id as string);
  const maker = await request.get(`/api/characters/${somebody?.id}`);
  const { creator } = (await maker.json()) as { creator: { id: string } };
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
    infoOf('nobody'),
    `/creator/${creator.id}`,
    `/creator/${creator.id}?own`,
    '/discover',
    '/',
  ];
  for (const path of paths) {
    await throughCache(path);
    expect(await throughCache(path), path).toMatchObject({ hit: false });
  }
  // Pages name their host: at another than the site's own they are for whoever asked.
  const elsewhere = new URL(process.env.LORELOOM_URL as string);
  elsewhere.hostname = '127.0.0.1';
  for (const path of ['/en', info, '/robots.txt', '/sitemap.xml']) {
    const answer = await fetch(new URL(path, elsewhere));
    expect(
      answer.headers.get('cloudflare-cdn-cache-control') ?? answer.headers.get('cache-control'),
      path,
    ).toBe('private, no-store');
  }
});

test('a maker’s page speaks everybody’s own language, though its address names none', async ({ request }) => {
  const [somebody] = await catalogue(request, 1);
  const { creator } = (await (await request.get(`/api/characters/${somebody?.id}`)).json()) as {
    creator: { id: string };
  };
  for (const lang of ['de', 'ja', 'pt', 'zh', 'en']) {
    const accepted = await throughCache(`/creator/${creator.id}`, { 'accept-language': lang });
    const chosen = await throughCache(`/creator/${creator.id}`, {
      'accept-language': 'fr',
      cookie: `lang=${lang}`,
    });
    expect(accepted.caching).toBe('private, no-store');
    expect(accepted.body).toContain(`<html lang="${lang}"`);
    expect(chosen.body).toBe(accepted.body);
  }
});

test('a maker’s page is kept inside once a language, by the names of its maker and of all who are on it', async ({
  request,
}) => {
  const [somebody] = await catalogue(request, 1);
  const path = `/api/characters/${somebody?.id}`;
  const { creator } = (await (await request.get(path)).json()) as { creator: { id: string } };
  const { creatorPages: makers, close } = await openCreatorPages();
  try {
    const asked = async (address: string) => {
      const answer = await makers.fetch(`${process.env.LORELOOM_URL}${address}`);
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
      const page = await asked(`/${lang}/creator/${creator.id}`);
      expect(page).toMatchObject({ status: 200, forBrowsers: 'public, max-age=0' });
      expect(page.forCaches).toMatch(/^public, max-age=300, .*stale-if-error=3600$/);
      expect(page.tags).toEqual(
        expect.arrayContaining([
          'creator',
          getCreatorTag(creator.id),
          getCharacterTag(somebody?.id as string),
        ]),
      );
      expect(page.body).toContain(`<html lang="${lang}"`);
    }
    for (const other of ['nobody', `${creator.id}?utm_source=letter`, `${creator.id}?cursor=x`]) {
      const page = await asked(`/en/creator/${other}`);
      expect(page, other).toMatchObject({ forCaches: null, forBrowsers: 'private, no-store' });
    }
  } finally {
    await close();
  }
});

test('a change has the cache forget the pages that show it, and no other', async ({
  page,
  baseURL,
  request,
}) => {
  await signInAsCreator(page, baseURL as string);
  const [known] = await catalogue(request, 1);
  const other = infoOf(known?.id as string);
  const name = `Ode ${randomUUID().slice(0, 8)}`;
  // One that nobody else shows, who would keep it open.
  const buffer = Buffer.from(createUniquePicture(randomInt(2 ** 32)));
  const uploaded = await page.request.post('/api/uploads/avatar', {
    multipart: { file: { name: 'portrait.gif', mimeType: 'image/gif', buffer } },
  });
  const { avatar_id } = (await uploaded.json()) as { avatar_id: string };
  const { id } = await makeCharacter(page, { name, tags: ['rpg'], avatar_id });
  const own = infoOf(id);
  const shown = await page.request.get(`/api/characters/${id}`);
  const { avatar_url: portrait } = (await shown.json()) as { avatar_url: string };
  const newest = '/en/discover?sort=new';
  const change = async (data: object) =>
    expect((await page.request.patch(`/api/characters/${id}`, { data })).status()).toBe(200);
  const comes = (path: string, test: (answer: Answer) => boolean, what: string) =>
    expect.poll(async () => test(await throughCache(path)), what).toBe(true);
  const isKept = ({ hit }: Answer) => hit;

  await comes(newest, ({ body }) => body.includes(name), 'a new character is in the lists');
  // A test beside may change somebody whom the other page names as similar: then it is seen once more.
  await expect(async () => {
    await comes(own, isKept, 'its page is kept');
    await comes(other, isKept, 'somebody else’s is');
    const told = `Tunes bells ${randomUUID().slice(0, 8)}`;
    await change({ oneliner: told });
    await comes(own, ({ body }) => body.includes(told), 'its page tells it anew');
    expect((await throughCache(other)).hit).toBe(true);
  }).toPass();
  await comes(portrait, ({ status, hit }) => status === 200 && hit, 'its portrait is kept');

  await change({ visibility: 'private' });
  await comes(portrait, ({ status, hit }) => status === 404 && !hit, 'its portrait is gone');
  expect(await throughCache(portrait)).toMatchObject({ status: 404, hit: false });
  await comes(own, ({ status, hit }) => status === 404 && !hit, 'its page is gone');
  await comes(newest, ({ body }) => !body.includes(name), 'it is in no list');
  await throughCache(own);
  expect(await throughCache(own)).toMatchObject({ status: 404, hit: false });

  await change({ visibility: 'unlisted' });
  for (let asked = 0; asked < 3; asked += 1) {
    expect(await throughCache(own)).toMatchObject({ status: 200, hit: false, caching: 'private, no-store' });
  }
});

/** Every address that the pages of the product have, with somebody's own things in the places of ids. */
function pageAddresses(id: string, userId: string): string[] {
  const files = readdirSync('src/pages', { recursive: true, encoding: 'utf8' });
  const places: Record<string, string> = { lang: 'en', slug: 'no-reply-is-lost', tag: 'fantasy', file: 'en' };
  return files
    .filter((file) => /(?:\.astro|\.(?:xml|txt|webmanifest)\.ts)$/.test(file) && !/^_|\/_/.test(file))
    .map((file) =>
      `/${file}`
        .replace(/\.(?:astro|ts)$/, '')
        .replace(/\/index$/, '')
        .replaceAll(/\[(\w+)\]/g, (_, part: string) =>
          part === 'id' ? (file.startsWith('creator/') ? userId : id) : (places[part] as string),
        ),
    );
}

/** The pages among them that shared caches may keep; everything else is `private, no-store`. */
const PUBLIC = [
  /^\/en(?:\/discover|\/creator-competition|\/safety|\/status|\/tag\/\w+|\/blog(?:\/[^?]+)?|\/manifest\.webmanifest)?$/,
  /^\/en\/character-info\/[\w-]+$/,
  /^\/api\/status$/,
  /^\/(?:robots\.txt|sitemap\.xml|sitemaps\/en\.xml)$/,
];

test('what the operator sets is what pages say, out of the cache as well, without a deployment', async ({
  page,
}) => {
  await page.request.post('/api/auth/test-login', { data: { person: 'admin' } });
  const set = async (refill_hours: number | null) =>
    expect((await page.request.put('/api/admin/business', { data: { refill_hours } })).status()).toBe(200);
  const homeSays = (sentence: string) =>
    expect
      .poll(async () => {
        const { hit, body } = await throughCache('/en');
        return hit && body.includes(sentence);
      }, sentence)
      .toBe(true);
  await homeSays('filled up to 50 again every 8 hours.');
  try {
    await set(1);
    await homeSays('filled up to 50 again every hour.');
  } finally {
    await set(null);
  }
  await homeSays('filled up to 50 again every 8 hours.');
});

test('nothing of one person is ever kept for the next, on any page and by any call', async ({
  page,
  baseURL,
}) => {
  const { id: userId } = await signInAsCreator(page, baseURL as string);
  const mark = randomUUID().slice(0, 8);
  const account = { age_confirmed: true, spicy_mode: true };
  expect((await page.request.patch('/api/account', { data: account })).status()).toBe(200);
  const { id: adults } = await makeCharacter(page, { name: `Ember ${mark}`, nsfw_allowed: true });
  const { id: ours } = await makeCharacter(page, { name: `Moss ${mark}`, visibility: 'private' });
  const persona = { name: `Vesper ${mark}`, description: 'Somebody else for once' };
  expect((await page.request.post('/api/personas', { data: persona })).status()).toBe(201);
  const headers = { cookie: await cookiesOf(page) };
  const { paths } = (await (await page.request.get('/api/openapi.json')).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const calls = Object.entries(paths)
    .filter(([, methods]) => 'get' in methods)
    .map(([path]) => path.replaceAll(/\{\w+\}/g, ours));
  const pages = [ours, adults].flatMap((id) => pageAddresses(id, userId));
  const asAdult = ['discover?sort=new', 'tag/fantasy?sort=new', `character-info/${adults}`].map(
    (path) => `/en/${path}${path.includes('?') ? '&' : '?'}spicy`,
  );
  const own = `/en/character-info/${ours}?own`;
  const all = [...new Set([...pages, ...asAdult, own, ...calls])];
  expect(all.length).toBeGreaterThan(60);
  let seen = 0;
  for (const path of all) {
    const mine = await throughCache(path, headers);
    if (mine.body.includes(mark)) seen += 1;
    const next = await throughCache(path);
    expect(next.body.includes(mark), path).toBe(false);
    if (PUBLIC.some((form) => form.test(path)) && next.status === 200) continue;
    expect({ path, hit: next.hit, caching: [mine.caching, next.caching] }).toEqual({
      path,
      hit: false,
      caching: ['private, no-store', 'private, no-store'],
    });
  }
  // Their pages did show them what is theirs.
  expect(seen).toBeGreaterThan(5);
});

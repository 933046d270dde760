import { AxeBuilder } from '@axe-core/playwright';
import { randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CRONS } from '../../src/crons.ts';
import { awake, catalogue, expect, test } from './journey.ts';

const PAGES = [
  '/en',
  '/en/discover',
  '/en/tag/fantasy',
  '/en/favourites',
  '/en/discover?q=nobody+has+this+name',
  '/login',
  '/privacy',
  '/terms',
  '/about',
  '/en/blog',
  '/en/blog/no-reply-is-lost',
  '/en/safety',
];

for (const path of PAGES) {
  for (const [device, viewport] of [
    ['a phone', { width: 360, height: 740 }],
    ['a desk', { width: 1440, height: 900 }],
  ] as const) {
    test(`${path} on ${device} can be used by everybody and fits`, async ({ page }) => {
      await page.setViewportSize(viewport);
      const answer = await page.goto(path);
      const isShared = /^\/en(?!.*[?]q=|\/favourites)/.test(path);
      expect(answer?.headers()['cache-control']).toBe(isShared ? 'public, max-age=0' : 'private, no-store');
      await awake(page);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    });
  }
}

test('a character’s page tells who they are and leads to the chat, with JavaScript off', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL as string });
  const page = await context.newPage();
  await page.goto('/en/discover');
  const card = page.getByRole('list', { name: 'Characters' }).getByRole('link').first();
  await card.click();
  await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty();
  await expect(page.getByRole('link', { name: 'Start chatting' })).toHaveAttribute('href', /^\/character\//);
  await context.close();
});

test('discover finds a character by the beginning of a name, and says so when there is none', async ({
  page,
}) => {
  await page.goto('/en/discover');
  const cards = page.getByRole('list', { name: 'Characters' }).getByRole('link');
  expect(await cards.count()).toBeGreaterThanOrEqual(24);
  // Of the seeded catalogue: tests beside make several of one name.
  const name = 'Ebbe Thorsager';
  await page.getByRole('searchbox').fill(name.slice(0, 4).toUpperCase());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/q=/);
  await expect(cards.filter({ hasText: name })).toHaveCount(1);
  await page.getByRole('searchbox').fill('zzzzqqqq');
  await page.keyboard.press('Enter');
  await expect(cards).toHaveCount(0);
});

test('every portrait of the catalogue is a picture of its own', async ({ request }) => {
  const items = await catalogue(request, 100);
  expect(items.length).toBeGreaterThanOrEqual(24);
  const bodies = new Set<string>();
  for (const { avatar_url } of items) {
    const picture = await request.get(avatar_url);
    expect(picture.status()).toBe(200);
    expect(picture.headers()['content-type']).toBe('image/webp');
    expect(picture.headers()['cache-control']).toContain('immutable');
    bodies.add((await picture.body()).toString('base64'));
  }
  expect(bodies.size).toBe(items.length);
});

test('an unknown page says so kindly, in the visitor’s language prefix, and is a 404', async ({
  request,
}) => {
  const answer = await request.get('/en/there-is-no-such-page');
  expect(answer.status()).toBe(404);
  expect(answer.headers()['cache-control']).toBe('private, no-store');
  expect(answer.headers()['x-request-id']).toBeTruthy();
  expect(await answer.text()).toContain('<html lang="en"');
});

test('addresses without a language, with an unknown one, or with a strange form lead to the right page', async ({
  request,
}) => {
  const cases: [string, Record<string, string>, string][] = [
    ['/', { 'accept-language': 'fr-CA,fr;q=0.9' }, '/fr'],
    ['/discover', { cookie: 'lang=ja' }, '/ja/discover'],
    ['/xx/discover', {}, '/en/discover'],
    ['/PT-br/discover', {}, '/pt/discover'],
    ['/en/discover/', {}, '/en/discover'],
    ['/tag/anime?sort=new', { 'accept-language': 'de' }, '/de/tag/anime?sort=new'],
  ];
  for (const [from, headers, to] of cases) {
    const answer = await request.get(from, { headers, maxRedirects: 0 });
    expect([from, answer.status(), answer.headers().location]).toEqual([from, 302, to]);
    expect(answer.headers()['cache-control']).toBe('private, no-store');
  }
});

/** A database of the running site, by where the platform's stand-in keeps it. */
function siteDatabase(kind: string): DatabaseSync {
  const files = globSync(join(process.env.LORELOOM_STATE ?? '', 'v3', kind, '*/*.sqlite'));
  const file = files.find((path) => !path.includes('metadata')) ?? '';
  return new DatabaseSync(file, { timeout: 10_000 });
}

test('the housekeeping of the built Worker does all of its work when its time comes', async ({ request }) => {
  const guest = await (await request.post('/api/auth/anonymous')).json();
  await request.post('/api/logout');
  const me = await (await request.post('/api/auth/test-login', { data: { person: 'newcomer' } })).json();
  const id = randomUUID();
  const db = siteDatabase('d1');
  const now = Date.now();
  const old = now - 400 * 86_400_000;
  const today = Math.floor(now / 86_400_000);
  const put = (table: string, row: Record<string, string | number>) =>
    db
      .prepare(
        `insert into ${table} (${Object.keys(row).join()}) values (${Object.keys(row)
          .map(() => '?')
          .join()})`,
      )
      .run(...Object.values(row));
  db.exec('begin immediate');
  const [user_id, owner_id] = [me.user_id, me.user_id];
  put('characters', {
    ...{ id, creator_id: me.user_id, name: 'Old', oneliner: 'Old', character_traits: 'Old', avatar_key: 'x' },
    ...{ model_type: 'roleplay', visibility: 'private', point_of_view: 'normal', suggested_replies: '[]' },
    ...{ created_at: old, updated_at: old, summary_try_at: 1 },
  });
  db.prepare('update users set seen_at = 1 where id = ?').run(guest.user_id);
  put('sessions', { id, public_id: id, user_id, expires_at: 1, created_at: 1, user_agent: '' });
  put('login_codes', { email: id, code_hash: id, sent_at: 1, expires_at: 1 });
  put('used_tokens', { hash: id, expires_at: 1 });
  put('deletion_requests', { user_id, token_hash: id, requested_at: 1, expires_at: 1 });
  // Each hour has its share of the keys.
  for (let hour = 0; hour < 24; hour += 1) {
    const share = Math.floor((hour * 256) / 24).toString(16);
    put('pictures', { key: share.padStart(2, '0') + id, owner_id, bytes: 1, created_at: old });
  }
  put('cards', { id, owner_id, object_key: id, bytes: 1, draft: '{}', created_at: old });
  put('character_creations', {
    owner_id,
    key: id,
    character_id: id,
    body_hash: id,
    done: 1,
    created_at: old,
  });
  put('character_days', { day: 1, character_id: id, chats: 1 });
  put('character_days', { day: today, character_id: id, chats: 1 });
  const times = { created_at: old, last_message_at: old, message_count: 0, deleted_at: 1 };
  put('conversations', { id, owner_id, character_id: id, ...times });
  const nobody = { user_id: id, address: 'nobody@example.test', language: 'en', details: '{}', about: '' };
  put('mails', { id, ...nobody, kind: 'account_of_before', created_at: old, try_at: 1 });
  db.exec('commit');

  for (const cron of Object.values(CRONS)) {
    const answer = await request.get('/cdn-cgi/local/scheduled', { params: { cron } });
    expect(answer.status()).toBe(200);
    expect(await answer.text()).toBe('ok');
  }
  const kept = siteDatabase('kv');
  const left = () => {
    const count = (sql: string, of: string = id) => db.prepare(sql).all(of).length;
    const isMissing = (key: string) =>
      kept.prepare('select 1 from _mf_entries where key = ?').all(key).length === 0;
    return Object.entries({
      guest: count('select 1 from users where id = ?', guest.user_id),
      session: count('select 1 from sessions where id = ?'),
      code: count('select 1 from login_codes where email = ?'),
      token: count('select 1 from used_tokens where hash = ?'),
      deletion: count('select 1 from deletion_requests where token_hash = ?'),
      pictures: Number(count("select 1 from pictures where key like '%' || ?") === 24),
      card: count('select 1 from cards where id = ?'),
      creation: count('select 1 from character_creations where key = ?'),
      day: count('select 1 from character_days where day = 1 and character_id = ?'),
      listing: count('select 1 from character_days where fresh = 1 and character_id = ?'),
      words: count('select 1 from character_words where version = 0 and character_id = ?'),
      summary: count('select 1 from characters where summary_try_at = 1 and id = ?'),
      conversation: count('select 1 from conversations where id = ?'),
      mail: count('select 1 from mails where id = ?'),
      trending: Number(isMissing('trending:general:all')),
      sitemap: Number(isMissing('sitemap:times')),
    })
      .filter(([, rows]) => rows > 0)
      .map(([task]) => task);
  };
  await expect.poll(left, { timeout: 15_000 }).toEqual([]);
  db.close();
  kept.close();
});

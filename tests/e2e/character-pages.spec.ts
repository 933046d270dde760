import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { TAGS } from '../../src/features/character/limits.ts';
import { makeCharacter, signInAsCreator } from './creator-hands.ts';
import { awake, expect, SOMEBODY, test } from './journey.ts';
import { toast } from './message-hands.ts';
import { violations } from './violations.ts';

const HOSTILE = '</script><img src=x onerror=1>"&';
/** As the scripted model writes it where it is asked to. */
const INTRODUCTION = 'Somebody who waits where the road ends, and is glad of company.';
/** The same in what a nickname holds. */
const HOSTILE_NICKNAME = `"><img src=x>&'`;

/** What a page says of itself in its head, as a program reads it. */
async function headOf(request: APIRequestContext, path: string) {
  const answer = await request.get(path);
  const html = await answer.text();
  const attribute = (name: string) =>
    new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html)?.[1];
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
  const graph = data === undefined ? [] : (JSON.parse(data)['@graph'] ?? [JSON.parse(data)]);
  return { html, attribute, graph };
}

/** Every address that the sitemaps name. */
async function sitemapAddresses(request: APIRequestContext): Promise<string[]> {
  const addresses = async (path: string) =>
    [...(await (await request.get(path)).text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, address]) => new URL(address as string).pathname,
    );
  const files = await addresses('/sitemap.xml');
  expect(files).toEqual(expect.arrayContaining(['/sitemaps/ja.xml', '/sitemaps/creators.xml']));
  return (await Promise.all(files.map(addresses))).flat();
}

test('my characters are listed with who sees them, can be deleted and restored, and one that is private opens for me alone', async ({
  page,
  baseURL,
  browser,
  troubles,
}) => {
  const me = await signInAsCreator(page, baseURL as string);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/en/creator-center');
  await expect(page.getByRole('heading', { name: 'No characters yet' })).toBeVisible();
  expect(await violations(page)).toEqual([]);

  const character_traits = 'Curious, stubborn. [[introduction:introduction]]';
  const wren = await makeCharacter(page, { character_traits, tags: ['fantasy', 'rpg'] });
  const loam = await makeCharacter(page, { name: 'Loam', visibility: 'private' });
  const { conversation } = await (
    await page.request.post('/api/conversations', { data: { character_id: wren.id } })
  ).json();
  await page.request.post(`/api/conversations/${conversation.id}/messages`, {
    data: { content: 'Hello. [[scenario:tokens n=1 ms=1]]', client_message_id: randomUUID() },
  });
  const seen = async () => (await page.request.get(`/api/characters/${wren.id}`)).json();
  await expect.poll(seen).toMatchObject({ summary_generated: true, chat_count: 1 });
  await page.reload();
  const list = page.getByRole('region', { name: 'Your characters' });
  const rows = list.getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText('Private');
  await expect(rows.last()).toContainText('Everybody can find it.');
  await expect(list.getByText('2 characters', { exact: true })).toBeVisible();
  await expect(rows.first()).toContainText('0 chats · changed');
  await expect(rows.last()).toContainText('1 chat · changed');
  await expect(page.getByText('Your public characters take part in the creator competition.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'About the competition' })).toHaveAttribute(
    'href',
    '/en/creator-competition',
  );
  await expect(rows.first().getByRole('link', { name: 'Edit: Loam' })).toHaveAttribute(
    'href',
    `/creator-center/edit/${loam.id}`,
  );
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  await rows.last().getByRole('button', { name: 'Delete: Wren' }).click();
  await expect(rows).toHaveCount(1);
  await toast(page, 'Wren is in the trash.').getByRole('button', { name: 'Undo' }).click();
  await expect(rows).toHaveCount(2);
  await rows.last().getByRole('button', { name: 'Delete: Wren' }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Trash' }).click();
  const trashed = page.getByRole('region', { name: 'Trash' }).getByRole('listitem');
  await expect(trashed).toContainText('30 days left');
  expect(await violations(page)).toEqual([]);
  expect((await page.request.get(`/en/character-info/${wren.id}`)).status()).toBe(404);
  await trashed.getByRole('button', { name: 'Restore: Wren' }).click();
  await expect(rows).toHaveCount(2);
  await expect(page.getByText('Nothing is in the trash.')).toBeVisible();

  await rows.first().getByRole('link', { name: 'View: Loam' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Loam' })).toBeVisible();
  await expect(page.getByText('Only you see this page, until you set')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Edit' })).toHaveAttribute('href', /\/creator-center\/edit\//);
  await expect(page).toHaveTitle(/^Loam/);
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  // The page for everybody is «not found», and the browser says so.
  expect(troubles.splice(0)).toEqual([expect.stringContaining('404')]);

  // Whoever else comes gets nothing of it, without scripts and with a hostile address.
  const other = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL as string });
  const theirs = await other.newPage();
  for (const query of ['', '?own=1', '?spicy=1']) {
    const answer = await theirs.goto(`/en/character-info/${loam.id}${query}`);
    expect([answer?.status(), await answer?.text()]).toEqual([404, expect.not.stringContaining('Loam')]);
  }
  await expect(theirs.getByRole('heading', { level: 1, name: 'Nobody lives here' })).toBeVisible();
  await expect(
    theirs.getByText('This character does not exist, was removed, or is private.', { exact: true }),
  ).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'Meet someone else' })).toHaveAttribute(
    'href',
    '/en/discover',
  );
  await theirs.goto(`/en/character-info/${wren.id}`);
  await expect(theirs.getByText('1 chat so far', { exact: true })).toBeVisible();
  const about = theirs.getByRole('region', { name: 'About Wren' });
  await expect(about.getByText(INTRODUCTION, { exact: true })).toBeVisible();
  await expect(about.getByText('This summary was written by an AI.', { exact: true })).toBeVisible();
  const tags = theirs.getByRole('navigation', { name: 'Tags' }).getByRole('link');
  await expect(tags).toHaveText(['Fantasy', 'RPG']);
  await expect(tags.first()).toHaveAttribute('href', '/en/tag/fantasy');
  await expect(theirs.getByRole('link', { name: 'Report' })).toHaveAttribute(
    'href',
    `/character/${wren.id}/report`,
  );
  await theirs.getByRole('link', { name: `by ${me.username}` }).click();
  await expect(theirs.getByRole('heading', { level: 1, name: me.username })).toBeVisible();
  await expect(theirs.getByText('1 character', { exact: true })).toBeVisible();
  await expect(theirs.getByText('1 chat so far', { exact: true })).toBeVisible();
  const cards = theirs.getByRole('list', { name: `Characters by ${me.username}` }).getByRole('link');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('Wren');
  expect((await theirs.goto('/creator/nobody'))?.status()).toBe(404);
  await expect(theirs.getByRole('heading', { level: 1, name: 'Nobody of that name' })).toBeVisible();
  await other.close();
});

test('from a chat I report its character, am told what is missing, and come back to the chat', async ({
  page,
  baseURL,
}) => {
  await signInAsCreator(page, baseURL as string);
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string; name: string }[];
  };
  const { id, name } = items[0] as { id: string; name: string };
  await page.goto(`/character/${id}`);
  await awake(page);
  await page.getByRole('button', { name: 'Chat menu' }).click();
  await page.getByRole('menuitem', { name: 'Report' }).click();
  await expect(page.getByRole('heading', { level: 1, name: `Report ${name}` })).toBeVisible();
  await awake(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('button', { name: 'Send the report' }).click();
  await expect(page.getByText('Please choose what is wrong.')).toBeVisible();
  await expect(page.getByRole('radio').first()).toBeFocused();
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.getByRole('radio', { name: 'A tag that does not fit' }).check();
  const details = page.getByRole('textbox', { name: 'Details' });
  await details.fill('d'.repeat(301));
  await expect(details).toHaveAccessibleDescription(/Report details must not exceed 300 characters/);
  await details.fill('It is no human.');

  await page.route('**/reports', (route) =>
    route.fulfill({ status: 500, json: { code: 'server_error', error: '' } }),
  );
  await page.getByRole('button', { name: 'Send the report' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to submit report' })).toBeVisible();
  await page.unroute('**/reports');
  await page.getByRole('button', { name: 'Send the report' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you, your report has arrived' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: 'Back to the chat' }).click();
  // The chat names its conversation as soon as it knows it.
  await expect(page).toHaveURL(new RegExp(`/character/${id}(\\?conversation_id=[^&]+)?$`));

  await page.goto('/character/nobody/report');
  await expect(page.getByRole('heading', { level: 1, name: 'Nobody lives here' })).toBeVisible();
});

test('a character’s page says what it is to those who search and share, whatever it is called, and nothing of what is not for everybody', async ({
  page,
  baseURL,
  context,
}) => {
  const me = await signInAsCreator(page, baseURL as string);
  await page.request.patch('/api/account', {
    data: { spicy_mode: true, age_confirmed: true, nickname: HOSTILE_NICKNAME },
  });
  // All of them: nobody is more like the others.
  const tags = TAGS;
  const wren = await makeCharacter(page, { name: HOSTILE, oneliner: HOSTILE, tags });
  const robin = await makeCharacter(page, { name: 'Robin', tags });
  const adult = await makeCharacter(page, { name: 'Vesper', nsfw_allowed: true, tags });
  const hidden = await Promise.all(
    (['private', 'unlisted'] as const).map((visibility) =>
      makeCharacter(page, { name: `Kept ${visibility}`, visibility, tags }),
    ),
  );
  await page.request.patch('/api/account', { data: { spicy_mode: false } });
  const { request } = page;
  const origin = new URL(baseURL as string).origin;

  const told = await headOf(request, `/en/character-info/${wren.id}`);
  expect(told.html).toContain(`<link rel="canonical" href="${origin}/en/character-info/${wren.id}"`);
  expect(told.html).toContain(`hreflang="ja" href="${origin}/ja/character-info/${wren.id}"`);
  expect(told.attribute('og:image')).toBe(origin + wren.avatar_url);
  expect([told.attribute('og:image:width'), told.attribute('og:image:height')]).toEqual(['30', '40']);
  expect(told.attribute('og:image:type')).toBe('image/png');
  expect(told.graph[0]).toMatchObject({ '@type': 'CreativeWork', name: HOSTILE });
  const home = await headOf(request, '/de');
  expect(home.attribute('og:locale')).toBe('de_DE');
  expect(home.graph[0]).toMatchObject({ '@type': 'WebSite', inLanguage: 'de' });
  const profile = await headOf(request, `/creator/${me.id}`);
  expect(profile.graph[0]).toMatchObject({ '@type': 'ProfilePage', mainEntity: { name: HOSTILE_NICKNAME } });
  expect(profile.attribute('og:type')).toBe('profile');

  const sitemap = await sitemapAddresses(request);
  expect(sitemap).toEqual(
    expect.arrayContaining([
      `/hi/character-info/${wren.id}`,
      `/creator/${me.id}`,
      '/en/blog/no-reply-is-lost',
    ]),
  );
  expect(new Set(sitemap).size).toBe(sitemap.length);
  const pages = [
    told.html,
    profile.html,
    home.html,
    await (await request.get('/en/tag/rpg?sort=new')).text(),
    await (await request.get(`/en/character-info/${robin.id}`)).text(),
  ];
  for (const { id, name } of [adult, ...hidden]) {
    expect(sitemap.filter((address) => address.includes(id))).toEqual([]);
    for (const html of pages) expect(html.includes(id) || html.includes(name)).toBe(false);
    const own = await headOf(request, `/en/character-info/${id}`);
    expect([own.attribute('og:title'), own.graph]).toEqual([undefined, []]);
    expect(own.html).toContain('<meta name="robots" content="noindex"');
  }

  // A list from its beginning is kept by search engines; a search, and a place within a list, are of a moment.
  const asked = encodeURIComponent(`${HOSTILE}\u202e`);
  const results =
    '<title>Results for “&lt;/script&gt;&lt;img src=x onerror=1&gt;&quot;&amp;” · Loreloom</title>';
  for (const path of ['/en/discover', '/en/tag/rpg', '/en/discover?sort=new']) {
    const list = await headOf(request, path);
    expect(list.html).not.toContain('noindex');
    expect(list.attribute('og:title')).toBe(path.includes('tag') ? 'RPG characters' : 'Discover');
  }
  for (const path of ['/en/discover', '/en/tag/rpg']) {
    const search = await headOf(request, `${path}?q=${asked}`);
    expect(search.html).toContain('<meta name="robots" content="noindex"');
    expect(search.html).toContain(results);
    expect([search.attribute('og:title'), search.graph]).toEqual([undefined, []]);
    const further = await headOf(request, `${path}?sort=new&cursor=1700000000000.wren`);
    expect(further.html).toContain('<meta name="robots" content="noindex"');
  }

  // In a browser it is text, and the policy has nothing against it.
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/en/character-info/${wren.id}`);
  await awake(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(HOSTILE);
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
  const shared = (property: string) => page.locator(`meta[property="og:${property}"]`);
  await expect(shared('title')).toHaveAttribute('content', HOSTILE);
  await expect(shared('description')).toHaveAttribute('content', `${HOSTILE}: ${HOSTILE}`);
  await expect(shared('image:alt')).toHaveAttribute('content', `Portrait of ${HOSTILE}`);
  // Nobody has introduced it yet, and no program is said to have.
  const about = page.getByRole('region', { name: `About ${HOSTILE}` });
  await expect(about.getByText('There is no introduction yet.', { exact: true })).toBeVisible();
  await expect(about.getByText('written by an AI')).toHaveCount(0);
  await expect(page.getByText('This is yours. Everybody can find it.')).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Share' }).click();
  await expect(toast(page, 'The link is copied.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${origin}/en/character-info/${wren.id}`,
  );
  await page.getByText('Take the card with you').click();
  await expect(page.getByRole('link', { name: 'Picture (PNG)' })).toHaveAttribute(
    'href',
    /\/card\?format=png$/,
  );

  // So it is on a card, wherever one is drawn, and so is its maker's name.
  const toWren = `a[href$="/character-info/${wren.id}"]`;
  const card = page.getByRole('main').locator(toWren);
  const isText = async () => {
    await expect(card.getByText(HOSTILE, { exact: true })).toHaveCount(2);
    await expect(page.locator('img[src="x"]')).toHaveCount(0);
  };
  await page.goto(`/en/character-info/${robin.id}`);
  await expect(page.getByRole('link', { name: `by ${HOSTILE_NICKNAME}`, exact: true })).toBeVisible();
  await expect(page.getByRole('list', { name: 'Others like this' }).locator(toWren)).toBeVisible();
  await isText();
  await page.goto('/en/tag/rpg?sort=new');
  await isText();
  await page.goto(`/creator/${me.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(HOSTILE_NICKNAME);
  await expect(page.getByRole('list', { name: `Characters by ${HOSTILE_NICKNAME}` })).toBeVisible();
  await expect(shared('title')).toHaveAttribute('content', HOSTILE_NICKNAME);
  await expect(shared('description')).toHaveAttribute(
    'content',
    `${HOSTILE_NICKNAME} has made 2 characters on Loreloom.`,
  );
  await isText();
});

import { randomUUID } from 'node:crypto';
import type { APIRequestContext } from '@playwright/test';
import { TAGS } from '../../src/features/character/limits.ts';
import { t } from '../support/texts.ts';
import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { awake, expect, SOMEBODY, test } from './journey.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

const HOSTILE = '</script><img src=x onerror=1>"&';
/** The introduction that the scripted model writes on request. */
const INTRODUCTION = 'Somebody who waits where the road ends, and is glad of company.';
/** A hostile text that fits a nickname. */
const HOSTILE_NICKNAME = `"><img src=x>&'`;

/** Fetches a page and returns its HTML, its Open Graph properties and its JSON-LD graph. */
async function fetchMetadata(request: APIRequestContext, path: string) {
  const answer = await request.get(path);
  const html = await answer.text();
  const attribute = (name: string) =>
    new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html)?.[1];
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1];
  const graph = data === undefined ? [] : (JSON.parse(data)['@graph'] ?? [JSON.parse(data)]);
  return { html, attribute, graph };
}

/** Returns the path of every address in the sitemaps. */
async function fetchSitemapPaths(request: APIRequestContext): Promise<string[]> {
  const addresses = async (path: string) =>
    [...(await (await request.get(path)).text()).matchAll(/<loc>([^<]+)<\/loc>/g)].map(
      ([, address]) => new URL(address as string).pathname,
    );
  const files = await addresses('/sitemap.xml');
  expect(files).toEqual(expect.arrayContaining(['/sitemaps/ja.xml', '/sitemaps/creators.xml']));
  return (await Promise.all(files.map(addresses))).flat();
}

test('a creator lists, deletes and restores own characters, and only the creator can open a private one @all', async ({
  page,
  baseURL,
  browser,
  troubles,
}) => {
  const me = await signInAsCreator(page, baseURL as string);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/en/creator-center');
  await expect(page.getByRole('heading', { name: t('center:emptyTitle') })).toBeVisible();
  expect(await violations(page)).toEqual([]);

  const character_traits = 'Curious, stubborn. [[introduction:introduction]]';
  const wren = await makeCharacter(page, { character_traits, tags: ['fantasy', 'rpg'] });
  const loam = await makeCharacter(page, {
    name: 'Loam',
    oneliner: '{{char}} waits for <USER>',
    visibility: 'private',
  });
  // The creator's own chats do not count.
  const { request: reader } = await browser.newContext({ baseURL: baseURL as string });
  await reader.post('/api/auth/anonymous');
  const { conversation } = await (
    await reader.post('/api/conversations', { data: { character_id: wren.id } })
  ).json();
  await reader.post(`/api/conversations/${conversation.id}/messages`, {
    data: { content: 'Hello. [[scenario:tokens n=1 ms=1]]', client_message_id: randomUUID() },
  });
  const readCharacter = async () => (await page.request.get(`/api/characters/${wren.id}`)).json();
  await expect.poll(readCharacter).toMatchObject({ summary_generated: true, chat_count: 1 });
  await page.reload();
  const list = page.getByRole('region', { name: t('center:listLabel') });
  const rows = list.getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.first()).toContainText(t('center:private'));
  await expect(rows.first()).toContainText('Loam waits for you');
  await expect(rows.last()).toContainText(t('center:publicNote'));
  await expect(list.getByText(t('center:characterCount', { count: 2 }), { exact: true })).toBeVisible();
  await expect(rows.first()).toContainText(
    new RegExp(`${t('center:chatCount', { count: 0 })} · ${t('center:updatedOn', { date: '.+' })}`),
  );
  await expect(rows.last()).toContainText(
    new RegExp(`${t('center:chatCount', { count: 1 })} · ${t('center:updatedOn', { date: '.+' })}`),
  );
  await expect(page.getByText(t('center:competitionNote'))).toBeVisible();
  await expect(page.getByRole('link', { name: t('center:competitionLink') })).toHaveAttribute(
    'href',
    '/en/creator-competition',
  );
  await expect(
    rows.first().getByRole('link', { name: t('center:editNamed', { name: 'Loam' }) }),
  ).toHaveAttribute('href', `/creator-center/edit/${loam.id}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  await rows
    .last()
    .getByRole('button', { name: t('center:deleteNamed', { name: 'Wren' }) })
    .click();
  await expect(rows).toHaveCount(1);
  await toast(page, t('center:deleted', { name: 'Wren' }))
    .getByRole('button', { name: t('center:undo') })
    .click();
  await expect(rows).toHaveCount(2);
  await rows
    .last()
    .getByRole('button', { name: t('center:deleteNamed', { name: 'Wren' }) })
    .click();
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: t('center:trashTitle') }).click();
  const trashed = page.getByRole('region', { name: t('center:trashTitle') }).getByRole('listitem');
  await expect(trashed).toContainText(t('center:daysLeft', { count: 30 }));
  expect(await violations(page)).toEqual([]);
  expect((await page.request.get(`/en/character-info/${wren.id}`)).status()).toBe(404);
  await trashed.getByRole('button', { name: t('center:restoreNamed', { name: 'Wren' }) }).click();
  await expect(rows).toHaveCount(2);
  await expect(page.getByText(t('center:trashEmpty'))).toBeVisible();

  await rows
    .first()
    .getByRole('link', { name: t('center:viewNamed', { name: 'Loam' }) })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Loam' })).toBeVisible();
  await expect(page.getByText(t('character:own.private'))).toBeVisible();
  await expect(page.getByRole('link', { name: t('character:own.edit') })).toHaveAttribute(
    'href',
    /\/creator-center\/edit\//,
  );
  await expect(page).toHaveTitle(/^Loam/);
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  // The public page answers 404, which the browser logs.
  expect(troubles.splice(0)).toEqual([expect.stringContaining('404')]);

  // Another visitor gets nothing of the character, without scripts and with guessed query parameters.
  const visitorContext = await browser.newContext({ javaScriptEnabled: false, baseURL: baseURL as string });
  const visitorPage = await visitorContext.newPage();
  for (const query of ['', '?own=1', '?spicy=1']) {
    const answer = await visitorPage.goto(`/en/character-info/${loam.id}${query}`);
    expect([answer?.status(), await answer?.text()]).toEqual([404, expect.not.stringContaining('Loam')]);
  }
  await expect(
    visitorPage.getByRole('heading', { level: 1, name: t('character:missing.title') }),
  ).toBeVisible();
  await expect(visitorPage.getByText(t('character:missing.text'), { exact: true })).toBeVisible();
  await expect(visitorPage.getByRole('link', { name: t('character:missing.findCharacter') })).toHaveAttribute(
    'href',
    '/en/discover',
  );
  await visitorPage.goto(`/en/character-info/${wren.id}`);
  await expect(visitorPage.getByText(t('character:chatCount', { count: 1 }), { exact: true })).toBeVisible();
  const about = visitorPage.getByRole('region', { name: t('character:aboutTitle', { name: 'Wren' }) });
  await expect(about.getByText(INTRODUCTION, { exact: true })).toBeVisible();
  await expect(about.getByText(t('character:summaryGenerated'), { exact: true })).toBeVisible();
  const tags = visitorPage.getByRole('navigation', { name: t('character:tagsTitle') }).getByRole('link');
  await expect(tags).toHaveText([t('common:tag.fantasy'), t('common:tag.rpg')]);
  await expect(tags.first()).toHaveAttribute('href', '/en/tag/fantasy');
  await expect(visitorPage.getByRole('link', { name: t('character:report') })).toHaveAttribute(
    'href',
    `/character/${wren.id}/report`,
  );
  await visitorPage.getByRole('link', { name: `by ${me.username}` }).click();
  await expect(visitorPage.getByRole('heading', { level: 1, name: me.username })).toBeVisible();
  await expect(
    visitorPage.getByText(t('creator:characterCount', { count: 1 }), { exact: true }),
  ).toBeVisible();
  await expect(visitorPage.getByText(t('creator:chatCount', { count: 1 }), { exact: true })).toBeVisible();
  const cards = visitorPage
    .getByRole('list', { name: t('creator:listLabel', { name: me.username }) })
    .getByRole('link');
  await expect(cards).toHaveCount(1);
  await expect(cards).toContainText('Wren');
  expect((await visitorPage.goto('/creator/nobody'))?.status()).toBe(404);
  await expect(
    visitorPage.getByRole('heading', { level: 1, name: t('creator:missing.title') }),
  ).toBeVisible();
  await visitorContext.close();
});

test('a user reports a character from its chat, fixes the form’s errors, and returns to the chat @all', async ({
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
  await page.getByRole('button', { name: t('chat:chatMenu') }).click();
  await page.getByRole('menuitem', { name: t('chat:report') }).click();
  await expect(page.getByRole('heading', { level: 1, name: t('report:title', { name }) })).toBeVisible();
  await awake(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByRole('button', { name: t('report:send') }).click();
  await expect(page.getByText(t('report:reasonMissing'))).toBeVisible();
  await expect(page.getByRole('radio').first()).toBeFocused();
  expect(await violations(page)).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  await page.getByRole('radio', { name: t('report:reason_wrongTag') }).check();
  const details = page.getByRole('textbox', { name: t('report:detailsLabel') });
  await details.fill('d'.repeat(301));
  await expect(details).toHaveAccessibleDescription(/Report details must not exceed 300 characters/);
  await details.fill('It is no human.');

  await page.route('**/reports', (route) =>
    route.fulfill({ status: 500, json: { code: 'server_error', error: '' } }),
  );
  await page.getByRole('button', { name: t('report:send') }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Failed to submit report' })).toBeVisible();
  await page.unroute('**/reports');
  await page.getByRole('button', { name: t('report:send') }).click();
  await expect(page.getByRole('heading', { name: t('report:sentTitle') })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: t('report:backToChat') }).click();
  // The chat adds its conversation to the address as soon as it knows the id.
  await expect(page).toHaveURL(new RegExp(`/character/${id}(\\?conversation_id=[^&]+)?$`));

  await page.goto('/character/nobody/report');
  await expect(page.getByRole('heading', { level: 1, name: t('report:missingTitle') })).toBeVisible();
});

test('metadata, sitemaps and cards show a hostile character name as text and leave out hidden characters @all', async ({
  page,
  baseURL,
  context,
}) => {
  const me = await signInAsCreator(page, baseURL as string);
  await page.request.patch('/api/account', {
    data: { spicy_mode: true, age_confirmed: true, nickname: HOSTILE_NICKNAME },
  });
  // With all tags, no other character is more similar to these.
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

  const characterPage = await fetchMetadata(request, `/en/character-info/${wren.id}`);
  expect(characterPage.html).toContain(`<link rel="canonical" href="${origin}/en/character-info/${wren.id}"`);
  expect(characterPage.html).toContain(`hreflang="ja" href="${origin}/ja/character-info/${wren.id}"`);
  expect(characterPage.attribute('og:image')).toBe(origin + wren.avatar_url);
  expect([characterPage.attribute('og:image:width'), characterPage.attribute('og:image:height')]).toEqual([
    '30',
    '40',
  ]);
  expect(characterPage.attribute('og:image:type')).toBe('image/png');
  expect(characterPage.graph[0]).toMatchObject({ '@type': 'CreativeWork', name: HOSTILE });
  const home = await fetchMetadata(request, '/de');
  expect(home.attribute('og:locale')).toBe('de_DE');
  expect(home.graph[0]).toMatchObject({ '@type': 'WebSite', inLanguage: 'de' });
  const profile = await fetchMetadata(request, `/creator/${me.id}`);
  expect(profile.graph[0]).toMatchObject({ '@type': 'ProfilePage', mainEntity: { name: HOSTILE_NICKNAME } });
  expect(profile.attribute('og:type')).toBe('profile');

  const sitemap = await fetchSitemapPaths(request);
  expect(sitemap).toEqual(
    expect.arrayContaining([
      `/hi/character-info/${wren.id}`,
      `/creator/${me.id}`,
      '/en/blog/no-reply-is-lost',
    ]),
  );
  expect(new Set(sitemap).size).toBe(sitemap.length);
  const pages = [
    characterPage.html,
    profile.html,
    home.html,
    await (await request.get('/en/tag/rpg?sort=new')).text(),
    await (await request.get(`/en/character-info/${robin.id}`)).text(),
  ];
  for (const { id, name } of [adult, ...hidden]) {
    expect(sitemap.filter((address) => address.includes(id))).toEqual([]);
    for (const html of pages) expect(html.includes(id) || html.includes(name)).toBe(false);
    const own = await fetchMetadata(request, `/en/character-info/${id}`);
    expect([own.attribute('og:title'), own.graph]).toEqual([undefined, []]);
    expect(own.html).toContain('<meta name="robots" content="noindex"');
  }

  // Search engines index the first page of a list, but no search results and no later page.
  const hostileQuery = encodeURIComponent(`${HOSTILE}\u202e`);
  const results =
    '<title>Results for “&lt;/script&gt;&lt;img src=x onerror=1&gt;&quot;&amp;” · Loreloom</title>';
  for (const path of ['/en/discover', '/en/tag/rpg', '/en/discover?sort=new']) {
    const list = await fetchMetadata(request, path);
    expect(list.html).not.toContain('noindex');
    expect(list.attribute('og:title')).toBe(
      path.includes('tag') ? t('discover:tagTitle', { tag: t('common:tag.rpg') }) : t('discover:title'),
    );
  }
  for (const path of ['/en/discover', '/en/tag/rpg']) {
    const search = await fetchMetadata(request, `${path}?q=${hostileQuery}`);
    expect(search.html).toContain('<meta name="robots" content="noindex"');
    expect(search.html).toContain(results);
    expect([search.attribute('og:title'), search.graph]).toEqual([undefined, []]);
    const laterPage = await fetchMetadata(request, `${path}?sort=new&cursor=1700000000000.wren`);
    expect(laterPage.html).toContain('<meta name="robots" content="noindex"');
  }

  // The browser shows it as text, and the content security policy reports nothing.
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`/en/character-info/${wren.id}`);
  await awake(page);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(HOSTILE);
  await expect(page.locator('img[src="x"]')).toHaveCount(0);
  const getOpenGraph = (property: string) => page.locator(`meta[property="og:${property}"]`);
  await expect(getOpenGraph('title')).toHaveAttribute('content', HOSTILE);
  await expect(getOpenGraph('description')).toHaveAttribute('content', `${HOSTILE}: ${HOSTILE}`);
  await expect(getOpenGraph('image:alt')).toHaveAttribute(
    'content',
    t('common:portraitNamed', { name: HOSTILE }),
  );
  // There is no introduction yet, so none is attributed to an AI.
  const about = page.getByRole('region', { name: t('character:aboutTitle', { name: HOSTILE }) });
  await expect(about.getByText(t('character:summaryEmpty'), { exact: true })).toBeVisible();
  await expect(about.getByText(t('character:summaryGenerated'))).toHaveCount(0);
  await expect(page.getByText(t('character:own.public'))).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: t('character:share.button') }).click();
  await expect(toast(page, t('character:share.copied'))).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${origin}/en/character-info/${wren.id}`,
  );
  await page.getByText(t('character:card.title')).click();
  await expect(page.getByRole('link', { name: t('character:card.png') })).toHaveAttribute(
    'href',
    /\/card\?format=png$/,
  );

  // Cards on all pages show the name and the creator's name as text, too.
  const linkToWren = `a[href$="/character-info/${wren.id}"]`;
  const card = page.getByRole('main').locator(linkToWren);
  const expectPlainText = async () => {
    await expect(card.getByText(HOSTILE, { exact: true })).toHaveCount(2);
    await expect(page.locator('img[src="x"]')).toHaveCount(0);
  };
  await page.goto(`/en/character-info/${robin.id}`);
  await expect(page.getByRole('link', { name: `by ${HOSTILE_NICKNAME}`, exact: true })).toBeVisible();
  await expect(
    page.getByRole('list', { name: t('character:similarTitle') }).locator(linkToWren),
  ).toBeVisible();
  await expectPlainText();
  await page.goto('/en/tag/rpg?sort=new');
  await expectPlainText();
  await page.goto(`/creator/${me.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(HOSTILE_NICKNAME);
  await expect(
    page.getByRole('list', { name: t('creator:listLabel', { name: HOSTILE_NICKNAME }) }),
  ).toBeVisible();
  await expect(getOpenGraph('title')).toHaveAttribute('content', HOSTILE_NICKNAME);
  await expect(getOpenGraph('description')).toHaveAttribute(
    'content',
    t('creator:description', { name: HOSTILE_NICKNAME, count: 2 }),
  );
  await expectPlainText();
});

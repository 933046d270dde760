import { strFromU8, unzipSync } from 'fflate';
import { CRONS } from '../../../src/jobs/schedule.ts';
import { expect, test } from '../../e2e/journey.ts';
import { t } from '../../support/texts.ts';
import { SCRIPTS } from '../scripts-corpus.ts';
import { CLEAN, lookedThrough, watch } from './harmless.ts';
import { somebodyElse, writer } from './writer.ts';

// Texts of users must be shown as text everywhere: a parser finds no element, attribute, handler or address that
// came from them, and a browser runs and requests nothing.

test('texts of users are shown as text on every page, to the author and to others', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const { maker, character, conversation, mark } = await writer(page, baseURL as string);
  const watched = await watch(page);
  await page.request.put(`/api/me/favourites/${character.id}`);
  await watched.opens(`/en/character-info/${character.id}`, 'a character’s page');
  await watched.opens(`/creator/${maker.id}`, 'a maker’s page');
  await watched.opens(`/messages/${conversation}`, 'a chat');
  await watched.opens('/en/creator-center', 'one’s characters');
  await watched.opens(`/creator-center/edit/${character.id}`, 'the form');
  await watched.opens('/en/favourites', 'favourites');
  await watched.opens('/en/user-persona', 'personas');
  await watched.opens('/account', 'the account');
  await watched.opens(`/character/${character.id}/report`, 'a character’s report');
  await watched.opens(`/chats/search?q=${mark}`, 'one’s chats, searched');
  const auditRun = await page.request.get('/cdn-cgi/local/scheduled', {
    params: { cron: CRONS.ledgerAudit },
  });
  expect(await auditRun.text()).toBe('ok');
  await watched.opens('/en/creator-competition', null);
  await page.getByRole('region', { name: t('competition:ownTitle') }).scrollIntoViewIfNeeded();
  await watched.harmless('one’s characters in the competition');

  // As another user, and in lists and searches.
  const other = await somebodyElse(browser, baseURL as string);
  const otherWatched = await watch(other);
  await otherWatched.opens(`/de/character-info/${character.id}`, 'a character’s page');
  await otherWatched.opens(`/creator/${maker.id}`, 'a maker’s page');
  await otherWatched.opens(`/en/discover?q=${mark}`, 'a list of characters');
  // Other tests create characters at the same time, so this one may not be among the newest.
  await otherWatched.opens('/en/discover?sort=new', null);
  await otherWatched.opens('/en/tag/fantasy?sort=new', null);
  await otherWatched.opens('/en', null);
  await otherWatched.opens('/en/creator-competition', 'the competition');
  await otherWatched.opens(`/creator/${maker.id}/report`, 'a maker’s report');
  // A page also shows the query and the address of the next page.
  for (const script of SCRIPTS.slice(0, 6)) {
    const encoded = encodeURIComponent(script);
    await otherWatched.opens(`/en/discover?q=${encoded}`, { text: script });
    await otherWatched.opens(`/login?next=${encoded}&error=${encoded}`, null);
    await otherWatched.opens(`/unsubscribe?token=${encoded}`, null);
  }
  await other.context().close();
});

test('texts of users are data in exports, feeds and API answers', async ({ page, baseURL }) => {
  const { character, maker, conversation } = await writer(page, baseURL as string);
  const { ran } = await watch(page);

  // The pages of the export are opened from a disk, where no content security policy protects them.
  const archive = await page.request.get('/api/account/export');
  expect(archive.headers()).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': expect.stringContaining('attachment'),
  });
  const files = Object.entries(unzipSync(new Uint8Array(await archive.body())));
  const pages = files.filter(([path]) => /\.x?html?$/.test(path));
  expect(pages.length).toBeGreaterThan(0);
  expect(files.map(([path]) => path).filter((path) => /\.\.|^\/|\\|[<>"|?*:]/.test(path))).toEqual([]);
  await page.goto('about:blank');
  for (const [path, bytes] of pages) {
    const found = await lookedThrough(page, strFromU8(bytes));
    expect({ path, ...found }).toMatchObject({ path, ...CLEAN });
    await page.setContent(strFromU8(bytes));
    expect({ path, ran }).toEqual({ path, ran: [] });
  }
  expect(pages.map(([, bytes]) => strFromU8(bytes)).join('')).toContain('ran(');

  // Browsers must not treat other files as pages.
  for (const path of [
    `/api/conversations/${conversation}/export?format=jsonl`,
    `/api/conversations/${conversation}/export?format=md`,
    `/api/characters/${character.id}/card?format=json`,
    `/api/characters/${character.id}/card?format=png`,
    '/api/account/export?format=json',
  ]) {
    const answer = await page.request.get(path);
    expect([path, answer.headers()]).toEqual([
      path,
      expect.objectContaining({
        'content-disposition': expect.stringMatching(/^attachment; filename=/),
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      }),
    ]);
    expect(answer.headers()['content-type']).not.toMatch(/html|svg|javascript/);
    expect(answer.headers()['content-disposition']).not.toMatch(/[<>\r\n]|ran\(\d\)<|script>/);
  }
  for (const path of [
    `/api/characters/${character.id}`,
    `/api/creators/${maker.id}`,
    '/api/account',
    `/api/conversations/${conversation}`,
  ]) {
    const answer = await page.request.get(path);
    expect([path, answer.headers()['content-type'], answer.headers()['x-content-type-options']]).toEqual([
      path,
      'application/json',
      'nosniff',
    ]);
    expect(await answer.text()).toContain('ran(');
  }
  // Sitemaps and feeds are well-formed XML.
  for (const path of ['/sitemap.xml', '/sitemaps/en.xml', '/en/blog/rss.xml']) {
    const answer = await page.request.get(path);
    const broken = await page.evaluate(
      (text) =>
        new DOMParser().parseFromString(text, 'application/xml').querySelectorAll('parsererror, script')
          .length,
      await answer.text(),
    );
    expect([path, answer.status(), broken]).toEqual([path, 200, 0]);
  }
});

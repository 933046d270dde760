import { strFromU8, unzipSync } from 'fflate';
import { CRONS } from '../../../src/jobs/schedule.ts';
import { expect, test } from '../../e2e/journey.ts';
import { SCRIPTS } from '../scripts-corpus.ts';
import { CLEAN, lookedThrough, watch } from './harmless.ts';
import { somebodyElse, writer } from './writer.ts';

// What people write goes to many places. Wherever it is shown, it is shown as text: a parser finds no element, attribute,
// handler or address in the page that came out of it, and a browser runs nothing and asks nobody.

test('what somebody wrote is text on every page that shows it, to themselves and to others', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const { maker, character, conversation, mark } = await writer(page, baseURL as string);
  const mine = await watch(page);
  await page.request.put(`/api/me/favourites/${character.id}`);
  await mine.opens(`/en/character-info/${character.id}`, 'a character’s page');
  await mine.opens(`/creator/${maker.id}`, 'a maker’s page');
  await mine.opens(`/messages/${conversation}`, 'a chat');
  await mine.opens('/en/creator-center', 'one’s characters');
  await mine.opens(`/creator-center/edit/${character.id}`, 'the form');
  await mine.opens('/en/favourites', 'favourites');
  await mine.opens('/en/user-persona', 'personas');
  await mine.opens('/account', 'the account');
  await mine.opens(`/character/${character.id}/report`, 'a character’s report');
  await mine.opens(`/chats/search?q=${mark}`, 'one’s chats, searched');
  const counted = await page.request.get('/cdn-cgi/local/scheduled', { params: { cron: CRONS.ledgerAudit } });
  expect(await counted.text()).toBe('ok');
  await mine.opens('/en/creator-competition', null);
  await page.getByRole('region', { name: 'Your characters in this season' }).scrollIntoViewIfNeeded();
  await mine.harmless('one’s characters in the competition');

  // To somebody else, and by what lists and searches make of it.
  const other = await somebodyElse(browser, baseURL as string);
  const theirs = await watch(other);
  await theirs.opens(`/de/character-info/${character.id}`, 'a character’s page');
  await theirs.opens(`/creator/${maker.id}`, 'a maker’s page');
  await theirs.opens(`/en/discover?q=${mark}`, 'a list of characters');
  // Others make characters meanwhile: whether it is among the newest nobody knows.
  await theirs.opens('/en/discover?sort=new', null);
  await theirs.opens('/en/tag/fantasy?sort=new', null);
  await theirs.opens('/en', null);
  await theirs.opens('/en/creator-competition', 'the competition');
  await theirs.opens(`/creator/${maker.id}/report`, 'a maker’s report');
  // What was searched for is shown as well, and so is where one was to go on to.
  for (const script of SCRIPTS.slice(0, 6)) {
    const written = encodeURIComponent(script);
    await theirs.opens(`/en/discover?q=${written}`, { text: script });
    await theirs.opens(`/login?next=${written}&error=${written}`, null);
    await theirs.opens(`/unsubscribe?token=${written}`, null);
  }
  await other.context().close();
});

test('what somebody wrote is data in files: exports, lists for robots and what programs are told', async ({
  page,
  baseURL,
}) => {
  const { character, maker, conversation } = await writer(page, baseURL as string);
  const { ran } = await watch(page);

  // Everything in one archive: its pages are opened from a disk, where nobody's policy guards them.
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

  // What is no page is none to a browser either.
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
  // Lists for robots and readers are well-formed, whatever is in them.
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

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { makeCharacter, signInAsCreator } from './creator-setup.ts';
import { expect, test } from './journey.ts';

// The Worker keeps the pages that it has rendered and returns one again while its data is the same. It keeps pages of its
// own host only, so another host gets every page as it is rendered now.

const OTHER_HOST = 'other.localhost';

/** Returns a page as the Worker sends it for a host. */
async function fetchPage(path: string, host: string): Promise<{ status: number | undefined; body: string }> {
  const { hostname, port } = new URL(process.env.LORELOOM_URL as string);
  const sent = request({ hostname, port, path, headers: { host }, agent: false });
  sent.end();
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, body: await text(answer) };
}

/** Returns a page after the Worker has had the chance to keep it and to return it again. */
async function fetchKeptPage(path: string) {
  const { host } = new URL(process.env.LORELOOM_URL as string);
  await fetchPage(path, host);
  return fetchPage(path, host);
}

/** Returns a newly rendered page, with the own host where it contains the other one. */
async function renderPage(path: string) {
  const { host } = new URL(process.env.LORELOOM_URL as string);
  const { status, body } = await fetchPage(path, OTHER_HOST);
  return { status, body: body.replaceAll(OTHER_HOST, host) };
}

test('a page that the Worker keeps shows every change at once, as a page rendered anew does', async ({
  page,
  browser,
  baseURL,
}) => {
  const user = await signInAsCreator(page, baseURL as string);
  const mark = randomUUID().slice(0, 8);
  const { id } = await makeCharacter(page, { name: `Wren ${mark}`, tags: ['rpg'] });
  const info = `/en/character-info/${id}`;
  const paths = [info, '/en', '/en/discover?sort=new', '/en/tag/rpg', `/creator/${user.id}`];
  const staff = await browser.newContext({ baseURL: baseURL as string });
  await staff.request.post('/api/auth/test-login', { data: { person: 'admin' } });

  /** Other tests change lists at the same time, so a pair of pages that differs is fetched again; an old page would stay old. */
  const expectSamePages = async (change: string) => {
    for (const path of paths)
      await expect(async () => {
        expect(await fetchKeptPage(path), `${path} after ${change}`).toEqual(await renderPage(path));
      }).toPass();
  };
  const expectInfo = async (status: number, shown: string) => {
    const kept = await fetchKeptPage(info);
    expect(kept.status).toBe(status);
    if (status === 200) expect(kept.body).toContain(shown);
    else expect(kept.body).not.toContain(shown);
  };
  const change = async (data: object) =>
    expect((await page.request.patch(`/api/characters/${id}`, { data })).status()).toBe(200);
  const moderate = async (kind: string) =>
    expect(
      (
        await staff.request.post('/api/admin/measures', {
          data: { kind, subject_id: id, reason: 'Somebody is hurt by it.' },
        })
      ).status(),
    ).toBe(201);

  await expectInfo(200, `Wren ${mark}`);
  await expectSamePages('its creation');

  await change({ name: `Rook ${mark}`, oneliner: `Tunes bells ${mark}`, tags: ['rpg', 'fantasy'] });
  await expectInfo(200, `Rook ${mark}`);
  await expectInfo(200, `Tunes bells ${mark}`);
  await expectSamePages('a new name');

  expect((await page.request.patch('/api/account', { data: { nickname: `Ada ${mark}` } })).status()).toBe(
    200,
  );
  await expectInfo(200, `Ada ${mark}`);
  await expectSamePages('a new name of its creator');

  await change({ visibility: 'private' });
  await expectInfo(404, mark);
  await expectSamePages('its removal from the lists');

  await change({ visibility: 'public' });
  await expectInfo(200, `Rook ${mark}`);
  await moderate('name_cleared');
  const cleared = await fetchKeptPage(info);
  expect(cleared.status).toBe(200);
  expect(cleared.body).not.toContain(`Rook ${mark}`);
  await expectSamePages('a moderation action');
  await staff.close();
});

import { randomUUID } from 'node:crypto';
import type { Browser, Page } from '@playwright/test';
import { strFromU8, unzipSync } from 'fflate';
import { makeCharacter, signInAsCreator } from '../../e2e/creator-hands.ts';
import { awake, expect, test } from '../../e2e/journey.ts';
import { SCRIPTS } from '../scripts-corpus.ts';

// What people write goes to many places. Wherever it is shown, it is shown as text: a parser finds no element, attribute,
// handler or address in the page that came out of it, and a browser runs nothing and asks nobody.

const long = SCRIPTS.join(' ');

/** What parsers make of a page: whatever of it could only have come out of one of the texts. */
interface Found {
  elements: string[];
  handlers: string[];
  addresses: string[];
  data: number;
}

/** Looks through a document, whether it was parsed as it came or is what scripts made of it. */
function look(root: Document): Found {
  const all = [...root.querySelectorAll('*')];
  const inside = (text: string | null) => /ran\(|evil\.example/.test(text ?? '');
  const addresses = [
    'href',
    'src',
    'action',
    'formaction',
    'srcset',
    'poster',
    'data',
    'content',
    'srcdoc',
    'xlink:href',
    'background',
    'style',
  ];
  return {
    elements: all
      .filter(({ localName }) => ['iframe', 'object', 'embed', 'base', 'frame', 'applet'].includes(localName))
      .map(({ outerHTML }) => outerHTML.slice(0, 100))
      .concat(
        all
          .filter((one) => ['script', 'style', 'meta', 'link', 'img', 'svg', 'form'].includes(one.localName))
          .filter((one) => {
            const type = one.getAttribute('type');
            if (one.localName === 'script') return type !== 'application/ld+json' && inside(one.textContent);
            if (one.localName === 'style') return inside(one.textContent);
            if (one.localName === 'meta') return one.getAttribute('http-equiv')?.toLowerCase() === 'refresh';
            return (
              one.getAttribute('src') === 'x' ||
              inside(one.getAttribute('href')) ||
              inside(one.getAttribute('action'))
            );
          })
          .map(({ outerHTML }) => outerHTML.slice(0, 200)),
      ),
    handlers: all.flatMap((one) =>
      one
        .getAttributeNames()
        .filter((name) => /^on/i.test(name) || /[<>"'`=]/.test(name) || inside(name))
        .map((name) => `${one.localName} ${name}`),
    ),
    addresses: all.flatMap((one) =>
      addresses
        .map((name) => [name, one.getAttribute(name)] as const)
        .filter(
          ([name, value]) =>
            value !== null &&
            (/^\s*(?:javascript|vbscript|data:text)/i.test(value) ||
              (name !== 'content' &&
                /^(?:https?:)?\/\/evil\.example/.test(value) &&
                !(one.localName === 'a' && one.getAttribute('rel')?.includes('noopener') === true))),
        )
        .map(([name, value]) => `${one.localName} ${name}=${value?.slice(0, 80)}`),
    ),
    data: [...root.querySelectorAll('script[type="application/ld+json"]')].map(
      (one) => JSON.parse(one.textContent ?? '') as unknown,
    ).length,
  };
}

/** What a parser makes of a page as it came over the wire; nothing of it runs. */
const lookedThrough = (page: Page, html: string): Promise<Found> =>
  page.evaluate<Found>(`(${look})(new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html'))`);

const CLEAN = { elements: [], handlers: [], addresses: [] };

/** A page that tells when something runs in it that it did not bring. */
async function watch(page: Page) {
  const ran: string[] = [];
  await page.exposeFunction('ran', (which: unknown) => void ran.push(`ran ${String(which)}`));
  page.on('dialog', (dialog) => {
    ran.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (/evil\.example|\/x$/.test(request.url())) ran.push(`asked ${request.url()}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      void (window as unknown as { ran: (which: string) => void }).ran(
        `refused ${event.violatedDirective} ${event.blockedURI}`,
      );
    });
  });
  return ran;
}

/** Opens a page and looks through it, as it came over the wire and as it stands when its islands are awake. */
async function expectHarmless(
  page: Page,
  ran: string[],
  path: string,
  shows: string | null = 'ran(',
): Promise<void> {
  const answer = await page.request.get(path);
  // Staff's rooms are not there for anybody, until whoever opens one turns out to be staff.
  expect({ path, status: answer.status() }).toEqual({ path, status: path.startsWith('/admin-') ? 404 : 200 });
  const html = await answer.text();
  await page.goto(path);
  await awake(page);
  if (shows !== null)
    await expect.poll(async () => inSight(page), { message: `${path} shows ${shows}` }).toContain(shows);
  const found = [await lookedThrough(page, html), await page.evaluate<Found>(`(${look})(document)`)];
  for (const one of found) expect({ path, ...one }).toMatchObject({ path, ...CLEAN });
  // Touched, as somebody would who reads it.
  await page.mouse.move(200, 300);
  await page.keyboard.press('Tab');
  expect({ path, ran }).toEqual({ path, ran: [] });
}

/** All that can be read on a page, in its fields too. */
const inSight = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [
      document.title,
      document.body.textContent,
      ...[...document.querySelectorAll('input, textarea')].map((field) => (field as HTMLInputElement).value),
      ...[...document.querySelectorAll('[aria-label], [alt], [title]')].map(
        (one) => `${one.getAttribute('aria-label')} ${one.getAttribute('alt')} ${one.getAttribute('title')}`,
      ),
    ].join('\n'),
  );

async function staffPage(browser: Browser, baseURL: string): Promise<Page> {
  const page = await (await browser.newContext({ baseURL })).newPage();
  await page.request.post('/api/auth/test-login', { data: { person: 'admin' } });
  return page;
}

/** Somebody who wrote such texts wherever anything can be written. */
async function writer(page: Page, baseURL: string) {
  const maker = await signInAsCreator(page, baseURL);
  const mark = randomUUID().slice(0, 8);
  const changed = await page.request.patch('/api/account', { data: { nickname: '<svg/onload=ran(4)>' } });
  expect(changed.status()).toBe(200);
  const character = await makeCharacter(page, {
    name: `</script><script>ran(2)</script> ${mark}`,
    oneliner: '"><img src=x onerror=ran(1)> \' onclick=ran(3)',
    character_traits: long.slice(0, 1000),
    first_message: `${mark} ${long}`,
    suggested_replies: ['"><img src=x onerror=ran(1)>', '<svg/onload=ran(4)> and more'],
    alternate_greetings: [long],
    creator_notes: { en: long.slice(0, 400) },
    tags: ['fantasy'],
  });
  const begun = await page.request.post('/api/conversations', { data: { character_id: character.id } });
  expect(begun.status()).toBe(201);
  const { conversation } = (await begun.json()) as { conversation: { id: string } };
  const at = `/api/conversations/${conversation.id}`;
  const sent = [
    await page.request.patch(at, { data: { title: `<svg/onload=ran(4)> ${mark}` } }),
    await page.request.post(`${at}/messages`, {
      data: { content: `${mark} [[scenario:echo]] ${long}`, client_message_id: `turn-${randomUUID()}` },
    }),
    await page.request.put(`${at}/memory`, {
      data: { summary: long, entries: [{ text: long.slice(0, 200) }] },
    }),
    await page.request.post('/api/personas', {
      data: { name: '"><img src=x onerror=ran(1)>', description: long.slice(0, 1000), is_default: true },
    }),
    await page.request.put(`/api/characters/${character.id}/lorebook`, {
      data: {
        book: {
          name: '<svg/onload=ran(4)>',
          entries: [
            { keys: ['"><img src=x onerror=ran(1)>'], content: long, enabled: true, insertion_order: 1 },
          ],
        },
      },
    }),
    await page.request.post('/api/feedback', { data: { message: long } }),
  ];
  for (const answer of sent)
    expect({
      url: answer.url(),
      status: answer.status(),
      text: answer.ok() ? '' : await answer.text(),
    }).toMatchObject({ text: '' });
  return { maker, character, conversation: conversation.id, mark };
}

test('what somebody wrote is text on every page that shows it, to themselves and to others', async ({
  page,
  browser,
  baseURL,
}) => {
  test.setTimeout(240_000);
  const { maker, character, conversation, mark } = await writer(page, baseURL as string);
  const ran = await watch(page);
  await page.request.put(`/api/me/favourites/${character.id}`);
  for (const path of [
    `/en/character-info/${character.id}`,
    `/creator/${maker.id}`,
    `/messages/${conversation}`,
    '/en/creator-center',
    `/creator-center/edit/${character.id}`,
    '/en/favourites',
    '/en/user-persona',
    '/account',
    `/character/${character.id}/report`,
  ])
    await expectHarmless(page, ran, path);

  // To somebody else, and by what lists and searches make of it.
  const other = await (await browser.newContext({ baseURL: baseURL as string })).newPage();
  const ranThere = await watch(other);
  for (const path of [
    `/de/character-info/${character.id}`,
    `/creator/${maker.id}`,
    `/en/discover?q=${mark}`,
    '/en/discover?sort=new',
    '/en/tag/fantasy?sort=new',
    `/creator/${maker.id}/report`,
  ])
    await expectHarmless(other, ranThere, path, /tag|new/.test(path) ? null : 'ran(');
  // What was searched for is shown as well, and so is where one was to go on to.
  for (const script of SCRIPTS.slice(0, 6)) {
    await expectHarmless(other, ranThere, `/en/discover?q=${encodeURIComponent(script)}`, null);
    await expectHarmless(
      other,
      ranThere,
      `/login?next=${encodeURIComponent(script)}&error=${encodeURIComponent(script)}`,
      null,
    );
    await expectHarmless(other, ranThere, `/unsubscribe?token=${encodeURIComponent(script)}`, null);
  }
  await other.context().close();

  const found = await page.request.get(`/chats/search?q=${mark}`);
  expect(found.status()).toBe(200);
  await expectHarmless(page, ran, `/chats/search?q=${mark}`, mark);
});

test('what somebody wrote is text where staff reads it, and where they read what staff wrote', async ({
  page,
  browser,
  baseURL,
}) => {
  const { character, maker } = await writer(page, baseURL as string);
  const ran = await watch(page);
  const reporter = await (await browser.newContext({ baseURL: baseURL as string })).newPage();
  await signInAsCreator(reporter, baseURL as string);
  const report = await reporter.request.post(`/api/characters/${character.id}/reports`, {
    data: { reason: 'spam', details: long.slice(0, 300) },
  });
  expect(report.status()).toBe(201);
  const { id } = (await report.json()) as { id: string };
  const staff = await staffPage(browser, baseURL as string);
  const ranThere = await watch(staff);
  const measure = await staff.request.post('/api/admin/measures', {
    data: { kind: 'character_hidden', subject_id: character.id, report_id: id, reason: long.slice(0, 400) },
  });
  expect(measure.status()).toBe(201);
  const appeal = await page.request.post('/api/appeals', {
    data: { measure_id: ((await measure.json()) as { id: string }).id, message: long.slice(0, 400) },
  });
  expect(appeal.status()).toBe(201);
  const decided = await staff.request.patch(`/api/admin/reports/${id}`, {
    data: { status: 'upheld', answer: long.slice(0, 400), note: long.slice(0, 400) },
  });
  expect(decided.status()).toBe(200);

  await staff.goto('/admin-reports?status=upheld');
  await awake(staff);
  for (const path of ['/admin-reports', '/admin-stats', '/admin-competition'])
    await expectHarmless(staff, ranThere, path, null);
  for (const path of [`/api/admin/reports/${id}`, `/api/admin/accounts/${maker.id}`]) {
    const answer = await staff.request.get(path);
    expect([path, answer.headers()['content-type'], answer.headers()['x-content-type-options']]).toEqual([
      path,
      'application/json',
      'nosniff',
    ]);
  }
  await expectHarmless(page, ran, '/account#decisions');
  const told = await page.context().newPage();
  const ranHere = await watch(told);
  await expectHarmless(told, ranHere, '/account');
  await reporter.context().close();
  await staff.context().close();
});

test('what somebody wrote is data in files: exports, lists for robots and what programs are told', async ({
  page,
  baseURL,
}) => {
  const { character, maker, conversation } = await writer(page, baseURL as string);
  const ran = await watch(page);

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

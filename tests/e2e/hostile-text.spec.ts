import type { Locator, Page } from '@playwright/test';
import { awake, chat, expect, test } from './journey.ts';
import { violations } from './violations.ts';

/** Far above what drawing takes on a busy machine, far below what a reader would take for a hang. */
const LONGEST_TASK_MS = 2_000;
const LIMIT = 7_800;

const filled = (piece: string) => piece.repeat(Math.floor(LIMIT / piece.length));

/** Notes the longest stretch in which the page could not answer its reader. */
async function watchTasks(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) tasks.push(entry.duration);
    }).observe({ type: 'longtask', buffered: true });
  });
  return () => page.evaluate(() => Math.max(0, ...(window as unknown as { tasks: number[] }).tasks));
}

/** Puts a text into the box at once; typed by the browser's own means thousands of lines take it many seconds. */
function paste(box: Locator, text: string) {
  return box.evaluate((element: HTMLTextAreaElement, text) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(element, text);
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);
}

/** Whatever of the page is wider than it, the page itself included. */
function tooWide(page: Page) {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('[role="region"], [data-message] *')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
      .filter((element) => getComputedStyle(element).display !== 'inline')
      .filter((element) => !element.closest('.sr-only'))
      .map((element) => `${element.tagName}.${element.className}`),
  );
}

test('a message full of traps is shown as text: nothing runs, nothing is fetched, nothing leaves its place', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(process.env.LORELOOM_URL ?? '') && !request.url().startsWith('data:'))
      elsewhere.push(request.url());
  });
  const { box, say } = await chat(page);
  // The messages hold lists of their own.
  const messages = page.locator('[data-message]');
  const title = await page.title();
  await say(
    [
      'Traps. [[scenario:echo]]',
      '<script>document.title = "run"</script><img src=x onerror="document.title=1">',
      '<iframe srcdoc="<script>parent.document.title=2</script>"></iframe><svg onload="document.title=3">',
      '[run](javascript:document.title=4) [data](data:text/html,<script>1</script>) [bank](https://bank.example@elsewhere.example/)',
      '![the harbour](https://elsewhere.example/pixel.png) and [a letter](https://elsewhere.example/letter "read it")',
      '',
      '> quoted \u202Edesrever\u202C and \u2067isolated, never closed',
      '',
      `\u202E\u202E\u202E${'\u200B'.repeat(400)}${'*a **b _c `d [e]('.repeat(20)}`,
      '',
      'שלום *עולם*, right to left',
      '',
      '- one',
      '- two `and some code`',
      '',
      '```',
      `let longest = "${'x'.repeat(400)}";`,
    ].join('\n'),
  );
  await expect(messages).toHaveCount(3);
  await expect(messages.last()).toContainText('saw 3 messages');
  await expect(messages.last()).toContainText('let longest');

  for (const message of [messages.nth(1), messages.last()]) {
    await expect(message).toContainText('<script>document.title = "run"</script><img src=x');
    await expect(message).toContainText('[run](javascript:document.title=4)');
    await expect(message).toContainText('Picture, not loaded: the harbour');
    await expect(message.locator('script, img, iframe, svg[onload]')).toHaveCount(0);
    const link = message.getByRole('link');
    await expect(link).toHaveCount(1);
    await expect(link).toHaveAccessibleName('a letter');
    await expect(link).toHaveAttribute('href', 'https://elsewhere.example/letter');
    await expect(link).toHaveAttribute('title', 'https://elsewhere.example/letter');
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow');
    await expect(link).toHaveAttribute('target', '_blank');
    await expect(message.getByRole('listitem').filter({ hasText: /^two/ })).toHaveCount(1);
    await expect(message.locator('blockquote')).toHaveText('quoted desrever and isolated, never closed');
    expect(await message.textContent()).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);
    const hebrew = message.locator('p', { hasText: 'right to left' });
    expect(await hebrew.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
  }
  expect(await page.title()).toBe(title);
  expect(elsewhere).toEqual([]);
  expect(await tooWide(page)).toEqual([]);
  expect(await violations(page)).toEqual([]);
  await box.fill('Still here');
  await expect(box).toHaveValue('Still here');
});

for (const [name, text] of [
  ['four thousand emoji', filled('😀')],
  ['one endless word', filled('x')],
  ['a flood of asterisks', filled('*')],
  ['a flood of opened actions', filled('*a **b ')],
  ['a flood of brackets', filled('[')],
  ['a flood of unfinished links', filled('[a](')],
  ['a flood of backticks', filled('`a')],
  ['thousands of quotes within quotes', filled('>')],
  ['a flood of list marks', filled('- ')],
  ['a flood of letters nobody sees', `Hidden ${filled('\u200B\u202E\u0301')}`],
  ['thousands of lines', filled('- a\n')],
] as const) {
  test(`${name} is drawn at once, and the page stays one's own`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const longestTask = await watchTasks(page);
    const { box } = await chat(page);
    const messages = page.locator('[data-message]');
    await paste(box, `Look: [[scenario:echo]]\n\n${text}`);
    await box.press('Enter');
    await expect(messages).toHaveCount(3);
    await expect(messages.last()).toContainText('saw 3 messages');
    await expect(page.getByRole('button', { name: 'Stop the reply' })).toBeHidden();
    await box.fill('Still here');
    await expect(box).toHaveValue('Still here');
    expect(await tooWide(page)).toEqual([]);
    expect(await longestTask()).toBeLessThan(LONGEST_TASK_MS);
  });
}

/** A heap of marks, a sign that turns the line around, and more than a line can hold. */
const HOSTILE = `\u202EZ${'\u0301'.repeat(200)}${'\u200B'.repeat(40)} ${'w'.repeat(60)}`;
/** What it is called until it is on its way to the page: nothing that could tame it has seen it then. */
const MARKER = 'Zmarker';

/** Whatever the page shows or reads aloud that leaves its place. */
function outOfPlace(page: Page) {
  return page.evaluate(() => {
    const leaves = /[\u202A-\u202E]|\p{M}{6}|\u200B{4}/u;
    // The sidebar shows names as the server lists them, which makes them drawable itself.
    const texts = [...document.querySelectorAll('body *:not(script, textarea, input, #sidebar *)')].flatMap(
      (element) => [
        ...Array.from(element.childNodes, (node) =>
          node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '',
        ),
        ...['aria-label', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
      ],
    );
    return [document.title, ...texts].filter((text) => leaves.test(text));
  });
}

test.describe('What others called themselves', () => {
  test('stays in its place in lists, dialogs, notes and toasts', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const { character } = await chat(page);
    const lines = [
      { user_name: MARKER, character_name: MARKER, chat_metadata: {} },
      {
        name: `${MARKER} once`,
        is_user: true,
        mes: `Lantern ${MARKER}`,
        send_date: '2026-01-02T03:04:05.000Z',
      },
      {
        name: `${MARKER} two`,
        is_user: false,
        mes: '```\nlantern\n```',
        send_date: '2026-01-02T03:05:05.000Z',
      },
    ];
    const brought = await page.request.post('/api/conversations/import', {
      multipart: {
        character_id: character.id,
        file: {
          name: 'chat.jsonl',
          mimeType: 'application/x-ndjson',
          buffer: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
        },
      },
    });
    expect(brought.status()).toBe(201);
    const { conversation } = (await brought.json()) as { conversation: { id: string } };
    const at = `/api/conversations/${conversation.id}`;
    const sent = [
      await page.request.patch(at, { data: { title: MARKER } }),
      await page.request.put(`${at}/memory`, { data: { entries: [{ text: `${MARKER} note` }] } }),
      await page.request.post('/api/personas', { data: { name: MARKER, description: `${MARKER} told` } }),
    ];
    for (const answer of sent) expect(answer.ok()).toBe(true);

    const inJson = JSON.stringify(HOSTILE).slice(1, -1);
    await page.route('**/api/**', async (route) => {
      const answer = await route.fetch();
      const isJson = answer.headers()['content-type']?.includes('json');
      if (!isJson) return route.fulfill({ response: answer });
      const text = (await answer.text())
        .replaceAll(MARKER, inJson)
        .replaceAll(/"character_name":"[^"]*"/g, `"character_name":"${inJson}"`);
      await route.fulfill({ response: answer, body: text });
    });
    const safe = async () => {
      expect(await outOfPlace(page)).toEqual([]);
      expect(await tooWide(page)).toEqual([]);
    };
    const shown = /Z\u0301{5}/u;
    const dialog = page.getByRole('dialog');

    await page.goto(`/messages/${conversation.id}`);
    await awake(page);
    await expect(page.locator('[data-message]')).toHaveCount(2);
    for (const one of await page.locator('[data-message] > div > p:first-child').all())
      await expect(one).toHaveText(shown);
    await safe();

    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Chat menu' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Memory');
    await expect(dialog.getByText('note', { exact: false }).filter({ hasText: shown })).toBeVisible();
    await safe();
    await page.keyboard.press('Escape');
    await choose('Persona');
    await expect(dialog.getByRole('radio')).toHaveCount(2);
    await expect(dialog).toContainText(shown);
    await safe();
    await page.keyboard.press('Escape');
    await choose('Conversations');
    const row = dialog.getByRole('listitem').filter({ hasText: shown }).first();
    await expect(row).toBeVisible();
    await safe();
    await page.keyboard.press('Escape');
    await choose('Rename');
    await expect(dialog).toContainText(shown);
    await safe();

    await page.goto('/chats/search?q=lantern');
    await awake(page);
    const found = page.getByRole('list', { name: 'Messages found' }).getByRole('listitem');
    await expect(found).toHaveCount(2);
    await expect(found.filter({ hasText: 'Lantern' }).locator('bdi').last()).toHaveText(shown);
    await expect(page.getByRole('main')).not.toContainText('```');
    await safe();

    await page.goto('/en/user-persona');
    await awake(page);
    await expect(page.getByRole('heading', { level: 2 }).filter({ hasText: shown })).toBeVisible();
    await expect(page.getByRole('main')).toContainText(/Z\u0301{5}.* told/u);
    await safe();
    await page.getByRole('button', { name: /^Delete/ }).click();
    await expect(page.locator('.toast')).toHaveText(shown);
    await safe();
  });
});

test('a link whose words name another place shows where it leads, and says so', async ({ page }) => {
  const { say } = await chat(page);
  await say(
    'Links: [https://bank.example](https://evil.example/x) http://аррӏе.com https://same.example/a.html [a letter](https://elsewhere.example)',
  );
  const message = page.locator('[data-message]').nth(1);
  await expect(message.getByRole('link')).toHaveCount(4);
  for (const name of [
    'https://bank.example (evil.example)',
    'http://аррӏе.com (xn--80ak6aa92e.com)',
    'https://same.example/a.html',
    'a letter',
  ])
    await expect(message.getByRole('link', { name, exact: true })).toHaveText(name);
  await expect(message.getByText('(evil.example)')).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

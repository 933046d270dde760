import type { Locator, Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, chat, expect, loadMessagesByScript, test } from './journey.ts';
import { violations } from './violations.ts';

/** Far longer than rendering takes on a busy machine, far shorter than a noticeable hang. */
const LONGEST_TASK_MS = 2_000;
const LIMIT = 7_800;

const fillLimit = (piece: string) => piece.repeat(Math.floor(LIMIT / piece.length));

/** Records long tasks. @returns a function that reads the longest one in milliseconds */
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

/** Sets the composer's text at once: typing thousands of lines takes the browser many seconds. */
function paste(box: Locator, text: string) {
  return box.evaluate((element: HTMLTextAreaElement, text) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(element, text);
    element.dispatchEvent(new Event('input', { bubbles: true }));
  }, text);
}

/** Returns the page and the elements whose content overflows to the side. */
function findOverflows(page: Page) {
  return page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('[role="region"], [data-message] *')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0)
      .filter((element) => getComputedStyle(element).display !== 'inline')
      .filter((element) => !element.closest('.sr-only'))
      .map((element) => `${element.tagName}.${element.className}`),
  );
}

test('a message with scripts, frames and tricky links is shown as text and loads nothing from other sites', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const foreignRequests: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(process.env.LORELOOM_URL ?? '') && !request.url().startsWith('data:'))
      foreignRequests.push(request.url());
  });
  const { box, say } = await chat(page);
  // Not by the role of list items, because the messages contain lists.
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
  await expect(messages.last()).toContainText('saw 4 messages');
  await expect(messages.last()).toContainText('let longest');

  for (const message of [messages.nth(1), messages.last()]) {
    await expect(message).toContainText('<script>document.title = "run"</script><img src=x');
    await expect(message).toContainText('[run](javascript:document.title=4)');
    await expect(message).toContainText(t('chat:pictureNotLoadedNamed', { text: 'the harbour' }));
    await expect(message.locator('script, img:not(.chat-portrait), iframe, svg[onload]')).toHaveCount(0);
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
  expect(foreignRequests).toEqual([]);
  expect(await findOverflows(page)).toEqual([]);
  expect(await violations(page)).toEqual([]);
  await box.fill('Still here');
  await expect(box).toHaveValue('Still here');
});

for (const [name, text] of [
  ['four thousand emoji', fillLimit('😀')],
  ['one endless word', fillLimit('x')],
  ['a flood of asterisks', fillLimit('*')],
  ['a flood of opened actions', fillLimit('*a **b ')],
  ['a flood of brackets', fillLimit('[')],
  ['a flood of unfinished links', fillLimit('[a](')],
  ['a flood of backticks', fillLimit('`a')],
  ['thousands of quotes within quotes', fillLimit('>')],
  ['a flood of list marks', fillLimit('- ')],
  ['a flood of invisible characters', `Hidden ${fillLimit('\u200B\u202E\u0301')}`],
  ['thousands of lines', fillLimit('- a\n')],
] as const) {
  test(`a message of ${name} renders quickly, and the page stays usable @all`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    const longestTask = await watchTasks(page);
    const { box } = await chat(page);
    const messages = page.locator('[data-message]');
    await paste(box, `Look: [[scenario:echo]]\n\n${text}`);
    await box.press('Enter');
    await expect(messages).toHaveCount(3);
    // The greeting and its cue are left out where the text alone fills the context.
    await expect(messages.last()).toContainText(/saw [24] messages: Look:/);
    await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
    await box.fill('Still here');
    await expect(box).toHaveValue('Still here');
    expect(await findOverflows(page)).toEqual([]);
    expect(await longestTask()).toBeLessThan(LONGEST_TASK_MS);
  });
}

/** A text with many combining marks, a right-to-left override, and a word longer than a line. */
const HOSTILE = `\u202EZ${'\u0301'.repeat(200)}${'\u200B'.repeat(40)} ${'w'.repeat(60)}`;
/** Replaces the hostile text on the server, so that only the page gets to clean it. */
const MARKER = 'Zmarker';

/** Returns visible and accessible texts with characters that would break out of their place. */
function findHostileTexts(page: Page) {
  return page.evaluate(() => {
    const breaksOut = /[\u202A-\u202E]|\p{M}{6}|\u200B{4}/u;
    // The server cleans the names of the sidebar itself.
    const texts = [...document.querySelectorAll('body *:not(script, textarea, input, #sidebar *)')].flatMap(
      (element) => [
        ...Array.from(element.childNodes, (node) =>
          node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '',
        ),
        ...['aria-label', 'title', 'alt'].map((name) => element.getAttribute(name) ?? ''),
      ],
    );
    return [document.title, ...texts].filter((text) => breaksOut.test(text));
  });
}

test.describe('Hostile names', () => {
  test('hostile names cannot break out of lists, dialogs, notes and toasts @all', async ({ page }) => {
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
    const imported = await page.request.post('/api/conversations/import', {
      multipart: {
        character_id: character.id,
        file: {
          name: 'chat.jsonl',
          mimeType: 'application/x-ndjson',
          buffer: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
        },
      },
    });
    expect(imported.status()).toBe(201);
    const { conversation } = (await imported.json()) as { conversation: { id: string } };
    const path = `/api/conversations/${conversation.id}`;
    const answers = [
      await page.request.patch(path, { data: { title: MARKER } }),
      await page.request.put(`${path}/memory`, { data: { entries: [{ text: `${MARKER} note` }] } }),
      await page.request.post('/api/personas', { data: { name: MARKER, description: `${MARKER} told` } }),
    ];
    for (const answer of answers) expect(answer.ok()).toBe(true);

    const hostileJson = JSON.stringify(HOSTILE).slice(1, -1);
    await page.route('**/api/**', async (route) => {
      const answer = await route.fetch();
      const isJson = answer.headers()['content-type']?.includes('json');
      if (!isJson) return route.fulfill({ response: answer });
      const text = (await answer.text())
        .replaceAll(MARKER, hostileJson)
        .replaceAll(/"character_name":"[^"]*"/g, `"character_name":"${hostileJson}"`);
      await route.fulfill({ response: answer, body: text });
    });
    const expectSafe = async () => {
      expect(await findHostileTexts(page)).toEqual([]);
      expect(await findOverflows(page)).toEqual([]);
    };
    const cleaned = /Z\u0301{5}/u;
    const dialog = page.getByRole('dialog');

    await loadMessagesByScript(page);
    await page.goto(`/messages/${conversation.id}`);
    await awake(page);
    await expect(page.locator('[data-message]')).toHaveCount(2);
    for (const author of await page.locator('[data-message] > div > p:first-child').all())
      await expect(author).toHaveText(cleaned);
    await expectSafe();

    const choose = async (name: string) => {
      await page.getByRole('button', { name: t('chat:chatMenu') }).click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    await choose(t('chat:memoryTitle'));
    await expect(dialog.getByText('note', { exact: false }).filter({ hasText: cleaned })).toBeVisible();
    await expectSafe();
    await page.keyboard.press('Escape');
    await choose(t('chat:persona'));
    await expect(dialog.getByRole('radio')).toHaveCount(2);
    await expect(dialog).toContainText(cleaned);
    await expectSafe();
    await page.keyboard.press('Escape');
    await choose(t('chat:chatsTitle'));
    const row = dialog.getByRole('listitem').filter({ hasText: cleaned }).first();
    await expect(row).toBeVisible();
    await expectSafe();
    await page.keyboard.press('Escape');
    await choose(t('chat:rename'));
    await expect(dialog).toContainText(cleaned);
    await expectSafe();

    await page.goto('/chats/search?q=lantern');
    await awake(page);
    const found = page.getByRole('list', { name: t('search:resultsLabel') }).getByRole('listitem');
    await expect(found).toHaveCount(2);
    await expect(found.filter({ hasText: 'Lantern' }).locator('bdi').last()).toHaveText(cleaned);
    await expect(page.getByRole('main')).not.toContainText('```');
    await expectSafe();

    await page.goto('/en/user-persona');
    await awake(page);
    await expect(page.getByRole('heading', { level: 2 }).filter({ hasText: cleaned })).toBeVisible();
    await expect(page.getByRole('main')).toContainText(/Z\u0301{5}.* told/u);
    await expectSafe();
    await page.getByRole('button', { name: new RegExp(t('personas:deleteNamed', { name: '.+' })) }).click();
    await expect(page.locator('.toast')).toHaveText(cleaned);
    await expectSafe();
  });
});

test('a link whose text names another host shows the host that it leads to @all', async ({ page }) => {
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

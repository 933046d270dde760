import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { awake, chat, expect, model, test } from './journey.ts';
import { choose, edit, REGENERATE_EARLIER, rests, toast, twoTurns } from './messages.page.ts';
import { buildReplyScript } from '../support/reply-script.ts';
import { t } from '../support/texts.ts';
import { violations } from './violations.ts';

const REPLY_PATHS = /\/(?:messages|regenerate|continue)$/;

/** Counts requests that make the model write a reply. */
function countReplyRequests(page: Page): () => number {
  let requestCount = 0;
  page.on('request', (request) => {
    if (request.method() === 'POST' && REPLY_PATHS.test(new URL(request.url()).pathname)) requestCount += 1;
  });
  return () => requestCount;
}

test('editing a message adds a version and keeps later messages, and the edit can be undone', async ({
  page,
}) => {
  const { messages } = await twoTurns(page);
  await choose(page, messages.nth(1), t('chat:edit'));
  const field = messages.nth(1).getByRole('textbox');
  await expect(field).toBeFocused();
  await expect(messages.nth(1)).toContainText(t('chat:editHint'));
  await field.fill('Something else');
  await field.press('Escape');
  await expect(messages.nth(1).getByRole('alert')).toHaveText(t('chat:editUnsavedText'));
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(field).toBeFocused();
  await field.press('Control+Enter');
  await expect(field).toBeHidden();
  await expect(messages.nth(1)).toContainText('Something else');
  await expect(messages.nth(1)).toContainText(t('chat:stateEdited'));
  await expect(messages.nth(1)).toContainText('2 / 2');
  await expect(messages).toHaveCount(5);
  await toast(page, t('chat:editedToast'))
    .getByRole('button', { name: t('chat:undo') })
    .click();
  await expect(messages.nth(1)).toContainText('First');
  await expect(messages.nth(1)).not.toContainText(t('chat:stateEdited'));
  await expect(page.getByRole('status').filter({ hasText: t('chat:undone') })).toBeAttached();
  await page.reload();
  await awake(page);
  await expect(messages.nth(1)).toContainText('First');
});

test('an edit that is too long cannot be saved, and an unchanged edit closes without a question @all', async ({
  page,
}) => {
  const { messages } = await twoTurns(page);
  await choose(page, messages.nth(2), t('chat:edit'));
  await expect(messages.nth(2)).toContainText(t('chat:editStillAi'));
  const field = messages.nth(2).getByRole('textbox');
  const text = await field.inputValue();
  await field.evaluate((element: HTMLTextAreaElement) => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(
      element,
      'x'.repeat(8001),
    );
    element.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await expect(messages.nth(2)).toContainText(t('chat:textLength', { count: 8001, limit: 8000 }));
  await field.press('Control+Enter');
  await expect(field).toBeVisible();
  await field.fill(text);
  await field.press('Escape');
  await expect(field).toBeHidden();
  await expect(messages.nth(2).getByRole('button', { name: t('chat:copy') })).toBeFocused();
});

test('switching between three versions of a reply makes no model request @all', async ({ page }) => {
  const { messages } = await twoTurns(page);
  const reply = messages.nth(2);
  await edit(page, messages.nth(1), 'First [[scenario:tokens n=5 ms=1]]');
  await choose(page, reply, REGENERATE_EARLIER);
  await expect(reply).toContainText('w4');
  await rests(page);
  await edit(page, reply, 'In my own words.');
  await expect(reply).toContainText('3 / 3');
  await expect(reply).toContainText(t('chat:stateEdited'));
  const requestCount = countReplyRequests(page);
  const points = page.getByText(new RegExp(t('chat:pointsLeft', { count: 2 }).replace('2', '\\d+')));
  await expect(points).toHaveText(t('chat:pointsLeft', { count: 47 }));
  const before = reply.getByRole('button', { name: t('chat:versionPrevious') });
  await before.click();
  await expect(reply).toContainText('w4');
  await expect(reply).not.toContainText(t('chat:stateEdited'));
  await expect(
    page.getByRole('status').filter({ hasText: t('chat:versionAt', { at: 2, count: 3 }) }),
  ).toBeAttached();
  await before.click();
  await expect(reply).toContainText('1 / 3');
  await expect(reply).not.toContainText('w4');
  // The first version has no previous one, and the button keeps the focus.
  await page.keyboard.press('Enter');
  await expect(before).toBeFocused();
  await expect(before).toHaveAttribute('aria-disabled', 'true');
  await expect(reply).toContainText('1 / 3');
  await reply.getByRole('button', { name: t('chat:versionNext') }).click();
  await reply.getByRole('button', { name: t('chat:versionNext') }).click();
  await expect(reply).toContainText('In my own words.');
  await page.reload();
  await awake(page);
  await expect(reply).toContainText('In my own words.');
  await expect(points).toHaveCount(0);
  expect(requestCount()).toBe(0);
});

test('regenerating an earlier reply keeps later messages and disables its versions until it ends @all', async ({
  page,
}) => {
  const key = randomUUID();
  const { messages } = await twoTurns(page);
  await edit(page, messages.nth(1), `First [[scenario:gate n=4 key=${key}]]`);
  await messages.nth(2).hover();
  await messages
    .nth(2)
    .getByRole('button', { name: t('chat:moreActions') })
    .click();
  const regenerate = page.getByRole('menuitem', { name: REGENERATE_EARLIER });
  expect(await violations(page)).toEqual([]);
  await regenerate.click();
  await model('reached', key);
  await expect(messages.nth(2)).toContainText('w3');
  await expect(messages.nth(2).getByRole('button', { name: t('chat:versionPrevious') })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  await model('open', key);
  await expect(messages.nth(2)).toContainText('w7');
  await rests(page);
  await expect(messages).toHaveCount(5);
  await expect(messages.nth(4)).toContainText('w2');
  await expect(messages.nth(2)).toContainText('2 / 2');
});

test('continuing a reply adds a longer version of it', async ({ page }) => {
  const { messages } = await twoTurns(page);
  const reply = messages.nth(4);
  const text = await reply.locator('.story').innerText();
  await choose(page, reply, t('chat:continue'));
  await expect(reply).toContainText('2 / 2');
  await rests(page);
  const longer = await reply.locator('.story').innerText();
  expect(longer.startsWith(text.trim())).toBe(true);
  expect(longer.length).toBeGreaterThan(text.length);
  await reply.getByRole('button', { name: t('chat:versionPrevious') }).click();
  await expect(reply.locator('.story')).toHaveText(text);
});

test('what the model thought opens above its reply, and only there', async ({ page }) => {
  const { messages, say } = await chat(page);
  await say(`Hello ${buildReplyScript('<think>A quiet plan.</think>Welcome ashore.')}`);
  const reply = messages.nth(2);
  await expect(reply.locator('.story')).toHaveText('Welcome ashore.');
  await rests(page);
  for (const isFresh of [true, false]) {
    if (!isFresh) await page.reload();
    const thought = reply.getByText('A quiet plan.');
    await expect(reply.getByText(t('chat:thinkingTitle'))).toBeVisible();
    await expect(thought).toBeHidden();
    await reply.getByText(t('chat:thinkingTitle')).click();
    await expect(thought).toBeVisible();
  }
  await expect(page.locator('[role="log"]')).not.toContainText('A quiet plan.');
});

test('what the model thinks can be read while it thinks', async ({ page }) => {
  const { messages, say } = await chat(page);
  const key = randomUUID();
  await say(`Hello [[scenario:thinking n=3 gate=1 key=${key}]]`);
  const reply = messages.nth(2);
  await reply.getByText(t('chat:thinking')).click();
  await expect(reply.getByText('thought 0thought 1thought 2')).toBeVisible();
  await model('open', key);
  await expect(reply.locator('.story')).toHaveText('w0 w1 w2');
  await expect(reply.getByText(t('chat:thinkingTitle'))).toBeVisible();
  await expect(reply.getByText('thought 0thought 1thought 2')).toBeVisible();
});

test('a reply that reached the limit of the model offers to continue it', async ({ page }) => {
  const { messages, say } = await chat(page);
  await say('Hello [[scenario:tokens n=3 ms=1 finish=length]]');
  const reply = messages.nth(2);
  await expect(reply).toContainText(t('chat:lengthLimit'));
  await rests(page);
  await reply.getByRole('button', { name: t('chat:continue') }).click();
  await expect(reply.locator('.story')).toHaveText('w0 w1 w2 x0 x1 x2');
});

test('a message deleted with those after it can be restored with Undo and from the trash', async ({
  page,
}) => {
  const { messages } = await twoTurns(page);
  await messages.nth(3).hover();
  await messages
    .nth(3)
    .getByRole('button', { name: t('chat:moreActions') })
    .click();
  await expect(page.getByRole('menuitem', { name: t('chat:deleteFrom') })).toContainText(
    t('chat:deleteNote', { count: 1, days: 30 }),
  );
  await page.getByRole('menuitem', { name: t('chat:deleteFrom') }).click();
  await expect(messages).toHaveCount(3);
  await toast(page, t('chat:deletedToast', { count: 2, days: 30 }))
    .getByRole('button', { name: t('chat:undo') })
    .click();
  await expect(messages).toHaveCount(5);
  await choose(page, messages.nth(3), t('chat:deleteFrom'));
  await expect(messages).toHaveCount(3);
  await page.reload();
  await awake(page);
  await expect(messages).toHaveCount(3);
  await page.getByRole('button', { name: t('chat:chatMenu') }).click();
  await page.getByRole('menuitem', { name: t('chat:trashMenu') }).click();
  const trash = page.getByRole('dialog', { name: t('chat:trashMenu') });
  await expect(trash.getByRole('listitem')).toContainText('Second');
  await expect(trash.getByRole('listitem')).toContainText(t('chat:messageCount', { count: 2 }));
  expect(await violations(page)).toEqual([]);
  await trash.getByRole('button', { name: t('chat:trashRestoreNamed', { text: 'Second' }) }).click();
  await expect(trash).toBeHidden();
  await expect(messages).toHaveCount(5);
  await expect(messages.nth(4)).toContainText('w2');
  await page.getByRole('button', { name: t('chat:chatMenu') }).click();
  await page.getByRole('menuitem', { name: t('chat:trashMenu') }).click();
  await expect(trash).toContainText(t('chat:trashEmpty'));
});

test('a message shows names for its placeholders, and the edit field shows the placeholders @all', async ({
  page,
}) => {
  const { messages, say, character } = await chat(page);
  await say('{{user}} greets {{Char}} [[scenario:tokens n=2 ms=1]]');
  await expect(messages.nth(1)).toContainText(`Stranger greets ${character.name}`);
  await expect(messages.nth(2)).toContainText('w1');
  await rests(page);
  await page.reload();
  await awake(page);
  await expect(messages.nth(1)).toContainText(`Stranger greets ${character.name}`);
  await choose(page, messages.nth(1), t('chat:edit'));
  await expect(messages.nth(1).getByRole('textbox')).toHaveValue(/^\{\{user\}\} greets \{\{Char\}\}/);
});

test('branching from a message opens a new conversation and leaves the old one unchanged', async ({
  page,
}) => {
  const { messages, box } = await twoTurns(page);
  const source = page.url();
  await choose(page, messages.nth(2), t('chat:branchFrom'));
  await expect(messages).toHaveCount(3);
  await expect(page).not.toHaveURL(source);
  await expect(toast(page, t('chat:branched'))).toBeVisible();
  await expect(box).toBeFocused();
  await page.goto(source);
  await awake(page);
  await expect(messages).toHaveCount(5);
});

test('a pinned message is marked as pinned until it is unpinned @all', async ({ page }) => {
  const { messages } = await twoTurns(page);
  await choose(page, messages.nth(1), t('chat:pin'));
  await expect(messages.nth(1)).toContainText(t('chat:statePinned'));
  await page.reload();
  await awake(page);
  await expect(messages.nth(1)).toContainText(t('chat:statePinned'));
  await choose(page, messages.nth(1), t('chat:unpin'));
  await expect(messages.nth(1)).not.toContainText(t('chat:statePinned'));
});

test('a screen reader hears each sentence of a growing reply once, then that it is finished', async ({
  page,
}) => {
  const { say, character } = await chat(page);
  const log = page.getByRole('log');
  await page.evaluate(() => {
    const lines: string[] = [];
    Object.assign(window, { lines });
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) lines.push(node.textContent ?? '');
    }).observe(document.querySelector('[role="log"]') as Element, { childList: true });
  });
  await say('One two. Three four. Five six. [[scenario:echo]]');
  await expect(log).toContainText(t('chat:replyFinished'));
  const lines = await page.evaluate(() => (window as unknown as { lines: string[] }).lines);
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`^${character.name}: saw \\d+ messages: One two\\.$`)),
    'Three four.',
    'Five six.',
    t('chat:replyFinished'),
  ]);
});

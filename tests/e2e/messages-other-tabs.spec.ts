import type { BrowserContext, Locator, Page } from '@playwright/test';
import { buildChatHref } from '../../src/features/conversation/conversation-link.ts';
import { getLinePrefix, buildLongConversation } from '../support/long-conversation.ts';
import { t } from '../support/texts.ts';
import { awake, expect, SOMEBODY, test } from './journey.ts';
import { choose, edit, toast, twoTurns } from './messages.page.ts';
import { violations } from './violations.ts';

const getMessages = (page: Page) =>
  page.getByRole('list', { name: t('chat:messages') }).getByRole('listitem');

/** Opens the same conversation in another tab. */
async function openSecondTab(
  context: BrowserContext,
  page: Page,
): Promise<{ second: Page; messagesInSecond: Locator }> {
  const second = await context.newPage();
  await second.goto(page.url());
  await awake(second);
  return { second, messagesInSecond: getMessages(second) };
}

test('two tabs of a conversation show each other’s changes without a reload', async ({ page, context }) => {
  const { messages } = await twoTurns(page);
  const { second, messagesInSecond } = await openSecondTab(context, page);
  await expect(messagesInSecond).toHaveCount(5);
  await edit(page, messages.nth(1), 'Changed on the first page');
  await expect(messagesInSecond.nth(1)).toContainText('Changed on the first page');
  await edit(second, messagesInSecond.nth(2), 'Changed on the second page');
  await expect(messages.nth(2)).toContainText('Changed on the second page');
  await choose(second, messagesInSecond.nth(2), t('chat:pin'));
  await expect(messages.nth(2)).toContainText(t('chat:statePinned'));
  await messages
    .nth(2)
    .getByRole('button', { name: t('chat:versionPrevious') })
    .click();
  await expect(messagesInSecond.nth(2)).toContainText('1 / 2');
  await choose(page, messages.nth(3), t('chat:deleteFrom'));
  await expect(messagesInSecond).toHaveCount(3);
  await toast(page, t('chat:deletedToast', { count: 2, days: 30 }))
    .getByRole('button', { name: t('chat:undo') })
    .click();
  await expect(messagesInSecond).toHaveCount(5);
  await expect(messagesInSecond.nth(4)).toContainText('w2');
});

test('an unsaved edit is offered as text when its message is deleted in another tab @all', async ({
  page,
  context,
}) => {
  const { messages, box } = await twoTurns(page);
  const { second, messagesInSecond } = await openSecondTab(context, page);
  await expect(messagesInSecond).toHaveCount(5);
  await choose(page, messages.nth(3), t('chat:edit'));
  await messages.nth(3).getByRole('textbox').fill('Half of what I mean');
  await choose(second, messagesInSecond.nth(3), t('chat:deleteFrom'));
  // Hovering keeps the toast open.
  await toast(second, t('chat:deletedToast', { count: 2, days: 30 })).hover();
  await expect(messages).toHaveCount(3);
  const field = page.getByRole('textbox', { name: t('chat:lostEditLabel') });
  await expect(field).toHaveValue('Half of what I mean');
  await expect(field).toBeFocused();
  await expect(page.getByRole('alert').filter({ hasText: t('chat:lostEditText') })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type(', and more');

  // The restored message opens with the unsaved edit.
  await toast(second, t('chat:deletedToast', { count: 2, days: 30 }))
    .getByRole('button', { name: t('chat:undo') })
    .click();
  await expect(messages.nth(3).getByRole('textbox')).toHaveValue('Half of what I mean, and more');
  await expect(field).toBeHidden();
  await choose(second, messagesInSecond.nth(3), t('chat:deleteFrom'));
  await expect(field).toHaveValue('Half of what I mean, and more');
  await page.getByRole('button', { name: t('chat:lostEditMove') }).click();
  await expect(box).toHaveValue('Half of what I mean, and more');
  await expect(box).toBeFocused();
  await expect(field).toBeHidden();
});

test('leaving the page asks for confirmation only while an edit is unsaved @all', async ({ page }) => {
  const { messages } = await twoTurns(page);
  const dialogTypes: string[] = [];
  page.on('dialog', (dialog) => {
    dialogTypes.push(dialog.type());
    void dialog.accept();
  });
  await choose(page, messages.nth(3), t('chat:edit'));
  const field = messages.nth(3).getByRole('textbox');
  const text = await field.inputValue();
  await field.fill('Not saved yet');
  await field.fill(text);
  await page.reload();
  await awake(page);
  expect(dialogTypes).toEqual([]);
  await choose(page, messages.nth(3), t('chat:edit'));
  await field.fill('Not saved yet');
  // Wait until the edit is stored on the device: then the page treats it as unsaved.
  await expect
    .poll(() =>
      page.evaluate(() =>
        Object.values({ ...localStorage }).some((value) => value.includes('Not saved yet')),
      ),
    )
    .toBe(true);
  await page.reload();
  await awake(page);
  expect(dialogTypes).toEqual(['beforeunload']);
});

test('the focus moves to the previous message when the focused one is deleted in another tab @all', async ({
  page,
  context,
}) => {
  const { messages } = await twoTurns(page);
  const { second, messagesInSecond } = await openSecondTab(context, page);
  await messages
    .nth(4)
    .getByRole('button', { name: t('chat:copy') })
    .focus();
  await choose(second, messagesInSecond.nth(3), t('chat:deleteFrom'));
  await expect(messages).toHaveCount(3);
  await expect(messages.nth(2).getByRole('button', { name: t('chat:copy') })).toBeFocused();
  await messages
    .nth(2)
    .getByRole('button', { name: t('chat:moreActions') })
    .click();
  await expect(page.getByRole('menu')).toBeVisible();
  await choose(second, messagesInSecond.nth(1), t('chat:deleteFrom'));
  await toast(second, t('chat:deletedToast', { count: 2, days: 30 })).hover();
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(messages).toHaveCount(1);
  await expect(messages.first().getByRole('button', { name: t('chat:copy') })).toBeFocused();
  // The menu stays closed when the message is restored.
  await toast(second, t('chat:deletedToast', { count: 2, days: 30 }))
    .getByRole('button', { name: t('chat:undo') })
    .click();
  await expect(messages).toHaveCount(3);
  await expect(page.getByRole('menu')).toBeHidden();
});

test('a deletion elsewhere appears at once in an older part of a long conversation @all', async ({
  page,
}) => {
  await page.request.post('/api/auth/anonymous');
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string }[];
  };
  const character = items[0]?.id ?? '';
  const imported = await page.request.post('/api/conversations/import', {
    multipart: {
      character_id: character,
      file: {
        name: 'story.jsonl',
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(buildLongConversation(240)),
      },
    },
  });
  expect(imported.status()).toBe(201);
  const { conversation } = (await imported.json()) as { conversation: { id: string } };
  const path = `/api/conversations/${conversation.id}`;
  const newest = (await (await page.request.get(`${path}?limit=100`)).json()) as { next_cursor: string };
  const older = (await (await page.request.get(`${path}?limit=100&before=${newest.next_cursor}`)).json()) as {
    messages: { id: string; content: string }[];
  };
  const getMessageId = (number: number) =>
    older.messages.find(({ content }) => content.startsWith(getLinePrefix(number)))?.id ?? '';
  await page.goto(
    `${buildChatHref({ ...conversation, character_id: character })}&message=${getMessageId(90)}`,
  );
  await awake(page);
  const getLine = (number: number) =>
    page.locator('[data-message]').filter({ hasText: getLinePrefix(number) });
  await expect(getLine(90)).toBeInViewport();
  await expect(getLine(92)).toHaveCount(1);
  expect((await page.request.delete(`${path}/messages/${getMessageId(91)}`)).status()).toBe(200);
  await expect(getLine(91)).toHaveCount(0);
  await expect(getLine(92)).toHaveCount(0);
  await expect(getLine(90)).toBeInViewport();
  await expect(page.getByRole('button', { name: t('chat:showLater') })).toHaveCount(0);
});

test('a conversation deleted elsewhere can be restored here, and other tabs show it again @all', async ({
  page,
  context,
}) => {
  const { messages, box } = await twoTurns(page);
  const path = `/api/conversations/${new URL(page.url()).searchParams.get('conversation_id')}`;
  const { second, messagesInSecond } = await openSecondTab(context, page);
  await box.focus();
  expect((await page.request.delete(path)).status()).toBe(204);
  for (const tab of [page, second])
    await expect(tab.getByRole('heading', { name: t('chat:inTrashTitle') })).toBeVisible();
  await expect(page.locator('#main:focus, #main :focus')).toBeAttached();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: t('chat:inTrashRestore') }).click();
  await expect(messages).toHaveCount(5);
  await second.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(messagesInSecond).toHaveCount(5);

  // It can also be restored from its address while it is in the trash.
  expect((await page.request.delete(path)).status()).toBe(204);
  await expect(page.getByRole('heading', { name: t('chat:inTrashTitle') })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: t('chat:inTrashTitle') })).toBeVisible();
  await expect(page.getByText(t('chat:inTrashText', { count: 30 }))).toBeVisible();
  expect((await page.request.delete(`${path}?forever=true`)).status()).toBe(204);
  await page.getByRole('button', { name: t('chat:inTrashRestore') }).click();
  await expect(page.getByRole('heading', { name: t('chat:notFoundTitle') })).toBeVisible();
  await page.getByRole('button', { name: t('chat:notFoundRetry') }).click();
  await expect(page.getByText(t('chat:notFoundStill'))).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test.describe('Lost requests', () => {
  test('a message that arrived without a response and was then deleted is not sent again @all', async ({
    page,
  }) => {
    const { messages, say, box } = await twoTurns(page);
    const address = page.url();
    const path = `/api/conversations/${new URL(address).searchParams.get('conversation_id')}`;
    let body: unknown = null;
    await page.route('**/messages', async (route) => {
      body = route.request().postDataJSON();
      await route.abort();
    });
    await say('Third [[scenario:tokens n=1 ms=0]]');
    await expect(messages.last()).toContainText(t('chat:stateWaiting'));
    await page.goto('/en/offline');
    // The message had arrived after all, and is deleted on another device.
    const reply = await page.request.post(`${path}/messages`, { data: body });
    expect(await reply.text()).toContain('done');
    const { messages: stored } = (await (await page.request.get(path)).json()) as {
      messages: { id: string }[];
    };
    expect((await page.request.delete(`${path}/messages/${stored[5]?.id}`)).status()).toBe(200);
    await page.goto(address);
    await awake(page);
    await page.unroute('**/messages');
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(page.getByRole('alert')).toContainText(t('errors:message_deleted'));
    await expect(messages).toHaveCount(5);
    await expect(box).toHaveValue('');
    await page.reload();
    await awake(page);
    await expect(messages).toHaveCount(5);
  });
});

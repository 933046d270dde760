import type { BrowserContext, Locator, Page } from '@playwright/test';
import { buildChatHref } from '../../src/features/conversation/conversation-link.ts';
import { getLinePrefix, buildLongConversation } from '../support/long-conversation.ts';
import { awake, expect, SOMEBODY, test } from './journey.ts';
import { choose, edit, toast, twoTurns } from './message-hands.ts';
import { violations } from './violations.ts';

const messagesOf = (page: Page) => page.getByRole('list', { name: 'Messages' }).getByRole('listitem');

/** The same conversation in another tab. */
async function secondTab(context: BrowserContext, page: Page): Promise<{ second: Page; there: Locator }> {
  const second = await context.newPage();
  await second.goto(page.url());
  await awake(second);
  return { second, there: messagesOf(second) };
}

test('two pages of the same conversation see each other’s doings without a reload', async ({
  page,
  context,
}) => {
  const { messages } = await twoTurns(page);
  const { second, there } = await secondTab(context, page);
  await expect(there).toHaveCount(5);
  await edit(page, messages.nth(1), 'Changed on the first page');
  await expect(there.nth(1)).toContainText('Changed on the first page');
  await edit(second, there.nth(2), 'Changed on the second page');
  await expect(messages.nth(2)).toContainText('Changed on the second page');
  await choose(second, there.nth(2), /^Pin/);
  await expect(messages.nth(2)).toContainText('pinned');
  await messages.nth(2).getByRole('button', { name: 'Previous version' }).click();
  await expect(there.nth(2)).toContainText('1 / 2');
  await choose(page, messages.nth(3), /^Delete from here/);
  await expect(there).toHaveCount(3);
  await toast(page, '2 messages deleted').getByRole('button', { name: 'Undo' }).click();
  await expect(there).toHaveCount(5);
  await expect(there.nth(4)).toContainText('w2');
});

test('what I was writing over a message outlives it: the message is deleted elsewhere, my text is offered', async ({
  page,
  context,
}) => {
  const { messages, box } = await twoTurns(page);
  const { second, there } = await secondTab(context, page);
  await expect(there).toHaveCount(5);
  await choose(page, messages.nth(3), /^Edit/);
  await messages.nth(3).getByRole('textbox').fill('Half of what I mean');
  await choose(second, there.nth(3), /^Delete from here/);
  // A toast stands as long as one is over it, however long the rest takes.
  await toast(second, '2 messages deleted').hover();
  await expect(messages).toHaveCount(3);
  const field = page.getByRole('textbox', { name: 'What you wrote over a deleted message' });
  await expect(field).toHaveValue('Half of what I mean');
  await expect(field).toBeFocused();
  await expect(page.getByRole('alert').filter({ hasText: 'was deleted meanwhile' })).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.type(', and more');

  // Had back, the message takes the text up again.
  await toast(second, '2 messages deleted').getByRole('button', { name: 'Undo' }).click();
  await expect(messages.nth(3).getByRole('textbox')).toHaveValue('Half of what I mean, and more');
  await expect(field).toBeHidden();
  await choose(second, there.nth(3), /^Delete from here/);
  await expect(field).toHaveValue('Half of what I mean, and more');
  await page.getByRole('button', { name: 'Put it into the message box' }).click();
  await expect(box).toHaveValue('Half of what I mean, and more');
  await expect(box).toBeFocused();
  await expect(field).toBeHidden();
});

test('who leaves the page with an edit that is not saved is asked first, and only then', async ({ page }) => {
  const { messages } = await twoTurns(page);
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    void dialog.accept();
  });
  await choose(page, messages.nth(3), /^Edit/);
  const field = messages.nth(3).getByRole('textbox');
  const text = await field.inputValue();
  await field.fill('Not saved yet');
  await field.fill(text);
  await page.reload();
  await awake(page);
  expect(asked).toEqual([]);
  await choose(page, messages.nth(3), /^Edit/);
  await field.fill('Not saved yet');
  // The device has it: the page knows of it.
  await expect
    .poll(() =>
      page.evaluate(() => Object.values({ ...localStorage }).some((kept) => kept.includes('Not saved yet'))),
    )
    .toBe(true);
  await page.reload();
  await awake(page);
  expect(asked).toEqual(['beforeunload']);
});

test('the focus stays among the messages when what had it is deleted elsewhere, a menu too', async ({
  page,
  context,
}) => {
  const { messages } = await twoTurns(page);
  const { second, there } = await secondTab(context, page);
  await messages.nth(4).getByRole('button', { name: 'Copy' }).focus();
  await choose(second, there.nth(3), /^Delete from here/);
  await expect(messages).toHaveCount(3);
  await expect(messages.nth(2).getByRole('button', { name: 'Copy' })).toBeFocused();
  await messages.nth(2).getByRole('button', { name: 'More for this message' }).click();
  await expect(page.getByRole('menu')).toBeVisible();
  await choose(second, there.nth(1), /^Delete from here/);
  await toast(second, '2 messages deleted').hover();
  await expect(page.getByRole('menu')).toBeHidden();
  await expect(messages).toHaveCount(1);
  await expect(messages.first().getByRole('button', { name: 'Copy' })).toBeFocused();
  // A menu does not open by itself with the message that is had back.
  await toast(second, '2 messages deleted').getByRole('button', { name: 'Undo' }).click();
  await expect(messages).toHaveCount(3);
  await expect(page.getByRole('menu')).toBeHidden();
});

test('who reads an older part of a long chat sees at once what is deleted from it elsewhere', async ({
  page,
}) => {
  await page.request.post('/api/auth/anonymous');
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string }[];
  };
  const character = items[0]?.id ?? '';
  const brought = await page.request.post('/api/conversations/import', {
    multipart: {
      character_id: character,
      file: {
        name: 'story.jsonl',
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(buildLongConversation(240)),
      },
    },
  });
  expect(brought.status()).toBe(201);
  const { conversation } = (await brought.json()) as { conversation: { id: string } };
  const at = `/api/conversations/${conversation.id}`;
  const newest = (await (await page.request.get(`${at}?limit=100`)).json()) as { next_cursor: string };
  const older = (await (await page.request.get(`${at}?limit=100&before=${newest.next_cursor}`)).json()) as {
    messages: { id: string; content: string }[];
  };
  const idOf = (number: number) =>
    older.messages.find(({ content }) => content.startsWith(getLinePrefix(number)))?.id ?? '';
  await page.goto(`${buildChatHref({ ...conversation, character_id: character })}&message=${idOf(90)}`);
  await awake(page);
  const line = (number: number) => page.locator('[data-message]').filter({ hasText: getLinePrefix(number) });
  await expect(line(90)).toBeInViewport();
  await expect(line(92)).toHaveCount(1);
  expect((await page.request.delete(`${at}/messages/${idOf(91)}`)).status()).toBe(200);
  await expect(line(91)).toHaveCount(0);
  await expect(line(92)).toHaveCount(0);
  await expect(line(90)).toBeInViewport();
  await expect(page.getByRole('button', { name: 'Show later messages' })).toHaveCount(0);
});

test('a chat that is deleted elsewhere can be taken back here, and one that comes back shows again', async ({
  page,
  context,
}) => {
  const { messages, box } = await twoTurns(page);
  const at = `/api/conversations/${new URL(page.url()).searchParams.get('conversation_id')}`;
  const { second, there } = await secondTab(context, page);
  await box.focus();
  expect((await page.request.delete(at)).status()).toBe(204);
  for (const tab of [page, second])
    await expect(tab.getByRole('heading', { name: 'This chat is deleted.' })).toBeVisible();
  await expect(page.locator('#main:focus, #main :focus')).toBeAttached();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Take it back' }).click();
  await expect(messages).toHaveCount(5);
  await second.evaluate(() => window.dispatchEvent(new Event('focus')));
  await expect(there).toHaveCount(5);

  // By its own address as well, for as long as it lies in the trash.
  expect((await page.request.delete(at)).status()).toBe(204);
  await expect(page.getByRole('heading', { name: 'This chat is deleted.' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This chat is deleted.' })).toBeVisible();
  await expect(page.getByText('for 30 days')).toBeVisible();
  expect((await page.request.delete(`${at}?forever=true`)).status()).toBe(204);
  await page.getByRole('button', { name: 'Take it back' }).click();
  await expect(page.getByRole('heading', { name: 'This conversation is not here.' })).toBeVisible();
  await page.getByRole('button', { name: 'Look again' }).click();
  await expect(page.getByText('It is still not here.')).toBeVisible();
  expect(await violations(page)).toEqual([]);
});

test.describe('when messages do not get through', () => {
  test('a message that arrived unheard and was deleted since is not sent again, and the chat stays', async ({
    page,
  }) => {
    const { messages, say, box } = await twoTurns(page);
    const address = page.url();
    const at = `/api/conversations/${new URL(address).searchParams.get('conversation_id')}`;
    let body: unknown = null;
    await page.route('**/messages', async (route) => {
      body = route.request().postDataJSON();
      await route.abort();
    });
    await say('Third [[scenario:tokens n=1 ms=0]]');
    await expect(messages.last()).toContainText('waits for the network');
    await page.goto('/en/offline');
    // It had arrived after all, and was deleted on another device.
    const reply = await page.request.post(`${at}/messages`, { data: body });
    expect(await reply.text()).toContain('done');
    const { messages: stored } = (await (await page.request.get(at)).json()) as {
      messages: { id: string }[];
    };
    expect((await page.request.delete(`${at}/messages/${stored[5]?.id}`)).status()).toBe(200);
    await page.goto(address);
    await awake(page);
    await page.unroute('**/messages');
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await expect(page.getByRole('alert')).toContainText('This message was deleted meanwhile.');
    await expect(messages).toHaveCount(5);
    await expect(box).toHaveValue('');
    await page.reload();
    await awake(page);
    await expect(messages).toHaveCount(5);
  });
});

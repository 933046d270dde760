import { t } from '../support/texts.ts';
import { openDrawer, twoChats } from './chat-frame.page.ts';
import { awake, chat, expect, test } from './journey.ts';
import { violations } from './violations.ts';

const TITLE = 'The red door stood open, and behind it…';

/** The chats in the sidebar of a wide window. */
const sidebar = (page: Parameters<typeof awake>[0]) =>
  page.getByRole('region', { name: t('shell:history.title') });

test('a chat is found by its last line among those with the same character', async ({ page }) => {
  const { character, messages } = await twoChats(page);
  await page.goto('/en/discover');
  const rows = sidebar(page).getByRole('listitem');
  await expect(rows).toHaveCount(2);
  await expect(rows.getByRole('link', { name: character.name })).toHaveCount(2);
  // Both began differently, and the newest is on top.
  await expect(rows.first()).toContainText('Another one');
  await expect(rows.first().getByRole('time')).toHaveText('now');
  await rows.filter({ has: page.getByText('w0 w1', { exact: true }) }).click();
  await expect(messages.nth(1)).toContainText('Hello');
  await expect(messages.last()).toContainText('w1');
});

test('the list marks branches and unread replies, and shows more than three chats with a character after a press @all', async ({
  page,
}) => {
  const { character, messages, say } = await chat(page);
  await say('The red door stood open, and behind it the stairs went down. [[scenario:tokens n=2 ms=1]]');
  await expect(messages.last()).toContainText('w1');
  const id = new URL(page.url()).searchParams.get('conversation_id') ?? '';
  const request = async (path: string, data: object) =>
    (await page.request.post(`/api/conversations${path}`, { data })).json();
  const { messages: lines } = (await (await page.request.get(`/api/conversations/${id}`)).json()) as {
    messages: { id: string }[];
  };
  for (let count = 0; count < 3; count += 1) await request(`/${id}/messages/${lines.at(-1)?.id}/fork`, {});
  await page.goto('/en/discover');
  const chats = sidebar(page);
  const rows = chats.getByRole('listitem');
  await expect(rows).toHaveCount(3);
  await expect(chats.getByText(t('shell:history.branchOfTitle', { title: TITLE }))).toHaveCount(3);
  const more = chats.getByRole('button', { name: t('shell:history.moreChats', { name: character.name }) });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(4);
  await expect(more).toBeHidden();
  await expect(rows.nth(3).getByRole('link')).toBeFocused();
  // A reply that no page has shown.
  const sent = { content: 'And then? [[scenario:tokens n=3 ms=1]]', client_message_id: crypto.randomUUID() };
  await (await page.request.post(`/api/conversations/${id}/messages`, { data: sent })).body();
  await page.reload();
  await expect(rows.first().getByRole('img', { name: t('shell:history.unreadReply') })).toBeVisible();
  await expect(rows.first()).toContainText('w0 w1 w2');
  await expect(rows.nth(1).getByRole('img', { name: t('shell:history.unreadReply') })).toBeHidden();
  expect(await violations(page)).toEqual([]);

  await rows.nth(1).click();
  await awake(page);
  const { drawer, chats: drawn } = await openDrawer(page);
  await expect(drawn).toHaveCount(3);
  await expect(drawer.getByText(t('chat:branchOfTitle', { title: TITLE }))).toHaveCount(2);
  await expect(drawer.getByRole('img', { name: t('chat:unreadReply') })).toHaveCount(1);
  await drawer.getByRole('button', { name: t('chat:moreChats', { name: character.name }) }).press('Enter');
  await expect(drawn).toHaveCount(4);
  await expect(drawn.nth(3).getByRole('link')).toBeFocused();
  expect(await violations(page)).toEqual([]);

  await page.goto('/chats/search?q=red');
  const results = page.getByRole('list', { name: t('search:resultsLabel') }).getByRole('listitem');
  await expect(results).toHaveCount(4);
  await expect(results.filter({ hasText: t('search:branchBadge') })).toHaveCount(3);
});

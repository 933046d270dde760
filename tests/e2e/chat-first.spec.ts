import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { LOG_IN_PAUSE_MS } from '../../src/islands/chat/composer/guest-prompt.ts';
import { t } from '../support/texts.ts';
import { awake, catalogue, chat, expect, readCode, SOMEBODY, test } from './journey.ts';
import { ownSite } from './own-site.ts';
import { violations } from './violations.ts';

/** A site with the daily limit of new guests, and without Google. */
const site = ownSite(() => ({ RATE_LIMITS: 'on' }));

/** A reply of two words that comes at once. */
const SHORT = '[[scenario:tokens n=2 ms=0]]';

const getComposer = (page: Page) =>
  page.getByRole('textbox', { name: new RegExp(t('chat:composerLabel', { name: '.+' })) });
const getMessages = (page: Page) =>
  page.getByRole('list', { name: t('chat:messages') }).getByRole('listitem');
const listChats = async (page: Page): Promise<unknown[]> =>
  ((await (await page.request.get('/api/chats')).json()) as { chats: unknown[] }).chats;

/** Types a message into the focused composer and waits for the reply. */
async function typeMessage(page: Page): Promise<void> {
  await awake(page);
  await expect(page).toHaveURL(/conversation_id=/);
  await expect(getComposer(page)).toBeFocused();
  const count = await getMessages(page).count();
  await page.keyboard.type(`Good evening. ${SHORT}`);
  await page.keyboard.press('Enter');
  await expect(getMessages(page)).toHaveCount(count + 2);
  await expect(getMessages(page).last()).toContainText('w1');
}

test('a newcomer gets a first reply after one press on the home page’s scene', async ({ page }) => {
  await page.goto('/en');
  await page.getByRole('link', { name: t('home:scene.continue') }).click();
  await typeMessage(page);
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('a newcomer gets a first reply from the home page over a character’s page in two presses', async ({
  page,
}) => {
  await page.goto('/en');
  await page.locator('.character-card').first().click();
  await page.getByRole('link', { name: t('character:startChatting') }).click();
  await typeMessage(page);
});

test('a suggested reply of a character’s page opens the chat in the message box, and the page then continues it', async ({
  page,
}) => {
  const [{ id }] = ((await (await page.request.get(SOMEBODY)).json()) as { items: [{ id: string }] }).items;
  await page.goto(`/en/character-info/${id}`);
  const suggestion = page
    .getByRole('region', { name: t('character:suggestedRepliesTitle') })
    .getByRole('link')
    .first();
  const text = (await suggestion.innerText()).trim();
  await suggestion.click();
  await awake(page);
  await expect(page).toHaveURL(/conversation_id=[^#]+$/);
  const address = page.url();
  await expect(getComposer(page)).toHaveValue(text);
  await expect(getComposer(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(getMessages(page).nth(1)).toContainText(text);
  await expect(page.locator('[data-history]').getByRole('listitem')).toHaveCount(1);
  await expect(getMessages(page)).toHaveCount(3);

  await page.goto(`/en/character-info/${id}`);
  await page.getByRole('link', { name: t('character:continueChatting') }).click();
  await expect(page).toHaveURL(address);
  await expect(getMessages(page)).toHaveCount(3);
});

test('the age sentence is under the button for visitors only, and nothing moves @all', async ({ page }) => {
  const [character] = await catalogue(page.request, 1);
  const sentence = page.getByText(t('signin:agreement', { age: 18 }).slice(0, 40));
  const readPlace = async () => (await page.locator('#about').boundingBox())?.y ?? NaN;
  await page.goto(`/en/character-info/${character?.id}`);
  await expect(sentence).toBeVisible();
  expect(await violations(page)).toEqual([]);
  const place = await readPlace();
  // On the first page of someone whose browser does not know of their session yet, the room stays.
  await page.request.post('/api/auth/anonymous');
  await page.goto(`/en/character-info/${character?.id}`);
  await expect(page.locator('html')).toHaveAttribute('data-who', 'guest');
  await expect(sentence).toBeHidden();
  expect(await readPlace()).toBe(place);
  await page.reload();
  await expect(sentence).toBeHidden();
  expect(await readPlace()).toBeLessThan(place);
});

test('nothing is listed before the first message, and starting again opens the same chat', async ({
  page,
}) => {
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string; name: string }[];
  };
  const { id = '', name = '' } = items[0] ?? {};
  const start = page.getByRole('link', { name: t('character:startChatting') });
  const open = async (): Promise<string> => {
    await page.goto(`/en/character-info/${id}`);
    await start.click();
    await expect(page).toHaveURL(/conversation_id=/);
    return page.url();
  };
  const first = await open();
  await awake(page);
  await expect(getMessages(page)).toHaveCount(1);
  expect(await open()).toBe(first);
  expect(await listChats(page)).toEqual([]);
  const history = page.locator('[data-history]');
  await expect(history.getByText(t('shell:history.empty'))).toBeVisible();
  await awake(page);
  await page.getByRole('button', { name: t('chat:chatsTitle') }).click();
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText(t('chat:chatsEmpty'))).toBeVisible();
  await page.keyboard.press('Escape');
  // With an untouched chat open, a new one is the same.
  await page.getByRole('button', { name: t('chat:newChat') }).click();
  await expect(page).toHaveURL(first);

  await getComposer(page).fill(`Good evening. ${SHORT}`);
  await getComposer(page).press('Enter');
  await expect(history.getByRole('link', { name })).toBeVisible();
  await expect(getMessages(page).last()).toContainText('w1');
  expect(await listChats(page)).toHaveLength(1);
});

test('a visitor who opens a chat directly is asked to log in over the greeting', async ({ page }) => {
  const [character] = await catalogue(page.request, 1);
  await page.goto(`/character/${character?.id}`);
  await expect(page.getByRole('dialog')).toContainText(t('signin:reason_required'));
  await expect(page.locator('.story')).not.toBeEmpty();
});

test('a newcomer of a full network reads why over the greeting, logs in with Gmail and arrives in the chat', async ({
  page,
}) => {
  const origin = site.url;
  const startGuest = () => fetch(`${origin}/api/auth/anonymous`, { method: 'POST' });
  expect((await startGuest()).status).toBe(201);
  const db = site.database('d1');
  db.exec('update daily_counts set count = 60');
  db.close();
  expect((await startGuest()).status).toBe(429);

  const { items } = (await (await fetch(`${origin}${SOMEBODY}`)).json()) as {
    items: { id: string; first_message: string }[];
  };
  const id = items[0]?.id ?? '';
  const { first_message: greeting } = (await (await fetch(`${origin}/api/characters/${id}`)).json()) as {
    first_message: string;
  };
  await page.goto(`${origin}/en/character-info/${id}`);
  await page.getByRole('link', { name: t('character:startChatting') }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toHaveText(t('errors:too_many_guests'));
  await expect(dialog.getByRole('button', { name: t('signin:continueAsGuest') })).toHaveCount(0);
  const words = greeting.match(/[A-Za-z]{4,}/g)?.slice(0, 3) ?? [];
  expect(words).toHaveLength(3);
  for (const word of words) await expect(page.locator('.story')).toContainText(word);
  expect(await violations(page)).toEqual([]);

  // Without Google on this site, the e-mail step takes Gmail addresses.
  const email = `ada.${randomUUID()}@gmail.com`;
  await dialog.getByRole('button', { name: t('signin:continueWithEmail') }).click();
  await dialog.getByRole('textbox', { name: t('signin:emailLabel') }).fill(email);
  await expect(dialog.getByText(t('signin:gmailWarningGoogle'))).toHaveCount(0);
  await dialog.getByRole('button', { name: t('signin:sendCode') }).click();
  await expect(dialog.getByText(email)).toBeVisible();
  const code = await readCode(origin, email);
  await dialog.getByRole('textbox').first().focus();
  await page.keyboard.type(code);
  await dialog.getByRole('button', { name: t('signin:verify') }).click();
  await dialog.getByRole('button', { name: t('onboarding:skip') }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(new RegExp(`/character/${id}\\?conversation_id=`));
  await expect(getMessages(page)).toHaveCount(1);
});

test('a guest is asked for a name once, and the chat uses it', async ({ page }) => {
  const { character, say, messages } = await chat(page);
  const question = t('chat:guestNameQuestion', { name: character.name });
  const field = page.getByRole('textbox', { name: question });
  await expect(field).toHaveCount(0);
  await say(SHORT);
  await expect(field).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await field.fill('A name with more than twenty letters');
  await expect(page.getByText(t('errors:nickname_too_long'))).toBeVisible();
  const save = page.getByRole('button', { name: t('chat:guestNameSave') });
  await expect(save).toBeDisabled();
  await field.fill('Kim');
  await save.click();
  await expect(field).toHaveCount(0);
  await expect(getComposer(page)).toBeFocused();
  const id = new URL(page.url()).searchParams.get('conversation_id');
  const shown = (await (await page.request.get(`/api/conversations/${id}`)).json()) as {
    conversation: { user_name: string };
  };
  expect(shown.conversation.user_name).toBe('Kim');
  await say(SHORT);
  await expect(messages).toHaveCount(5);
  await expect(messages.last()).toContainText('w1');
  await expect(field).toHaveCount(0);
});

test('a dismissed question for a name does not return @all', async ({ page }) => {
  const { character, say } = await chat(page);
  const field = page.getByRole('textbox', {
    name: t('chat:guestNameQuestion', { name: character.name }),
  });
  await say(SHORT);
  await expect(field).toBeVisible();
  await page.getByRole('button', { name: t('chat:dismiss') }).click();
  await expect(field).toHaveCount(0);
  await page.reload();
  await awake(page);
  await expect(getMessages(page)).toHaveCount(3);
  await expect(field).toHaveCount(0);
});

test('a guest is offered to log in after five replies, and again seven days after a dismissal @all', async ({
  page,
}) => {
  const { character, say, messages } = await chat(page);
  const field = page.getByRole('textbox', {
    name: t('chat:guestNameQuestion', { name: character.name }),
  });
  const offer = page.getByRole('note').filter({ hasText: t('chat:guestLogInOffer') });
  for (let count = 1; count <= 5; count += 1) {
    await say(SHORT);
    await expect(messages).toHaveCount(1 + 2 * count);
    await expect(messages.last()).toContainText('w1');
    await expect(page.getByRole('button', { name: t('chat:send') })).toBeVisible();
    await expect(offer).toHaveCount(count < 5 ? 0 : 1);
    await expect(field).toHaveCount(count < 5 ? 1 : 0);
  }
  expect(await violations(page)).toEqual([]);
  await offer.getByRole('button', { name: t('chat:logIn') }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(t('signin:guestDataKept'));
  await page.keyboard.press('Escape');
  await offer.getByRole('button', { name: t('chat:dismiss') }).click();
  await expect(offer).toHaveCount(0);
  await page.reload();
  await awake(page);
  await expect(messages).toHaveCount(11);
  await expect(offer).toHaveCount(0);
  await page.evaluate((ms) => {
    localStorage.setItem('guest-log-in-dismissed', String(Date.now() - ms));
  }, LOG_IN_PAUSE_MS);
  await page.reload();
  await awake(page);
  await expect(offer).toBeVisible();
});

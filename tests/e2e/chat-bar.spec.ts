import { t } from '../support/texts.ts';
import { waitingPersona } from './chat-frame.page.ts';
import { awake, chat, expect, goOffline, loadMessagesByScript, SOMEBODY, test } from './journey.ts';
import { violations } from './violations.ts';

const PHONE = { width: 360, height: 740 };

test.describe('Chat bar on a phone', () => {
  test.use({ viewport: PHONE });

  test('the site menu, the character’s name and the chat menu share one bar on a phone @all', async ({
    page,
  }) => {
    const { character } = await chat(page);
    const opener = page.getByRole('button', { name: t('chat:chatMenu') });
    const siteMenu = page.getByRole('button', { name: t('shell:menu.open') });
    const name = page.getByRole('heading', { level: 1, name: character.name });
    const centres = await Promise.all(
      [siteMenu, name, opener].map(async (element) => {
        const box = await element.boundingBox();
        return box ? box.y + box.height / 2 : Number.NaN;
      }),
    );
    expect(Math.max(...centres) - Math.min(...centres)).toBeLessThan(8);
    await siteMenu.click();
    await expect(page.getByRole('dialog').getByRole('link', { name: t('shell:nav.discover') })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(siteMenu).toBeFocused();
  });

  test('the chat menu can be used by keyboard alone and returns the focus to its button', async ({
    page,
  }) => {
    await chat(page);
    const opener = page.getByRole('button', { name: t('chat:chatMenu') });
    const item = (name: string) => page.getByRole('menuitem', { name });
    await opener.focus();
    await page.keyboard.press('ArrowDown');
    await expect(item(t('chat:viewInfo'))).toBeFocused();
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('ArrowUp');
    await expect(item(t('chat:deleteChat'))).toBeFocused();
    await page.keyboard.press('Home');
    await page.keyboard.press('m');
    await expect(item(t('chat:modelCurrent', { label: t('chat:recommended') }))).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await expect(opener).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(item(t('chat:viewInfo'))).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(page.getByRole('menu')).toBeHidden();
  });

  test('the chat menu opens the conversation drawer, and its entry is disabled for a second afterwards @all', async ({
    page,
  }) => {
    const { messages, say } = await chat(page);
    await say('Hello [[scenario:tokens n=2 ms=1]]');
    await expect(messages.last()).toContainText('w1');
    await page.clock.install();
    // With a paused clock the second lasts however long the clicks take.
    await page.clock.pauseAt(Date.now() + 1000);
    const opener = page.getByRole('button', { name: t('chat:chatMenu') });
    const conversations = page.getByRole('menuitem', { name: t('chat:chatsTitle'), exact: true });
    await opener.click();
    await conversations.click();
    const drawer = page.getByRole('dialog', { name: t('chat:chatsTitle'), exact: true });
    const chats = drawer.getByRole('list').getByRole('link');
    await expect(chats).toHaveCount(1);
    await expect(chats).toHaveAttribute(
      'href',
      /^\/character\/[^?]+\?conversation_id=[^&]+&name=[^&]+&avatar_url=[^&]+$/,
    );
    await drawer.getByRole('button', { name: t('chat:closeChats') }).click();
    await expect(opener).toBeFocused();
    await opener.click();
    await expect(conversations).toBeDisabled();
    await page.clock.runFor(1000);
    await expect(conversations).toBeEnabled();
  });

  test('the chat fits 320 pixels with the chat menu open @all', async ({ page }) => {
    await page.setViewportSize({ width: 320, height: 480 });
    await chat(page);
    await page.getByRole('button', { name: t('chat:chatMenu') }).click();
    const widest = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(widest).toBeLessThanOrEqual(320);
    const menu = await page.getByRole('menu').boundingBox();
    expect(menu?.x).toBeGreaterThanOrEqual(0);
    expect((menu?.y ?? 0) + (menu?.height ?? 0)).toBeLessThanOrEqual(480);
  });
});

test('the chat menu leads to the character’s page and to the report form @all', async ({ page }) => {
  const { character } = await chat(page);
  const opener = page.getByRole('button', { name: t('chat:chatMenu') });
  await opener.click();
  await page.getByRole('menuitem', { name: t('chat:viewInfo') }).click();
  await expect(page).toHaveURL(new RegExp(`/en/character-info/${character.id}$`));
  await expect(page.getByRole('heading', { level: 1, name: character.name })).toBeVisible();
  await page.goBack();
  await awake(page);
  await opener.click();
  await page.getByRole('menuitem', { name: t('chat:report') }).click();
  await expect(page).toHaveURL(new RegExp(`/character/${character.id}/report$`));
  await expect(
    page.getByRole('heading', { level: 1, name: t('report:title', { name: character.name }) }),
  ).toBeVisible();
});

test('the report page offers a visitor without an account a prepared mail that names the character @all', async ({
  page,
}) => {
  const { items } = (await (await page.request.get(SOMEBODY)).json()) as {
    items: { id: string; name: string }[];
  };
  const character = items[0] as { id: string; name: string };
  await page.goto(`/character/${character.id}/report`);
  const mail = page.locator('main a[href^="mailto:"]');
  const [address, query] = (await mail.getAttribute('href'))?.split('?') ?? [];
  expect(address).toMatch(/^mailto:[^@]+@[^@]+$/);
  const mailFields = new URLSearchParams(query);
  expect(mailFields.get('subject')).toContain(character.name);
  expect(mailFields.get('body')).toContain(`/en/character-info/${character.id}`);
});

test('the device remembers the chosen model, and an unavailable model gives the reason @all', async ({
  page,
}) => {
  const models = await page.request.get('/api/models');
  const { items } = (await models.json()) as { items: { id: string; available: boolean }[] };
  for (const item of items) if (item.id === 'mistral') item.available = true;
  await page.route('**/api/models', (route) => route.fulfill({ json: { items } }));
  await chat(page);
  const opener = page.getByRole('button', { name: t('chat:modelCurrent', { label: t('chat:recommended') }) });
  await opener.click();
  const dialog = page.getByRole('dialog', { name: t('chat:modelTitle') });
  await expect(dialog.getByRole('radio')).toHaveCount(5);
  await expect(dialog.getByRole('radio').first()).toHaveAccessibleName(t('chat:recommended'));
  await expect(dialog.getByRole('radio', { name: t('chat:recommended') })).toBeFocused();
  await expect(dialog.getByRole('radio', { name: t('chat:recommended') })).toHaveAccessibleDescription(
    t('chat:modelNoteRecommended'),
  );
  await expect(dialog.getByRole('radio', { name: /Deepseek/ })).toBeDisabled();
  await expect(dialog.getByRole('radio', { name: /Deepseek/ })).toHaveAccessibleDescription(
    t('chat:modelNoteNotSetUp'),
  );
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('radio', { name: /Mistral/ }).check();
  await dialog.getByRole('button', { name: t('chat:done') }).click();
  await expect(dialog).toBeHidden();
  await expect(
    page.getByRole('button', { name: t('chat:modelCurrent', { label: 'Mistral' }) }),
  ).toBeFocused();
  await page.reload();
  await awake(page);
  await expect(
    page.getByRole('button', { name: t('chat:modelCurrent', { label: 'Mistral' }) }),
  ).toBeVisible();
});

test('the persona dialog asks for a first message, then shows the name used in the conversation @all', async ({
  page,
}) => {
  const { messages, say } = await chat(page);
  const { dialog, open } = await waitingPersona(page);
  await page.keyboard.press('Escape');
  await say('Hello [[scenario:tokens n=2 ms=1]]');
  await expect(messages.last()).toContainText('w1');
  await open();
  await expect(dialog).toContainText(t('chat:personaNoneNote', { name: t('chat:defaultName') }));
  expect(await violations(page)).toEqual([]);
});

test('messages of another day appear under a heading for that day @all', async ({ page }) => {
  const { messages, say } = await chat(page);
  await say('Good night [[scenario:tokens n=2 ms=1]]');
  await expect(messages.last()).toContainText('w1');
  await expect(page.getByText('yesterday')).toBeHidden();
  // The page's HTML is rendered by the server's clock.
  await loadMessagesByScript(page);
  await page.clock.setFixedTime(Date.now() + 24 * 60 * 60 * 1000);
  await page.reload();
  await awake(page);
  await expect(messages.first().getByText('yesterday')).toBeVisible();
});

test('the composer shows a notice while the user is offline @all', async ({ page, context }) => {
  await chat(page);
  await goOffline(page);
  await expect(page.getByText(t('chat:offline'))).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(t('chat:offline'))).toBeHidden();
});

import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { TEXT_LIMITS } from '../../src/config/text-limits.ts';
import { newForm } from './creator-setup.ts';
import { awake, expect, test } from './journey.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

const PICTURE = {
  name: 'wren.png',
  mimeType: 'image/png',
  buffer: readFileSync(new URL('../../public/icons/apple-touch-icon.png', import.meta.url)),
};
const file = (name: string, mimeType: string, content: string | Buffer) => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

/** Opens the character form as a new account. */
async function openForm(page: Page) {
  const { form } = await newForm(page);
  await expect(form).toBeVisible();
  const text = (name: string) => page.getByRole('textbox', { name, exact: true });
  return { form, text, name: text('Name'), tagline: text('Tagline'), traits: text('Traits') };
}

/** Chooses a picture and accepts the proposed crop. */
async function choosePicture(page: Page) {
  await page.getByLabel('Choose a picture').first().setInputFiles(PICTURE);
  const cropDialog = page.getByRole('dialog', { name: 'Choose what shows' });
  await cropDialog.getByRole('button', { name: 'Use this picture' }).click();
  await expect(toast(page, 'The picture is in place.')).toBeVisible();
  await expect(cropDialog).toBeHidden();
  await expect(page.getByRole('img', { name: 'The picture as others will see it' })).toBeVisible();
}

test('a creator fixes form errors, publishes once despite a lost response, and edits the character', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 740 });
  const { form, text, name, tagline, traits } = await openForm(page);
  await expect(form.getByText('Publishing costs 5 points. You have 50 points.')).toBeVisible();

  const publish = form.getByRole('button', { name: 'Publish for everybody' });
  await publish.click();
  const summary = form.getByRole('group', { name: 'Please fix the validation errors' });
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('listitem')).toHaveText([
    'Please upload an avatar',
    'Name is required',
    'Tagline is required',
    'Traits are required',
  ]);
  await summary.getByRole('button', { name: 'Name is required' }).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(/Name is required/);
  await name.fill('n'.repeat(TEXT_LIMITS.characterName + 1));
  await expect(form.getByText('51 of 50 characters')).toHaveCSS('color', 'rgb(238, 130, 117)');
  await expect(name).toHaveAccessibleDescription(/Name must not exceed 50 characters/);
  for (const [field, limit, label] of [
    [tagline, TEXT_LIMITS.oneliner, 'Tagline'],
    [traits, TEXT_LIMITS.characterTraits, 'Traits'],
    [text('First message'), TEXT_LIMITS.firstMessage, 'The first message'],
  ] as const) {
    const [limitText, overLimit] = [limit.toLocaleString('en'), (limit + 1).toLocaleString('en')];
    await field.fill('x'.repeat(limit + 1));
    await expect(field).toHaveAccessibleDescription(
      new RegExp(`${label} must not exceed ${limitText} characters`),
    );
    await expect(field).toHaveAccessibleDescription(new RegExp(`${overLimit} of ${limitText} characters`));
    await field.fill('x'.repeat(limit));
    await expect(field).not.toHaveAccessibleDescription(/must not exceed/);
  }
  await text('First message').fill('');
  await name.fill('Wren');
  await tagline.fill('Maps coasts that others only tell of');
  await traits.fill('Curious, stubborn. {{user}} is her only friend.');

  const picture = page.getByLabel('Choose a picture').first();
  await picture.setInputFiles(file('x.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'));
  await expect(form.getByText('SVG is not allowed.')).toBeVisible();
  await picture.setInputFiles(file('x.png', 'image/png', Buffer.alloc(2 * 1024 * 1024 + 1)));
  await expect(form.getByText('A picture may have at most 2 MB.')).toBeVisible();
  await choosePicture(page);

  await form.getByRole('button', { name: 'Add a reply' }).click();
  await expect(text('Suggested reply 1')).toBeFocused();
  await text('Suggested reply 1').fill('Yes');
  await expect(summary.getByRole('listitem')).toHaveText(['Suggested reply 1 needs 3 to 5 words']);
  await text('Suggested reply 1').fill('Where are we going?');
  await expect(summary).toBeHidden();
  for (const words of ['On a ship.', 'In a cellar.']) {
    await form.getByRole('button', { name: 'Add a beginning' }).click();
    await page.keyboard.type(words);
  }
  await form.getByRole('button', { name: 'Move beginning 2 up' }).click();
  await expect(text('Beginning 1')).toHaveValue('In a cellar.');
  await expect(form.getByRole('radio', { name: 'Roleplay recommended' })).toBeChecked();
  await form.getByRole('radio', { name: 'ChatGPT' }).check();
  await form.getByRole('radio', { name: 'Game master' }).check();
  await form.getByRole('checkbox', { name: 'Fantasy' }).check();
  await expect(form.getByRole('switch', { name: 'For adults' })).toHaveAttribute('aria-disabled', 'true');
  expect(await violations(page)).toEqual([]);

  // The server creates the character, but its response is lost.
  await page.route('**/api/characters', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await publish.click();
  await expect(form.getByText('No answer came, so it may have been created.')).toBeVisible();
  await page.unroute('**/api/characters');
  await publish.dblclick();
  await expect(page).toHaveURL(/\/en\/character-info\/[^/]+$/);
  await expect(toast(page, 'Wren is here.')).toBeVisible();
  const { items } = await (await page.request.get('/api/me/characters')).json();
  expect(items).toMatchObject([
    {
      name: 'Wren',
      model_type: 'chatgpt',
      visibility: 'public',
      nsfw_allowed: false,
      point_of_view: 'rpg',
      tags: ['fantasy'],
      alternate_greetings: ['In a cellar.', 'On a ship.'],
      suggested_replies: ['Where are we going?'],
    },
  ]);
  expect(await (await page.request.get('/api/points')).json()).toMatchObject({ current_points: 45 });

  await page.request.patch('/api/account', { data: { spicy_mode: true, age_confirmed: true } });
  await page.goto(`/creator-center/edit/${items[0].id}`);
  await expect(tagline).toHaveValue('Maps coasts that others only tell of');
  await tagline.fill('Has never learned to swim');
  await expect(page.getByText('Stories that are under way keep the character')).toBeVisible();
  const [roleplay, unlisted] = ['Roleplay recommended', 'Unlisted'].map((choice) =>
    page.getByRole('radio', { name: choice }),
  ) as [Locator, Locator];
  const adults = page.getByRole('switch', { name: 'For adults' });
  await expect(page.getByRole('radio', { name: 'ChatGPT' })).toBeChecked();
  await roleplay.check();
  await unlisted.check();
  await adults.click();
  await expect(adults).toBeChecked();
  expect(await violations(page)).toEqual([]);
  const dialogTypes: string[] = [];
  page.on('dialog', (dialog) => {
    dialogTypes.push(dialog.type());
    void dialog.dismiss();
  });
  // A dismissed dialog cancels the navigation, so a click that waits for it would never end.
  await page.getByRole('banner').getByRole('link', { name: 'Loreloom, home' }).click({ noWaitAfter: true });
  await expect.poll(() => dialogTypes).toEqual(['beforeunload']);
  await expect(tagline).toHaveValue('Has never learned to swim');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Wren was saved.')).toBeVisible();
  await page.reload();
  expect(dialogTypes).toHaveLength(1);
  await expect(tagline).toHaveValue('Has never learned to swim');
  await expect(roleplay).toBeChecked();
  await expect(unlisted).toBeChecked();
  await expect(adults).toBeChecked();
  expect((await (await page.request.get('/api/me/characters')).json()).items).toMatchObject([
    { model_type: 'roleplay', visibility: 'unlisted', nsfw_allowed: true },
  ]);
  await page.goto('/creator-center/edit/nobody');
  await expect(page.getByRole('heading', { name: 'Nobody to edit here' })).toBeVisible();
});

test('the character form keeps its draft, asks before leaving, and can undo a discard or a card import @all', async ({
  page,
}) => {
  const { form, name, tagline, traits } = await openForm(page);
  const dialogTypes: string[] = [];
  let answer: 'accept' | 'dismiss' = 'dismiss';
  page.on('dialog', (dialog) => {
    dialogTypes.push(dialog.type());
    void dialog[answer]();
  });
  await name.fill('Wren');
  await traits.fill('Curious.');
  // A dismissed dialog cancels the navigation, so a click that waits for it would never end.
  await page.getByRole('link', { name: 'Discover' }).first().click({ noWaitAfter: true });
  await expect.poll(() => dialogTypes).toEqual(['beforeunload']);
  await expect(name).toHaveValue('Wren');
  answer = 'accept';
  await page.reload();
  expect(dialogTypes).toHaveLength(2);
  await expect(form.getByText('This is your draft, as you left it on this device.')).toBeVisible();
  await expect(traits).toHaveValue('Curious.');

  await form.getByRole('button', { name: 'Discard the draft' }).click();
  await expect(name).toHaveValue('');
  await toast(page, 'The draft was discarded.').getByRole('button', { name: 'Undo' }).click();
  await expect(name).toHaveValue('Wren');

  const card = {
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: { name: 'Robin', description: 'd'.repeat(1500), first_mes: 'Hello.', tags: ['Fantasy'] },
  };
  const chooser = page.getByLabel('Choose a card').first();
  await chooser.setInputFiles(file('robin.json', 'application/json', JSON.stringify(card)));
  const question = page.getByRole('dialog', { name: 'Replace what you wrote?' });
  await question.getByRole('button', { name: 'Use the card' }).click();
  // Hovering keeps the toast open while the test checks the form.
  const offer = toast(page, 'Robin is in the form.');
  await offer.hover();
  await expect(name).toHaveValue('Robin');
  await expect(form.getByRole('heading', { name: 'Parts of this card' })).toBeVisible();
  await expect(form.getByRole('radio', { name: 'Private' })).toBeChecked();
  expect(await violations(page)).toEqual([]);
  await offer.getByRole('button', { name: 'Undo' }).click();
  await expect(name).toHaveValue('Wren');
  await expect(traits).toHaveValue('Curious.');

  await chooser.setInputFiles(file('torn.json', 'application/json', '{"spec":'));
  await question.getByRole('button', { name: 'Use the card' }).click();
  await expect(form.getByRole('alert')).toContainText('Nothing in the form has changed.');
  await chooser.setInputFiles(file('robin.json', 'application/json', JSON.stringify(card)));
  await question.getByRole('button', { name: 'Use the card' }).click();
  await expect(name).toHaveValue('Robin');
  await tagline.fill('Out of a card');
  await choosePicture(page);
  await form.getByRole('button', { name: 'Create for me alone' }).click();
  await expect(page).toHaveURL(/\/en\/creator-center$/);
  await expect(toast(page, 'Robin is here.')).toBeVisible();
  await page.goto('/en/create-character');
  await expect(name).toHaveValue('');
});

test('logging out asks for confirmation on any page while a character draft is on the device @all', async ({
  page,
}) => {
  const { name } = await openForm(page);
  const logOut = page.getByRole('button', { name: 'Log out' });
  const question = page.getByRole('dialog', { name: 'Log out with a draft?' });
  await name.pressSequentially('Wren');
  await logOut.click();
  await expect(question).toContainText('What you wrote of a character is only on this device');
  expect(await violations(page)).toEqual([]);
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(question).toBeHidden();
  await expect(name).toHaveValue('Wren');

  page.once('dialog', (dialog) => void dialog.accept());
  await page.goto('/en/discover');
  await awake(page);
  await logOut.click();
  await expect(question).toBeVisible();
  await page.keyboard.press('Escape');
  await page.goto('/en/create-character');
  await expect(name).toHaveValue('Wren');
  await awake(page);
  await logOut.click();
  await question.getByRole('button', { name: 'Log out and lose the draft' }).click();
  await expect(page).toHaveURL(/\/(en)?$/);
  await expect(logOut).toBeHidden();
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('character'))),
  ).toEqual([]);

  // Without a draft there is no question.
  await openForm(page);
  await logOut.click();
  await expect(page).toHaveURL(/\/(en)?$/);
  await expect(logOut).toBeHidden();
});

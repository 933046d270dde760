import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { Persona } from '../../src/features/persona/contract.ts';
import { t } from '../support/texts.ts';
import { choose, FIRST_LINE } from './chat-frame.page.ts';
import { awake, catalogue, expect, readCode, startListedChat, test } from './journey.ts';
import { violations } from './violations.ts';

const PAGE = '/en/user-persona';
const PICTURE = {
  name: 'me.png',
  mimeType: 'image/png',
  buffer: readFileSync(new URL('../../public/icons/apple-touch-icon.png', import.meta.url)),
};

async function logIn(page: Page, origin: string): Promise<void> {
  const email = `persona-${randomUUID()}@example.org`;
  await page.request.post('/api/auth/send-login-code', { data: { email } });
  const code = await readCode(origin, email);
  const answer = await page.request.post('/api/auth/login-with-code', { data: { email, code } });
  expect(answer.status()).toBe(201);
}

const readPersonas = async (page: Page) =>
  ((await (await page.request.get('/api/personas')).json()) as { items: Persona[] }).items;

/** Opens My Personas with the parts of its page. */
async function openPersonas(page: Page) {
  await page.goto(PAGE);
  await awake(page);
  const form = page.getByRole('dialog', {
    name: new RegExp(`^(?:${t('personas:createTitle')}|${t('personas:editTitle')})$`),
  });
  // Without the file input, which counts as a button of the same name.
  const findButton = (name: string) =>
    form.getByRole('button', { name, exact: true }).and(page.locator('button'));
  return {
    form,
    findButton,
    items: page.getByRole('region', { name: t('personas:listLabel') }).getByRole('listitem'),
    create: page.getByRole('button', { name: t('personas:create') }),
    search: form.getByRole('searchbox', { name: t('personas:characterSearch') }),
    picture: form.getByLabel(t('personas:pictureChoose')).first(),
    save: findButton(t('personas:save')),
  };
}

test('a persona with a picture and a character begins the chats with that character', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await logIn(page, baseURL as string);
  const [first, second] = await catalogue(page.request, 2);
  if (first === undefined || second === undefined) throw new Error('The catalogue is empty');
  for (const { id } of [first, second]) await startListedChat(page, id);
  const { form, findButton, items, create, search, picture, save } = await openPersonas(page);
  await create.click();
  await form.getByRole('textbox', { name: t('personas:nameLabel') }).fill('Wren');
  await form.getByRole('textbox', { name: t('personas:descriptionLabel') }).fill('Maps coasts.');

  await picture.setInputFiles({ ...PICTURE, name: 'x.svg', mimeType: 'image/svg+xml' });
  await expect(form.getByText(t('picture:picture_svg'))).toBeVisible();
  await picture.setInputFiles(PICTURE);
  const crop = page.getByRole('dialog', { name: t('picture:cropTitle') });
  await expect(crop.getByRole('slider', { name: t('picture:crop_zoom') })).toBeFocused();
  // Escape closes the crop alone, and the form keeps its texts.
  await page.keyboard.press('Escape');
  await expect(crop).toBeHidden();
  await expect(form.getByRole('textbox', { name: t('personas:nameLabel') })).toHaveValue('Wren');
  await picture.setInputFiles(PICTURE);
  await crop.getByRole('button', { name: t('picture:cropSave') }).click();
  await expect(crop).toBeHidden();
  await expect(form.locator('img')).toHaveAttribute('src', /^\/media\/[0-9a-f]{32}\.webp$/);

  await findButton(t('personas:characterChoose')).press('Enter');
  await expect(search).toBeFocused();
  await search.fill('zzzz');
  await expect(form.getByText(t('personas:characterNoMatch'))).toBeVisible();
  await search.fill(first.name.toUpperCase());
  await expect(form.getByRole('listitem')).toHaveCount(1);
  expect(await violations(page)).toEqual([]);
  await search.press('Enter');
  await expect(form).toBeVisible();
  await form.getByRole('listitem').getByRole('button', { name: first.name }).press('Enter');
  await expect(findButton(t('personas:characterChange'))).toBeFocused();
  await save.click();
  await expect(form).toBeHidden();
  await expect(items.first()).toContainText(t('personas:characterBadge', { name: first.name }));
  await expect(items.first().locator('img')).toHaveAttribute('src', /^\/media\//);
  expect(await violations(page)).toEqual([]);
  expect(await readPersonas(page)).toMatchObject([{ name: 'Wren', character_id: first.id }]);

  // Without being chosen, and shown with its picture in the chat.
  await page.setViewportSize({ width: 1280, height: 740 });
  await page.goto(`/character/${first.id}`);
  await awake(page);
  await page.getByRole('button', { name: t('chat:newChat') }).click();
  const messages = page.getByRole('list', { name: t('chat:messages') }).getByRole('listitem');
  await expect(messages).toHaveCount(1);
  const box = page.getByRole('textbox', { name: t('chat:composerLabel', { name: first.name }) });
  await box.fill(FIRST_LINE);
  await box.press('Enter');
  await expect(messages.last()).toContainText('w1');
  await choose(page, t('chat:persona'));
  const dialog = page.getByRole('dialog', { name: t('chat:persona') });
  await expect(dialog.getByRole('radio', { name: 'Wren' })).toBeChecked();
  await expect(dialog.locator('img')).toHaveCount(1);
  expect(await violations(page)).toEqual([]);

  // A picture that cannot be shown gives way to the letter.
  await page.route('**/media/**', (route) => route.fulfill({ status: 404 }));
  await openPersonas(page);
  await expect(items.first().locator('img')).toHaveCount(0);
  await expect(items.first().getByText('W', { exact: true })).toBeVisible();
});

test('picture and character can be removed, and a deleted persona be erased at once @all', async ({
  page,
  baseURL,
}) => {
  await logIn(page, baseURL as string);
  const [character] = await catalogue(page.request, 1);
  const uploaded = await page.request.post('/api/uploads/avatar', { multipart: { file: PICTURE } });
  const { avatar_id } = (await uploaded.json()) as { avatar_id: string };
  const data = { name: 'Wren', description: 'Maps coasts.', avatar_id, character_id: character?.id };
  expect((await page.request.post('/api/personas', { data })).status()).toBe(201);
  const { form, findButton, items, search, save } = await openPersonas(page);
  const edit = page.getByRole('button', { name: t('personas:editNamed', { name: 'Wren' }) });
  await edit.click();

  // The list of characters, when it cannot be loaded and when there are none.
  await page.route('**/api/personas/characters', (route) => route.abort());
  await findButton(t('personas:characterChange')).click();
  await expect(form.getByRole('alert').filter({ hasText: t('personas:characterLoadFailed') })).toBeVisible();
  await page.unroute('**/api/personas/characters');
  await findButton(t('personas:tryAgain')).click();
  await expect(form.getByText(t('personas:characterEmpty'))).toBeVisible();
  await expect(search).toBeHidden();
  await findButton(t('personas:characterChange')).click();
  await expect(form.getByText(t('personas:characterEmpty'))).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(form).toBeHidden();

  await edit.click();
  await findButton(t('personas:pictureRemove')).press('Enter');
  await expect(findButton(t('personas:pictureChoose'))).toBeFocused();
  await findButton(t('personas:characterClear')).press('Enter');
  await expect(findButton(t('personas:characterChoose'))).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(form.getByText(t('personas:unsavedTitle'))).toBeVisible();
  await findButton(t('personas:unsavedKeepEditing')).click();
  await save.click();
  await expect(form).toBeHidden();
  expect(await readPersonas(page)).toMatchObject([{ name: 'Wren', character_id: null, avatar_id: null }]);

  await page.getByRole('button', { name: t('personas:deleteNamed', { name: 'Wren' }) }).click();
  await expect(items).toHaveCount(0);
  await page.getByRole('button', { name: t('personas:trashTitle') }).click();
  const trash = page.getByRole('dialog', { name: t('personas:trashTitle') });
  const erase = trash.getByRole('button', { name: t('personas:deletePermanentlyNamed', { name: 'Wren' }) });
  await erase.press('Enter');
  await expect(trash.getByRole('alert').first()).toContainText(
    t('personas:deletePermanentlyText', { name: 'Wren' }),
  );
  expect(await violations(page)).toEqual([]);
  // Focus is on the button that keeps it.
  await expect(trash.getByRole('button', { name: t('personas:deletePermanentlyCancel') })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(erase).toBeFocused();
  await page.route('**/api/personas/*?forever=true', (route) => route.abort());
  await erase.click();
  await trash.getByRole('button', { name: t('personas:deletePermanently'), exact: true }).click();
  await expect(trash.getByText(t('errors:erase_failed'))).toBeVisible();
  await expect(erase).toBeFocused();
  await page.unroute('**/api/personas/*?forever=true');
  await erase.click();
  await trash.getByRole('button', { name: t('personas:deletePermanently'), exact: true }).click();
  await expect(trash.getByText(t('personas:deletedPermanently', { name: 'Wren' }))).toBeVisible();
  await expect(trash.getByText(t('personas:trashEmpty'))).toBeVisible();
  const left = await (await page.request.get('/api/personas/trash')).json();
  expect(left).toEqual({ items: [] });
});

test('a guest is told that a picture needs an account @all', async ({ page }) => {
  await page.request.post('/api/auth/anonymous');
  const { form, create } = await openPersonas(page);
  await create.click();
  await expect(form.getByText(t('personas:pictureGuest'))).toBeVisible();
  await expect(form.getByLabel(t('personas:pictureChoose'))).toHaveCount(0);
});

import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { V2 } from '../support/card-files.ts';
import { t } from '../support/texts.ts';
import { makeCharacter, portraitOf, signInAsCreator } from './creator-setup.ts';
import { awake, expect, readCode, test } from './journey.ts';
import { violations } from './violations.ts';

const DESCRIPTION = 'She keeps the last lighthouse of the coast. '.repeat(50).trim();
const CARD = { ...V2, data: { ...V2.data, description: DESCRIPTION } };

/** The line that says how much of the definition the model reads. */
const FITS = new RegExp(t('create:definitionFits', { used: '[\\d,]+', total: '[\\d,]+' }));

/** Opens the form for a new character and chooses the card. */
async function chooseCard(page: Page): Promise<Locator> {
  await page.goto('/en/create-character');
  await awake(page);
  await page
    .getByLabel(t('create:importChooseCard'))
    .first()
    .setInputFiles({
      name: 'mira.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(CARD)),
    });
  return page.getByRole('form', { name: t('create:title') });
}

test('the form says nothing about what a model reads while it does not know the model @all', async ({
  page,
  baseURL,
}) => {
  await signInAsCreator(page, new URL(baseURL ?? '').origin);
  await page.route('**/api/models', (route) => route.abort());
  const form = await chooseCard(page);
  await expect(form.getByRole('heading', { name: t('create:cardPartsTitle') })).toBeVisible();
  await expect(form.getByText(t('create:definitionPartRead_never'))).not.toHaveCount(0);
  await expect(form.getByText(t('create:definitionPartRead_included'))).toHaveCount(0);
  await expect(form.getByText(FITS)).toHaveCount(0);
});

test('a creator imports a card whole, edits one part of its definition on a phone and opens another', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await signInAsCreator(page, new URL(baseURL ?? '').origin);
  const form = await chooseCard(page);

  // The list says what the model reads of each part.
  await expect(form.getByRole('heading', { name: t('create:cardPartsTitle') })).toBeVisible();
  const listed = (part: string) => form.getByRole('listitem').filter({ hasText: part });
  await expect(listed(t('create:definitionPart_description'))).toContainText(
    t('create:definitionPartRead_included'),
  );
  await expect(listed(t('create:definitionPart_creator_notes'))).toContainText(
    t('create:definitionPartRead_never'),
  );
  await expect(form.getByText(FITS)).toBeVisible();

  const part = (name: string) =>
    form.locator('.definition-part').filter({ has: page.locator('summary', { hasText: name }) });
  await part(t('create:definitionPart_description')).locator('summary').click();
  const description = part(t('create:definitionPart_description')).getByRole('textbox', {
    name: t('create:definitionPart_description'),
  });
  await expect(description).toHaveValue(DESCRIPTION);
  await description.fill(`Once, ${DESCRIPTION}`);
  await part(t('create:definitionPart_scenario')).locator('summary').click();
  const open = part(t('create:definitionPart_scenario')).getByRole('switch', {
    name: t('create:definitionPartShared'),
  });
  await open.click();
  await expect(open).toBeChecked();
  // The form says what others can download.
  const visibility = form.getByRole('group', { name: t('create:visibilityLabel') });
  await expect(visibility.getByText(t('create:visibilityDownload_own'))).toBeVisible();
  await visibility.getByRole('radio', { name: t('create:visibility_unlisted') }).check();
  await expect(visibility.getByText(t('create:visibilityDownload_shared'))).toBeVisible();
  await expect(form.getByText(t('create:lorebookDownload_card'))).toBeVisible();
  await open.click();
  await expect(visibility.getByText(t('create:visibilityDownload_card'))).toBeVisible();
  await open.click();
  await visibility.getByRole('radio', { name: t('create:visibility_private') }).check();
  await expect(form.getByText(t('create:lorebookDownload_own'))).toBeVisible();
  await part(t('create:definitionPart_scenario')).scrollIntoViewIfNeeded();
  expect(await violations(page)).toEqual([]);

  await page
    .getByLabel(t('create:avatarChoose'))
    .first()
    .setInputFiles({ name: 'mira.png', mimeType: 'image/png', buffer: portraitOf(300, 400) });
  await page.getByRole('button', { name: t('picture:cropSave') }).click();
  await expect(page.getByRole('img', { name: t('create:avatarPreview') })).toBeVisible();
  await form.getByRole('button', { name: t('create:publish_private') }).click();
  await expect(page).toHaveURL(/\/en\/creator-center$/);
  const { items } = (await (await page.request.get('/api/me/characters')).json()) as {
    items: { id: string }[];
  };
  const id = items[0]?.id ?? '';
  const own = (await (await page.request.get(`/api/me/characters/${id}`)).json()) as {
    definition: Record<string, { text: string; shared: boolean }>;
  };
  expect(own.definition['scenario']).toEqual({ text: CARD.data.scenario, shared: true });
  const card = await (await page.request.get(`/api/characters/${id}/card?format=json`)).json();
  // A stranger's page of the published character has none of the closed texts.
  const published = await page.request.patch(`/api/characters/${id}`, { data: { visibility: 'public' } });
  expect(published.status()).toBe(200);
  const html = await (await fetch(new URL(`/en/character-info/${id}`, baseURL))).text();
  expect(html).toContain(CARD.data.name);
  for (const part of ['description', 'personality', 'creator_notes'] as const)
    expect(html).not.toContain(CARD.data[part].slice(0, 20));
  expect(card).toEqual({ ...CARD, data: { ...CARD.data, description: `Once, ${DESCRIPTION}` } });
});

test('another account reads the shared parts of a definition, and a guest is asked to log in @all', async ({
  page,
  browser,
  baseURL,
}) => {
  const origin = new URL(baseURL ?? '').origin;
  await signInAsCreator(page, origin);
  const { id } = await makeCharacter(page, {
    definition: {
      scenario: { text: '{{char}} waits for {{user}} at the harbour.\nIt is raining.', shared: true },
      personality: { text: 'Secretly afraid of the tide.', shared: false },
    },
  });
  const path = `/en/character-info/${id}`;

  const readerContext = await browser.newContext({
    baseURL: origin,
    viewport: { width: 360, height: 740 },
    serviceWorkers: 'block',
  });
  const reader = await readerContext.newPage();
  await reader.request.post('/api/auth/anonymous');
  const definition = reader
    .locator('details')
    .filter({ has: reader.locator('summary', { hasText: t('create:definitionLabel') }) });
  const open = async () => {
    await reader.goto(path);
    await awake(reader);
    await expect(definition.getByRole('heading', { name: t('create:definitionPart_scenario') })).toBeHidden();
    await definition.locator('summary').click();
  };
  await open();
  await expect(definition.getByText(t('character:definition.logIn'), { exact: true })).toBeVisible();
  expect(await violations(reader)).toEqual([]);
  await definition.getByRole('button', { name: t('shell:loggedOut.logIn') }).click();

  // The open section loads its texts after a login on the page.
  const dialog = reader.getByRole('dialog');
  await expect(dialog.getByText('You need to be logged in')).toBeVisible();
  const email = `reader-${randomUUID()}@example.org`;
  await dialog.getByRole('button', { name: t('signin:continueWithEmail') }).click();
  await dialog.getByRole('textbox', { name: t('signin:emailLabel') }).fill(email);
  await dialog.getByRole('button', { name: t('signin:sendCode') }).click();
  const boxes = dialog.getByRole('group', { name: t('signin:codeLabel') }).getByRole('textbox');
  await expect(boxes.first()).toBeFocused();
  await reader.keyboard.type(await readCode(origin, email));
  await dialog.getByRole('button', { name: t('signin:verify') }).click();
  await dialog.getByRole('button', { name: t('onboarding:skip') }).click();
  await expect(definition.getByText('Wren waits for you at the harbour.')).toBeVisible();

  await reader.route(`**/api/characters/${id}/definition`, (route) => route.abort());
  await open();
  await expect(definition.getByText('Network error. Please check your connection.')).toBeVisible();
  await reader.unroute(`**/api/characters/${id}/definition`);
  await definition.getByRole('button', { name: t('character:failed.retry') }).press('Enter');
  await expect(definition.getByText('Wren waits for you at the harbour.')).toBeVisible();
  await expect(definition.locator('summary')).toBeFocused();
  await expect(definition.getByRole('heading', { name: t('create:definitionPart_scenario') })).toBeVisible();
  await expect(
    definition.getByRole('heading', { name: t('create:definitionPart_personality') }),
  ).toBeHidden();
  await expect(definition.getByRole('button')).toHaveCount(0);
  expect(await reader.content()).not.toContain('afraid of the tide');
  expect(await violations(reader)).toEqual([]);
  expect(await reader.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  await readerContext.close();

  // Its creator sees which part others cannot read.
  await page.goto(path);
  await expect(page.getByRole('link', { name: t('character:own.edit') })).toBeVisible();
  const own = page
    .locator('details')
    .filter({ has: page.locator('summary', { hasText: t('create:definitionLabel') }) });
  await own.locator('summary').click();
  await expect(own.getByText('Secretly afraid of the tide.')).toBeVisible();
  await expect(own.getByText(t('character:definition.onlyYou'))).toHaveCount(8);
  await expect(own.getByText(t('character:definition.onlyYou')).filter({ visible: true })).toHaveCount(1);

  // A character without shared parts says so.
  const closed = await makeCharacter(page, { name: 'Loam' });
  await page.goto(`/en/character-info/${closed.id}`);
  await expect(page.getByRole('link', { name: t('character:own.edit') })).toBeVisible();
  await own.locator('summary').click();
  await expect(own.getByText(t('character:definition.empty'))).toBeVisible();
});

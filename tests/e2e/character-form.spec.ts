import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { TEXT_LIMITS } from '../../src/config/text-limits.ts';
import { t } from '../support/texts.ts';
import { describePrice, newForm } from './creator-setup.ts';
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
  return {
    form,
    text,
    name: text(t('create:nameLabel')),
    tagline: text(t('create:onelinerLabel')),
    traits: text(t('create:character_traitsLabel')),
  };
}

/** Chooses a picture and accepts the proposed crop. */
async function choosePicture(page: Page, picture = PICTURE) {
  await page.getByLabel(t('create:avatarChoose')).first().setInputFiles(picture);
  const cropDialog = page.getByRole('dialog', { name: t('picture:cropTitle') });
  await cropDialog.getByRole('button', { name: t('picture:cropSave') }).click();
  await expect(toast(page, t('create:avatarAdded'))).toBeVisible();
  await expect(cropDialog).toBeHidden();
  await expect(page.getByRole('img', { name: t('create:avatarPreview') })).toBeVisible();
}

test('a creator fixes form errors, publishes once despite a lost response, and edits the character', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 740 });
  const { form, text, name, tagline, traits } = await openForm(page);
  await expect(form.getByText(describePrice(50))).toBeVisible();

  const publish = form.getByRole('button', { name: t('create:publish_public') });
  await publish.click();
  const summary = form.getByRole('group', { name: t('create:validationTitle') });
  await expect(summary).toBeFocused();
  await expect(summary.getByRole('listitem')).toHaveText([
    'Please upload an avatar',
    t('create:name_required'),
    t('create:oneliner_required'),
    t('create:character_traits_required'),
  ]);
  await summary.getByRole('button', { name: t('create:name_required') }).click();
  await expect(name).toBeFocused();
  await expect(name).toHaveAccessibleDescription(new RegExp(t('create:name_required')));
  await name.fill('n'.repeat(TEXT_LIMITS.characterName + 1));
  await expect(form.getByText(t('create:textLength', { used: 51, limit: 50 }))).toHaveCSS(
    'color',
    'rgb(238, 130, 117)',
  );
  await expect(name).toHaveAccessibleDescription(new RegExp(t('create:name_too_long', { limit: 50 })));
  for (const [field, limit, problem] of [
    [tagline, TEXT_LIMITS.oneliner, 'create:oneliner_too_long'],
    [traits, TEXT_LIMITS.characterTraits, 'create:character_traits_too_long'],
    [text(t('create:first_messageLabel')), TEXT_LIMITS.firstMessage, 'create:first_message_too_long'],
  ] as const) {
    const tooLong = new RegExp(t(problem, { limit }));
    await field.fill('x'.repeat(limit + 1));
    await expect(field).toHaveAccessibleDescription(tooLong);
    await expect(field).toHaveAccessibleDescription(
      new RegExp(t('create:textLength', { used: limit + 1, limit })),
    );
    await field.fill('x'.repeat(limit));
    await expect(field).not.toHaveAccessibleDescription(tooLong);
  }
  await text(t('create:first_messageLabel')).fill('');
  await name.fill('Wren');
  await tagline.fill('Maps coasts that others only tell of');
  await traits.fill('Curious, stubborn. {{user}} is her only friend.');

  const picture = page.getByLabel(t('create:avatarChoose')).first();
  await picture.setInputFiles(file('x.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'));
  await expect(form.getByText(t('picture:picture_svg'))).toBeVisible();
  await picture.setInputFiles(file('x.gif', 'image/gif', Buffer.alloc(2 * 1024 * 1024 + 1)));
  await expect(form.getByText(t('picture:picture_gifLarge', { limit: 2 }))).toBeVisible();
  await choosePicture(page);

  await form.getByRole('button', { name: t('create:replyAdd') }).click();
  await expect(text(t('create:replyLabel', { number: 1 }))).toBeFocused();
  await text(t('create:replyLabel', { number: 1 })).fill('Yes');
  await expect(summary.getByRole('listitem')).toHaveText([
    t('create:suggested_replies_words', { number: 1 }),
  ]);
  await text(t('create:replyLabel', { number: 1 })).fill('Where are we going?');
  await expect(summary).toBeHidden();
  for (const words of ['On a ship.', 'In a cellar.']) {
    await form.getByRole('button', { name: t('create:greetingAdd') }).click();
    await page.keyboard.type(words);
  }
  await form.getByRole('button', { name: t('create:greetingMoveUp', { number: 2 }) }).click();
  await expect(text(t('create:greetingLabel', { number: 1 }))).toHaveValue('In a cellar.');
  await expect(
    form.getByRole('radio', { name: `${t('create:model_roleplay')} ${t('create:recommendedBadge')}` }),
  ).toBeChecked();
  await form.getByRole('radio', { name: t('create:model_chatgpt') }).check();
  await form.getByRole('radio', { name: t('create:view_rpg') }).check();
  await form.getByRole('checkbox', { name: t('common:tag.fantasy') }).check();
  await expect(form.getByRole('switch', { name: t('create:adultsLabel') })).toHaveAttribute(
    'aria-disabled',
    'true',
  );
  expect(await violations(page)).toEqual([]);

  // The server creates the character, but its response is lost.
  await page.route('**/api/characters', async (route) => {
    await route.fetch();
    await route.abort();
  });
  await publish.click();
  await expect(form.getByText(t('create:createUnanswered'))).toBeVisible();
  await page.unroute('**/api/characters');
  await publish.dblclick();
  await expect(page).toHaveURL(/\/en\/character-info\/[^/]+$/);
  await expect(toast(page, t('create:published', { name: 'Wren' }))).toBeVisible();
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
  await expect(page.getByText(t('create:versionNote'))).toBeVisible();
  const [roleplay, unlisted] = [
    `${t('create:model_roleplay')} ${t('create:recommendedBadge')}`,
    t('create:visibility_unlisted'),
  ].map((choice) => page.getByRole('radio', { name: choice })) as [Locator, Locator];
  const adults = page.getByRole('switch', { name: t('create:adultsLabel') });
  await expect(page.getByRole('radio', { name: t('create:model_chatgpt') })).toBeChecked();
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
  await page
    .getByRole('banner')
    .getByRole('link', { name: t('shell:homeLinkLabel') })
    .click({ noWaitAfter: true });
  await expect.poll(() => dialogTypes).toEqual(['beforeunload']);
  await expect(tagline).toHaveValue('Has never learned to swim');
  await page.getByRole('button', { name: t('create:save') }).click();
  await expect(toast(page, t('create:saved', { name: 'Wren' }))).toBeVisible();
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
  await expect(page.getByRole('heading', { name: t('create:missingTitle') })).toBeVisible();
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
  await page
    .getByRole('link', { name: t('shell:nav.discover') })
    .first()
    .click({ noWaitAfter: true });
  await expect.poll(() => dialogTypes).toEqual(['beforeunload']);
  await expect(name).toHaveValue('Wren');
  answer = 'accept';
  await page.reload();
  expect(dialogTypes).toHaveLength(2);
  await expect(form.getByText(t('create:draftRestored'))).toBeVisible();
  await expect(traits).toHaveValue('Curious.');

  await form.getByRole('button', { name: t('create:discardDraft') }).click();
  await expect(name).toHaveValue('');
  await toast(page, t('create:draftDiscarded'))
    .getByRole('button', { name: t('create:undo') })
    .click();
  await expect(name).toHaveValue('Wren');

  const card = {
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: { name: 'Robin', description: 'd'.repeat(1500), first_mes: 'Hello.', tags: ['Fantasy'] },
  };
  const chooser = page.getByLabel(t('create:importChooseCard')).first();
  await chooser.setInputFiles(file('robin.json', 'application/json', JSON.stringify(card)));
  const question = page.getByRole('dialog', { name: t('create:importReplaceTitle') });
  await question.getByRole('button', { name: t('create:importReplaceConfirm') }).click();
  // Hovering keeps the toast open while the test checks the form.
  const offer = toast(page, t('create:imported', { name: 'Robin' }));
  await offer.hover();
  await expect(name).toHaveValue('Robin');
  await expect(form.getByRole('heading', { name: t('create:cardPartsTitle') })).toBeVisible();
  await expect(form.getByRole('radio', { name: t('create:visibility_private') })).toBeChecked();
  expect(await violations(page)).toEqual([]);
  await offer.getByRole('button', { name: t('create:undo') }).click();
  await expect(name).toHaveValue('Wren');
  await expect(traits).toHaveValue('Curious.');

  await chooser.setInputFiles(file('torn.json', 'application/json', '{"spec":'));
  await question.getByRole('button', { name: t('create:importReplaceConfirm') }).click();
  await expect(form.getByRole('alert')).toContainText(t('create:importNothingChanged'));
  await chooser.setInputFiles(file('robin.json', 'application/json', JSON.stringify(card)));
  await question.getByRole('button', { name: t('create:importReplaceConfirm') }).click();
  await expect(name).toHaveValue('Robin');
  await tagline.fill('Out of a card');
  await choosePicture(page);
  await form.getByRole('button', { name: t('create:publish_private') }).click();
  await expect(page).toHaveURL(/\/en\/creator-center$/);
  await expect(toast(page, t('create:published', { name: 'Robin' }))).toBeVisible();
  await page.goto('/en/create-character');
  await expect(name).toHaveValue('');
});

test('logging out asks for confirmation on any page while a character draft is on the device @all', async ({
  page,
}) => {
  const { name } = await openForm(page);
  const logOut = page.getByRole('button', { name: t('shell:profile.logOut') });
  const question = page.getByRole('dialog', { name: t('shell:profile.draftTitle') });
  await name.pressSequentially('Wren');
  await logOut.click();
  await expect(question).toContainText(t('shell:profile.draftText'));
  expect(await violations(page)).toEqual([]);
  await question.getByRole('button', { name: t('shell:profile.guestCancel') }).click();
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
  await question.getByRole('button', { name: t('shell:profile.draftConfirm') }).click();
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

test('the browser uploads a portrait at list size as well @all', async ({ page }) => {
  await openForm(page);
  const buffer = await sharp({ create: { width: 1600, height: 2200, channels: 3, background: '#206040' } })
    .png()
    .toBuffer();
  await choosePicture(page, { name: 'large.png', mimeType: 'image/png', buffer });
  const whole = await page.getByRole('img', { name: t('create:avatarPreview') }).getAttribute('src');
  const sizes = await page.evaluate(
    (addresses) =>
      Promise.all(
        addresses.map(async (address) => {
          const { width, height } = await createImageBitmap(await (await fetch(address)).blob());
          return [width, height];
        }),
      ),
    [`${whole}`, `${whole}`.replace('/media/', '/media/list/')],
  );
  expect(sizes).toEqual([
    [768, 1024],
    [480, 640],
  ]);
});

import type { Locator } from '@playwright/test';
import { t } from '../support/texts.ts';
import { makeCharacter } from './creator-setup.ts';
import { awake, expect, test } from './journey.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

/** A lorebook with numbers that other programs may write but this form does not accept. */
const BOOK = {
  name: 'Coasts',
  extensions: {},
  scan_depth: -3,
  entries: [
    { keys: ['sea'], content: 'Deep.', enabled: true, extensions: {}, insertion_order: 1.5 },
    { keys: ['pier'], content: 'Long.', enabled: true, extensions: {}, insertion_order: 1e21 },
  ],
};

test.beforeEach(async ({ page }) => {
  await page.request.post('/api/auth/test-login', { data: { person: 'newcomer' } });
  await page.request.post('/api/onboarding', { data: {} });
});

test('a character edit made offline stays in the form and can be saved when the network returns', async ({
  page,
  context,
}) => {
  const { id, name } = await makeCharacter(page, { visibility: 'private' });
  await page.goto(`/creator-center/edit/${id}`);
  await awake(page);
  const tagline = page.getByRole('textbox', { name: t('create:onelinerLabel') });
  await tagline.fill('Has never learned to swim');
  await context.setOffline(true);
  await page.getByRole('button', { name: t('create:save'), exact: true }).click();
  const unsavedText = t('create:updateUnanswered');
  await expect(toast(page, unsavedText)).toBeVisible();
  await expect(page.getByRole('form').getByText(unsavedText)).toBeVisible();
  await expect(tagline).toHaveValue('Has never learned to swim');
  await context.setOffline(false);
  const onlineToast = toast(page, t('create:backOnlineUnsaved'));
  await expect(page.getByRole('form').getByRole('button', { name: t('create:tryAgain') })).toBeVisible();
  await onlineToast.getByRole('button', { name: t('create:tryAgain') }).click();
  await expect(toast(page, t('create:saved', { name }))).toBeVisible();
  await expect(page.getByRole('form').getByText(unsavedText)).toBeHidden();
  await expect(page.getByRole('button', { name: t('create:save'), exact: true })).toBeVisible();
  const { items } = await (await page.request.get('/api/me/characters')).json();
  expect(items).toMatchObject([{ oneliner: 'Has never learned to swim' }]);
});

test('an invalid lorebook number is shown with an error and stays until the user replaces it @all', async ({
  page,
}) => {
  const { id } = await makeCharacter(page, { visibility: 'private', lorebook: BOOK });
  await page.goto(`/creator-center/edit/${id}`);
  await awake(page);
  const entries = page.getByRole('list', { name: t('create:loreEntries') });
  await entries.getByRole('button', { name: 'sea', exact: true }).click();
  const order = page.getByRole('textbox', { name: t('create:entryOrderLabel') });
  const error = new RegExp(t('create:numberInvalid', { least: -999_999_999, most: 999_999_999 }));
  await expect(order).toHaveValue('1.5');
  await expect(order).toHaveAccessibleDescription(error);
  await expect(order).toHaveAttribute('aria-invalid', 'true');
  expect(await violations(page)).toEqual([]);
  // An edit that is not a valid number is reverted when the field loses focus.
  await order.press('End');
  await order.press('Backspace');
  await expect(order).toHaveValue('1.');
  await order.blur();
  await expect(order).toHaveValue('1.5');
  await order.fill('2');
  await expect(order).not.toHaveAccessibleDescription(error);

  await entries.getByRole('button', { name: 'pier', exact: true }).click();
  await expect(order).toHaveValue('1e+21');
  await expect(order).toHaveAccessibleDescription(error);
  await page.getByText(t('create:loreSettings')).click();
  // The open entry has a field of the same name.
  const depth = page.getByRole('textbox', { name: t('create:loreDepthLabel') }).first();
  await expect(depth).toHaveValue('-3');
  await expect(depth).toHaveAccessibleDescription(
    new RegExp(t('create:numberInvalid', { least: 0, most: 999_999_999 })),
  );
  await page.getByRole('button', { name: t('create:save'), exact: true }).click();
  await expect(toast(page, t('create:saved', { name: 'Wren' }))).toBeVisible();
  const [first, second] = BOOK.entries;
  const saved = await (await page.request.get(`/api/me/characters/${id}`)).json();
  expect(saved.extras.lorebook).toEqual({ ...BOOK, entries: [{ ...first, insertion_order: 2 }, second] });
});

test('the last edit survives leaving the form at once, and is removed by logging out at once @all', async ({
  page,
}) => {
  const { id } = await makeCharacter(page, { visibility: 'private' });
  const address = `/creator-center/edit/${id}`;
  await page.goto(address);
  await awake(page);
  page.on('dialog', (dialog) => void dialog.accept());
  const tagline = page.getByRole('textbox', { name: t('create:onelinerLabel') });
  await expect(tagline).not.toHaveValue('');
  /** Writes and leaves in one step, before any timer fires. */
  const writeAndLeave = async (text: string, exit: Locator) => {
    await exit.evaluate((control: HTMLElement, written) => {
      document.querySelector<HTMLInputElement>('#field-oneliner')?.select();
      window.setTimeout = (() => 0) as never;
      document.execCommand('insertText', false, written);
      control.click();
    }, text);
  };
  await writeAndLeave('Cannot swim', page.getByRole('link', { name: t('shell:homeLinkLabel') }).first());
  await page.waitForURL(/\/(en)?$/);
  await page.goto(address);
  await expect(tagline).toHaveValue('Cannot swim');
  await awake(page);
  await writeAndLeave('Can swim', page.getByRole('button', { name: t('shell:profile.logOut') }));
  await page.getByRole('button', { name: t('shell:profile.draftConfirm') }).click();
  await page.waitForURL(/\/(en)?$/);
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('character'))),
  ).toEqual([]);
});

test('dropping a card on the edit form changes nothing and explains where to import cards @all', async ({
  page,
}) => {
  const { id, name } = await makeCharacter(page, { visibility: 'private' });
  await page.goto(`/creator-center/edit/${id}`);
  await awake(page);
  const field = page.getByRole('textbox', { name: t('create:nameLabel'), exact: true });
  await expect(field).toHaveValue(name);
  const prevented = await field.evaluate((target) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['{}'], 'mira.json', { type: 'application/json' }));
    const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
    target.dispatchEvent(drop);
    return drop.defaultPrevented;
  });
  expect(prevented).toBe(true);
  await expect(toast(page, t('create:dropRefused'))).toBeVisible();
  await expect(field).toHaveValue(name);
});

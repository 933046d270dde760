import type { Locator } from '@playwright/test';
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
  const tagline = page.getByRole('textbox', { name: 'Tagline' });
  await tagline.fill('Has never learned to swim');
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const unsavedText = 'No answer came, so your changes may not be saved. What you wrote is safe';
  await expect(toast(page, unsavedText)).toBeVisible();
  await expect(page.getByRole('form').getByText(unsavedText)).toBeVisible();
  await expect(tagline).toHaveValue('Has never learned to swim');
  await context.setOffline(false);
  const onlineToast = toast(page, 'The network is back. Your changes are not saved yet.');
  await expect(page.getByRole('form').getByRole('button', { name: 'Try again' })).toBeVisible();
  await onlineToast.getByRole('button', { name: 'Try again' }).click();
  await expect(toast(page, `${name} was saved.`)).toBeVisible();
  await expect(page.getByRole('form').getByText(unsavedText)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeVisible();
  const { items } = await (await page.request.get('/api/me/characters')).json();
  expect(items).toMatchObject([{ oneliner: 'Has never learned to swim' }]);
});

test('an invalid lorebook number is shown with an error and stays until the user replaces it @all', async ({
  page,
}) => {
  const { id } = await makeCharacter(page, { visibility: 'private', lorebook: BOOK });
  await page.goto(`/creator-center/edit/${id}`);
  await awake(page);
  const entries = page.getByRole('list', { name: 'Entries of the lorebook' });
  await entries.getByRole('button', { name: 'sea', exact: true }).click();
  const order = page.getByRole('textbox', { name: 'Order' });
  const error = /This is not a whole number from -999,999,999 to 999,999,999/;
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
  await page.getByText('How the lorebook is told').click();
  // The open entry has a field of the same name.
  const depth = page.getByRole('textbox', { name: 'Messages that are searched' }).first();
  await expect(depth).toHaveValue('-3');
  await expect(depth).toHaveAccessibleDescription(/This is not a whole number from 0 to 999,999,999/);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, 'was saved.')).toBeVisible();
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
  const tagline = page.getByRole('textbox', { name: 'Tagline' });
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
  await writeAndLeave('Cannot swim', page.getByRole('link', { name: 'Loreloom, home' }).first());
  await page.waitForURL(/\/(en)?$/);
  await page.goto(address);
  await expect(tagline).toHaveValue('Cannot swim');
  await awake(page);
  await writeAndLeave('Can swim', page.getByRole('button', { name: 'Log out' }));
  await page.getByRole('button', { name: 'Log out and lose the draft' }).click();
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
  const field = page.getByRole('textbox', { name: 'Name', exact: true });
  await expect(field).toHaveValue(name);
  const prevented = await field.evaluate((target) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(['{}'], 'mira.json', { type: 'application/json' }));
    const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer });
    target.dispatchEvent(drop);
    return drop.defaultPrevented;
  });
  expect(prevented).toBe(true);
  await expect(toast(page, 'A card makes a new character')).toBeVisible();
  await expect(field).toHaveValue(name);
});

import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { awake, expect, noteInChat, test } from './journey.ts';
import { rests, toast } from './messages.page.ts';
import { violations } from './violations.ts';

/** Logs a test user in and creates a character with three first messages. @returns its id */
async function createOwnCharacter(page: Page): Promise<string> {
  await page.request.post('/api/auth/test-login', { data: { person: 'newcomer' } });
  await page.request.post('/api/onboarding', { data: {} });
  const buffer = readFileSync(new URL('../../public/icons/apple-touch-icon.png', import.meta.url));
  const picture = await page.request.post('/api/uploads/avatar', {
    multipart: { file: { name: 'wren.png', mimeType: 'image/png', buffer } },
  });
  const { avatar_id } = (await picture.json()) as { avatar_id: string };
  const made = await page.request.post('/api/characters', {
    data: {
      avatar_id,
      name: 'Wren',
      oneliner: 'Maps coasts that others only tell of',
      character_traits: 'Curious, stubborn.',
      first_message: 'The map is wet.',
      alternate_greetings: ['The boat is gone.', 'Somebody burnt the map.'],
      model_type: 'roleplay',
      visibility: 'unlisted',
    },
  });
  expect(made.status()).toBe(201);
  return ((await made.json()) as { id: string }).id;
}

test('a user chooses a first message, takes a changed character, and reads that the character was deleted @all', async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 740 });
  const id = await createOwnCharacter(page);
  await page.goto(`/character/${id}`);
  await awake(page);
  const messages = page.getByRole('list', { name: t('chat:messages') }).getByRole('listitem');
  const box = page.getByRole('textbox', { name: t('chat:composerLabel', { name: 'Wren' }) });
  const greetingPicker = page.getByRole('group', { name: t('chat:greetings') });
  await expect(messages).toContainText(['The map is wet.']);

  // Choose by click, then by keyboard, and go back.
  const next = greetingPicker.getByRole('button', { name: t('chat:greetingNext') });
  await next.click();
  await expect(messages).toContainText(['The boat is gone.']);
  await next.focus();
  await page.keyboard.press('Enter');
  await expect(messages).toContainText(['Somebody burnt the map.']);
  await expect(greetingPicker).toContainText(t('chat:greetingAt', { at: 3, count: 3 }));
  await expect(
    page.getByRole('status').filter({ hasText: t('chat:greetingAt', { at: 3, count: 3 }) }),
  ).toBeAttached();
  await expect(next).toBeFocused();
  await expect(next).toHaveAttribute('aria-disabled', 'true');
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('ArrowLeft');
  await expect(messages).toContainText(['The boat is gone.']);
  await page.reload();
  await awake(page);
  await expect(messages).toContainText(['The boat is gone.']);
  await box.fill('Who took it? [[scenario:tokens n=2 ms=1]]');
  await box.press('Enter');
  await expect(messages.nth(2)).toContainText('w1');
  await rests(page);
  await expect(greetingPicker).toHaveCount(0);

  const note = noteInChat(page);
  const change = async (character_traits: string) =>
    expect((await page.request.patch(`/api/characters/${id}`, { data: { character_traits } })).ok()).toBe(
      true,
    );
  await change('Curious, stubborn, and afraid of maps.');
  await page.reload();
  await awake(page);
  await expect(note).toContainText(t('chat:newerVersion', { name: 'Wren' }));
  expect(await violations(page)).toEqual([]);
  await note.getByRole('button', { name: t('chat:newerVersionKeep') }).click();
  await expect(note).toHaveCount(0);
  await page.reload();
  await awake(page);
  await expect(messages).toHaveCount(3);
  await expect(note).toHaveCount(0);
  await change('Nobody’s friend.');
  await page.reload();
  await awake(page);
  await note.getByRole('button', { name: t('chat:newerVersionUse') }).click();
  await expect(toast(page, t('chat:newerVersionUsed', { name: 'Wren' }))).toBeVisible();
  await expect(note).toHaveCount(0);
  await expect(messages).toHaveCount(3);

  // Deleting the character while the chat is open keeps the unsent message, and the page says what happened.
  expect((await page.request.delete(`/api/characters/${id}`)).ok()).toBe(true);
  await box.fill('Are you there?');
  await box.press('Enter');
  await expect(note).toContainText(t('errors:character_deleted'));
  await expect(box).toHaveCount(0);
  await expect(messages).toHaveCount(3);
  await expect(messages.nth(2).getByRole('button', { name: t('chat:regenerate') })).toHaveCount(0);
  expect(await violations(page)).toEqual([]);
  expect((await page.request.post(`/api/characters/${id}/restore`)).ok()).toBe(true);
  await page.reload();
  await awake(page);
  await expect(box).toHaveValue('Are you there?');
  await expect(messages).toHaveCount(3);
  await expect(note).toHaveCount(0);
  await box.press('Enter');
  await expect(messages).toHaveCount(5);
  await rests(page);
});

import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import type { OwnCharacterList } from '../../src/features/character/contract.ts';
import type { ChatList } from '../../src/features/conversation/contract.ts';
import type { Lorebook } from '../../src/features/character/lorebook/lorebook-contract.ts';
import {
  buildTavernCard,
  buildTavernChat,
  buildTavernSettings,
  buildTavernWorld,
  packBackup,
} from '../support/backups.ts';
import { portraitOf, signInAsCreator } from './creator-setup.ts';
import { awake, expect, test } from './journey.ts';
import { violations } from './violations.ts';

/** A backup with two characters, three chats, two personas, two worlds, and files that are not moved in. */
const createBackup = () => ({
  name: 'default-user-20260102.zip',
  mimeType: 'application/zip',
  buffer: Buffer.from(
    packBackup({
      'settings.json': buildTavernSettings({
        'wren.png': ['Wren', 'Maps coasts and gets lost inland.'],
        'kai.png': ['Kai', 'Has sailed around the world.'],
      }),
      'characters/Mira.png': buildTavernCard(
        { name: 'Mira', extensions: { world: 'Coast' } },
        portraitOf(30, 40),
      ),
      'characters/Ebbe.png': buildTavernCard({ name: 'Ebbe' }, portraitOf(30, 40)),
      'chats/Mira/first.jsonl': buildTavernChat('Mira', 'Is the lamp lit?'),
      'chats/Mira/second.jsonl': buildTavernChat('Mira', 'Which way is north?'),
      'chats/Ebbe/only.jsonl': buildTavernChat('Ebbe', 'What is the tide doing?'),
      'worlds/Coast.json': buildTavernWorld('lighthouse'),
      'worlds/Moon.json': buildTavernWorld('moon'),
      'group chats/1.jsonl': buildTavernChat('Mira', 'Hello both'),
      'backgrounds/sea.jpg': 'picture',
      'secrets.json': { api_key_openai: 'sk-secret' },
    }),
  ),
});

/** Opens the page and chooses a backup. */
async function openBackup(page: Page, backup: ReturnType<typeof createBackup>): Promise<Locator> {
  await page.goto('/en/move-in');
  await awake(page);
  await page.getByLabel('Choose a backup').first().setInputFiles(backup);
  const report = page.getByRole('region', { name: 'Report' });
  await expect(report).toBeVisible();
  return report;
}

const getJson = async <T>(page: Page, path: string) => (await (await page.request.get(path)).json()) as T;

/** Counts what the user has. */
async function countAll(page: Page) {
  const { count } = await getJson<OwnCharacterList>(page, '/api/me/characters');
  const personas = await getJson<{ count: number }>(page, '/api/personas');
  const { chats } = await getJson<ChatList>(page, '/api/chats');
  return { characters: count, personas: personas.count, chats: chats.length };
}

test('a SillyTavern backup is moved in with a pause and a reload, and nothing exists twice', async ({
  page,
  baseURL,
}) => {
  await signInAsCreator(page, baseURL ?? '');
  const backup = createBackup();
  let report = await openBackup(page, backup);
  await expect(page.getByRole('group', { name: 'Choose what to move in' })).toHaveText(
    /Personas 2.*Characters 2.*Chats 3.*Lorebooks 2/s,
  );
  await expect(report.getByRole('listitem').filter({ hasText: 'secrets.json' })).toContainText(
    'This file has your API keys. It was not read.',
  );
  expect(await violations(page)).toEqual([]);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));

  // Pause in the middle: the answer to the first chat is held back until the move is paused.
  const pauseButton = page.getByRole('button', { name: 'Pause' });
  await page.route('**/api/conversations/import', async (route) => {
    const answer = await route.fetch();
    await pauseButton.click();
    await route.fulfill({ response: answer }).catch(() => undefined);
  });
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByText('Paused. You can close this page')).toBeVisible();
  await page.unroute('**/api/conversations/import');

  await page.reload();
  await awake(page);
  await expect(
    page.getByText(/You were moving in .*default-user-20260102\.zip.*: \d of 9 done/),
  ).toBeVisible();
  report = await openBackup(page, backup);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByText('Done. The report says what became of each file.')).toBeVisible();
  const expected = { characters: 2, personas: 2, chats: 3 };
  expect(await countAll(page)).toEqual(expected);
  expect(sent.join('')).not.toContain('sk-secret');

  // The lorebook that a card names is in its character, and the other one is named with where to import it.
  const { items } = await getJson<OwnCharacterList>(page, '/api/me/characters');
  const mira = items.find(({ name }) => name === 'Mira');
  expect(mira?.visibility).toBe('private');
  const { book } = await getJson<{ book: Lorebook }>(page, `/api/characters/${mira?.id}/lorebook`);
  expect(book.entries).toHaveLength(1);
  await expect(report.getByRole('listitem').filter({ hasText: 'worlds/Moon.json' })).toContainText(
    'choose “Import lorebook”',
  );

  expect(await violations(page)).toEqual([]);

  // The report can be filtered and downloaded.
  await report.getByText('Left out').first().click();
  await expect(report.getByRole('listitem')).toHaveCount(5);
  const downloading = page.waitForEvent('download');
  await report.getByRole('button', { name: 'Download report' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  expect(text).toContain('group chats/1.jsonl\tGroup chats can');
  expect(text.trim().split('\n')).toHaveLength(13);

  // Without the kept progress, each file is sent once more, and is already there.
  await page.evaluate(() => localStorage.clear());
  report = await openBackup(page, backup);
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.getByText('Done. The report says what became of each file.')).toBeVisible();
  await report.getByText('Already there').first().click();
  await expect(report.getByRole('listitem')).toHaveCount(8);
  expect(await countAll(page)).toEqual(expected);

  // A chat opens with its versions, and with the persona that its user is named after.
  await report.getByRole('link', { name: 'Open: chats/Mira/first.jsonl' }).click();
  await expect(page.getByText('Is the lamp lit?, answered')).toBeVisible();
});

test('other files are refused by name with where they belong', async ({ page, baseURL }) => {
  await signInAsCreator(page, baseURL ?? '');
  await page.goto('/en/create-character');
  await awake(page);
  await page.getByRole('link', { name: 'Coming from SillyTavern?' }).click();
  await page.waitForURL('**/move-in');
  await awake(page);
  const input = page.getByLabel('Choose a backup').first();
  const alert = page.getByRole('alert');
  await input.setInputFiles({
    name: 'cards.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from(packBackup({ 'Mira.png': buildTavernCard({ name: 'Mira' }) })),
  });
  await expect(alert).toContainText('These are several characters');
  await expect(alert.getByRole('link', { name: 'Create a character' })).toBeVisible();
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') });
  await expect(alert).toContainText("This isn't a ZIP file.");
});

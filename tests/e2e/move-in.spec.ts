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
import { t } from '../support/texts.ts';
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
  await page.getByLabel(t('moveIn:chooseBackup')).first().setInputFiles(backup);
  const report = page.getByRole('region', { name: t('moveIn:reportTitle') });
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
  const kinds = [
    `${t('moveIn:kind_persona')} 2`,
    `${t('moveIn:kind_character')} 2`,
    `${t('moveIn:kind_chat')} 3`,
    `${t('moveIn:kind_lorebook')} 2`,
  ];
  await expect(page.getByRole('group', { name: t('moveIn:kindsTitle') })).toHaveText(
    new RegExp(kinds.join('.*'), 's'),
  );
  await expect(report.getByRole('listitem').filter({ hasText: 'secrets.json' })).toContainText(
    t('moveIn:skipped_secret'),
  );
  expect(await violations(page)).toEqual([]);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.postData() ?? ''));

  // Pause in the middle: the answer to the first chat is held back until the move is paused.
  const pauseButton = page.getByRole('button', { name: t('moveIn:pause') });
  await page.route('**/api/conversations/import', async (route) => {
    const answer = await route.fetch();
    await pauseButton.click();
    await route.fulfill({ response: answer }).catch(() => undefined);
  });
  await page.getByRole('button', { name: t('moveIn:start') }).click();
  await expect(page.getByText(t('moveIn:status_paused'))).toBeVisible();
  await page.unroute('**/api/conversations/import');

  await page.reload();
  await awake(page);
  const earlier = t('moveIn:continueEarlierImport', {
    name: '.*default-user-20260102\\.zip.*',
    done: '\\d',
    total: 9,
  });
  await expect(page.getByText(new RegExp(earlier))).toBeVisible();
  report = await openBackup(page, backup);
  await page.getByRole('button', { name: t('moveIn:resume') }).click();
  await expect(page.getByText(t('moveIn:status_done'))).toBeVisible();
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
    t('moveIn:skipped_unlinked'),
  );

  expect(await violations(page)).toEqual([]);

  // The report can be filtered and downloaded.
  await report.getByText(t('moveIn:filter_left')).first().click();
  await expect(report.getByRole('listitem')).toHaveCount(5);
  const downloading = page.waitForEvent('download');
  await report.getByRole('button', { name: t('moveIn:downloadReport') }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  expect(text).toContain(`group chats/1.jsonl\t${t('moveIn:skipped_group')}`);
  expect(text.trim().split('\n')).toHaveLength(13);

  // Without the kept progress, each file is sent once more, and is already there.
  await page.evaluate(() => localStorage.clear());
  report = await openBackup(page, backup);
  await page.getByRole('button', { name: t('moveIn:start') }).click();
  await expect(page.getByText(t('moveIn:status_done'))).toBeVisible();
  await report.getByText(t('moveIn:filter_present')).first().click();
  await expect(report.getByRole('listitem')).toHaveCount(8);
  expect(await countAll(page)).toEqual(expected);

  // A chat opens with its versions, and with the persona that its user is named after.
  await report.getByRole('link', { name: t('moveIn:openNamed', { name: 'chats/Mira/first.jsonl' }) }).click();
  const messages = page.getByRole('list', { name: t('chat:messages') });
  await expect(messages.getByText('Is the lamp lit?, answered')).toBeVisible();
});

test('other files are refused by name with where they belong @all', async ({ page, baseURL }) => {
  await signInAsCreator(page, baseURL ?? '');
  await page.goto('/en/create-character');
  await awake(page);
  await page.getByRole('link', { name: t('create:importBackupLink') }).click();
  await page.waitForURL('**/move-in');
  await awake(page);
  const input = page.getByLabel(t('moveIn:chooseBackup')).first();
  const alert = page.getByRole('alert');
  await input.setInputFiles({
    name: 'cards.zip',
    mimeType: 'application/zip',
    buffer: Buffer.from(packBackup({ 'Mira.png': buildTavernCard({ name: 'Mira' }) })),
  });
  await expect(alert).toContainText(t('moveIn:refused_cards'));
  await expect(alert.getByRole('link', { name: t('moveIn:createCharacterLink') })).toBeVisible();
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Hello') });
  await expect(alert).toContainText(t('moveIn:refused_no_zip'));
});

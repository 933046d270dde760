import { expect, test } from '../../e2e/journey.ts';
import { t } from '../../support/texts.ts';
import { buildFieldText } from '../written-texts.ts';
import { watch } from './harmless.ts';
import { expectTaken, writer } from './writer.ts';

// Texts of users in the dialogs of a conversation and in imported files.

test('texts of users are shown as text in every dialog of a conversation', async ({ page, baseURL }) => {
  test.setTimeout(90_000);
  const { conversation } = await writer(page, baseURL as string);
  const watched = await watch(page);
  await watched.opens(`/messages/${conversation}`, 'a chat');
  // A click may come before its listener is attached, so repeat it.
  const dialog = page.getByRole('dialog');
  const openDialog = (name: string) =>
    expect(async () => {
      await page.getByRole('button', { name: t('chat:chatMenu') }).click({ timeout: 2000 });
      await page.getByRole('menuitem', { name, exact: true }).click({ timeout: 2000 });
      await expect(dialog).toBeVisible({ timeout: 2000 });
    }).toPass();
  const closeDialog = () =>
    expect(async () => {
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0, { timeout: 2000 });
    }).toPass();
  await openDialog(t('chat:memoryTitle'));
  await watched.harmless('the memory');
  await closeDialog();
  await openDialog(t('chat:persona'));
  await watched.harmless('the choice of a persona');
  await closeDialog();
  await openDialog(t('chat:rename'));
  await watched.harmless('a chat’s name');
  await closeDialog();
  await page.getByRole('button', { name: t('chat:chatsTitle'), exact: true }).click();
  await expect(dialog).toBeVisible();
  await watched.harmless('one’s chats');
  await closeDialog();
  const messages = page.locator('[data-message]');
  await messages.last().hover();
  await messages
    .last()
    .getByRole('button', { name: t('chat:moreActions') })
    .click();
  await page.getByRole('menuitem', { name: t('chat:contextTitle') }).click();
  const promptDialog = page.getByRole('dialog', { name: t('chat:contextTitle') });
  await promptDialog.getByText(t('chat:contextKind_history')).click();
  await watched.harmless('what the model saw');
  await closeDialog();
  const id = await messages.nth(1).getAttribute('data-message');
  await expectTaken(await page.request.delete(`/api/conversations/${conversation}/messages/${id}`));
  await openDialog(t('chat:trashMenu'));
  await watched.harmless('deleted messages');
});

test('texts of imported chats and cards are shown as text', async ({ page, baseURL }) => {
  test.setTimeout(90_000);
  const { character } = await writer(page, baseURL as string);
  const watched = await watch(page);
  const name = buildFieldText('a chat’s name of the character', 50);
  const lines = [
    { user_name: name, character_name: name, chat_metadata: { note_prompt: name } },
    {
      name,
      is_user: true,
      mes: buildFieldText('a chat’s message', 2000),
      send_date: '2026-01-02T03:04:05.000Z',
    },
    {
      name,
      is_user: false,
      mes: buildFieldText('a chat’s message', 2000),
      send_date: '2026-01-02T03:05:05.000Z',
    },
  ];
  const imported = await page.request.post('/api/conversations/import', {
    multipart: {
      character_id: character.id,
      file: {
        name: `${name}.jsonl`,
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
      },
    },
  });
  await expectTaken(imported);
  const { conversation } = (await imported.json()) as { conversation: { id: string } };
  await watched.opens(`/messages/${conversation.id}`, 'a chat that was brought');

  const card = {
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: {
      name: buildFieldText('a card’s name', 50),
      description: buildFieldText('a card’s description', 900),
      personality: '',
      scenario: '',
      first_mes: buildFieldText('a card’s first message', 1900),
      mes_example: '',
      creator_notes: buildFieldText('a card’s note', 900),
      system_prompt: '',
      post_history_instructions: '',
      alternate_greetings: [buildFieldText('a card’s other greeting', 900)],
      character_book: {
        name,
        extensions: {},
        entries: [
          {
            keys: [buildFieldText('a card’s lorebook, by a key', 50)],
            content: buildFieldText('a lorebook’s text', 900),
            enabled: true,
            insertion_order: 1,
            extensions: {},
          },
        ],
      },
      tags: ['fantasy', name],
      creator: name,
      character_version: name,
      extensions: { [name]: name },
    },
  };
  await watched.opens('/en/create-character', null);
  await page
    .getByLabel(t('create:importChooseCard'))
    .first()
    .setInputFiles({
      name: 'card.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(card)),
    });
  await watched.harmless('a card that was brought');
});

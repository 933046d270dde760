import { encodeCard, buildPng, buildTextChunk, V3 } from '../support/card-files.ts';
import { t } from '../support/texts.ts';
import { signInAsCreator } from './creator-setup.ts';
import { awake, expect, test } from './journey.ts';
import { toast } from './messages.page.ts';
import { violations } from './violations.ts';

/** Enough lorebook entries for two pages of the list. */
const ENTRIES = [
  ...V3.data.character_book.entries,
  ...Array.from({ length: 60 }, (_, index) => ({
    keys: [`pier ${index}`],
    content: `Boats of pier ${index}.`,
    enabled: true,
    insertion_order: `${index}`,
    extensions: { odd: { kept: [index] } },
  })),
];
const CARD = {
  ...V3,
  data: { ...V3.data, character_book: { ...V3.data.character_book, entries: ENTRIES } },
};

/** A world of SillyTavern. */
const WORLD = {
  entries: {
    0: {
      uid: 0,
      key: ['C++'],
      keysecondary: ['Rust'],
      comment: 'The clerk',
      content: 'He writes C++.',
      selective: true,
      selectiveLogic: 2,
      probability: 40,
      useProbability: true,
      sticky: 3,
      order: 100,
      position: 0,
    },
  },
};

test('editing a lorebook entry of an imported card leaves all other card data unchanged @all', async ({
  page,
  baseURL,
}) => {
  await page.setViewportSize({ width: 320, height: 740 });
  await signInAsCreator(page, new URL(baseURL ?? '').origin);
  await page.goto('/en/create-character');
  await awake(page);
  const form = page.getByRole('form', { name: t('create:title') });
  await expect(form).toBeVisible();
  const entries = page.getByRole('list', { name: t('create:loreEntries') });
  await expect(entries).toBeHidden();
  await page
    .getByLabel(t('create:importChooseCard'))
    .first()
    .setInputFiles({
      name: 'mira.png',
      mimeType: 'image/png',
      buffer: Buffer.from(buildPng(buildTextChunk('ccv3', encodeCard(CARD)))),
    });
  await expect(toast(page, t('create:imported', { name: 'Mira' }))).toBeVisible();
  await expect(page.getByText('https://example.test/mira', { exact: true })).toBeVisible();

  // A section with values of the card opens by itself.
  const nickname = page.getByRole('textbox', { name: t('create:nicknameLabel') });
  await expect(nickname).toHaveValue('Mi');
  await nickname.fill('Mimi');
  await expect(entries.getByRole('listitem')).toHaveCount(50);
  await page.getByRole('button', { name: t('create:loreNextPage') }).click();
  await expect(page.getByText(t('create:lorePagePosition', { page: 2, pages: 2 }))).toBeVisible();
  await page.getByRole('searchbox', { name: t('create:loreSearch') }).fill('BOATS 42');
  await expect(page.getByText(t('create:loreEntriesFound', { number: 1 }))).toBeVisible();
  await entries.getByRole('button', { name: 'pier 42', exact: true }).click();
  const text = page.getByRole('textbox', { name: t('create:entryTextLabel') });
  await expect(text).toHaveValue('Boats of pier 42.');
  await text.fill('Nothing is moored here.');
  expect(await violations(page)).toEqual([]);

  // The draft has the change after a reload.
  await page.reload();
  await awake(page);
  await expect(nickname).toHaveValue('Mimi');
  await form.getByRole('radio', { name: t('create:visibility_private') }).check();
  await form.getByRole('button', { name: t('create:publish_private') }).click();
  await expect(page).toHaveURL(/\/en\/creator-center$/);
  const characters = await (await page.request.get('/api/me/characters')).json();
  const { id } = characters.items[0] as { id: string };
  const card = async () =>
    (await (await page.request.get(`/api/characters/${id}/card?format=json`)).json()) as typeof CARD;
  const position = ENTRIES.findIndex(({ keys }) => keys[0] === 'pier 42');
  const rewritten = ENTRIES.with(position, {
    ...ENTRIES[position],
    content: 'Nothing is moored here.',
  } as never);
  const data = {
    ...CARD.data,
    nickname: 'Mimi',
    character_book: { ...CARD.data.character_book, entries: rewritten },
  };
  expect((await card()).data).toMatchObject({ ...data, modification_date: expect.any(Number) });

  await page.goto(`/creator-center/edit/${id}`);
  await awake(page);
  await expect(entries.getByRole('listitem')).toHaveCount(50);
  await page.getByRole('button', { name: t('create:loreEntryRemove', { number: 1 }), exact: true }).click();
  await page.getByRole('button', { name: t('create:loreEntryRemove', { number: 1 }), exact: true }).click();
  await toast(page, t('create:loreEntryRemoved'))
    .last()
    .getByRole('button', { name: t('create:undo') })
    .click();
  await page.getByRole('button', { name: t('create:loreEntryAdd') }).click();
  await expect(page.getByRole('textbox', { name: t('create:entryNameLabel') })).toBeFocused();
  await page.keyboard.type('The lamp');
  await page.getByRole('textbox', { name: t('create:entryKeywordsLabel'), exact: true }).fill('lamp\nlight');
  await text.fill('It never goes out.');

  const importFile = (name: string, content: string) =>
    page
      .getByLabel(t('create:loreImport'))
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(content) });
  await importFile('card.json', JSON.stringify(V3));
  await expect(page.getByText(t('create:loreImport_character'))).toBeVisible();
  await importFile('world.json', JSON.stringify(WORLD));
  await expect(toast(page, t('create:loreImported', { number: 1 }))).toBeVisible();
  await page.getByRole('searchbox', { name: t('create:loreSearch') }).fill('C++');
  await entries.getByRole('button', { name: 'The clerk', exact: true }).click();
  await expect(page.getByRole('combobox', { name: t('create:entryLogicLabel') })).toHaveValue('notAny');
  await expect(page.getByRole('textbox', { name: t('create:entryChanceLabel') })).toHaveValue('40');
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: t('create:save'), exact: true }).click();
  await expect(toast(page, t('create:saved', { name: 'Mira' }))).toBeVisible();
  const { entries: saved } = (await card()).data.character_book;
  expect(saved.slice(0, -2)).toEqual(rewritten.slice(1));
  expect(saved.at(-1)).toMatchObject({ keys: ['C++'], extensions: { selectiveLogic: 2, sticky: 3 } });
  expect(saved.at(-2)).toMatchObject({
    name: 'The lamp',
    keys: ['lamp', 'light'],
    content: 'It never goes out.',
  });
});

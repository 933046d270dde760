import { t } from '../support/texts.ts';
import { chat, expect, test } from './journey.ts';

test('each tab of a conversation keeps its own draft over a reload, and a new tab takes a closed tab’s draft @all', async ({
  page,
  context,
}) => {
  const { box, character } = await chat(page);
  const getBox = (tab: typeof page) =>
    tab.getByRole('textbox', { name: t('chat:composerLabel', { name: character.name }) });
  const second = await context.newPage();
  await second.goto(page.url());
  // A tab that is still opening takes any draft without a lock, so wait until both tabs hold theirs.
  const readLocks = () =>
    page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name));
  const countDraftLocks = async () => (await readLocks())?.filter((name) => name?.includes('draft')).length;
  await expect.poll(countDraftLocks).toBe(2);
  await box.fill('draft of A');
  await getBox(second).fill('draft of B');
  await page.reload();
  await expect(box).toHaveValue('draft of A');
  await second.reload();
  await expect(getBox(second)).toHaveValue('draft of B');

  const third = await context.newPage();
  await third.goto(page.url());
  await expect(getBox(third)).toHaveValue('');
  await second.close({ runBeforeUnload: true });
  await expect.poll(() => context.pages().length).toBe(2);
  await third.reload();
  await expect(getBox(third)).toHaveValue('draft of B');
  await page.reload();
  await expect(box).toHaveValue('draft of A');
});

import { chat, expect, test } from './journey.ts';

test('what I write in two tabs of one chat stays in each over a reload, and a tab that I closed leaves its text', async ({
  page,
  context,
}) => {
  const { box, character } = await chat(page);
  const boxOf = (tab: typeof page) => tab.getByRole('textbox', { name: `Message to ${character.name}` });
  const second = await context.newPage();
  await second.goto(page.url());
  // A tab that is still opening takes what no open tab holds: also the text of one that is just being reloaded.
  const held = () => page.evaluate(async () => (await navigator.locks.query()).held?.map(({ name }) => name));
  const boxes = async () => (await held())?.filter((name) => name?.includes('draft')).length;
  await expect.poll(boxes).toBe(2);
  await box.fill('draft of A');
  await boxOf(second).fill('draft of B');
  await page.reload();
  await expect(box).toHaveValue('draft of A');
  await second.reload();
  await expect(boxOf(second)).toHaveValue('draft of B');

  const third = await context.newPage();
  await third.goto(page.url());
  await expect(boxOf(third)).toHaveValue('');
  await second.close({ runBeforeUnload: true });
  await expect.poll(() => context.pages().length).toBe(2);
  await third.reload();
  await expect(boxOf(third)).toHaveValue('draft of B');
  await page.reload();
  await expect(box).toHaveValue('draft of A');
});

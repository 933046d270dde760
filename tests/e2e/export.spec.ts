import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unzipSync } from 'fflate';
import { t } from '../support/texts.ts';
import { chat, expect, test } from './journey.ts';
import { violations } from './violations.ts';

test('the data export contains conversations that can be read offline in a browser', async ({
  page,
}, testInfo) => {
  const { messages, say, character } = await chat(page);
  await say(
    `*I knock.* "Is <b>anybody</b> there?"\n\n\`\`\`\n${'A long line on the door. '.repeat(9)}\n\`\`\``,
  );
  await expect(messages).toHaveCount(3);
  await expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();

  const downloadStarted = page.waitForEvent('download');
  await page.evaluate(() => location.assign('/api/account/export'));
  const download = await downloadStarted;
  expect(download.suggestedFilename()).toMatch(/^loreloom-\d{4}-\d\d-\d\d\.zip$/);
  const files = unzipSync(await readFile(await download.path()));
  for (const [path, bytes] of Object.entries(files)) {
    const file = testInfo.outputPath('everything', path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }

  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(pathToFileURL(join(testInfo.outputPath('everything'), 'index.html')).href);
  await expect(page.getByRole('heading', { level: 1, name: t('export:title') })).toBeVisible();
  await expect(page.getByRole('heading', { name: t('export:missingTitle') })).toBeHidden();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  for (const link of await page.getByRole('link').all()) {
    const box = await link.boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
  }
  await expect(page.getByText(character.name).first()).toBeVisible();
  await page.getByRole('link', { name: /^I knock\./ }).click();
  await expect(page.getByText('Is <b>anybody</b> there?')).toBeVisible();
  await expect(page.getByText(t('chat:aiWritten')).last()).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  expect(await violations(page)).toEqual([]);
  await page.getByRole('link', { name: t('export:allChatsLink') }).click();
  await expect(page.getByRole('link', { name: 'account.json' })).toBeVisible();
});

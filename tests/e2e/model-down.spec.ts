import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { startWorker } from '../../scripts/lib/local-server.mjs';
import { endGroup, freePort } from '../../scripts/lib/process.mjs';
import { CIRCUIT } from '../../src/features/model/circuit.ts';
import { ApiClient, readEvents } from './api-client.ts';
import { chat, expect, test } from './journey.ts';

const OUT_DIR = process.env.LORELOOM_TEST_OUT_DIR ?? '.wrangler/test/dist';
const folder = mkdtempSync(join(tmpdir(), 'loreloom-model-down-'));

/** A site with two models, one of which is brought down: nobody else's are. */
let site: Awaited<ReturnType<typeof startWorker>> | undefined;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  const url = new URL('/v1', process.env.LORELOOM_MODEL_CONTROL).href;
  site = await startWorker({
    direct: true,
    outDir: OUT_DIR,
    stateDir: join(folder, 'state'),
    port: await freePort(),
    logFile: join(folder, 'worker.log'),
    variables: {
      MODEL_ROLEPLAY_BASE_URL: url,
      MODEL_ROLEPLAY_LABEL: 'Roleplay',
      MODEL_CHATGPT_BASE_URL: url,
    },
  });
});
test.afterAll(async () => {
  if (site !== undefined) await endGroup(site.child);
});

test('a model that is down says so at once; one press has the same reply written by another, and nothing switches by itself', async ({
  browser,
}) => {
  const { url } = site as { url: string };
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  const { messages, say } = await chat(page);
  const others = await ApiClient.guest(url);
  for (let time = 0; time < CIRCUIT.failures; time += 1)
    await readEvents(await others.send(await others.begin(), `Hello [[scenario:status code=503]]`));

  await say('Is anybody there? [[scenario:tokens n=3 ms=1]]');
  await expect(messages.last()).toContainText('This model does not answer at the moment');
  await expect(messages.last()).toContainText('Your message is kept: try another model');
  await expect(messages.last()).toContainText('Nothing was charged');
  await expect(messages).toHaveCount(3);
  await expect(messages.last().getByRole('button', { name: /^Try with / })).toHaveCount(1);
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id }) => id)).toEqual([]);

  await page.getByRole('button', { name: /^Model/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Model' });
  await expect(dialog.getByText('Does not answer at the moment.')).toBeVisible();
  await expect(dialog.getByRole('radio', { name: 'Recommended' })).toBeChecked();
  await page.keyboard.press('Escape');

  await messages.last().getByRole('button', { name: 'Try with ChatGPT' }).click();
  await expect(messages.last()).toContainText('w0 w1 w2');
  await expect(messages).toHaveCount(3);
  await expect(messages.last()).toContainText('ChatGPT');
  const points = (await (await page.request.get('/api/points')).json()) as { current_points: number };
  expect(points.current_points).toBe(49);
  // Whom the next message goes to was not changed by that.
  await expect(page.getByRole('button', { name: /^Model/ })).toContainText('Recommended');
  expect(await page.evaluate(() => localStorage.getItem('selected_model'))).toBeNull();
  await context.close();
});

import { CIRCUIT_LIMITS } from '../../src/features/model/circuit-breaker.ts';
import { t } from '../support/texts.ts';
import { ApiClient, readEvents } from './api-client.ts';
import { chat, expect, test } from './journey.ts';
import { modelUrl, ownSite } from './own-site.ts';
import { violations } from './violations.ts';

/** A separate site with two models, so that breaking one does not affect other tests. */
const site = ownSite(() => ({
  MODEL_ROLEPLAY_BASE_URL: modelUrl(),
  MODEL_ROLEPLAY_LABEL: 'Roleplay',
  MODEL_CHATGPT_BASE_URL: modelUrl(),
}));

/** What a busy model's error says while it counts the seconds down. */
const BUSY = new RegExp([4, 3, 2, 1].map((count) => t('errors:model_busy_wait', { count })).join('|'));

test('a busy model shows how long to wait, and can be asked again afterwards @all', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: site.url });
  const { messages, say } = await chat(await context.newPage());
  await say('Is it full? [[scenario:status code=429 wait=4]]');
  await expect(messages.last()).toContainText(BUSY);
  const again = messages.last().getByRole('button', { name: t('chat:tryAgain') });
  await expect(again).toBeDisabled();
  await expect(messages.last()).toContainText(t('errors:model_busy'));
  await again.click();
  await expect(messages.last()).toContainText(BUSY);
  // The next test needs a model that is not busy.
  await expect(again).toBeEnabled();
  await context.close();
});

test('a reply of an unavailable model fails at once, and one click has another model write it', async ({
  browser,
}) => {
  const { url } = site;
  const context = await browser.newContext({ baseURL: url });
  const page = await context.newPage();
  const { messages, say } = await chat(page);
  const others = await ApiClient.guest(url);
  for (let failure = 0; failure < CIRCUIT_LIMITS.failures; failure += 1)
    await readEvents(await others.send(await others.begin(), `Hello [[scenario:status code=503]]`));

  await say('Is anybody there? [[scenario:tokens n=3 ms=1]]');
  await expect(messages.last()).toContainText(t('errors:model_paused'));
  await expect(messages.last()).toContainText(t('chat:savedTryModel'));
  await expect(messages.last()).toContainText(t('chat:noPointsUsed'));
  await expect(messages).toHaveCount(3);
  await expect(
    messages.last().getByRole('button', { name: new RegExp(t('chat:tryWith', { model: '.+' })) }),
  ).toHaveCount(1);
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: new RegExp(t('chat:modelCurrent', { label: '.+' })) }).click();
  const dialog = page.getByRole('dialog', { name: t('chat:modelTitle') });
  await expect(dialog.getByText(t('chat:modelNotePaused'))).toBeVisible();
  await expect(dialog.getByRole('radio', { name: t('chat:recommended') })).toBeChecked();
  await page.keyboard.press('Escape');

  await messages
    .last()
    .getByRole('button', { name: t('chat:tryWith', { model: 'ChatGPT' }) })
    .click();
  await expect(messages.last()).toContainText('w0 w1 w2');
  await expect(messages).toHaveCount(3);
  await expect(messages.last()).toContainText('ChatGPT');
  const points = (await (await page.request.get('/api/points')).json()) as { current_points: number };
  expect(points.current_points).toBe(49);
  // The model for the next message is unchanged.
  await expect(
    page.getByRole('button', { name: new RegExp(t('chat:modelCurrent', { label: '.+' })) }),
  ).toContainText(t('chat:recommended'));
  expect(await page.evaluate(() => localStorage.getItem('selected_model'))).toBeNull();
  await context.close();
});

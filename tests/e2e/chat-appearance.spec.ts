import type { Page } from '@playwright/test';
import { buildReplyScript } from '../support/reply-script.ts';
import { t } from '../support/texts.ts';
import { awake, chat, expect, test, watchShifts } from './journey.ts';
import { choose, rests } from './messages.page.ts';
import { violations } from './violations.ts';

/** What the stand-in for the browser's voices has spoken. */
interface Spoken {
  said: string[];
  /** For each sentence, whether the reply was still being written when it began. */
  written: boolean[];
  /** Ends the sentence that is being spoken. */
  end(): void;
}

/** Puts a stand-in in place of the browser's voices. Its sentences end when the test says so. */
async function standInForVoices(page: Page, voices: readonly string[]): Promise<void> {
  await page.addInitScript(
    ([stop, ...languages]) => {
      class Utterance extends EventTarget {
        lang = '';
        rate = 1;
        voice: { name: string } | null = null;
        constructor(readonly text: string) {
          super();
        }
      }
      const said: string[] = [];
      const written: boolean[] = [];
      let current: Utterance | null = null;
      const finish = (event: string) => {
        const ended = current;
        current = null;
        ended?.dispatchEvent(new Event(event));
      };
      const synthesis = Object.assign(new EventTarget(), {
        speaking: false,
        getVoices: () =>
          languages.map((lang) => ({
            voiceURI: `voice ${lang}`,
            name: `Voice ${lang}`,
            lang,
            default: false,
            localService: true,
          })),
        speak(utterance: Utterance) {
          if (utterance.text === '') return;
          written.push(document.querySelector(`[aria-label="${stop}"]`) !== null);
          said.push(`${utterance.voice?.name} ${utterance.rate}: ${utterance.text}`);
          current = utterance;
        },
        cancel() {
          said.push('(stopped)');
          finish('error');
        },
      });
      Object.defineProperty(window, 'speechSynthesis', { value: synthesis });
      Object.assign(window, {
        SpeechSynthesisUtterance: Utterance,
        spoken: { said, written, end: () => finish('end') },
      });
    },
    [t('chat:stop'), ...voices],
  );
}

/** The island's code: while it is held back, the page is its HTML alone. */
const CHAT_SCRIPT = /\/_astro\/Chat\.[^/]*\.js$/;

const readSpoken = (page: Page) => page.evaluate(() => (window as unknown as { spoken: Spoken }).spoken.said);
const endSentence = (page: Page) =>
  page.evaluate(() => (window as unknown as { spoken: Spoken }).spoken.end());

/** A message to which the scripted model replies with this text, slowly enough to be read while it is written. */
const ask = (text: string, ms = 250) => `Tell me. ${buildReplyScript(text, 8, ms)}`;

async function openAppearance(page: Page) {
  await page.getByRole('button', { name: t('chat:chatMenu') }).click();
  await page.getByRole('menuitem', { name: t('chat:appearanceTitle') }).click();
  return page.getByRole('dialog', { name: t('chat:appearanceTitle') });
}

test('the appearance changes at once, is there in the next page’s HTML, and is removed in the settings @all', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { messages } = await chat(page);
  const story = messages.first().locator('.story');
  const readSize = () => story.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  const before = await readSize();
  const portrait = messages.first().locator('.chat-portrait');
  await expect(portrait).toBeHidden();

  const dialog = await openAppearance(page);
  await expect(dialog.getByText(t('chat:readAloudLoading'))).toBeHidden();
  expect(await violations(page)).toEqual([]);
  const size = dialog.getByRole('group', { name: t('chat:appearance_size'), exact: true });
  await size.getByRole('radio', { name: t('chat:appearance_size_normal') }).press('ArrowRight');
  await expect(size.getByRole('radio', { name: t('chat:appearance_size_large'), exact: true })).toBeChecked();
  expect(await readSize()).toBeGreaterThan(1.15 * before);
  await dialog.getByRole('radio', { name: t('chat:appearance_layout_bubbles') }).check();
  await dialog.getByRole('radio', { name: t('chat:appearance_background_picture') }).check();
  await dialog.getByRole('switch', { name: t('chat:appearancePortraits') }).click();
  await expect(portrait).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: t('chat:chatMenu') })).toBeFocused();

  const readShifts = await watchShifts(page);
  await page.route(CHAT_SCRIPT, async (route) => {
    // The page is its HTML alone.
    await expect(portrait).toBeVisible();
    expect(await readSize()).toBeGreaterThan(1.15 * before);
    await expect(page.locator('.chat-backdrop')).toBeVisible();
    await expect(story).toHaveCSS('border-end-start-radius', '16px');
    await route.continue();
  });
  await page.reload();
  await awake(page);
  await expect(portrait).toBeVisible();
  expect(await readShifts()).toEqual([]);
  await page.unroute(CHAT_SCRIPT);

  await page.goto('/settings');
  await awake(page);
  const main = page.getByRole('main');
  await main.getByRole('button', { name: t('settings:chatSettingsRemove') }).click();
  await expect(main.getByText(t('settings:chatSettings'))).toBeHidden();
  await page.goBack();
  await awake(page);
  await expect(story).toBeVisible();
  expect(await readSize()).toBe(before);
});

test('replies are read aloud sentence by sentence while they are written, and the live region is silent', async ({
  page,
}) => {
  await standInForVoices(page, ['de-DE', 'en-GB']);
  const { messages, say } = await chat(page);
  const log = page.getByRole('log');
  await say(ask('Nobody reads this. It is only announced.', 0));
  await expect(log).toContainText('It is only announced.');
  await rests(page);
  expect(await readSpoken(page)).toEqual([]);

  const dialog = await openAppearance(page);
  const toggle = dialog.getByRole('switch', { name: t('chat:readAloudSwitch') });
  await expect(toggle).toHaveAttribute('aria-checked', 'false');
  await expect(toggle).toBeEnabled();
  await toggle.click();
  await dialog.getByRole('slider', { name: t('chat:readAloudRate') }).press('ArrowRight');
  await dialog.getByRole('button', { name: t('chat:done') }).click();
  await page.reload();
  await awake(page);

  await say(ask('*She opens the door.* “**Who** is there?” Nobody answers her. The wind does.'));
  const spoken = ['She opens the door.', '“Who is there?”', 'Nobody answers her.', 'The wind does.'].map(
    (sentence) => `Voice en-GB 1.25: ${sentence}`,
  );
  await expect.poll(() => readSpoken(page)).toEqual(spoken.slice(0, 1));
  expect(await page.evaluate(() => (window as unknown as { spoken: Spoken }).spoken.written)).toEqual([true]);
  for (const count of [2, 3, 4]) {
    await endSentence(page);
    await expect.poll(() => readSpoken(page)).toEqual(spoken.slice(0, count));
  }
  await rests(page);
  await expect(log).toBeEmpty();

  // A new message stops the voice.
  await say(ask('The second reply begins. And it goes on.', 0));
  await expect
    .poll(() => readSpoken(page))
    .toEqual([...spoken, '(stopped)', expect.stringContaining('The second')]);
  await rests(page);
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await readSpoken(page)).at(-1)).toBe('(stopped)');

  // The menu reads an earlier reply.
  await choose(page, messages.nth(2), t('chat:readAloud'));
  await expect.poll(async () => (await readSpoken(page)).at(-1)).toContain('Nobody reads this.');
  await choose(page, messages.nth(2), t('chat:readAloudStop'));
  await expect.poll(async () => (await readSpoken(page)).at(-1)).toBe('(stopped)');
});

test('without a voice reading aloud is disabled and says why; with one it is chosen by language @all', async ({
  page,
}) => {
  await standInForVoices(page, []);
  await page.clock.install();
  await chat(page);
  const dialog = await openAppearance(page);
  const toggle = dialog.getByRole('switch', { name: t('chat:readAloudSwitch') });
  await expect(toggle).toBeDisabled();
  await page.clock.runFor(3000);
  await expect(toggle).toHaveAccessibleDescription(t('chat:readAloudUnavailable'));
  await toggle.click({ force: true });
  await expect(toggle).toHaveAttribute('aria-checked', 'false');

  await standInForVoices(page, ['de-DE', 'en-GB', 'en-US']);
  await page.reload();
  await awake(page);
  await openAppearance(page);
  await toggle.click();
  const voice = dialog.getByRole('combobox', { name: t('chat:readAloudVoice', { language: 'English' }) });
  await expect(voice.locator('optgroup').first()).toHaveAttribute('label', 'English');
  await voice.selectOption('Voice en-US');
  await dialog.getByRole('button', { name: t('chat:readAloudTry') }).click();
  await expect.poll(async () => (await readSpoken(page)).at(-1)).toContain('Voice en-US 1: ');
  await dialog.getByRole('button', { name: t('chat:readAloudStop') }).click();
  await expect.poll(async () => (await readSpoken(page)).at(-1)).toBe('(stopped)');
  await dialog.getByRole('button', { name: t('chat:appearanceReset') }).click();
  await expect(toggle).toHaveAttribute('aria-checked', 'false');
  expect(await page.evaluate(() => localStorage.getItem('chat-settings'))).toBeNull();
  expect(await violations(page)).toEqual([]);
});

import type { Locator, Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { chat, expect } from './journey.ts';

// Page object of the messages of a chat.

/** The start of an item's name in the menu of an earlier reply. Its note sets it apart from regenerating with a note. */
export const REGENERATE_EARLIER = `${t('chat:regenerate')} ${t('chat:regenerateNoteLater')}`;

/** Opens a message's menu and clicks the item whose name begins so; a note may follow. */
export async function choose(page: Page, message: Locator, name: string): Promise<void> {
  await message.hover();
  await message.getByRole('button', { name: t('chat:moreActions') }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${name}`) }).click();
}

/** Edits a message and saves the new text. */
export async function edit(page: Page, message: Locator, text: string): Promise<void> {
  await choose(page, message, t('chat:edit'));
  await message.getByRole('textbox').fill(text);
  await message.getByRole('button', { name: t('chat:editSave'), exact: true }).click();
  await expect(message.getByRole('textbox')).toBeHidden();
}

/** Waits until no reply is being written. */
export const rests = (page: Page) => expect(page.getByRole('button', { name: t('chat:stop') })).toBeHidden();
export const toast = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text });

/** Creates a guest's conversation of two turns: greeting, message, «w0 w1», message, «w0 w1 w2». */
export async function twoTurns(page: Page) {
  const opened = await chat(page);
  await opened.say('First [[scenario:tokens n=2 ms=1]]');
  await expect(opened.messages.nth(2)).toContainText('w1');
  await rests(page);
  await opened.say('Second [[scenario:tokens n=3 ms=1]]');
  await expect(opened.messages.nth(4)).toContainText('w2');
  await rests(page);
  return opened;
}

import type { Locator, Page } from '@playwright/test';
import { chat, expect } from './journey.ts';

// Page object of the messages of a chat.

/** Opens a message's menu and clicks an item. */
export async function choose(page: Page, message: Locator, name: RegExp): Promise<void> {
  await message.hover();
  await message.getByRole('button', { name: 'More for this message' }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Edits a message and saves the new text. */
export async function edit(page: Page, message: Locator, text: string): Promise<void> {
  await choose(page, message, /^Edit/);
  await message.getByRole('textbox').fill(text);
  await message.getByRole('button', { name: 'Save' }).click();
  await expect(message.getByRole('textbox')).toBeHidden();
}

/** Waits until no reply is being written. */
export const rests = (page: Page) =>
  expect(page.getByRole('button', { name: 'Stop the reply' })).toBeHidden();
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

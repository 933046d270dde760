import type { Locator, Page } from '@playwright/test';
import { chat, expect } from './journey.ts';

// What a reader does with messages, and what there is to see of it.

/** Opens a message's menu and chooses from it. */
export async function choose(page: Page, message: Locator, name: RegExp): Promise<void> {
  await message.hover();
  await message.getByRole('button', { name: 'More for this message' }).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Writes a new text over a message. */
export async function edit(page: Page, message: Locator, text: string): Promise<void> {
  await choose(page, message, /^Edit/);
  await message.getByRole('textbox').fill(text);
  await message.getByRole('button', { name: 'Save' }).click();
  await expect(message.getByRole('textbox')).toBeHidden();
}

/** No reply is being written. */
export const rests = (page: Page) =>
  expect(page.getByRole('button', { name: 'Stop the reply' })).toBeHidden();
export const toast = (page: Page, text: string) => page.locator('.toast').filter({ hasText: text });

/** A guest's conversation of two turns: greeting, question, «w0 w1», question, «w0 w1 w2». */
export async function twoTurns(page: Page) {
  const world = await chat(page);
  await world.say('First [[scenario:tokens n=2 ms=1]]');
  await expect(world.messages.nth(2)).toContainText('w1');
  await rests(page);
  await world.say('Second [[scenario:tokens n=3 ms=1]]');
  await expect(world.messages.nth(4)).toContainText('w2');
  await rests(page);
  return world;
}

import type { Page } from '@playwright/test';
import { chat, expect } from './journey.ts';

// What tests do round a chat: its menu, and the drawer with the others.

/** A first line that is answered with «w0 w1». */
export const FIRST_LINE = 'Hello [[scenario:tokens n=2 ms=1]]';

/** Takes a line of the chat's menu. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Chat menu' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Who one is in this chat: the dialog that the menu opens. Before one has said something, it waits. */
export async function waitingPersona(page: Page) {
  const open = () => choose(page, 'Persona');
  const dialog = page.getByRole('dialog', { name: 'Persona' });
  await open();
  await expect(dialog).toContainText('Start the conversation before selecting a persona.');
  return { dialog, open };
}

/** The drawer, opened, and its rows. */
export async function openDrawer(page: Page) {
  await page.getByRole('button', { name: 'Conversations' }).click();
  const drawer = page.getByRole('dialog', { name: 'Conversations' });
  await expect(drawer).toBeVisible();
  return { drawer, chats: drawer.getByRole('list').getByRole('listitem') };
}

/** A guest who said something in a chat and began a second one with the same character. */
export async function twoChats(page: Page) {
  const first = await chat(page);
  await first.say(FIRST_LINE);
  await expect(first.messages.last()).toContainText('w1');
  await page.getByRole('button', { name: 'New conversation' }).click();
  await expect(first.messages).toHaveCount(1);
  await first.say('Another one [[scenario:tokens n=3 ms=1]]');
  await expect(first.messages.last()).toContainText('w2');
  return first;
}

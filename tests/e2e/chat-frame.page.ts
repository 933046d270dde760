import type { Page } from '@playwright/test';
import { t } from '../support/texts.ts';
import { chat, expect } from './journey.ts';

// Page object of the parts around a chat: its menu, and the drawer with the other conversations.

/** A first message to which the scripted model replies «w0 w1». */
export const FIRST_LINE = 'Hello [[scenario:tokens n=2 ms=1]]';

/** Clicks an item of the chat menu. */
export async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: t('chat:chatMenu') }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

/** Opens the persona dialog before the first message, when it only asks the user to start the conversation. */
export async function waitingPersona(page: Page) {
  const open = () => choose(page, t('chat:persona'));
  const dialog = page.getByRole('dialog', { name: t('chat:persona') });
  await open();
  await expect(dialog).toContainText('Start the conversation before selecting a persona.');
  return { dialog, open };
}

/** Opens the conversation drawer and returns it with its rows. */
export async function openDrawer(page: Page) {
  await page.getByRole('button', { name: t('chat:chatsTitle'), exact: true }).click();
  const drawer = page.getByRole('dialog', { name: t('chat:chatsTitle'), exact: true });
  await expect(drawer).toBeVisible();
  return { drawer, chats: drawer.getByRole('list').getByRole('listitem') };
}

/** Starts two conversations with the same character as a guest; the second one is open. */
export async function twoChats(page: Page) {
  const first = await chat(page);
  await first.say(FIRST_LINE);
  await expect(first.messages.last()).toContainText('w1');
  await page.getByRole('button', { name: t('chat:newChat') }).click();
  await expect(first.messages).toHaveCount(1);
  await first.say('Another one [[scenario:tokens n=3 ms=1]]');
  await expect(first.messages.last()).toContainText('w2');
  return first;
}

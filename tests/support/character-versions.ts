import { env } from 'cloudflare:workers';
import { eq, sql } from 'drizzle-orm';
import { characterExtras } from '../../src/db/schema/character.ts';
import { openDatabase } from '../../src/db/open.ts';
import { characters } from '../../src/db/schema/core.ts';
import type { Conversation } from '../../src/features/conversation/contract.ts';
import type { ConversationClient } from './conversation-client.ts';
import { createScene } from './scripted-model.ts';

// Versions of a character, and the conversation that takes them.

const db = openDatabase(env.DB);

export type CharacterRow = typeof characters.$inferSelect;
type Extras = Partial<Omit<typeof characterExtras.$inferInsert, 'characterId'>>;

/** Changes a character as its creator or moderation would. */
export async function updateCharacter(id: string, row: Partial<CharacterRow>): Promise<void> {
  await db.update(characters).set(row).where(eq(characters.id, id));
}

/** Saves the character’s next version. */
export const saveNextVersion = (id: string, row: Partial<CharacterRow>): Promise<void> =>
  updateCharacter(id, { ...row, version: sql`${characters.version} + 1` as unknown as number });

/** Saves the character’s greetings, lorebook and the like. */
export async function saveExtras(characterId: string, extras: Extras): Promise<void> {
  await db
    .insert(characterExtras)
    .values({ alternateGreetings: [], ...extras, characterId })
    .onConflictDoUpdate({ target: characterExtras.characterId, set: extras });
}

/** Sends a message and returns the request that the model got for it. */
export async function readRequestFor(chat: ConversationClient, content: string): Promise<string> {
  const scene = createScene('tokens n=1');
  await chat.send(`${content} ${scene.marker}`);
  const [request] = await scene.requests();
  return JSON.stringify(request?.body);
}

/** Takes a version of the character into the conversation. */
export const takeVersion = (chat: ConversationClient, version: number, status = 200) =>
  chat.ask<Conversation & { code?: string }>('/character-version', {
    method: 'PUT',
    json: { version },
    status,
  });

export const getConversation = async (chat: ConversationClient): Promise<Conversation> =>
  (await chat.page()).conversation;

import { and, eq } from 'drizzle-orm';
import { characterCopies } from '../../../db/schema/character.ts';
import type { Database } from '../../../db/open.ts';
import { type CharacterCopy, NO_COPY, parseCopy, serializeCopy } from './character-copy.ts';

/** A copy and where it is stored. */
export interface StoredCopy {
  characterId: string;
  hash: string;
  copy: CharacterCopy;
}

/** Reads the long texts that a conversation pins; none after its character was erased with its creator. */
export async function readCharacterCopy(
  db: Database,
  { characterId, hash }: Pick<StoredCopy, 'characterId' | 'hash'>,
): Promise<CharacterCopy> {
  const row = await db
    .select({ content: characterCopies.content })
    .from(characterCopies)
    .where(and(eq(characterCopies.characterId, characterId), eq(characterCopies.hash, hash)))
    .get();
  return row === undefined ? NO_COPY : parseCopy(row.content);
}

/** Statement that stores a copy; one that is there already stays. */
export const insertCopyStatement = (db: Database, { characterId, hash, copy }: StoredCopy) =>
  db
    .insert(characterCopies)
    .values({ characterId, hash, content: serializeCopy(copy) ?? '{}' })
    .onConflictDoNothing();

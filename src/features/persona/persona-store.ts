import { and, count, desc, eq, exists, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { characters, personas } from '../../db/schema/core.ts';
import { isId, createId } from '../../lib/ids.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { isOwnPicture } from '../picture/own-picture-statements.ts';
import type { Persona, PersonaChange, PersonaList } from './contract.ts';

/** A user, and the condition for the characters that they can open (`isVisibleTo` of character-store.ts). */
export interface PersonaOwner {
  ownerId: string;
  opens: SQL;
}

/** The part of a persona that the prompt uses. */
export interface PersonaText {
  id: string;
  name: string;
  description: string;
}

/** The columns of a persona. One whose character the owner can no longer open is like one without a character. */
function buildColumns(opens: SQL) {
  const characterColumn = (column: SQL) =>
    sql`(select ${column} from ${characters} where characters.id = personas.character_id and ${opens})`;
  return {
    id: personas.id,
    name: personas.name,
    description: personas.description,
    is_default: personas.isDefault,
    character_id: characterColumn(sql`characters.id`).mapWith((id: string) => id) as SQL<string | null>,
    character_name: characterColumn(sql`characters.name`).mapWith(sanitizeText) as SQL<string | null>,
    avatar_id: personas.avatarKey,
    avatar_url: sql<string | null>`'/media/' || ${personas.avatarKey}`,
  };
}
const textColumns = { id: personas.id, name: personas.name, description: personas.description };

/** Personas outside the trash; all that is not about the trash sees only these. */
const isListed = (ownerId: string) => and(eq(personas.ownerId, ownerId), isNull(personas.deletedAt));
const isOwnedBy = (ownerId: string, id: string) => and(isListed(ownerId), eq(personas.id, id));
const isTrashed = (ownerId: string) => and(eq(personas.ownerId, ownerId), isNotNull(personas.deletedAt));

/** Lists the owner's personas, newest first, with their total. An invalid cursor starts from the beginning. */
export async function listPersonas(
  db: Database,
  input: PersonaOwner & { cursor: string | undefined; limit: number },
): Promise<Omit<PersonaList, 'limit' | 'member_limit'>> {
  const { ownerId, opens, cursor, limit } = input;
  // Ids sort by creation time, so the cursor is the last id shown.
  const after = cursor !== undefined && isId(cursor) ? lt(personas.id, cursor) : undefined;
  const [rows, counted] = await db.batch([
    db
      .select(buildColumns(opens))
      .from(personas)
      .where(and(isListed(ownerId), after))
      .orderBy(desc(personas.id))
      .limit(limit + 1),
    db.select({ all: count() }).from(personas).where(isListed(ownerId)),
  ]);
  const items = rows.slice(0, limit);
  return {
    items,
    next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null,
    count: counted[0]?.all ?? 0,
  };
}

/** Returns the owner's persona, or null when the id does not exist or belongs to another user. */
export async function getPersona(db: Database, ownerId: string, id: string): Promise<PersonaText | null> {
  if (!isId(id)) return null;
  return (await db.select(textColumns).from(personas).where(isOwnedBy(ownerId, id)).get()) ?? null;
}

/** Finds the owner's persona by name; of several, the default one, or else the newest. */
export async function findPersonaByName(
  db: Database,
  ownerId: string,
  name: string,
): Promise<PersonaText | null> {
  const found = await db
    .select(textColumns)
    .from(personas)
    .where(and(isListed(ownerId), eq(personas.name, name)))
    .orderBy(desc(personas.isDefault), desc(personas.id))
    .get();
  return found ?? null;
}

/**
 * Returns the persona that a new conversation with a character starts with: the newest that belongs to the character,
 * otherwise the default one, or null.
 * @param characterId empty for a character that is not saved yet
 */
export async function getStartPersona(
  db: Database,
  ownerId: string,
  characterId: string,
): Promise<PersonaText | null> {
  const isOfCharacter = sql`${personas.characterId} is ${characterId}`;
  const found = await db
    .select(textColumns)
    .from(personas)
    .where(and(isListed(ownerId), or(isOfCharacter, eq(personas.isDefault, true))))
    .orderBy(desc(isOfCharacter), desc(personas.id))
    .limit(1)
    .get();
  return found ?? null;
}

/** The two updates that move the default to this persona; both change nothing when the owner has no such persona. */
function setDefaultStatements(
  db: Database,
  { ownerId, opens, id, now }: PersonaOwner & { id: string; now: number },
) {
  return [
    db
      .update(personas)
      .set({ isDefault: false, updatedAt: now })
      .where(
        and(
          eq(personas.ownerId, ownerId),
          eq(personas.isDefault, true),
          ne(personas.id, id),
          sql`exists (select 1 from ${personas} as mine where mine.id = ${id} and mine.owner_id = ${ownerId} and mine.deleted_at is null)`,
        ),
      ),
    db
      .update(personas)
      .set({ isDefault: true, updatedAt: now })
      .where(isOwnedBy(ownerId, id))
      .returning(buildColumns(opens)),
  ] as const;
}

/** Returns the owner's persona that was created with this import key, or null. */
export async function findImportedPersona(
  db: Database,
  { ownerId, opens }: PersonaOwner,
  importKey: string,
): Promise<Persona | null> {
  const found = await db
    .select(buildColumns(opens))
    .from(personas)
    .where(and(eq(personas.ownerId, ownerId), eq(personas.importKey, importKey)))
    .get();
  return found ?? null;
}

/** Whether the owner has fewer personas outside the trash than the limit. */
const isBelowLimit = (ownerId: string, limit: number) =>
  sql`(select count(*) from ${personas} as mine where mine.owner_id = ${ownerId} and mine.deleted_at is null) < ${limit}`;

/** Whether the owner can open a character. */
const isOpenCharacter = (db: Database, id: string, opens: SQL) =>
  exists(
    db
      .select({ id: characters.id })
      .from(characters)
      .where(and(eq(characters.id, id), opens)),
  );

/** Why a write was refused: the owner cannot open the character, or may not show the picture. */
export type PersonaRefusal = 'character_unknown' | 'avatar_unknown';

type References = Pick<PersonaChange, 'character_id' | 'avatar_id'>;

/** Conditions that the owner can open the character and may show the picture of a persona. */
function checkReferences(
  db: Database,
  { character_id: characterId, avatar_id: avatarKey }: References,
  { ownerId, opens }: PersonaOwner,
) {
  return {
    character: characterId == null ? sql`1` : isOpenCharacter(db, characterId, opens),
    avatar: avatarKey == null ? sql`1` : isOwnPicture(ownerId, avatarKey),
  };
}

/** Returns why the fields of a persona are refused, or null. */
async function findRefusal(
  db: Database,
  fields: References,
  owner: PersonaOwner,
): Promise<PersonaRefusal | null> {
  if (fields.character_id == null && fields.avatar_id == null) return null;
  const { character, avatar } = checkReferences(db, fields, owner);
  const known = await db.get<Record<'character' | 'avatar', number>>(
    sql`select ${character} as character, ${avatar} as avatar`,
  );
  if (!known.character) return 'character_unknown';
  return known.avatar ? null : 'avatar_unknown';
}

/**
 * Creates a persona. The insert itself counts existing rows, so concurrent requests cannot exceed the limit.
 * @param input.limit the owner's plan limit
 * @returns null when the limit is reached, or the owner has a persona with the same import key
 */
export async function createPersona(
  db: Database,
  input: PersonaOwner & {
    fields: Omit<PersonaChange, 'name' | 'description'> &
      Required<Pick<PersonaChange, 'name' | 'description'>> & { import_key?: string | undefined };
    limit: number;
    now: number;
  },
): Promise<Persona | PersonaRefusal | null> {
  const { ownerId, opens, fields, limit, now } = input;
  const { name, description, import_key: importKey = null, character_id: characterId = null } = fields;
  const avatarKey = fields.avatar_id ?? null;
  const { character, avatar } = checkReferences(db, fields, input);
  const id = createId(now);
  const insert = insertWhere(
    db,
    personas,
    { id, ownerId, name, description, avatarKey, characterId, importKey, createdAt: now, updatedAt: now },
    and(isBelowLimit(ownerId, limit), character, avatar) as SQL,
  )
    .onConflictDoNothing()
    .returning(buildColumns(opens));
  const [made] = fields.is_default
    ? (await db.batch([insert, ...setDefaultStatements(db, { ownerId, opens, id, now })]))[2]
    : await insert;
  return made ?? findRefusal(db, fields, input);
}

/**
 * Changes the given fields of a persona.
 * @returns the new state, or null when the id does not exist or belongs to another user
 */
export async function updatePersona(
  db: Database,
  input: PersonaOwner & { id: string; change: PersonaChange; now: number },
): Promise<Persona | PersonaRefusal | null> {
  const { ownerId, opens, id, now } = input;
  const refusal = await findRefusal(db, input.change, input);
  if (refusal !== null) return refusal;
  const { name, description, is_default: isDefault } = input.change;
  const { character_id: characterId, avatar_id: avatarKey } = input.change;
  // Checked again: the character or the picture may be gone since.
  const { character, avatar } = checkReferences(db, input.change, input);
  const update = db
    .update(personas)
    .set({
      updatedAt: now,
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(isDefault === false ? { isDefault: false } : {}),
      ...(characterId === undefined ? {} : { characterId }),
      ...(avatarKey === undefined ? {} : { avatarKey }),
    })
    .where(and(isOwnedBy(ownerId, id), character, avatar))
    .returning(buildColumns(opens));
  const [[updated], , made] =
    isDefault === true
      ? await db.batch([update, ...setDefaultStatements(db, { ownerId, opens, id, now })])
      : [await update, [], []];
  if (updated === undefined) return findRefusal(db, input.change, input);
  return made[0] ?? updated;
}

/** Makes a persona the default. @returns null when the id does not exist or belongs to another user */
export async function setDefaultPersona(
  db: Database,
  input: PersonaOwner & { id: string; now: number },
): Promise<Persona | null> {
  const [, made] = await db.batch([...setDefaultStatements(db, input)]);
  return made[0] ?? null;
}

/** Clears the default, so new conversations start without a persona. Idempotent. */
export async function clearDefaultPersona(db: Database, ownerId: string, now: number): Promise<void> {
  await db
    .update(personas)
    .set({ isDefault: false, updatedAt: now })
    .where(and(eq(personas.ownerId, ownerId), eq(personas.isDefault, true)));
}

/** Personas of one user in the trash; moving another one there erases the oldest. */
export const MAX_TRASHED_PERSONAS = 100;

/**
 * Moves a persona to the trash. It is no longer the default, and its import key can be used again.
 * @returns false when the id does not exist, is in the trash or belongs to another user
 */
export async function trashPersona(
  db: Database,
  { ownerId, id, now }: { ownerId: string; id: string; now: number },
): Promise<boolean> {
  const [trashed] = await db.batch([
    db
      .update(personas)
      .set({ deletedAt: now, isDefault: false, importKey: null, updatedAt: now })
      .where(isOwnedBy(ownerId, id))
      .returning({ id: personas.id }),
    db.delete(personas).where(
      sql`${personas.id} in (select old.id from ${personas} as old
        where old.owner_id = ${ownerId} and old.deleted_at is not null
        order by old.deleted_at desc, old.id desc limit -1 offset ${MAX_TRASHED_PERSONAS})`,
    ),
  ]);
  return trashed.length > 0;
}

/** Lists the owner's personas in the trash, newest deletion first; all of them fit into one answer. */
export async function listTrashedPersonas(
  db: Database,
  { ownerId, opens }: PersonaOwner,
): Promise<(Persona & { deletedAt: number })[]> {
  const rows = await db
    .select({ ...buildColumns(opens), deletedAt: personas.deletedAt })
    .from(personas)
    .where(isTrashed(ownerId))
    .orderBy(desc(personas.deletedAt), desc(personas.id))
    .limit(MAX_TRASHED_PERSONAS);
  return rows.map((row) => ({ ...row, deletedAt: row.deletedAt ?? 0 }));
}

/**
 * Restores a persona from the trash; one outside it stays as it is.
 * @param input.limit the owner's plan limit
 * @returns `full` when the limit is reached; null when the id does not exist or belongs to another user
 */
export async function restorePersona(
  db: Database,
  { ownerId, opens, id, limit, now }: PersonaOwner & { id: string; limit: number; now: number },
): Promise<Persona | 'full' | null> {
  const [, [restored], [trashed]] = await db.batch([
    db
      .update(personas)
      .set({ deletedAt: null, updatedAt: now })
      .where(and(isTrashed(ownerId), eq(personas.id, id), isBelowLimit(ownerId, limit))),
    db.select(buildColumns(opens)).from(personas).where(isOwnedBy(ownerId, id)),
    db
      .select({ id: personas.id })
      .from(personas)
      .where(and(isTrashed(ownerId), eq(personas.id, id))),
  ]);
  return restored ?? (trashed === undefined ? null : 'full');
}

/**
 * Erases a persona, also one in the trash.
 * @returns the key of its picture; null when the id does not exist or belongs to another user
 */
export async function deletePersona(
  db: Database,
  { ownerId, id }: { ownerId: string; id: string },
): Promise<{ avatarKey: string | null } | null> {
  const [deleted] = await db
    .delete(personas)
    .where(and(eq(personas.ownerId, ownerId), eq(personas.id, id)))
    .returning({ avatarKey: personas.avatarKey });
  return deleted ?? null;
}

/** Erases a user's personas in the trash. @returns how many */
export async function erasePersonaTrash(db: Database, ownerId: string): Promise<number> {
  const erased = await db.delete(personas).where(isTrashed(ownerId)).returning({ id: personas.id });
  return erased.length;
}

/** Erases personas that were moved to the trash before a time, up to a limit. */
export async function deleteExpiredPersonas(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<void> {
  const expired = db
    .select({ id: personas.id })
    .from(personas)
    .where(and(isNotNull(personas.deletedAt), lte(personas.deletedAt, before)))
    .limit(limit);
  await db.delete(personas).where(sql`${personas.id} in ${expired}`);
}

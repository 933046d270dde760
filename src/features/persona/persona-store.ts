import { and, count, desc, eq, isNotNull, isNull, lt, lte, ne, sql } from 'drizzle-orm';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { personas } from '../../db/schema/core.ts';
import { isId, createId } from '../../lib/ids.ts';
import type { Persona, PersonaChange, PersonaList } from './contract.ts';

/** The part of a persona that the prompt uses. */
export interface PersonaText {
  id: string;
  name: string;
  description: string;
}

const columns = {
  id: personas.id,
  name: personas.name,
  description: personas.description,
  is_default: personas.isDefault,
};
const textColumns = { id: personas.id, name: personas.name, description: personas.description };

/** Personas outside the trash; all that is not about the trash sees only these. */
const isListed = (ownerId: string) => and(eq(personas.ownerId, ownerId), isNull(personas.deletedAt));
const isOwnedBy = (ownerId: string, id: string) => and(isListed(ownerId), eq(personas.id, id));
const isTrashed = (ownerId: string) => and(eq(personas.ownerId, ownerId), isNotNull(personas.deletedAt));

/** Lists the owner's personas, newest first, with their total. An invalid cursor starts from the beginning. */
export async function listPersonas(
  db: Database,
  input: { ownerId: string; cursor: string | undefined; limit: number },
): Promise<Omit<PersonaList, 'limit' | 'member_limit'>> {
  const { ownerId, cursor, limit } = input;
  // Ids sort by creation time, so the cursor is the last id shown.
  const after = cursor !== undefined && isId(cursor) ? lt(personas.id, cursor) : undefined;
  const [rows, counted] = await db.batch([
    db
      .select(columns)
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

/** The persona that new conversations start with, or null. */
export async function getDefaultPersona(db: Database, ownerId: string): Promise<PersonaText | null> {
  const found = await db
    .select(textColumns)
    .from(personas)
    .where(and(eq(personas.ownerId, ownerId), eq(personas.isDefault, true)))
    .get();
  return found ?? null;
}

/** The two updates that move the default to this persona; both change nothing when the owner has no such persona. */
function setDefaultStatements(db: Database, ownerId: string, id: string, now: number) {
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
      .returning(columns),
  ] as const;
}

/** Returns the owner's persona that was created with this import key, or null. */
export async function findImportedPersona(
  db: Database,
  ownerId: string,
  importKey: string,
): Promise<Persona | null> {
  const found = await db
    .select(columns)
    .from(personas)
    .where(and(eq(personas.ownerId, ownerId), eq(personas.importKey, importKey)))
    .get();
  return found ?? null;
}

/** Whether the owner has fewer personas outside the trash than the limit. */
const isBelowLimit = (ownerId: string, limit: number) =>
  sql`(select count(*) from ${personas} as mine where mine.owner_id = ${ownerId} and mine.deleted_at is null) < ${limit}`;

/**
 * Creates a persona. The insert itself counts existing rows, so concurrent requests cannot exceed the limit.
 * @param limit the owner's plan limit
 * @returns null when the limit is reached, or the owner has a persona with the same import key
 */
export async function createPersona(
  db: Database,
  input: {
    ownerId: string;
    fields: { name: string; description: string; is_default: boolean; import_key?: string | undefined };
    limit: number;
    now: number;
  },
): Promise<Persona | null> {
  const { ownerId, fields, limit, now } = input;
  const { name, description, import_key: importKey = null } = fields;
  const id = createId(now);
  const insert = insertWhere(
    db,
    personas,
    { id, ownerId, name, description, importKey, createdAt: now, updatedAt: now },
    isBelowLimit(ownerId, limit),
  )
    .onConflictDoNothing()
    .returning(columns);
  if (!fields.is_default) return (await insert)[0] ?? null;
  const [, , made] = await db.batch([insert, ...setDefaultStatements(db, ownerId, id, now)]);
  return made[0] ?? null;
}

/**
 * Changes the given fields of a persona.
 * @returns the new state, or null when the id does not exist or belongs to another user
 */
export async function updatePersona(
  db: Database,
  input: { ownerId: string; id: string; change: PersonaChange; now: number },
): Promise<Persona | null> {
  const { ownerId, id, now } = input;
  const { name, description, is_default: isDefault } = input.change;
  const update = db
    .update(personas)
    .set({
      updatedAt: now,
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(isDefault === false ? { isDefault: false } : {}),
    })
    .where(isOwnedBy(ownerId, id))
    .returning(columns);
  if (isDefault !== true) return (await update)[0] ?? null;
  const [, , changed] = await db.batch([update, ...setDefaultStatements(db, ownerId, id, now)]);
  return changed[0] ?? null;
}

/** Makes a persona the default. @returns null when the id does not exist or belongs to another user */
export async function setDefaultPersona(
  db: Database,
  input: { ownerId: string; id: string; now: number },
): Promise<Persona | null> {
  const [, made] = await db.batch([...setDefaultStatements(db, input.ownerId, input.id, input.now)]);
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
  ownerId: string,
): Promise<(Persona & { deletedAt: number })[]> {
  const rows = await db
    .select({ ...columns, deletedAt: personas.deletedAt })
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
  { ownerId, id, limit, now }: { ownerId: string; id: string; limit: number; now: number },
): Promise<Persona | 'full' | null> {
  const [, [restored], [trashed]] = await db.batch([
    db
      .update(personas)
      .set({ deletedAt: null, updatedAt: now })
      .where(and(isTrashed(ownerId), eq(personas.id, id), isBelowLimit(ownerId, limit))),
    db.select(columns).from(personas).where(isOwnedBy(ownerId, id)),
    db
      .select({ id: personas.id })
      .from(personas)
      .where(and(isTrashed(ownerId), eq(personas.id, id))),
  ]);
  return restored ?? (trashed === undefined ? null : 'full');
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

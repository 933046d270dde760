import { and, eq, isNull } from 'drizzle-orm';
import type { Database } from '../../../db/open.ts';
import { personas } from '../../../db/schema/core.ts';
import type { PersonaSnapshot } from '../conversation-store.ts';

/** Returns a persona in its current state; null when it is in the trash, was deleted or belongs to another user. */
export async function findPersona(
  db: Database,
  ownerId: string,
  id: string,
): Promise<PersonaSnapshot | null> {
  const row = await db
    .select({ id: personas.id, name: personas.name, description: personas.description })
    .from(personas)
    .where(and(eq(personas.id, id), eq(personas.ownerId, ownerId), isNull(personas.deletedAt)))
    .get();
  return row ?? null;
}

import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { insertModerationAction } from '../../src/features/moderation/moderation-action-apply-store.ts';
import { showCharacter } from '../../src/features/moderation/moderation-action-revoke-store.ts';
import { createId } from '../../src/lib/ids.ts';
import { addCharacter, createAccount, Visitor } from './factories.ts';
import { ConfiguredVisitor } from './configured-visitor.ts';

/** Creates a staff user. */
export async function createStaffUser(): Promise<Visitor> {
  const me = await createAccount();
  return new ConfiguredVisitor({ ADMIN_EMAILS: me.email }, me);
}

/** Reports a character and returns the report's id. */
export async function reportCharacter(
  reporter: Visitor,
  characterId: string,
  json: object = { reason: 'spam', details: 'Look at this.' },
): Promise<string> {
  const answer = await reporter.ask<{ id: string }>(`/api/characters/${characterId}/reports`, {
    json,
    status: 201,
  });
  return answer.id;
}

/** Creates a creator with a public character. */
export async function createCreator(
  fields: Parameters<typeof addCharacter>[0] = {},
): Promise<{ maker: Visitor; id: string }> {
  const me = await createAccount();
  return { maker: me, id: await addCharacter({ ...fields, creatorId: me.id }) };
}

/** Applies a moderation action as staff. */
export const applyModerationAction = (operator: Visitor, json: object, status = 201) =>
  operator.ask<{ id: string }>('/api/admin/measures', {
    json: { reason: 'Against the rules.', ...json },
    status,
  });

/** Moderates a character as the staff route does, without purging the caches. */
export async function setModeration(id: string, moderation: 'shown' | 'hidden' | 'removed'): Promise<void> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  if (moderation === 'shown') return void (await showCharacter(db, { id, adminId: createId(now), now }));
  const measure = { subjectId: id, reason: '', reportId: null, adminId: createId(now), staffEmails: [], now };
  expect((await insertModerationAction(db, { ...measure, kind: `character_${moderation}` })).ok).toBe(true);
}

import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { showCharacter, takeMeasure } from '../../src/features/moderation/moderation-action-apply-store.ts';
import { newId } from '../../src/lib/ids.ts';
import { character, signedIn, Visitor } from './makers.ts';
import { ElsewhereVisitor } from './elsewhere.ts';

/** Somebody of the operator's. */
export async function staff(): Promise<Visitor> {
  const me = await signedIn();
  return new ElsewhereVisitor({ ADMIN_EMAILS: me.email }, me);
}

/** Reports a character, and gives the report's id. */
export async function reported(
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

/** A maker with a public character. */
export async function maker(
  fields: Parameters<typeof character>[0] = {},
): Promise<{ maker: Visitor; id: string }> {
  const me = await signedIn();
  return { maker: me, id: await character({ ...fields, creatorId: me.id }) };
}

/** Has staff take a measure. */
export const measured = (operator: Visitor, json: object, status = 201) =>
  operator.ask<{ id: string }>('/api/admin/measures', {
    json: { reason: 'Against the rules.', ...json },
    status,
  });

/** What an admin's call does to a character, without telling caches of it at once. */
export async function moderate(id: string, moderation: 'shown' | 'hidden' | 'removed'): Promise<void> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  if (moderation === 'shown') return void (await showCharacter(db, { id, adminId: newId(now), now }));
  const measure = { subjectId: id, reason: '', reportId: null, adminId: newId(now), staffEmails: [], now };
  expect((await takeMeasure(db, { ...measure, kind: `character_${moderation}` })).ok).toBe(true);
}

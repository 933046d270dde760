import type { Context } from 'hono';
import { CREATION } from '../features/character/limits.ts';
import type { Database } from '../db/open.ts';
import type { SessionUser } from '../features/account/contract.ts';
import { extrasOfBrought } from '../features/cards/card-gateway.ts';
import type { ExtrasOnWire, NewCharacter, OwnCharacter } from '../features/character/contract.ts';
import {
  beginCreation,
  closeCreation,
  type Creation,
  finishCreation,
  forgetCreation,
  forgetOldCreations,
  lostCreations,
  makeCharacter,
  missingFor,
} from '../features/character/creation-store.ts';
import { lookForExplicit } from '../features/competition/explicit-store.ts';
import { extrasOnWire, NO_CARD_EXTRAS } from '../features/character/definition.ts';
import { ownCharacter } from '../features/character/own-character-store.ts';
import { computeHash } from '../lib/hash.ts';
import { NO_PICTURE_YET } from '../features/picture/contract.ts';
import { newId } from '../lib/ids.ts';
import { log } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import type { ApiEnv } from '../api/middleware/context.ts';
import { languageOf } from '../api/middleware/language.ts';
import { refuseBook } from './lorebooks.ts';
import { refuseNewCharacter } from './moderate-input.ts';
import { tooFewPoints, walletOf } from '../api/routes/billing/points.ts';
import { Problem } from '../api/middleware/problems.ts';

/**
 * Makes a character and has it paid for: both once, or neither, however often it is asked for with the same key.
 * @param body found good; the picture and the card that it names are looked for here
 * @param givenKey the client's; without one, each request is one of its own
 * @throws Problem `invalid_input`, `lorebook_too_large`, `text_refused`, `moderation_unavailable`,
 *   `idempotency_key_reused`, `points_exhausted`,
 *   `too_many_requests`
 */
export async function createCharacter(
  c: Context<ApiEnv>,
  user: SessionUser,
  { body, givenKey }: { body: NewCharacter; givenKey: string | undefined },
): Promise<OwnCharacter> {
  const db = c.get('db');
  const { import_id: importId } = body;
  await refuseBook(body.lorebook, async () => {
    if (importId === undefined) return null;
    return (await extrasOfBrought(db, c.env, { importId, ownerId: user.id }))?.lorebook;
  });
  // Before anything is set down or paid: a character that is refused costs nothing.
  await refuseNewCharacter(c, body, await leftToCard(c, user.id, body));
  // No client's key has such a sign in it.
  const key = givenKey ?? `:${newId(Date.now())}`;
  const creation = await begin(c, { ownerId: user.id, key, body });
  if (!creation.done) {
    try {
      await payAndMake(c, creation, body);
    } catch (error) {
      // Whatever it failed at. What is shared with a repeated request waits for it, or for cron; but a card is let go of
      // by a request that was refused, so that the next one may have it.
      const refused = error instanceof Problem && creation.importId !== null;
      if (refused) await giveUp(c.env, db, creation).catch(tell);
      else if (givenKey === undefined) c.executionCtx.waitUntil(giveUp(c.env, db, creation).catch(tell));
      throw error;
    }
    await lookForExplicit(db, [creation.characterId], Date.now());
  }
  const made = await ownCharacter(db, { id: creation.characterId, ownerId: user.id, now: Date.now() });
  if (made === null) throw new Problem('not_found');
  return made;
}

/** What the character has of its card, where the form leaves something to that. */
async function leftToCard(
  c: Context<ApiEnv>,
  ownerId: string,
  { import_id: importId, nickname, creator_notes: notes, lorebook }: NewCharacter,
): Promise<ExtrasOnWire | null> {
  if (importId === undefined) return null;
  if (nickname !== undefined && notes !== undefined && lorebook !== undefined) return null;
  const extras = await extrasOfBrought(c.get('db'), c.env, { importId, ownerId });
  return extras === null ? null : extrasOnWire(extras);
}

/** Sets the request down, or finds what was set down before it. */
async function begin(
  c: Context<ApiEnv>,
  { ownerId, key, body }: { ownerId: string; key: string; body: NewCharacter },
): Promise<Creation> {
  const db = c.get('db');
  const needs = { ownerId, avatarKey: body.avatar_id, importId: body.import_id };
  // The same request has the same hash: its fields are in the contract's order by now, however they came.
  const bodyHash = await computeHash(JSON.stringify(body));
  const setDown = () => beginCreation(db, { ...needs, key, bodyHash, now: Date.now() });
  let creation = await setDown();
  if (creation?.closed === true) {
    await giveUp(c.env, db, creation);
    creation = await setDown();
  }
  if (creation === null) throw await missing(db, needs);
  if (creation.bodyHash !== bodyHash) throw new Problem('idempotency_key_reused');
  return creation;
}

/** Why a character cannot be made. @param otherwise what it is where all of it is noted */
async function missing(
  db: Database,
  needs: Parameters<typeof missingFor>[1],
  otherwise: 'avatar_id' | 'import_id' = 'avatar_id',
): Promise<Problem> {
  const what = (await missingFor(db, needs)) ?? otherwise;
  if (what === 'account') return new Problem('account_suspended');
  if (what === 'room') return new Problem('too_many_requests', {}, CREATION.givesUpMs / 1000);
  const sentence =
    what === 'avatar_id' ? NO_PICTURE_YET : 'This card was not brought by you, or is used already';
  return new Problem('invalid_input', { fields: { [what]: [sentence] } });
}

async function payAndMake(c: Context<ApiEnv>, creation: Creation, fields: NewCharacter): Promise<void> {
  const db = c.get('db');
  const { import_id: importId } = fields;
  const needs = { ownerId: creation.ownerId, avatarKey: fields.avatar_id, importId };
  // Read before anything is paid: what cannot be read now costs nothing, and is not lost.
  const ofCard =
    importId === undefined
      ? NO_CARD_EXTRAS
      : await extrasOfBrought(db, c.env, { importId, ownerId: creation.ownerId });
  if (ofCard === null) throw await missing(db, needs, 'import_id');
  const paid = await walletOf(c, creation.ownerId).payForCharacter(creation.characterId);
  if (!paid.ok) {
    const { points } = paid;
    if (paid.code === 'points_exhausted')
      throw new Problem('points_exhausted', {
        error: tooFewPoints(points.character_cost),
        points_required: points.character_cost,
        refills_at: points.refills_at,
        points,
      });
    // Given up while it was repeated: the next one begins anew.
    throw new Problem('too_many_requests', {}, 1);
  }
  const now = Date.now();
  if (!(await makeCharacter(db, creation, { fields, ofCard, language: languageOf(c), now }))) {
    // The picture or the card went in that moment, or the request was given up.
    await giveUp(c.env, db, creation);
    throw await missing(db, needs);
  }
  await finishCreation(db, creation);
}

/** Gives back what was paid for a character that does not come, and forgets the request. Harmless to repeat. */
async function giveUp(env: Pick<Env, 'WALLETS'>, db: Database, creation: Creation): Promise<void> {
  const { ownerId, characterId } = creation;
  if (!(await closeCreation(db, creation))) return;
  await env.WALLETS.get(env.WALLETS.idFromName(ownerId)).refundCharacter(characterId);
  await forgetCreation(db, creation);
}

function tell(error: unknown): void {
  log('creation_waits', { message: describeError(error) });
}

/** Housekeeping: requests that nobody came back for end, with or without their character. */
export async function settleCreations(env: Pick<Env, 'WALLETS'>, db: Database, now: number): Promise<void> {
  for (const creation of await lostCreations(db, now)) {
    try {
      await finishCreation(db, creation);
      await giveUp(env, db, creation);
    } catch (error) {
      tell(error);
    }
  }
  await forgetOldCreations(db, now);
}

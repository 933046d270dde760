import type { Language } from '../config/languages.ts';
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
import { refuse, type Refused, type Result, type ServiceContext, succeed } from './context.ts';
import { refuseBook } from './lorebooks.ts';
import { refuseNewCharacter, type TextRefusal } from './moderate-input.ts';

/** SPEC section 8: the sentence for a user who has fewer points. */
export const tooFewPoints = (required: number): string =>
  `You need at least ${required} points to create a character...`;

type MissingCode = 'account_suspended' | 'too_many_requests' | 'invalid_input';
type CreationRefusal =
  | MissingCode
  | TextRefusal['code']
  | 'lorebook_too_large'
  | 'idempotency_key_reused'
  | 'points_exhausted'
  | 'not_found';

/** A new character as it was sent, the client's idempotency key, and the language of its creator. */
interface CreationRequest {
  body: NewCharacter;
  givenKey: string | undefined;
  language: Language;
}

/**
 * Creates a character and charges for it: both once or neither, however often the same key is sent. A request without a
 * key is one of its own.
 */
export async function createCharacter(
  context: ServiceContext,
  user: SessionUser,
  { body, givenKey, language }: CreationRequest,
): Promise<Result<OwnCharacter, CreationRefusal>> {
  const { db, env, execution } = context;
  const { import_id: importId } = body;
  const badBook = await refuseBook(body.lorebook, async () => {
    if (importId === undefined) return null;
    return (await extrasOfBrought(db, env, { importId, ownerId: user.id }))?.lorebook;
  });
  if (badBook !== null) return badBook;
  // Before anything is stored or charged: a character that is refused costs nothing.
  const badText = await refuseNewCharacter(context, user.id, body, await leftToCard(context, user.id, body));
  if (badText !== null) return badText;
  // No client's key contains a colon.
  const key = givenKey ?? `:${newId(Date.now())}`;
  const started = await begin(context, { ownerId: user.id, key, body });
  if (!started.ok) return started;
  const creation = started.value;
  if (!creation.done) {
    // A repeated request or the cron job finishes what failed here. Without a key no request repeats it.
    const giveUpSoon = (): void => {
      if (givenKey === undefined) execution.waitUntil(giveUp(env, db, creation).catch(tell));
    };
    let refused: Refused<CreationRefusal> | null;
    try {
      refused = await payAndMake(context, creation, { fields: body, language });
    } catch (error) {
      giveUpSoon();
      throw error;
    }
    if (refused !== null) {
      // A refused request releases its card at once, so that the next request can use it.
      if (creation.importId === null) giveUpSoon();
      else await giveUp(env, db, creation).catch(tell);
      return refused;
    }
    await lookForExplicit(db, [creation.characterId], Date.now());
  }
  const made = await ownCharacter(db, { id: creation.characterId, ownerId: user.id, now: Date.now() });
  return made === null ? refuse('not_found') : succeed(made);
}

/** What the character has of its card, where the form leaves something to that. */
async function leftToCard(
  { db, env }: ServiceContext,
  ownerId: string,
  { import_id: importId, nickname, creator_notes: notes, lorebook }: NewCharacter,
): Promise<ExtrasOnWire | null> {
  if (importId === undefined) return null;
  if (nickname !== undefined && notes !== undefined && lorebook !== undefined) return null;
  const extras = await extrasOfBrought(db, env, { importId, ownerId });
  return extras === null ? null : extrasOnWire(extras);
}

/** Sets the request down, or finds what was set down before it. */
async function begin(
  { db, env }: ServiceContext,
  { ownerId, key, body }: { ownerId: string; key: string; body: NewCharacter },
): Promise<Result<Creation, MissingCode | 'idempotency_key_reused'>> {
  const needs = { ownerId, avatarKey: body.avatar_id, importId: body.import_id };
  // The same request has the same hash: its fields are in the contract's order by now, however they came.
  const bodyHash = await computeHash(JSON.stringify(body));
  const setDown = () => beginCreation(db, { ...needs, key, bodyHash, now: Date.now() });
  let creation = await setDown();
  if (creation?.closed === true) {
    await giveUp(env, db, creation);
    creation = await setDown();
  }
  if (creation === null) return missing(db, needs);
  return creation.bodyHash === bodyHash ? succeed(creation) : refuse('idempotency_key_reused');
}

/** Why a character cannot be made. @param otherwise what it is where all of it is noted */
async function missing(
  db: Database,
  needs: Parameters<typeof missingFor>[1],
  otherwise: 'avatar_id' | 'import_id' = 'avatar_id',
): Promise<Refused<MissingCode>> {
  const what = (await missingFor(db, needs)) ?? otherwise;
  if (what === 'account') return refuse('account_suspended');
  if (what === 'room') return refuse('too_many_requests', {}, CREATION.givesUpMs / 1000);
  const sentence =
    what === 'avatar_id' ? NO_PICTURE_YET : 'This card was not brought by you, or is used already';
  return refuse('invalid_input', { fields: { [what]: [sentence] } });
}

async function payAndMake(
  { db, env }: ServiceContext,
  creation: Creation,
  { fields, language }: { fields: NewCharacter; language: Language },
): Promise<Refused<MissingCode | 'points_exhausted'> | null> {
  const { import_id: importId } = fields;
  const needs = { ownerId: creation.ownerId, avatarKey: fields.avatar_id, importId };
  // Read before the charge: a card that cannot be read now costs nothing and is not lost.
  const ofCard =
    importId === undefined
      ? NO_CARD_EXTRAS
      : await extrasOfBrought(db, env, { importId, ownerId: creation.ownerId });
  if (ofCard === null) return missing(db, needs, 'import_id');
  const wallet = env.WALLETS.get(env.WALLETS.idFromName(creation.ownerId));
  const paid = await wallet.payForCharacter(creation.characterId);
  if (!paid.ok) {
    const { points } = paid;
    if (paid.code === 'points_exhausted')
      return refuse('points_exhausted', {
        error: tooFewPoints(points.character_cost),
        points_required: points.character_cost,
        refills_at: points.refills_at,
        points,
      });
    // The creation was given up while this request repeated it: the next request starts a new one.
    return refuse('too_many_requests', {}, 1);
  }
  const now = Date.now();
  if (!(await makeCharacter(db, creation, { fields, ofCard, language, now }))) {
    // The picture or the card was removed in that moment, or the request was given up.
    await giveUp(env, db, creation);
    return missing(db, needs);
  }
  await finishCreation(db, creation);
  return null;
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

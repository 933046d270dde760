import type { Language } from '../config/languages.ts';
import { CREATION } from '../features/character/limits.ts';
import type { Database } from '../db/open.ts';
import type { SessionUser } from '../features/account/contract.ts';
import { getImportedExtras } from '../features/cards/card-gateway.ts';
import type { ExtrasView, NewCharacter, OwnCharacter } from '../features/character/contract.ts';
import { type Definition, parseDefinition, toDefinition } from '../features/character/definition-parts.ts';
import {
  startCreation,
  closeCreation,
  type CharacterCreation,
  finishCreation,
  deleteCreation,
  removeOldCreations,
  listAbandonedCreations,
  insertCharacter,
  isFreeWhilePrivate,
  findMissingRequirement,
} from '../features/character/creation-store.ts';
import { checkExplicitTexts } from '../features/competition/explicit-store.ts';
import { toExtrasView, NO_CARD_EXTRAS } from '../features/character/definition.ts';
import { findImportedCharacter, getOwnCharacter } from '../features/character/own-character-store.ts';
import { hasVisibleText } from '../lib/sanitize-text.ts';
import { detectLanguage } from '../locales/detect-language.ts';
import { computeHash } from '../lib/hash.ts';
import { MISSING_PICTURE_MESSAGE } from '../features/picture/contract.ts';
import { createId } from '../lib/ids.ts';
import { log } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import { refuse, type Refused, type Result, type ServiceContext, succeed } from './context.ts';
import { applyFreeTagRules } from './free-tags.ts';
import { checkLorebook } from './lorebooks.ts';
import { checkNewCharacter, type TextRefusal } from './moderate-input.ts';

/** The sentence for a user with too few points, as docs/product.md specifies it. */
export const formatTooFewPoints = (required: number): string =>
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

/** A character, and whether an earlier request with the same import key has created it. */
interface CreatedCharacter {
  character: OwnCharacter;
  isExisting: boolean;
}

/**
 * Creates a character and charges for it, exactly once per idempotency key: both happen or neither. Without a key every
 * request is a new one. An import key that a character of the user already has creates and charges nothing.
 */
export async function createCharacter(
  context: ServiceContext,
  user: SessionUser,
  request: CreationRequest,
): Promise<Result<CreatedCharacter, CreationRefusal>> {
  const { import_key: importKey } = request.body;
  const findExisting = async (): Promise<Result<CreatedCharacter, never> | null> => {
    if (importKey === undefined) return null;
    const input = { ownerId: user.id, importKey, now: Date.now() };
    const character = await findImportedCharacter(context.db, input);
    return character === null ? null : succeed({ character, isExisting: true });
  };
  const existing = await findExisting();
  if (existing !== null) return existing;
  const made = await createNewCharacter(context, user, request);
  if (made.ok) return succeed({ character: made.value, isExisting: false });
  // A request with the same key may have been faster.
  return (await findExisting()) ?? made;
}

async function createNewCharacter(
  context: ServiceContext,
  user: SessionUser,
  { body, givenKey, language }: CreationRequest,
): Promise<Result<OwnCharacter, CreationRefusal>> {
  const { db, env, execution } = context;
  const { import_id: importId, import_key: importKey } = body;
  const badBook = await checkLorebook(body.lorebook, async () => {
    if (importId === undefined) return null;
    return (await getImportedExtras(db, env, { importId, ownerId: user.id }))?.lorebook;
  });
  if (badBook !== null) return badBook;
  // Before anything is stored or charged: a character that is refused costs nothing.
  const ofCard = await readCardExtras(context, user.id, body);
  const badText = await checkNewCharacter(context, user.id, body, ofCard);
  if (badText !== null) return badText;
  const tags = await applyFreeTagRules(env, body.free_tags);
  if (!tags.ok) return tags;
  // No client's key contains a colon.
  const key = givenKey ?? (importKey === undefined ? `:${createId(Date.now())}` : `:import:${importKey}`);
  const isRepeatable = givenKey !== undefined || importKey !== undefined;
  // An import that was interrupted may be repeated with another upload of its card.
  const isReplaceable = givenKey === undefined && importKey !== undefined;
  const started = await insertCreation(context, { ownerId: user.id, key, body, isReplaceable });
  if (!started.ok) return started;
  const creation = started.value;
  if (!creation.done) {
    // A repeated request or the cron job finishes what failed here. Without a key no request repeats it.
    const giveUpSoon = (): void => {
      if (!isRepeatable) execution.waitUntil(abortCreation(env, db, creation).catch(logCreationError));
    };
    let refused: Refused<CreationRefusal> | null;
    try {
      const detected = detectCharacterLanguage(body, ofCard?.definition, language);
      refused = await chargeAndCreate(context, creation, {
        fields: { ...body, free_tags: tags.value },
        language: detected,
      });
    } catch (error) {
      giveUpSoon();
      throw error;
    }
    if (refused !== null) {
      // A refused request releases its card at once, so that the next request can use it.
      if (creation.importId === null) giveUpSoon();
      else await abortCreation(env, db, creation).catch(logCreationError);
      return refused;
    }
    await checkExplicitTexts(db, [creation.characterId], Date.now());
  }
  const made = await getOwnCharacter(db, { id: creation.characterId, ownerId: user.id, now: Date.now() });
  return made === null ? refuse('not_found') : succeed(made);
}

/** Detects the language of a new character's texts. @param language of the interface, for unclear texts */
function detectCharacterLanguage(
  { character_traits: traits, first_message: greeting, definition }: NewCharacter,
  ofCard: Definition | undefined,
  language: Language,
): Language {
  const description = definition?.description?.text ?? ofCard?.description.text ?? '';
  const text = [greeting, description, traits].find(hasVisibleText) ?? '';
  return detectLanguage(text, language);
}

/** Reads the data of the imported card that the request may leave to it. */
async function readCardExtras(
  { db, env }: ServiceContext,
  ownerId: string,
  { import_id: importId }: NewCharacter,
): Promise<(ExtrasView & { definition: Definition }) | null> {
  if (importId === undefined) return null;
  const extras = await getImportedExtras(db, env, { importId, ownerId });
  if (extras === null) return null;
  return { ...toExtrasView(extras), definition: toDefinition(parseDefinition(extras.definition)) };
}

/**
 * Stores the creation request, or finds the one with the same key.
 * @param input.isReplaceable whether an unfinished request with another body is aborted
 */
async function insertCreation(
  { db, env }: ServiceContext,
  {
    ownerId,
    key,
    body,
    isReplaceable,
  }: { ownerId: string; key: string; body: NewCharacter; isReplaceable: boolean },
): Promise<Result<CharacterCreation, MissingCode | 'idempotency_key_reused'>> {
  const needs = { ownerId, avatarKey: body.avatar_id, importId: body.import_id };
  // Validation has put the fields into the schema's order, so equal requests have equal hashes.
  const bodyHash = await computeHash(JSON.stringify(body));
  const tryInsert = () => startCreation(db, { ...needs, key, bodyHash, now: Date.now() });
  let creation = await tryInsert();
  if (
    creation?.closed === true ||
    (isReplaceable && creation?.done === false && creation.bodyHash !== bodyHash)
  ) {
    await abortCreation(env, db, creation);
    creation = await tryInsert();
  }
  if (creation === null) return createMissingRefusal(db, needs);
  return creation.bodyHash === bodyHash ? succeed(creation) : refuse('idempotency_key_reused');
}

/**
 * Explains why a character cannot be created.
 * @param fallback the field to blame when nothing is missing; null when a retry can succeed
 */
async function createMissingRefusal(
  db: Database,
  needs: Parameters<typeof findMissingRequirement>[1],
  fallback: 'import_id' | null = null,
): Promise<Refused<MissingCode>> {
  const what = (await findMissingRequirement(db, needs)) ?? fallback;
  if (what === null) return refuse('too_many_requests', {}, 1);
  if (what === 'account') return refuse('account_suspended');
  if (what === 'room') return refuse('too_many_requests', {}, CREATION.expiresAfterMs / 1000);
  const sentence =
    what === 'avatar_id' ? MISSING_PICTURE_MESSAGE : 'This card was not brought by you, or is used already';
  return refuse('invalid_input', { fields: { [what]: [sentence] } });
}

async function chargeAndCreate(
  { db, env }: ServiceContext,
  creation: CharacterCreation,
  { fields, language }: { fields: NewCharacter; language: Language },
): Promise<Refused<MissingCode | 'points_exhausted'> | null> {
  const { import_id: importId } = fields;
  const needs = { ownerId: creation.ownerId, avatarKey: fields.avatar_id, importId };
  // Read before the charge: a card that cannot be read now costs nothing and is not lost.
  const ofCard =
    importId === undefined
      ? NO_CARD_EXTRAS
      : await getImportedExtras(db, env, { importId, ownerId: creation.ownerId });
  if (ofCard === null) return createMissingRefusal(db, needs, 'import_id');
  const wallet = env.WALLETS.get(env.WALLETS.idFromName(creation.ownerId));
  const paid = isFreeWhilePrivate(fields)
    ? ({ ok: true } as const)
    : await wallet.payForCharacter(creation.characterId);
  if (!paid.ok) {
    const { points } = paid;
    if (paid.code === 'points_exhausted')
      return refuse('points_exhausted', {
        error: formatTooFewPoints(points.character_cost),
        points_required: points.character_cost,
        refills_at: points.refills_at,
        points,
      });
    // The creation was given up while this request repeated it: the next request starts a new one.
    return refuse('too_many_requests', {}, 1);
  }
  const now = Date.now();
  if (!(await insertCharacter(db, creation, { fields, ofCard, language, now }))) {
    // The picture or the card was removed in that moment, or the request was aborted.
    await abortCreation(env, db, creation);
    return createMissingRefusal(db, needs);
  }
  await finishCreation(db, creation);
  return null;
}

/** Refunds the points of a character that will not be created and deletes its request. Safe to repeat. */
async function abortCreation(
  env: Pick<Env, 'WALLETS'>,
  db: Database,
  creation: CharacterCreation,
): Promise<void> {
  const { ownerId, characterId } = creation;
  if (!(await closeCreation(db, creation))) return;
  await env.WALLETS.get(env.WALLETS.idFromName(ownerId)).refundCharacter(characterId);
  await deleteCreation(db, creation);
}

function logCreationError(error: unknown): void {
  log('creation_deferred', { message: describeError(error) });
}

/** Finishes or aborts the requests that no client repeated. */
export async function refundAbandonedCreations(
  env: Pick<Env, 'WALLETS'>,
  db: Database,
  now: number,
): Promise<void> {
  for (const creation of await listAbandonedCreations(db, now)) {
    try {
      await finishCreation(db, creation);
      await abortCreation(env, db, creation);
    } catch (error) {
      logCreationError(error);
    }
  }
  await removeOldCreations(db, now);
}

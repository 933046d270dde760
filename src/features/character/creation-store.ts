import { and, asc, eq, getTableColumns, lt, type SQL, sql } from 'drizzle-orm';
import { CREATION } from './limits.ts';
import { type Language } from '../../config/languages.ts';
import { cards, characterCreations, characterExtras } from '../../db/schema/character.ts';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { purgeCharacterPagesStatement } from '../page-cache/page-purge-statements.ts';
import { characters, users } from '../../db/schema/core.ts';
import { createId } from '../../lib/ids.ts';
import { serializeRecommendedStyle } from '../reply-style/reply-style.ts';
import { insertTagsStatement } from './character-change-store.ts';
import { isOwnPicture } from '../picture/own-picture-statements.ts';
import type { NewCharacter } from './contract.ts';
import { type CardExtras, buildDefinition, computeCharacterBytes } from './definition.ts';
import { mergeDefinitionJson } from './definition-parts.ts';
import { insertVersionStatement } from './definition-store.ts';
import { insertFreeTagsStatement } from './free-tag-statements.ts';
import { buildSearchWords } from './discovery/search-words-store.ts';
import { computeSummaryUpdate } from './discovery/summary.ts';

/*
 * Creating a character touches the database and a wallet, which share no transaction. So the request is stored first,
 * then paid with the character's id as the key, and then a batch creates the character if the request is still open. A
 * request that fails is closed, refunded and deleted, in this order: once it is closed, it can no longer create a
 * character.
 */

/** Creation time of a closed request. */
const CLOSED_TIME = 0;

/** A request to create a character. */
export interface CharacterCreation {
  ownerId: string;
  key: string;
  characterId: string;
  bodyHash: string;
  /** The imported card that the character is created from; null when there is none. */
  importId: string | null;
  done: boolean;
  closed: boolean;
}

const toCreation = ({ createdAt, ...row }: typeof characterCreations.$inferSelect): CharacterCreation => ({
  ...row,
  closed: createdAt === CLOSED_TIME,
});

/** What a character requires: its picture, and its imported card if there is one. */
interface CreationRequirements {
  ownerId: string;
  avatarKey: string;
  importId: string | undefined;
}

/**
 * Condition that the imported card, if there is one, may become this character: it belongs to the user, is not being
 * deleted (card-store.ts), and was not used for another character.
 */
const isCardAvailable = (
  { ownerId, importId }: Pick<CreationRequirements, 'ownerId' | 'importId'>,
  characterId: string | null = null,
): SQL =>
  importId === undefined
    ? sql`1`
    : sql`exists (select 1 from ${cards} where ${cards.id} = ${importId} and ${cards.ownerId} = ${ownerId}
        and ${cards.createdAt} > 0 and (${cards.characterId} is null or ${cards.characterId} = ${characterId}))`;

/** Requests that are not done, and mostly not closed either; inlined, so that the index of open requests is used. */
const IS_OPEN = sql`${characterCreations.done} = 0`;

/**
 * Condition that a user may have one more open request. An imported card has one request at a time, so that the user
 * does not pay twice for the same character.
 */
const canOpenRequest = ({ ownerId, importId }: Pick<CreationRequirements, 'ownerId' | 'importId'>): SQL => {
  const open = sql`from ${characterCreations} where ${characterCreations.ownerId} = ${ownerId} and ${IS_OPEN}`;
  const ofCard =
    importId === undefined
      ? sql``
      : sql` and not exists (select 1 ${open} and ${characterCreations.importId} = ${importId})`;
  return sql`((select count(*) ${open}) < ${CREATION.maxOpen}${ofCard})`;
};

/** Condition that an account is not suspended: characters of a suspended account must not appear in lists. */
const isAccountActive = (ownerId: string): SQL =>
  sql`exists (select 1 from ${users} where ${users.id} = ${ownerId} and ${users.suspendedAt} is null)`;

/** Returns the first requirement that is not met, `room` when too many requests are open, or null when all are met. */
export async function findMissingRequirement(
  db: Database,
  needs: CreationRequirements,
): Promise<'account' | 'avatar_id' | 'import_id' | 'room' | null> {
  const found = await db.get<{ account: number; picture: number; card: number; room: number }>(
    sql`select ${isAccountActive(needs.ownerId)} as account, ${isOwnPicture(needs.ownerId, needs.avatarKey)} as picture,
      ${isCardAvailable(needs)} as card, ${canOpenRequest(needs)} as room`,
  );
  if (found?.account !== 1) return 'account';
  if (found.picture !== 1) return 'avatar_id';
  if (found.card !== 1) return 'import_id';
  return found.room === 1 ? null : 'room';
}

/**
 * Stores a request, or returns the one with the same key.
 * @returns null when a requirement is not met, or too many of the user's requests are open
 */
export async function startCreation(
  db: Database,
  input: CreationRequirements & { key: string; bodyHash: string; now: number },
): Promise<CharacterCreation | null> {
  const { ownerId, key, bodyHash, avatarKey, importId, now } = input;
  const row = { ownerId, key, characterId: createId(now), bodyHash, importId, createdAt: now };
  const [, rows] = await db.batch([
    insertWhere(
      db,
      characterCreations,
      row,
      sql`${isOwnPicture(ownerId, avatarKey)} and ${isCardAvailable(input)} and ${canOpenRequest(input)}`,
    ).onConflictDoNothing(),
    db.select().from(characterCreations).where(matchCreation({ ownerId, key })),
  ]);
  const [found] = rows;
  return found === undefined ? null : toCreation(found);
}

const matchCreation = ({ ownerId, key }: Pick<CharacterCreation, 'ownerId' | 'key'>): SQL =>
  and(eq(characterCreations.ownerId, ownerId), eq(characterCreations.key, key)) as SQL;

const isCreationOpen = ({ ownerId, key, characterId }: CharacterCreation): SQL =>
  sql`exists (select 1 from ${characterCreations} where owner_id = ${ownerId} and key = ${key} and character_id = ${characterId} and done = 0 and created_at > ${CLOSED_TIME})`;

const isCharacterCreated = (characterId: string): SQL =>
  sql`exists (select 1 from ${characters} as there where there.id = ${characterId})`;

/** Merges the data beyond the main fields: values of the request first, then those of its card. */
function mergeExtras(fields: NewCharacter, ofCard: CardExtras) {
  const { nickname = ofCard.nickname } = fields;
  const lorebookJson = fields.lorebook && JSON.stringify(fields.lorebook);
  const { alternate_greetings: alternateGreetings } = fields;
  return {
    nickname,
    lorebook: lorebookJson === undefined ? ofCard.lorebook : lorebookJson,
    alternateGreetings,
    definition: mergeDefinitionJson(ofCard.definition, fields.definition),
    recommendedStyle:
      fields.recommended_style === undefined
        ? ofCard.recommendedStyle
        : serializeRecommendedStyle(fields.recommended_style),
  };
}

/** Whether a new character costs nothing until it is published: an imported one that others cannot see. */
export const isFreeWhilePrivate = ({
  import_id: importId,
  visibility,
}: Pick<NewCharacter, 'import_id' | 'visibility'>): boolean =>
  importId !== undefined && visibility === 'private';

/** Condition that the user has no character with this import key. */
const isKeyFree = (ownerId: string, importKey: string | null): SQL =>
  importKey === null
    ? sql`1`
    : sql`not exists (select 1 from ${characters} as same where same.creator_id = ${ownerId} and same.import_key = ${importKey})`;

/**
 * Creates the character of an open request as version 1, and links its card in the same batch, so that a card is used
 * for one character only. Safe to repeat.
 * @param input.ofCard data of the imported card
 * @param input.language the detected language, for a request without one
 * @returns whether the character exists
 */
export async function insertCharacter(
  db: Database,
  creation: CharacterCreation,
  input: { fields: NewCharacter; ofCard: CardExtras; language: Language; now: number },
): Promise<boolean> {
  const { ownerId, characterId: id } = creation;
  const { fields, language, now } = input;
  const { avatar_id: avatarKey, import_id: importId, import_key: importKey = null } = fields;
  const madeCharacter = sql`${isCharacterCreated(id)} and ${isCreationOpen(creation)}`;
  const extras = mergeExtras(fields, input.ofCard);
  const hasExtras =
    extras.alternateGreetings.length > 0 ||
    [extras.nickname, extras.lorebook, extras.definition, extras.recommendedStyle].some(
      (extra) => extra !== null,
    );
  const texts = {
    name: fields.name,
    oneliner: fields.oneliner,
    characterTraits: fields.character_traits,
    firstMessage: fields.first_message,
    modelType: fields.model_type,
    visibility: fields.visibility,
    pointOfView: fields.point_of_view,
    nsfwAllowed: fields.nsfw_allowed,
    suggestedReplies: fields.suggested_replies,
    avatarKey,
  };
  const row = {
    ...texts,
    ...computeSummaryUpdate({ before: null, after: { ...texts, summary: null }, now }),
    id,
    about: fields.about,
    bytes: computeCharacterBytes(texts, fields.about, extras),
    creatorId: ownerId,
    language: fields.language ?? language,
    importKey,
    feeAttempt: isFreeWhilePrivate(fields) ? 0 : null,
    createdAt: now,
    updatedAt: now,
  };
  const writes = [
    insertWhere(
      db,
      characters,
      row,
      sql`${isCreationOpen(creation)} and ${isAccountActive(ownerId)} and ${isOwnPicture(ownerId, avatarKey)}
        and ${isCardAvailable({ ownerId, importId }, id)} and not ${isCharacterCreated(id)} and ${isKeyFree(ownerId, importKey)}`,
    ),
    insertTagsStatement(db, id, fields.tags, madeCharacter),
    insertFreeTagsStatement(db, id, fields.free_tags, madeCharacter),
    ...(hasExtras
      ? [
          insertWhere(
            db,
            characterExtras,
            { characterId: id, ...extras },
            madeCharacter,
          ).onConflictDoNothing(),
        ]
      : []),
    ...(importId === undefined
      ? []
      : [
          db
            .update(cards)
            .set({ characterId: id })
            .where(and(eq(cards.id, importId), isCardAvailable({ ownerId, importId }, id), madeCharacter)),
        ]),
    insertVersionStatement(db, {
      characterId: id,
      version: 1,
      definition: buildDefinition(texts, extras),
      when: madeCharacter,
      now,
    }),
    purgeCharacterPagesStatement(db, eq(characters.id, id), now),
    db
      .select({ id: characters.id })
      .from(characters)
      .where(and(eq(characters.id, id), eq(characters.creatorId, ownerId))),
  ] as unknown as Parameters<Database['batch']>[0];
  const results: readonly unknown[] = await db.batch(writes);
  const isMade = (results.at(-1) as unknown[]).length > 0;
  if (isMade) await buildSearchWords(db, [id]);
  return isMade;
}

/** Marks a request as done once its character exists; a repeated request finds it. */
export async function finishCreation(db: Database, creation: CharacterCreation): Promise<void> {
  await db
    .update(characterCreations)
    .set({ done: true })
    .where(and(matchCreation(creation), isCreationOpen(creation), isCharacterCreated(creation.characterId)));
}

/**
 * Closes a request that has not created a character, so that it no longer can.
 * @returns true when it is closed and its points have to be refunded; false when its character exists
 */
export async function closeCreation(db: Database, creation: CharacterCreation): Promise<boolean> {
  const { characterId } = creation;
  const closed = await db
    .update(characterCreations)
    .set({ createdAt: CLOSED_TIME })
    .where(
      and(
        matchCreation(creation),
        eq(characterCreations.characterId, characterId),
        eq(characterCreations.done, false),
        sql`not ${isCharacterCreated(characterId)}`,
      ),
    )
    .returning({ key: characterCreations.key });
  return closed.length > 0;
}

/** Deletes a request that was closed and refunded, so that its key can be used again. */
export async function deleteCreation(db: Database, creation: CharacterCreation): Promise<void> {
  await db
    .delete(characterCreations)
    .where(
      and(
        matchCreation(creation),
        eq(characterCreations.characterId, creation.characterId),
        eq(characterCreations.createdAt, CLOSED_TIME),
      ),
    );
}

/** Returns requests that were never finished and most likely will not be, oldest first. */
export async function listAbandonedCreations(db: Database, now: number): Promise<CharacterCreation[]> {
  const rows = await db
    .select(getTableColumns(characterCreations))
    .from(characterCreations)
    .where(and(IS_OPEN, lt(characterCreations.createdAt, now - CREATION.expiresAfterMs)))
    .orderBy(asc(characterCreations.createdAt))
    .limit(CREATION.perRun);
  return rows.map(toCreation);
}

/** Deletes finished requests that clients no longer repeat. */
export async function removeOldCreations(db: Database, now: number): Promise<void> {
  await db
    .delete(characterCreations)
    .where(and(eq(characterCreations.done, true), lt(characterCreations.createdAt, now - CREATION.keptMs)));
}

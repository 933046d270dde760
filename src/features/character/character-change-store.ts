import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { characterExtras } from '../../db/schema/character.ts';
import { readClearedNames } from '../safety/cleared-name-statements.ts';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { serializeRecommendedStyle } from '../reply-style/reply-style.ts';
import { purgePagesStatement } from '../page-cache/page-purge-statements.ts';
import { characterFreeTags, characters, characterTags } from '../../db/schema/core.ts';
import type { CharacterChange } from './contract.ts';
import { buildDefinition, computeCharacterBytes, isSameDefinition } from './definition.ts';
import { mergeDefinitionJson } from './definition-parts.ts';
import {
  extrasColumns,
  toCharacterExtras,
  deleteOldVersionsStatement,
  insertVersionStatement,
} from './definition-store.ts';
import { isOwnPicture } from '../picture/own-picture-statements.ts';
import { findStaleTags } from '../page-cache/page-tags.ts';
import { freeTagsColumn, insertFreeTagsStatement } from './free-tag-statements.ts';
import { computeSummaryUpdate } from './discovery/summary.ts';
import { buildSearchWords } from './discovery/search-words-store.ts';

export type CharacterUpdateResult =
  | { ok: true }
  | {
      ok: false;
      code: 'not_found' | 'avatar_unknown' | 'name_cleared' | 'spicy_mode_off' | 'points_exhausted' | 'busy';
    };

/**
 * Pays for publishing an imported character, once per attempt.
 * @returns `closed` when the attempt was refunded, so the next one is due
 */
export type PayFee = (attempt: number) => Promise<'paid' | 'points_exhausted' | 'closed'>;

/** Of concurrent changes to a character, one succeeds and the others read it again. */
const MAX_ATTEMPTS = 8;

/**
 * Changes one of the user's own characters that is not in the trash. A change of its definition creates a new version,
 * and both are kept. Everything is one batch, which checks that the character is still as it was read.
 * @param input.spicy whether the creator may mark the character as adults only
 * @param input.payFee called when everything else allows a change that publishes an imported character for the first
 *   time; without it such a change is refused
 */
export async function updateCharacter(
  db: Database,
  input: {
    id: string;
    creatorId: string;
    change: CharacterChange;
    spicy: boolean;
    now: number;
    payFee?: PayFee;
  },
): Promise<CharacterUpdateResult> {
  for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
    const outcome = await tryUpdate(db, input);
    if (outcome !== null) return outcome;
  }
  return { ok: false, code: 'busy' };
}

async function tryUpdate(
  db: Database,
  { id, creatorId, change, spicy, now, payFee }: Parameters<typeof updateCharacter>[1],
): Promise<CharacterUpdateResult | null> {
  const { avatar_id: avatarKey } = change;
  const row = await db
    .select({
      character: characters,
      extras: extrasColumns,
      tags: sql<string>`(select json_group_array(${characterTags.tag}) from ${characterTags} where ${characterTags.characterId} = ${characters.id})`,
      freeTags: freeTagsColumn,
      ownPicture: sql<number>`${avatarKey === undefined ? sql`1` : isOwnPicture(creatorId, avatarKey)}`,
    })
    .from(characters)
    .leftJoin(characterExtras, eq(characterExtras.characterId, characters.id))
    .where(and(eq(characters.id, id), eq(characters.creatorId, creatorId), isNull(characters.deletedAt)))
    .get();
  if (row === undefined) return { ok: false, code: 'not_found' };
  const known = row.character;
  const newPicture = avatarKey !== undefined && avatarKey !== known.avatarKey;
  if (newPicture && row.ownPicture === 0) return { ok: false, code: 'avatar_unknown' };
  if (change.nsfw_allowed === true && !known.nsfwAllowed && !spicy)
    return { ok: false, code: 'spicy_mode_off' };
  const cleared = change.name === undefined ? null : await readClearedNames(db, id);
  if (cleared?.has(change.name) === true) return { ok: false, code: 'name_cleared' };

  const isPublished = change.visibility !== undefined && change.visibility !== 'private';
  if (isPublished && known.feeAttempt !== null) {
    const paid = (await payFee?.(known.feeAttempt)) ?? 'points_exhausted';
    if (paid === 'closed') return null;
    if (paid !== 'paid') return { ok: false, code: paid };
  }

  const newTags = getChangedTags(change.tags, JSON.parse(row.tags));
  const newFreeTags = getChangedTags(change.free_tags, JSON.parse(row.freeTags));
  const texts = { ...known, ...omitUndefined(toColumns(change)) };
  const newExtras = omitUndefined({
    nickname: change.nickname,
    alternateGreetings: change.alternate_greetings,
    lorebook: change.lorebook && JSON.stringify(change.lorebook),
    definition: change.definition && mergeDefinitionJson(row.extras?.definition ?? null, change.definition),
    recommendedStyle:
      change.recommended_style === undefined
        ? undefined
        : serializeRecommendedStyle(change.recommended_style),
  });
  const extras = { ...toCharacterExtras(row.extras), ...newExtras };
  const [before, after] = [
    buildDefinition(known, toCharacterExtras(row.extras)),
    buildDefinition(texts, extras),
  ];
  const isNew = !isSameDefinition(before, after);
  const version = known.version + (isNew ? 1 : 0);
  const summary = computeSummaryUpdate({ before: known, after: texts, now });
  // A part is merged into the parts that were read, and a change of notes or of a switch makes no new version.
  const definitionUnchanged =
    change.definition === undefined ? sql`` : sql` and still.updated_at = ${known.updatedAt}`;
  // Each write checks this; the last one makes it false.
  const still = sql`exists (select 1 from ${characters} as still where still.id = ${id} and still.creator_id = ${creatorId}
    and still.deleted_at is null and still.version = ${known.version} and still.visibility = ${known.visibility}
    and still.fee_attempt is ${known.feeAttempt} and still.nsfw_allowed = ${Number(known.nsfwAllowed)} and still.moderation = ${known.moderation}${definitionUnchanged}${newPicture ? sql` and ${isOwnPicture(creatorId, avatarKey)}` : sql``}${cleared === null ? sql`` : sql` and ${cleared.unchanged}`})`;
  const stale = findStaleTags(known, texts, { tagsChange: newTags !== null || newFreeTags !== null });
  const update = db
    .update(characters)
    .set({
      ...omitUndefined(toColumns(change)),
      ...summary,
      ...(isPublished && known.feeAttempt !== null ? { feeAttempt: null } : {}),
      version,
      bytes: computeCharacterBytes(texts, texts.about, extras),
      updatedAt: now,
    })
    .where(and(eq(characters.id, id), still))
    .returning({ id: characters.id });
  const extraWrites = [
    ...(isNew
      ? [
          insertVersionStatement(db, {
            characterId: id,
            version: known.version,
            definition: before,
            when: still,
            now,
          }),
          insertVersionStatement(db, { characterId: id, version, definition: after, when: still, now }),
          deleteOldVersionsStatement(db, id),
        ]
      : []),
    ...(newTags === null
      ? []
      : [
          db.delete(characterTags).where(and(eq(characterTags.characterId, id), still)),
          insertTagsStatement(db, id, newTags, still),
        ]),
    ...(newFreeTags === null
      ? []
      : [
          db.delete(characterFreeTags).where(and(eq(characterFreeTags.characterId, id), still)),
          insertFreeTagsStatement(db, id, newFreeTags, still),
        ]),
    ...(Object.keys(newExtras).length > 0
      ? [
          insertWhere(db, characterExtras, { characterId: id, ...extras }, still).onConflictDoUpdate({
            target: characterExtras.characterId,
            set: newExtras,
          }),
        ]
      : []),
    ...(stale.length > 0 ? [purgePagesStatement(db, stale, now)] : []),
  ];
  const writes = [...extraWrites, update] as unknown as Parameters<Database['batch']>[0];
  const results: readonly unknown[] = await db.batch(writes);
  const changed = results.at(-1) as { id: string }[];
  if (changed.length === 0) return null;
  const losesSummary = summary.summary === null && known.summary !== null;
  if (change.name !== undefined || change.oneliner !== undefined || losesSummary || newFreeTags !== null)
    await buildSearchWords(db, [id]);
  return { ok: true };
}

/**
 * Closes a paid attempt to publish a character that failed, so that no change can be made with it any more.
 * @returns whether its points have to be refunded; false when the character was published with it
 */
export async function closeFeeAttempt(
  db: Database,
  { id, attempt }: { id: string; attempt: number },
): Promise<boolean> {
  const [, rows] = await db.batch([
    db
      .update(characters)
      .set({ feeAttempt: attempt + 1 })
      .where(and(eq(characters.id, id), eq(characters.feeAttempt, attempt))),
    db.select({ feeAttempt: characters.feeAttempt }).from(characters).where(eq(characters.id, id)),
  ]);
  return rows[0]?.feeAttempt !== null;
}

/** Converts the form's fields to columns; undefined leaves a column unchanged. */
function toColumns(change: CharacterChange) {
  return {
    name: change.name,
    oneliner: change.oneliner,
    characterTraits: change.character_traits,
    firstMessage: change.first_message,
    about: change.about,
    modelType: change.model_type,
    visibility: change.visibility,
    pointOfView: change.point_of_view,
    nsfwAllowed: change.nsfw_allowed,
    suggestedReplies: change.suggested_replies,
    avatarKey: change.avatar_id,
    language: change.language,
  };
}

/** Returns the tags to store instead of the known ones; null when none were sent, or they are the same. */
function getChangedTags(
  sent: readonly string[] | undefined,
  known: readonly string[],
): readonly string[] | null {
  return sent === undefined || new Set(sent).symmetricDifference(new Set(known)).size === 0 ? null : sent;
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

function omitUndefined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}

/** Statement that adds tags to a character. */
export function insertTagsStatement(db: Database, id: string, tags: readonly string[], when: SQL) {
  return db
    .insert(characterTags)
    .select(sql`select value, ${id} from json_each(${JSON.stringify(tags)}) where ${when}`)
    .onConflictDoNothing();
}

import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { CHECK_LIMITS } from './limits.ts';
import type { Database } from '../../db/open.ts';
import { characters, conversations, users } from '../../db/schema/core.ts';
import { checkDays, checks } from '../../db/schema/status.ts';
import { log } from '../../lib/log.ts';
import { describeError } from '../../lib/redact.ts';
import { NO_PICTURE } from '../character/portrait.ts';
import { check as checkShape, type Check } from './contract.ts';
import { SYNTHETIC_CHARACTER_ID, SYNTHETIC_TEXTS, SYNTHETIC_USER_ID } from '../account/synthetic-user.ts';
import { DAY_MS, getDayNumber, type DayRow, HOUR_MS } from './status.ts';

/** KV key of the checks that the database did not accept. */
const UNSAVED_CHECKS_KEY = 'checks-unkept';

const unsavedChecks = z.array(checkShape);

/** Deletes expired rows, then stores each check once and adds it to the sums of its day. */
async function writeChecks(db: Database, found: readonly Check[], now: number): Promise<void> {
  const written = found.flatMap(({ at, parts }) => {
    const rows = JSON.stringify(
      parts.map(({ part, is }) => [part, Number(is === 'slow'), Number(is === 'down')]),
    );
    return [
      // Must run before the insert of the check, so that a check stored earlier is not counted twice.
      db
        .insert(checkDays)
        .select(
          sql`select ${getDayNumber(at)}, value ->> 0, 1, value ->> 1, value ->> 2 from json_each(${rows})
            where not exists (select 1 from ${checks} where at = ${at})`,
        )
        .onConflictDoUpdate({
          target: [checkDays.part, checkDays.day],
          set: {
            checks: sql`${checkDays.checks} + 1`,
            slow: sql`${checkDays.slow} + excluded.slow`,
            down: sql`${checkDays.down} + excluded.down`,
          },
        }),
      db.insert(checks).values({ at, parts }).onConflictDoNothing(),
    ] as const;
  });
  await db.batch([
    db.delete(checks).where(sql`${checks.at} < ${now - CHECK_LIMITS.retentionDays * DAY_MS}`),
    db.delete(checkDays).where(sql`${checkDays.day} <= ${getDayNumber(now) - CHECK_LIMITS.retentionDays}`),
    ...written,
  ]);
}

/**
 * Stores a check together with earlier unsaved ones. If the database fails, they wait in KV, so that an outage of the
 * database shows up later.
 * @returns false when neither store accepted the check
 */
export async function saveCheck(
  { KV }: Pick<Env, 'KV'>,
  db: Database,
  { check, now }: { check: Check; now: number },
): Promise<boolean> {
  const unsaved =
    unsavedChecks.safeParse(await KV.get(UNSAVED_CHECKS_KEY, 'json').catch(() => null)).data ?? [];
  const all = [...unsaved, check];
  try {
    await writeChecks(db, all, now);
    if (unsaved.length > 0) await KV.delete(UNSAVED_CHECKS_KEY);
    return true;
  } catch (error) {
    log('check_deferred', { message: describeError(error) });
    const isSaved = await KV.put(
      UNSAVED_CHECKS_KEY,
      JSON.stringify(all.slice(-CHECK_LIMITS.maxUnsaved)),
    ).then(
      () => true,
      () => false,
    );
    return isSaved;
  }
}

/** Reads the data of the status page: checks of the last 24 hours, oldest first, and the daily sums before. */
export async function readChecks(db: Database, now: number): Promise<{ checks: Check[]; days: DayRow[] }> {
  // Start at a full hour, as the page shows them.
  const from = (Math.floor(now / HOUR_MS) - CHECK_LIMITS.shownHours + 1) * HOUR_MS;
  const [rows, days] = await db.batch([
    db
      .select()
      .from(checks)
      .where(sql`${checks.at} >= ${from}`)
      .orderBy(checks.at),
    db
      .select()
      .from(checkDays)
      .where(sql`${checkDays.day} > ${getDayNumber(now) - CHECK_LIMITS.retentionDays}`),
  ]);
  return { checks: rows, days };
}

/** Creates the user and the character of the synthetic conversation if they are missing. */
export async function ensureSyntheticUser(db: Database, now: number): Promise<void> {
  const times = { createdAt: now, updatedAt: now };
  await db.batch([
    db
      .insert(users)
      .values({
        id: SYNTHETIC_USER_ID,
        username: 'house-visitor',
        isAnonymous: true,
        // A paid plan, because points are for people; the operator pays for the check, at a constant cost.
        plan: 'legend',
        lastSeenAt: now,
        ...times,
      })
      .onConflictDoNothing(),
    db
      .insert(characters)
      .values({
        id: SYNTHETIC_CHARACTER_ID,
        creatorId: SYNTHETIC_USER_ID,
        name: SYNTHETIC_TEXTS.name,
        oneliner: SYNTHETIC_TEXTS.name,
        characterTraits: SYNTHETIC_TEXTS.traits,
        firstMessage: SYNTHETIC_TEXTS.greeting,
        modelType: 'roleplay',
        visibility: 'private',
        pointOfView: 'normal',
        suggestedReplies: [],
        avatarKey: NO_PICTURE,
        ...times,
      })
      .onConflictDoNothing(),
  ]);
}

/** Conversations left behind by interrupted checks. */
export async function listAbandonedConversations(db: Database): Promise<string[]> {
  const rows = await db
    .select({ id: conversations.id })
    .from(conversations)
    .where(sql`${conversations.ownerId} = ${SYNTHETIC_USER_ID}`)
    .limit(CHECK_LIMITS.maxAbandonedPerRun);
  return rows.map(({ id }) => id);
}

import { and, eq, gt, sql } from 'drizzle-orm';
import { REPORTS } from '../../config.ts';
import { reports } from '../../db/character-schema.ts';
import { insertWhere } from '../../db/insert-where.ts';
import type { Database } from '../../db/open.ts';
import { newId } from '../../ids.ts';
import type { ReportReason } from './contract.ts';

const HOUR_MS = 3_600_000;

/**
 * Keeps what somebody reports of a character. Told again, it is the same report, told anew and open again. How many they
 * told of within the hour is asked in the write itself.
 * @returns its id, or, when they reported as many as one may, when the next one may be, in ms
 */
export async function keepReport(
  db: Database,
  input: { characterId: string; reporterId: string; reason: ReportReason; details: string; now: number },
): Promise<{ kept: true; id: string } | { kept: false; retryAt: number }> {
  const { characterId, reporterId, reason, details, now } = input;
  const sinceMs = now - HOUR_MS;
  const told = { reason, details, createdAt: now };
  const [, kept, first] = await db.batch([
    insertWhere(
      db,
      reports,
      { id: newId(now), characterId, reporterId, ...told },
      sql`(select count(*) from ${reports} where reporter_id = ${reporterId} and character_id <> ${characterId}
        and created_at > ${sinceMs}) < ${REPORTS.perHour}`,
    ).onConflictDoUpdate({
      target: [reports.reporterId, reports.characterId],
      set: { ...told, status: 'open', resolvedAt: null },
    }),
    db
      .select({ id: reports.id })
      .from(reports)
      .where(
        and(
          eq(reports.reporterId, reporterId),
          eq(reports.characterId, characterId),
          eq(reports.createdAt, now),
        ),
      ),
    db
      .select({ at: sql<number | null>`min(${reports.createdAt})` })
      .from(reports)
      .where(and(eq(reports.reporterId, reporterId), gt(reports.createdAt, sinceMs))),
  ]);
  const report = kept[0];
  if (report !== undefined) return { kept: true, id: report.id };
  return { kept: false, retryAt: (first[0]?.at ?? now) + HOUR_MS };
}

import { CHECK_LIMITS } from './limits.ts';
import type {
  Check,
  CheckedPart,
  Counts,
  CheckResult,
  PartKind,
  StatusPart,
  StatusView,
} from './contract.ts';

/** Builds the view of the status page from stored checks. Pure. */

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
export const getDayNumber = (at: number): number => Math.floor(at / DAY_MS);

const REPLIES = 'replies:';
export const formatRepliesPart = (model: string): string => REPLIES + model;
export const getPartKind = (part: string): PartKind =>
  part.startsWith(REPLIES) ? 'replies' : (part as Exclude<PartKind, 'replies'>);

/** The sums of one part on one day. */
export interface DayRow extends Counts {
  day: number;
  part: string;
}

/** A model that is offered on this site. */
export interface StatusModel {
  id: string;
  label: string;
}

const NO_CHECKS: Counts = { checks: 0, slow: 0, down: 0 };
const SEVERITY_ORDER: readonly (CheckResult | 'unknown')[] = ['up', 'unknown', 'slow', 'down'];

/** Slow above `slowMs`. Replies are classified twice: by their first words and by their end. */
export function classifySpeed(ms: number, slowMs: number): CheckResult {
  return ms > slowMs ? 'slow' : 'up';
}

/** A part is absent from a check when a failed part before it prevented its measurement. */
const findCheckedPart = (check: Check, part: string): CheckedPart | undefined =>
  check.parts.find((one) => one.part === part);

interface Observation {
  at: number;
  is: CheckResult;
}

/** The time since which a part has been in its current state, going back to the first gap in the measurements. */
function findStateStart(seen: readonly Observation[], days: readonly DayRow[], gapMs: number): number | null {
  const last = seen.at(-1);
  if (last === undefined) return null;
  let since = last.at;
  for (let index = seen.length - 2; index >= 0; index -= 1) {
    const before = seen[index] as Observation;
    if (before.is !== last.is || since - before.at > gapMs) return since;
    since = before.at;
  }
  // All stored checks agree. Continue with daily sums, which show a constant state only for days without any problem.
  if (last.is !== 'up') return since;
  const counts = new Map(days.map((row) => [row.day, row]));
  for (let day = getDayNumber(since) - 1; ; day -= 1) {
    const row = counts.get(day);
    if (row === undefined || row.checks === 0 || row.slow + row.down > 0) return since;
    since = day * DAY_MS;
  }
}

function buildPartView(
  part: string,
  {
    checks,
    days,
    now,
    gapMs,
  }: { checks: readonly Check[]; days: readonly DayRow[]; now: number; gapMs: number },
): Pick<StatusPart, 'now' | 'since' | 'checked_at' | 'hours' | 'days'> {
  const seen = checks.flatMap((check): Observation[] => {
    const found = findCheckedPart(check, part);
    return found === undefined ? [] : [{ at: check.at, is: found.is }];
  });
  const own = days.filter((row) => row.part === part);
  const byDay = new Map(own.map((row) => [row.day, row]));
  const last = seen.at(-1);
  const isKnown = last !== undefined && now - last.at <= gapMs;
  const since = isKnown ? findStateStart(seen, own, gapMs) : null;
  const firstHour = Math.floor(now / HOUR_MS) - CHECK_LIMITS.shownHours + 1;
  const hours = Array.from({ length: CHECK_LIMITS.shownHours }, (_, index) => {
    const from = (firstHour + index) * HOUR_MS;
    const within = seen.filter(({ at }) => at >= from && at < from + HOUR_MS);
    return {
      from: new Date(from).toISOString(),
      checks: within.length,
      slow: within.filter(({ is }) => is === 'slow').length,
      down: within.filter(({ is }) => is === 'down').length,
    };
  });
  const firstDay = getDayNumber(now) - CHECK_LIMITS.retentionDays + 1;
  return {
    now: isKnown ? last.is : 'unknown',
    since: since === null ? null : new Date(since).toISOString(),
    checked_at: last === undefined ? null : new Date(last.at).toISOString(),
    hours,
    days: Array.from({ length: CHECK_LIMITS.retentionDays }, (_, index) => {
      const day = firstDay + index;
      const { checks: count, slow, down } = byDay.get(day) ?? NO_CHECKS;
      return { day: new Date(day * DAY_MS).toISOString().slice(0, 10), checks: count, slow, down };
    }),
  };
}

/**
 * Builds the status view.
 * @param checks of the last 24 hours, oldest first
 * @param days daily sums, including today
 * @param models offered models; checks rotate through them, so with four models each is checked every fourth time
 */
export function buildStatus({
  checks,
  days,
  models,
  checking,
  now,
}: {
  checks: readonly Check[];
  days: readonly DayRow[];
  models: readonly StatusModel[];
  checking: boolean;
  now: number;
}): StatusView {
  const last = checks.at(-1)?.at ?? null;
  const stale = last === null || now - last > CHECK_LIMITS.staleMs;
  const parts = [
    ...(['site', 'sign_in', 'chats'] as const).map((id) => ({ id, model: null, label: null })),
    ...models.map(({ id, label }) => ({ id: formatRepliesPart(id), model: id, label })),
  ].map(({ id, model, label }): StatusPart => {
    // Allow a model two full rotations before its state counts as unknown.
    const turns = model === null ? 1 : Math.max(1, models.length);
    const gapMs = Math.max(CHECK_LIMITS.staleMs, 2 * turns * CHECK_LIMITS.everyMs);
    const view = buildPartView(id, { checks, days, now, gapMs });
    return { id, kind: getPartKind(id), model: model as StatusPart['model'], label, ...view };
  });
  const worst = parts.reduce<StatusView['now']>(
    (worstSoFar, part) =>
      SEVERITY_ORDER.indexOf(part.now) > SEVERITY_ORDER.indexOf(worstSoFar) ? part.now : worstSoFar,
    'up',
  );
  return {
    now: stale ? 'unknown' : worst,
    checked_at: last === null ? null : new Date(last).toISOString(),
    stale,
    checking,
    every_minutes: CHECK_LIMITS.everyMs / 60_000,
    told_at: new Date(now).toISOString(),
    parts,
  };
}

/** Reduces counts to one colour: the worst result, or `none` when nothing was measured. */
export function getStatusColour({ checks, slow, down }: Counts): CheckResult | 'none' {
  if (checks === 0) return 'none';
  if (down > 0) return 'down';
  return slow > 0 ? 'slow' : 'up';
}

/** Share of checks that were not down, in per cent; null without checks. */
export function computeUptimePercent(counts: readonly Counts[]): number | null {
  const all = counts.reduce((sum, { checks }) => sum + checks, 0);
  const down = counts.reduce((sum, one) => sum + one.down, 0);
  if (all === 0) return null;
  // Round down, so that 100 % means no failure at all.
  return Math.floor(((all - down) / all) * 1000) / 10;
}

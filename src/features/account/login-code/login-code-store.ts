import { and, eq, gt, inArray, lte, type SQL, sql } from 'drizzle-orm';
import { LOGIN_CODE } from '../limits.ts';
import { timingSafeEqual } from '../../../lib/timing-safe-equal.ts';
import type { Database } from '../../../db/open.ts';
import { loginCodes } from '../../../db/schema/core.ts';
import { type CodeRequester, describeCodeWait, getMaxUnused } from './login-code-waits.ts';

/** `getWait` as SQL. */
const computeWait = (unused: SQL, by: CodeRequester): SQL =>
  sql`(case when ${unused} < ${getMaxUnused(by)} then ${LOGIN_CODE.resendAfterMs}
    when ${unused} = ${getMaxUnused(by)} then ${LOGIN_CODE.hourWaitMs} else ${LOGIN_CODE.dayWaitMs} end)`;

/**
 * Saves a new code for an address, unless its requester has to wait or strangers have left too many codes unused within a
 * day. One conditional write: of concurrent requests, only one may send.
 * @returns true when the code was saved and may be sent; otherwise why not, and when the next one is allowed, in ms
 */
export async function saveLoginCode(
  db: Database,
  input: { email: string; codeHash: string; by: CodeRequester; now: number },
): Promise<true | ReturnType<typeof describeCodeWait>> {
  const { email, codeHash, by, now } = input;
  const expiresAt = now + LOGIN_CODE.lifetimeMs;
  const dayAgo = now - LOGIN_CODE.dayWaitMs;
  const kept = await db.all<{ email: string }>(
    sql`insert into ${loginCodes} (email, requester, is_known_browser, code_hash, sent_at, expires_at)
      select ${email}, ${by.requester}, ${Number(by.isKnownBrowser)}, ${codeHash}, ${now}, ${expiresAt}
      where ${Number(by.isKnownBrowser)} or ${LOGIN_CODE.maxUnusedOfStrangers} > (
        select ifnull(sum(unused), 0) from ${loginCodes}
        where email = ${email} and not is_known_browser and sent_at > ${dayAgo})
      on conflict (email, requester) do update set
        code_hash = excluded.code_hash, sent_at = excluded.sent_at, expires_at = excluded.expires_at,
        tries = 0, requester_tries = 0, unused = iif(sent_at > ${dayAgo}, unused + 1, 1)
      where sent_at <= ${now} - ${computeWait(sql`unused`, by)}
      returning email`,
  );
  if (kept.length > 0) return true;
  const known = await db
    .select()
    .from(loginCodes)
    .where(and(eq(loginCodes.email, email), gt(loginCodes.sentAt, dayAgo)));
  return describeCodeWait(known, by, now);
}

/** Withdraws a code that was not sent, so that its requester can request another right away. */
export async function revokeLoginCode(
  db: Database,
  { email, codeHash, by }: { email: string; codeHash: string; by: CodeRequester },
): Promise<void> {
  const isWithdrawn = and(eq(loginCodes.email, email), eq(loginCodes.codeHash, codeHash));
  await db.batch([
    db.delete(loginCodes).where(and(isWithdrawn, eq(loginCodes.unused, 1))),
    db
      .update(loginCodes)
      .set({
        codeHash: '',
        unused: sql`${loginCodes.unused} - 1`,
        sentAt: sql`${loginCodes.sentAt} - ${computeWait(sql`(${loginCodes.unused} - 1)`, by)}`,
        expiresAt: 0,
      })
      .where(isWithdrawn),
  ]);
}

/**
 * Tries a code. The attempt is counted before the code is compared, so concurrent guesses all count. A correct code is
 * deleted in one write, so it works once and its requester can request the next code. A requester has its own attempts: a
 * stranger's guesses only use up those of all others. A guess counts for every code of the address that it is compared with.
 * @param by the caller's known browser and network, if there are any
 */
export async function verifyLoginCode(
  db: Database,
  input: { email: string; codeHash: string; by: readonly string[]; now: number },
): Promise<boolean> {
  const isRequester = inArray(loginCodes.requester, [...input.by]);
  const tried = await db
    .update(loginCodes)
    .set({
      tries: sql`${loginCodes.tries} + 1`,
      requesterTries: sql`${loginCodes.requesterTries} + (${isRequester})`,
    })
    .where(
      and(
        eq(loginCodes.email, input.email),
        gt(loginCodes.expiresAt, input.now),
        sql`case when ${isRequester} then ${loginCodes.requesterTries} < ${LOGIN_CODE.maxAttempts}
          else ${loginCodes.tries} - ${loginCodes.requesterTries} < ${LOGIN_CODE.maxAttemptsOtherNetworks} end`,
      ),
    )
    .returning({ codeHash: loginCodes.codeHash });
  const matches = tried.filter(({ codeHash }) => timingSafeEqual(codeHash, input.codeHash));
  if (matches.length === 0) return false;
  const used = await db
    .delete(loginCodes)
    .where(and(eq(loginCodes.email, input.email), eq(loginCodes.codeHash, input.codeHash)))
    .returning({ email: loginCodes.email });
  return used.length > 0;
}

/** The row of an address that holds when its last link for a browser was sent, and no code. */
const BROWSER_LINK: CodeRequester = { requester: 'link', isKnownBrowser: true };

/**
 * Notes that a link for a browser is sent to an address, unless one was sent within the hour; one conditional write.
 * @returns whether it may be sent
 */
export async function claimBrowserLink(
  db: Database,
  { email, now }: { email: string; now: number },
): Promise<boolean> {
  const claimed = await db
    .insert(loginCodes)
    .values({ email, ...BROWSER_LINK, codeHash: '', sentAt: now, expiresAt: 0 })
    .onConflictDoUpdate({
      target: [loginCodes.email, loginCodes.requester],
      set: { sentAt: now },
      setWhere: lte(loginCodes.sentAt, now - LOGIN_CODE.browserLinkIntervalMs),
    })
    .returning({ email: loginCodes.email });
  return claimed.length > 0;
}

/** Withdraws a link that was not sent. */
export async function revokeBrowserLink(db: Database, email: string): Promise<void> {
  await db
    .delete(loginCodes)
    .where(and(eq(loginCodes.email, email), eq(loginCodes.requester, BROWSER_LINK.requester)));
}

/** Removes codes that expired and no longer delay the next one; run by cron. */
export async function removeExpiredLoginCodes(db: Database, now: number): Promise<void> {
  await db.delete(loginCodes).where(lte(loginCodes.sentAt, now - LOGIN_CODE.dayWaitMs));
}

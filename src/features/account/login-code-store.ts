import { and, eq, gt, lt, lte, sql } from 'drizzle-orm';
import { LOGIN_CODE } from './limits.ts';
import { timingSafeEqual } from '../../lib/timing-safe-equal.ts';
import type { Database } from '../../db/open.ts';
import { loginCodes } from '../../db/schema/core.ts';
import { computeKeyedHash } from '../../lib/hash.ts';
import { getNetworkPrefix, getWiderNetworkPrefix } from './network-prefix.ts';

/** Of a name: enough that no two networks of one code share it. */
const FINGERPRINT_CHARS = 16;

/**
 * Where a call comes from, by names that say nothing without the operator's secret, nor beside another address: hex, its
 * network, and the wider one, of which one contract has thousands of networks (`network.ts`).
 */
export interface NetworkFingerprints {
  own: string;
  wider: string;
}

/** @param address that a call comes from @param secret AUTH_SECRET */
export async function computeNetworkFingerprints(
  email: string,
  address: string,
  secret: string,
): Promise<NetworkFingerprints> {
  const name = async (network: string) =>
    (await computeKeyedHash(`tries of a code\n${secret}`, `${email}\n${network}`)).slice(
      0,
      FINGERPRINT_CHARS,
    );
  const [own, wider] = await Promise.all([
    name(getNetworkPrefix(address)),
    name(getWiderNetworkPrefix(address)),
  ]);
  return { own, wider };
}

/**
 * Keeps a new code for an address, unless one was sent too recently. One conditional write, so
 * that of many requests at once only one may send.
 * @returns true when the code was kept and may be sent; otherwise when the next one may be, in ms
 */
export async function saveLoginCode(
  db: Database,
  input: { email: string; codeHash: string; network: NetworkFingerprints; now: number },
): Promise<true | { retryAt: number }> {
  const fresh = {
    codeHash: input.codeHash,
    askerNetwork: input.network.own,
    sentAt: input.now,
    expiresAt: input.now + LOGIN_CODE.lifetimeMs,
    tries: 0,
    askerTries: 0,
    networkTries: '{}',
  };
  const kept = await db
    .insert(loginCodes)
    .values({ email: input.email, ...fresh })
    .onConflictDoUpdate({
      target: loginCodes.email,
      set: fresh,
      setWhere: lte(loginCodes.sentAt, input.now - LOGIN_CODE.resendAfterMs),
    })
    .returning({ email: loginCodes.email });
  if (kept.length > 0) return true;
  const row = await db
    .select({ sentAt: loginCodes.sentAt })
    .from(loginCodes)
    .where(eq(loginCodes.email, input.email))
    .get();
  return { retryAt: (row?.sentAt ?? input.now) + LOGIN_CODE.resendAfterMs };
}

/** Forgets a code that could not be sent, so that its owner need not wait for another. */
export async function deleteLoginCode(
  db: Database,
  input: { email: string; codeHash: string },
): Promise<void> {
  await db
    .delete(loginCodes)
    .where(and(eq(loginCodes.email, input.email), eq(loginCodes.codeHash, input.codeHash)));
}

/**
 * Tries a code. The try is counted before the code is compared, so that guesses sent at once count
 * each; a code that fits is deleted in one write, so that it serves once and its address is free.
 * The network that asked for it has tries of its own: a stranger's guesses use up those of others alone, and a stranger who
 * asks for somebody's code and guesses it uses up none of theirs.
 */
export async function verifyLoginCode(
  db: Database,
  input: { email: string; codeHash: string; network: NetworkFingerprints; now: number },
): Promise<boolean> {
  const isRequester = sql`ifnull(${loginCodes.askerNetwork} = ${input.network.own}, 0)`;
  const path = `$.n${input.network.wider}`;
  const ofNetwork = sql`ifnull(json_extract(${loginCodes.networkTries}, ${path}), 0)`;
  const row = await db
    .update(loginCodes)
    .set({
      tries: sql`${loginCodes.tries} + 1`,
      askerTries: sql`${loginCodes.askerTries} + ${isRequester}`,
      networkTries: sql`case when ${isRequester} then ${loginCodes.networkTries}
        else json_set(${loginCodes.networkTries}, ${path}, ${ofNetwork} + 1) end`,
    })
    .where(
      and(
        eq(loginCodes.email, input.email),
        gt(loginCodes.expiresAt, input.now),
        sql`case when ${isRequester} then ${loginCodes.askerTries} < ${LOGIN_CODE.maxAttempts}
          else ${ofNetwork} < ${LOGIN_CODE.maxAttempts}
            and ${loginCodes.tries} - ${loginCodes.askerTries} < ${LOGIN_CODE.maxAttemptsOtherNetworks} end`,
      ),
    )
    .returning({ codeHash: loginCodes.codeHash })
    .get();
  if (row === undefined || !timingSafeEqual(row.codeHash, input.codeHash)) return false;
  const used = await db
    .delete(loginCodes)
    .where(and(eq(loginCodes.email, input.email), eq(loginCodes.codeHash, input.codeHash)))
    .returning({ email: loginCodes.email });
  return used.length > 0;
}

/** Removes codes whose time is long over; run by cron. */
export async function removeExpiredLoginCodes(db: Database, now: number): Promise<void> {
  await db.delete(loginCodes).where(lt(loginCodes.expiresAt, now - LOGIN_CODE.resendAfterMs));
}

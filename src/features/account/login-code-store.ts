import { and, eq, gt, lt, lte, sql } from 'drizzle-orm';
import { LOGIN_CODE } from './limits.ts';
import { timingSafeEqual } from '../../lib/timing-safe-equal.ts';
import type { Database } from '../../db/open.ts';
import { loginCodes } from '../../db/schema/core.ts';
import { computeKeyedHash } from '../../lib/hash.ts';
import { getNetworkPrefix, getWiderNetworkPrefix } from './network-prefix.ts';

/** Hex characters; enough that no two networks that try one code share a fingerprint. */
const FINGERPRINT_CHARS = 16;

/**
 * Keyed hashes, in hex, of the caller's network and of the wider network around it, of which one customer may control
 * thousands (`network-prefix.ts`). They reveal nothing without the operator's secret, and cannot be compared between
 * e-mail addresses.
 */
export interface NetworkFingerprints {
  own: string;
  wider: string;
}

/**
 * @param address the caller's IP address
 * @param secret AUTH_SECRET
 */
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
 * Saves a new code for an address, unless one was sent too recently. One conditional write: of concurrent requests,
 * only one may send.
 * @returns true when the code was saved and may be sent; otherwise when the next one is allowed, in ms
 */
export async function saveLoginCode(
  db: Database,
  input: { email: string; codeHash: string; network: NetworkFingerprints; now: number },
): Promise<true | { retryAt: number }> {
  const fresh = {
    codeHash: input.codeHash,
    requesterNetwork: input.network.own,
    sentAt: input.now,
    expiresAt: input.now + LOGIN_CODE.lifetimeMs,
    tries: 0,
    requesterTries: 0,
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

/** Deletes a code that could not be sent, so that its owner can request another right away. */
export async function deleteLoginCode(
  db: Database,
  input: { email: string; codeHash: string },
): Promise<void> {
  await db
    .delete(loginCodes)
    .where(and(eq(loginCodes.email, input.email), eq(loginCodes.codeHash, input.codeHash)));
}

/**
 * Tries a code. The attempt is counted before the code is compared, so concurrent guesses all count. A correct code is
 * deleted in one write, so it works once and the address can request the next code. The network that requested the code
 * has its own attempts: a stranger's guesses only use up those of other networks, and a stranger who requests a user's
 * code and guesses it uses up none of the user's.
 */
export async function verifyLoginCode(
  db: Database,
  input: { email: string; codeHash: string; network: NetworkFingerprints; now: number },
): Promise<boolean> {
  const isRequester = sql`ifnull(${loginCodes.requesterNetwork} = ${input.network.own}, 0)`;
  const path = `$.n${input.network.wider}`;
  const ofNetwork = sql`ifnull(json_extract(${loginCodes.networkTries}, ${path}), 0)`;
  const row = await db
    .update(loginCodes)
    .set({
      tries: sql`${loginCodes.tries} + 1`,
      requesterTries: sql`${loginCodes.requesterTries} + ${isRequester}`,
      networkTries: sql`case when ${isRequester} then ${loginCodes.networkTries}
        else json_set(${loginCodes.networkTries}, ${path}, ${ofNetwork} + 1) end`,
    })
    .where(
      and(
        eq(loginCodes.email, input.email),
        gt(loginCodes.expiresAt, input.now),
        sql`case when ${isRequester} then ${loginCodes.requesterTries} < ${LOGIN_CODE.maxAttempts}
          else ${ofNetwork} < ${LOGIN_CODE.maxAttempts}
            and ${loginCodes.tries} - ${loginCodes.requesterTries} < ${LOGIN_CODE.maxAttemptsOtherNetworks} end`,
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

/** Removes codes that expired and no longer delay the next one; run by cron. */
export async function removeExpiredLoginCodes(db: Database, now: number): Promise<void> {
  await db.delete(loginCodes).where(lt(loginCodes.expiresAt, now - LOGIN_CODE.resendAfterMs));
}

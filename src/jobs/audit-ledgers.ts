import { LEDGER_AUDIT } from '../features/wallet/limits.ts';
import type { Database } from '../db/open.ts';
import { type AuditCursor, getAuditCursor } from '../features/wallet/ledger-audit.ts';
import { listUserIdsAfter } from '../features/wallet/ledger-audit-store.ts';
import { savePointsHeld } from '../features/stats/metrics-store.ts';
import { log } from '../lib/log.ts';

/** KV key of the audit's progress in this night. */
export const LEDGER_AUDIT_KEY = 'ledger-check';

type WalletAudit = { is: 'none' | 'silent' } | { is: 'whole' | 'different'; points: number };

/** Audits one wallet. The log names it by its object id, which does not reveal the user. */
async function auditWallet({ WALLETS }: Pick<Env, 'WALLETS'>, userId: string): Promise<WalletAudit> {
  const id = WALLETS.idFromName(userId);
  try {
    const found = await WALLETS.get(id).check();
    if (found === null) return { is: 'none' };
    const { isBalanced: whole, ...points } = found;
    if (!whole) log('ledger_mismatch', { wallet: id.toString(), ...points });
    return { is: whole ? 'whole' : 'different', points: points.balance };
  } catch {
    return { is: 'silent' };
  }
}

/**
 * Audits a batch of wallets and adds the outcomes to the cursor. A wallet that did not answer is kept for a second try.
 */
async function auditWallets(
  env: Pick<Env, 'WALLETS'>,
  round: AuditCursor,
  { people, isLast }: { people: readonly string[]; isLast: boolean },
): Promise<void> {
  const { concurrency: atOnce, maxUnresponsive: keptSilent } = LEDGER_AUDIT;
  for (let start = 0; start < people.length; start += atOnce) {
    const batch = people.slice(start, start + atOnce);
    const seen = await Promise.all(batch.map((id) => auditWallet(env, id)));
    for (const [index, what] of seen.entries()) {
      if (what.is === 'none') continue;
      if (what.is === 'silent' && !isLast && round.again.length < keptSilent) {
        round.again.push(batch[index] ?? '');
        continue;
      }
      round.wallets += 1;
      round.different += Number(what.is === 'different');
      round.silent += Number(what.is === 'silent');
      if ('points' in what) round.points += what.points;
    }
  }
}

/**
 * Compares the ledger of every wallet with its balance once a night, a batch per run. Wallets that did not answer are
 * tried once more in a later run. Repairs nothing: staff must find out which of the two is right. Safe to repeat and to
 * run concurrently.
 */
export async function auditLedgers(
  env: Pick<Env, 'WALLETS' | 'KV'>,
  db: Database,
  now: number,
): Promise<void> {
  const round = getAuditCursor(await env.KV.get(LEDGER_AUDIT_KEY, 'json').catch(() => null), now);
  if (round === null) return;
  const { walletsPerRun: perRun } = LEDGER_AUDIT;
  if (round.through) {
    const people = round.again.slice(0, perRun);
    round.again = round.again.slice(perRun);
    await auditWallets(env, round, { people, isLast: true });
  } else {
    const people = await listUserIdsAfter(db, round.after, perRun);
    await auditWallets(env, round, { people, isLast: false });
    round.after = people.at(-1) ?? round.after;
    round.through = people.length < perRun;
  }
  round.done = round.through && round.again.length === 0;
  // Without a wallet nothing was counted; the statistics then show no number.
  if (round.done && round.wallets > 0) await savePointsHeld(db, { points: round.points, day: round.night });
  await env.KV.put(LEDGER_AUDIT_KEY, JSON.stringify(round));
  if (round.done) {
    const { wallets, different, silent } = round;
    log('ledgers_checked', { wallets, mismatched: different, unresponsive: silent });
  }
}

import { LEDGER_CHECK } from '../features/wallet/limits.ts';
import type { Database } from '../db/open.ts';
import { type LedgerRound, roundAt } from '../features/wallet/ledger-check.ts';
import { peopleAfter } from '../features/wallet/ledger-check-store.ts';
import { keepPointsHeld } from '../features/stats/metrics-store.ts';
import { log } from '../lib/log.ts';

/** How far the night's round has come. */
export const LEDGER_ROUND_KEY = 'ledger-check';

type Seen = { is: 'none' | 'silent' } | { is: 'whole' | 'different'; points: number };

/** Looks at one wallet. What the log is told of it says nothing of whose it is. */
async function checkOne({ WALLETS }: Pick<Env, 'WALLETS'>, userId: string): Promise<Seen> {
  const id = WALLETS.idFromName(userId);
  try {
    const found = await WALLETS.get(id).check();
    if (found === null) return { is: 'none' };
    const { whole, ...points } = found;
    if (!whole) log('ledger_differs', { wallet: id.toString(), ...points });
    return { is: whole ? 'whole' : 'different', points: points.balance };
  } catch {
    return { is: 'silent' };
  }
}

/** Looks at some wallets, and writes into the round what became of it. */
async function checkSome(
  env: Pick<Env, 'WALLETS'>,
  round: LedgerRound,
  { people, isLast }: { people: readonly string[]; isLast: boolean },
): Promise<void> {
  const { atOnce, keptSilent } = LEDGER_CHECK;
  for (let start = 0; start < people.length; start += atOnce) {
    const some = people.slice(start, start + atOnce);
    const seen = await Promise.all(some.map((id) => checkOne(env, id)));
    for (const [index, what] of seen.entries()) {
      if (what.is === 'none') continue;
      if (what.is === 'silent' && !isLast && round.again.length < keptSilent) {
        round.again.push(some[index] ?? '');
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
 * Housekeeping: compares every wallet's ledger with its balance, some wallets at a time, once a night; those that gave no
 * answer are asked once more in a later run. It mends nothing: which of the two is right is for people to find out.
 * Harmless to repeat and to run beside itself.
 */
export async function checkLedgers(
  env: Pick<Env, 'WALLETS' | 'KV'>,
  db: Database,
  now: number,
): Promise<void> {
  const round = roundAt(await env.KV.get(LEDGER_ROUND_KEY, 'json').catch(() => null), now);
  if (round === null) return;
  const { perRun } = LEDGER_CHECK;
  if (round.through) {
    const people = round.again.slice(0, perRun);
    round.again = round.again.slice(perRun);
    await checkSome(env, round, { people, isLast: true });
  } else {
    const people = await peopleAfter(db, round.after, perRun);
    await checkSome(env, round, { people, isLast: false });
    round.after = people.at(-1) ?? round.after;
    round.through = people.length < perRun;
  }
  round.done = round.through && round.again.length === 0;
  if (round.done) await keepPointsHeld(db, { points: round.points, day: round.night });
  await env.KV.put(LEDGER_ROUND_KEY, JSON.stringify(round));
  if (round.done) {
    const { wallets, different, silent } = round;
    log('ledgers_checked', { wallets, different, silent });
  }
}

import { LEDGER_CHECK } from '../config.ts';
import type { Database } from '../db/open.ts';
import { type LedgerRound, roundAt } from '../features/wallet/ledger-check.ts';
import { peopleAfter } from '../features/wallet/ledger-check-store.ts';

/** How far the night's round has come. */
export const LEDGER_ROUND_KEY = 'ledger-check';

type Seen = Pick<LedgerRound, 'wallets' | 'different' | 'silent'>;

/** Looks at one wallet. What the log is told of it says nothing of whose it is. */
async function checkOne({ WALLETS }: Pick<Env, 'WALLETS'>, userId: string): Promise<Seen> {
  const id = WALLETS.idFromName(userId);
  try {
    const found = await WALLETS.get(id).check();
    if (found === null) return { wallets: 0, different: 0, silent: 0 };
    const { whole, ...points } = found;
    if (!whole) console.error(JSON.stringify({ event: 'ledger_differs', wallet: id.toString(), ...points }));
    return { wallets: 1, different: Number(!whole), silent: 0 };
  } catch {
    return { wallets: 1, different: 0, silent: 1 };
  }
}

/**
 * Housekeeping: compares every wallet's ledger with its balance, some wallets at a time, once a night. It mends nothing:
 * which of the two is right is for people to find out. Harmless to repeat and to run beside itself.
 */
export async function checkLedgers(
  env: Pick<Env, 'WALLETS' | 'KV'>,
  db: Database,
  now: number,
): Promise<void> {
  const round = roundAt(await env.KV.get(LEDGER_ROUND_KEY, 'json').catch(() => null), now);
  if (round === null) return;
  const { perRun, atOnce } = LEDGER_CHECK;
  const people = await peopleAfter(db, round.after, perRun);
  for (let start = 0; start < people.length; start += atOnce) {
    const seen = await Promise.all(people.slice(start, start + atOnce).map((id) => checkOne(env, id)));
    for (const { wallets, different, silent } of seen) {
      round.wallets += wallets;
      round.different += different;
      round.silent += silent;
    }
  }
  round.after = people.at(-1) ?? round.after;
  round.done = people.length < perRun;
  await env.KV.put(LEDGER_ROUND_KEY, JSON.stringify(round));
  if (round.done) {
    const { wallets, different, silent } = round;
    console.log(JSON.stringify({ event: 'ledgers_checked', wallets, different, silent }));
  }
}

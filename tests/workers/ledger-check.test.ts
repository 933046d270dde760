import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { checkLedgers, LEDGER_ROUND_KEY } from '../../src/api/ledger-check.ts';
import { openDatabase } from '../../src/db/open.ts';
import { guest } from '../support/makers.ts';

const DAY_MS = 86_400_000;
const NIGHT = Date.UTC(2031, 4, 6, 3, 5);
const db = openDatabase(env.DB);

afterEach(() => vi.restoreAllMocks());

/** A round of its own: others look at their wallets beside it. */
function roundOfItsOwn() {
  const kept = new Map<string, string>();
  return {
    get: async (key: string) => JSON.parse(kept.get(key) ?? 'null') as unknown,
    put: async (key: string, value: string) => void kept.set(key, value),
  } as unknown as KVNamespace;
}

/** These people's wallets, of which some give no answer so many times; nobody else has one. */
function walletsOf(people: readonly string[], silent: Map<string, number>) {
  const asked: string[] = [];
  const WALLETS = {
    idFromName: (id: string) => id,
    get: (id: string) => ({
      check: async () => {
        if (!people.includes(id)) return null;
        asked.push(id);
        const left = silent.get(id) ?? 0;
        silent.set(id, left - 1);
        if (left > 0) throw new Error('this wallet is somewhere else just now');
        return { whole: true, ledger: 50, balance: 50, held: 0 };
      },
    }),
  };
  return { asked, at: { KV: roundOfItsOwn(), WALLETS: WALLETS as unknown as Env['WALLETS'] } };
}

/** A run of housekeeping. @returns what it said of the round, once that is done */
async function run(at: Pick<Env, 'KV' | 'WALLETS'>): Promise<unknown> {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  await checkLedgers(at, db, NIGHT);
  const said = log.mock.calls.flat().map((line) => JSON.parse(String(line)) as unknown);
  log.mockRestore();
  return said[0];
}

/** Runs of housekeeping until the round is done: those who come after are many. @returns what was said of it then */
async function night(at: Pick<Env, 'KV' | 'WALLETS'>): Promise<unknown> {
  for (;;) {
    const said = await run(at);
    if (said !== undefined) return said;
  }
}

/** Begins a round with whoever comes from somebody on. */
const begunAt = ({ KV }: Pick<Env, 'KV'>, id: string): Promise<void> =>
  KV.put(
    LEDGER_ROUND_KEY,
    JSON.stringify({
      night: Math.floor(NIGHT / DAY_MS),
      after: id.slice(0, -1),
      done: false,
      wallets: 0,
      different: 0,
      silent: 0,
    }),
  );

describe('A wallet that gives no answer in the night', () => {
  test('is asked once more before the round is done', async () => {
    const [first, second] = [await guest(), await guest()];
    const { at, asked } = walletsOf([first.id, second.id], new Map([[first.id, 1]]));
    await begunAt(at, first.id);
    expect(await night(at)).toEqual({ event: 'ledgers_checked', wallets: 2, different: 0, silent: 0 });
    expect(asked).toEqual([first.id, second.id, first.id]);
  });

  test('and none then, is told of as one that gave none', async () => {
    const me = await guest();
    const { at, asked } = walletsOf([me.id], new Map([[me.id, 9]]));
    await begunAt(at, me.id);
    expect(await night(at)).toEqual({ event: 'ledgers_checked', wallets: 1, different: 0, silent: 1 });
    expect(asked).toEqual([me.id, me.id]);
    expect(await run(at)).toBeUndefined();
  });
});

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { auditLedgers, LEDGER_AUDIT_KEY } from '../../src/jobs/audit-ledgers.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { AuditCursor } from '../../src/features/wallet/ledger-audit.ts';
import { signInGuest, getPoints, createAccount, type Visitor, getWalletStub } from '../support/factories.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FREE = { unlimited: false, timeZone: null };
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
        return { isBalanced: true, ledger: 50, balance: 50, held: 0 };
      },
    }),
  };
  return { asked, at: { KV: roundOfItsOwn(), WALLETS: WALLETS as unknown as Env['WALLETS'] } };
}

/** A run of housekeeping. @returns what it said of the round, once that is done */
async function run(at: Pick<Env, 'KV' | 'WALLETS'>): Promise<unknown> {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  await auditLedgers(at, db, NIGHT);
  const said = log.mock.calls.flat().map((line) => JSON.parse(String(line)) as unknown);
  log.mockRestore();
  return said[0];
}

/** Runs of housekeeping until the round is done: those who come after are many. @returns what was said of it then */
async function untilDone(at: Pick<Env, 'KV' | 'WALLETS'>): Promise<unknown> {
  for (;;) {
    const said = await run(at);
    if (said !== undefined) return said;
  }
}

/** Begins a round with whoever comes from somebody on. */
const begunAt = ({ KV }: Pick<Env, 'KV'>, id: string): Promise<void> =>
  KV.put(
    LEDGER_AUDIT_KEY,
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
    const [first, second] = [await signInGuest(), await signInGuest()];
    const { at, asked } = walletsOf([first.id, second.id], new Map([[first.id, 1]]));
    await begunAt(at, first.id);
    expect(await untilDone(at)).toEqual({
      event: 'ledgers_checked',
      level: 'info',
      wallets: 2,
      different: 0,
      silent: 0,
    });
    expect(asked).toEqual([first.id, second.id, first.id]);
  });

  test('is in the sum of all points once it has answered', async () => {
    const [first, second] = [await signInGuest(), await signInGuest()];
    const { at } = walletsOf([first.id, second.id], new Map([[first.id, 1]]));
    await begunAt(at, first.id);
    await untilDone(at);
    const held = await env.DB.prepare("select value from stat_days where name = 'points_held' and day = ?")
      .bind(Math.floor(NIGHT / DAY_MS))
      .first<{ value: number }>();
    expect(held).toEqual({ value: 100 });
  });

  test('and none then, is told of as one that gave none', async () => {
    const me = await signInGuest();
    const { at, asked } = walletsOf([me.id], new Map([[me.id, 9]]));
    await begunAt(at, me.id);
    expect(await untilDone(at)).toEqual({
      event: 'ledgers_checked',
      level: 'info',
      wallets: 1,
      different: 0,
      silent: 1,
    });
    expect(asked).toEqual([me.id, me.id]);
    expect(await run(at)).toBeUndefined();
  });
});

describe('The nightly look at all ledgers', () => {
  /** This person's wallet alone, as it is: what others made of theirs is none of this. */
  const only = ({ id }: Visitor): Env['WALLETS'] => {
    const { WALLETS } = env;
    const own = WALLETS.idFromName(id).toString();
    const get = (which: DurableObjectId) =>
      which.toString() === own ? WALLETS.get(which) : { check: async () => null };
    return { idFromName: (name: string) => WALLETS.idFromName(name), get } as unknown as Env['WALLETS'];
  };

  /** Runs of housekeeping until the night's round is done, from somebody on. @returns what the log was told */
  async function night(from: Visitor, now: number): Promise<{ errors: string[]; lines: string[] }> {
    const at = { KV: roundOfItsOwn(), WALLETS: only(from) };
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    const lines = vi.spyOn(console, 'log').mockReturnValue();
    const round: AuditCursor = {
      night: Math.floor(NIGHT / DAY_MS),
      // Whoever came before is passed over; all of them together are many.
      after: from.id.slice(0, -1),
      done: false,
      wallets: 0,
      points: 0,
      different: 0,
      silent: 0,
      again: [],
      through: false,
    };
    await at.KV.put(LEDGER_AUDIT_KEY, JSON.stringify(round));
    await vi.waitFor(
      async () => {
        await auditLedgers(at, db, now);
        expect(lines).toHaveBeenCalled();
      },
      { timeout: 20_000, interval: 1 },
    );
    const told = { errors: errors.mock.calls.flat().map(String), lines: lines.mock.calls.flat().map(String) };
    vi.restoreAllMocks();
    // Once a night.
    const silent = vi.spyOn(console, 'log').mockReturnValue();
    await auditLedgers(at, db, now + 20 * HOUR_MS);
    expect(silent).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    return told;
  }

  test('finds nothing where every point is explained, and says that it is done', async () => {
    const me = await signInGuest();
    await getPoints(me);
    await getWalletStub(me.id).reserve('turn-now', 'chat', FREE);
    const { errors, lines } = await night(me, NIGHT);
    expect(errors).toEqual([]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { event: 'ledgers_checked', level: 'info', wallets: expect.any(Number), different: 0, silent: 0 },
    ]);
  });

  test.each([
    ['a point that nothing explains', 'update balance set current = current + 1'],
    ['an entry that changed nothing', 'update ledger set amount = amount - 2'],
    ['a balance that no entry tells of', 'update ledger set balance_after = balance_after + 1'],
    ['a reply that holds more than is there', 'update reservations set from_current = 51'],
  ])('finds %s, and says nothing of whose it is', async (_, spoil) => {
    const me = await createAccount();
    await getPoints(me);
    const wallet = getWalletStub(me.id);
    await wallet.reserve('turn-now', 'chat', FREE);
    await runInDurableObject(wallet, (_instance, { storage }) => {
      storage.sql.exec(spoil);
    });
    const { errors, lines } = await night(me, NIGHT);
    expect(errors).toHaveLength(1);
    expect(JSON.parse(errors[0] ?? '')).toEqual({
      event: 'ledger_differs',
      level: 'error',
      wallet: wallet.id.toString(),
      ledger: expect.any(Number),
      balance: expect.any(Number),
      held: expect.any(Number),
    });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ different: 1 }]);
    for (const line of [...errors, ...lines]) {
      expect(line).not.toContain(me.id);
      expect(line).not.toContain(me.email);
    }
    await env.DB.prepare('delete from users where id = ?').bind(me.id).run();
  });

  test('opens no wallet for whoever has none', async () => {
    const nobody = await signInGuest();
    await night(nobody, NIGHT);
    expect(await getWalletStub(nobody.id).check()).toBeNull();
  });
});

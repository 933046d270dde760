import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { auditLedgers, LEDGER_AUDIT_KEY } from '../../../../src/jobs/audit-ledgers.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import type { AuditCursor } from '../../../../src/features/wallet/ledger-audit.ts';
import {
  signInGuest,
  getPoints,
  createAccount,
  type Visitor,
  getWalletStub,
} from '../../../support/factories.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FREE = { unlimited: false, timeZone: null };
const NIGHT = Date.UTC(2031, 4, 6, 3, 5);
const db = openDatabase(env.DB);

afterEach(() => vi.restoreAllMocks());

/** A KV namespace with its own audit cursor, because other tests audit the same wallets. */
function createAuditStore() {
  const values = new Map<string, string>();
  return {
    get: async (key: string) => JSON.parse(values.get(key) ?? 'null') as unknown,
    put: async (key: string, value: string) => void values.set(key, value),
  } as unknown as KVNamespace;
}

/** Fake wallets of these users; each fails as often as `silent` says. Other users have no wallet. */
function createFakeWallets(people: readonly string[], silent: Map<string, number>) {
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
  return { asked, at: { KV: createAuditStore(), WALLETS: WALLETS as unknown as Env['WALLETS'] } };
}

/** Runs housekeeping once. @returns the log line of the audit round, if the round is done */
async function run(at: Pick<Env, 'KV' | 'WALLETS'>): Promise<unknown> {
  const log = vi.spyOn(console, 'log').mockReturnValue();
  await auditLedgers(at, db, NIGHT);
  const lines = log.mock.calls.flat().map((line) => JSON.parse(String(line)) as unknown);
  log.mockRestore();
  return lines[0];
}

/** Runs housekeeping until the audit round is done: other tests have added many wallets. @returns its log line */
async function runUntilDone(at: Pick<Env, 'KV' | 'WALLETS'>): Promise<unknown> {
  for (;;) {
    const lines = await run(at);
    if (lines !== undefined) return lines;
  }
}

/** Starts a round at this user’s wallet. */
const startRoundAt = ({ KV }: Pick<Env, 'KV'>, id: string): Promise<void> =>
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

describe('Unanswering wallets', () => {
  test('a wallet that gives no answer is asked once more before the audit round ends', async () => {
    const [first, second] = [await signInGuest(), await signInGuest()];
    const { at, asked } = createFakeWallets([first.id, second.id], new Map([[first.id, 1]]));
    await startRoundAt(at, first.id);
    expect(await runUntilDone(at)).toEqual({
      event: 'ledgers_checked',
      level: 'info',
      wallets: 2,
      mismatched: 0,
      unresponsive: 0,
    });
    expect(asked).toEqual([first.id, second.id, first.id]);
  });

  test('a wallet that answers on the second try counts in the total of all points', async () => {
    const [first, second] = [await signInGuest(), await signInGuest()];
    const { at } = createFakeWallets([first.id, second.id], new Map([[first.id, 1]]));
    await startRoundAt(at, first.id);
    await runUntilDone(at);
    const held = await env.DB.prepare("select value from stat_days where name = 'points_held' and day = ?")
      .bind(Math.floor(NIGHT / DAY_MS))
      .first<{ value: number }>();
    expect(held).toEqual({ value: 100 });
  });

  test('a night without any wallet leaves the total of all points unknown', async () => {
    const day = Math.floor(NIGHT / DAY_MS);
    await env.DB.prepare("delete from stat_days where name = 'points_held' and day = ?").bind(day).run();
    const me = await signInGuest();
    const { at } = createFakeWallets([], new Map());
    await startRoundAt(at, me.id);
    expect(await runUntilDone(at)).toMatchObject({ event: 'ledgers_checked', wallets: 0 });
    const held = env.DB.prepare("select value from stat_days where name = 'points_held' and day = ?");
    expect(await held.bind(day).first()).toBeNull();
  });

  test('a wallet that gives no answer twice is counted as unresponsive', async () => {
    const me = await signInGuest();
    const { at, asked } = createFakeWallets([me.id], new Map([[me.id, 9]]));
    await startRoundAt(at, me.id);
    expect(await runUntilDone(at)).toEqual({
      event: 'ledgers_checked',
      level: 'info',
      wallets: 1,
      mismatched: 0,
      unresponsive: 1,
    });
    expect(asked).toEqual([me.id, me.id]);
    expect(await run(at)).toBeUndefined();
  });
});

describe('Nightly ledger audit', () => {
  /** The real wallet of this user alone: other tests change theirs. */
  const onlyWalletOf = ({ id }: Visitor): Env['WALLETS'] => {
    const { WALLETS } = env;
    const own = WALLETS.idFromName(id).toString();
    const get = (which: DurableObjectId) =>
      which.toString() === own ? WALLETS.get(which) : { check: async () => null };
    return { idFromName: (name: string) => WALLETS.idFromName(name), get } as unknown as Env['WALLETS'];
  };

  /** Runs housekeeping until the audit round of the night is done, starting at this user. @returns what was logged */
  async function runNight(from: Visitor, now: number): Promise<{ errors: string[]; lines: string[] }> {
    const at = { KV: createAuditStore(), WALLETS: onlyWalletOf(from) };
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    const lines = vi.spyOn(console, 'log').mockReturnValue();
    const round: AuditCursor = {
      night: Math.floor(NIGHT / DAY_MS),
      // The wallets before this one are skipped, because there are many of them.
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
    const logged = {
      errors: errors.mock.calls.flat().map(String),
      lines: lines.mock.calls.flat().map(String),
    };
    vi.restoreAllMocks();
    // The audit runs once a night.
    const silent = vi.spyOn(console, 'log').mockReturnValue();
    await auditLedgers(at, db, now + 20 * HOUR_MS);
    expect(silent).not.toHaveBeenCalled();
    vi.restoreAllMocks();
    return logged;
  }

  test('the ledger audit logs no difference and its end when every point is explained', async () => {
    const me = await signInGuest();
    await getPoints(me);
    await getWalletStub(me.id).reserve('turn-now', 'chat', FREE);
    const { errors, lines } = await runNight(me, NIGHT);
    expect(errors).toEqual([]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        event: 'ledgers_checked',
        level: 'info',
        wallets: expect.any(Number),
        mismatched: 0,
        unresponsive: 0,
      },
    ]);
  });

  test.each([
    ['a point without a ledger entry', 'update balance set current = current + 1'],
    ['a ledger entry with a wrong amount', 'update ledger set amount = amount - 2'],
    ['a balance that differs from its ledger entry', 'update ledger set balance_after = balance_after + 1'],
    [
      'a reservation of more points than the balance has',
      "update balance set held = json_set(held, '$[0].fromCurrent', 51)",
    ],
  ])('the ledger audit finds %s and logs nothing about the owner', async (_, spoil) => {
    const me = await createAccount();
    await getPoints(me);
    const wallet = getWalletStub(me.id);
    await wallet.reserve('turn-now', 'chat', FREE);
    await runInDurableObject(wallet, (_instance, { storage }) => {
      storage.sql.exec(spoil);
    });
    const { errors, lines } = await runNight(me, NIGHT);
    expect(errors).toHaveLength(1);
    expect(JSON.parse(errors[0] ?? '')).toEqual({
      event: 'ledger_mismatch',
      level: 'error',
      wallet: wallet.id.toString(),
      ledger: expect.any(Number),
      balance: expect.any(Number),
      held: expect.any(Number),
    });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([{ mismatched: 1 }]);
    for (const line of [...errors, ...lines]) {
      expect(line).not.toContain(me.id);
      expect(line).not.toContain(me.email);
    }
    await env.DB.prepare('delete from users where id = ?').bind(me.id).run();
  });

  test('the ledger audit creates no wallet for a user who has none', async () => {
    const me = await signInGuest();
    await runNight(me, NIGHT);
    expect(await getWalletStub(me.id).check()).toBeNull();
  });
});

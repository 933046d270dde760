import { describe, expect, test } from 'vitest';
import type { OwnAccount } from '../../src/features/account/contract.ts';
import type { LedgerEntry } from '../../src/features/wallet/contract.ts';
import type { AccountPageApi } from '../../src/islands/account/account-api.ts';
import { createAccountPage, MAX_LEDGER_ENTRIES } from '../../src/islands/account/account-state.ts';
import { type Failure, NETWORK_FAILURE, type Result } from '../../src/islands/shared/api.ts';

const ME: OwnAccount = {
  id: 'me',
  username: 'reader-1',
  email: 'me@example.test',
  avatar_url: null,
  avatar_id: null,
  nickname: null,
  role: 'user',
  plan: 'free',
  is_anonymous: false,
  onboarding_completed: true,
  spicy_mode: false,
  age_confirmed: false,
  language: 'en',
  email_notifications: true,
  marketing_emails: false,
};
const ENDED: Failure = { ok: false, status: 401, code: 'unauthenticated', error: '' };
const good = <T>(data: T): Result<T> => ({ ok: true, data });

/** An answer that comes when the test says so. */
function later<T>() {
  let come: (answer: Result<T>) => void = () => {};
  const answer = new Promise<Result<T>>((resolve) => (come = resolve));
  return { answer, come };
}

/** @param becomes whose account is here after one was asked to sign in again */
async function opened(api: Partial<AccountPageApi>, becomes: string | null = null) {
  const took: OwnAccount[] = [];
  const page = createAccountPage({
    api: { account: async () => good(ME), ...api } as AccountPageApi,
    signIn: async () => becomes,
    updateSession: (account) => void took.push(account),
  });
  await page.account.load();
  const shown = () => page.account.$state.get().data as OwnAccount;
  return { page, took, shown };
}

describe('A switch of my account', () => {
  test('stands at once where I put it, and back again when it could not be saved', async () => {
    const { answer, come } = later<OwnAccount>();
    const { page, shown } = await opened({ change: () => answer });
    const flipped = page.toggleFlag('marketing_emails', true);
    expect(shown().marketing_emails).toBe(true);
    come(NETWORK_FAILURE);
    expect(await flipped).toBe(NETWORK_FAILURE);
    expect(shown().marketing_emails).toBe(false);
  });

  test('pressed twice stands where the second press put it, whatever becomes of the first', async () => {
    const answers = [later<OwnAccount>(), later<OwnAccount>()] as const;
    let call = 0;
    const { page, shown } = await opened({
      change: () => (answers[call++] as (typeof answers)[number]).answer,
    });
    const first = page.toggleFlag('marketing_emails', true);
    const second = page.toggleFlag('marketing_emails', false);
    answers[1].come(good(ME));
    await second;
    answers[0].come(NETWORK_FAILURE);
    expect(await first).toBeNull();
    expect(shown().marketing_emails).toBe(false);
  });

  test('leaves what else was changed meanwhile as it is', async () => {
    const { answer, come } = later<OwnAccount>();
    const { page, shown } = await opened({
      change: (wish) => ('nickname' in wish ? Promise.resolve(good({ ...ME, nickname: 'Wren' })) : answer),
    });
    const flipped = page.toggleFlag('marketing_emails', true);
    await page.change({ nickname: 'Wren' });
    come(good({ ...ME, marketing_emails: true }));
    await flipped;
    expect(shown()).toMatchObject({ nickname: 'Wren', marketing_emails: true });
  });
});

test('What I change is told to the rest of the page; what failed is not', async () => {
  const { page, took, shown } = await opened({ change: async () => good({ ...ME, username: 'Wren' }) });
  expect(await page.change({ username: 'Wren' })).toBeNull();
  expect(took).toEqual([shown()]);
  const failing = await opened({ change: async () => NETWORK_FAILURE });
  expect(await failing.page.change({ username: 'Wren' })).toBe(NETWORK_FAILURE);
  expect(failing.took).toEqual([]);
  expect(failing.shown()).toEqual(ME);
});

test('When my session ended I am asked to log in again, and what I wanted is done then', async () => {
  let calls = 0;
  const change = async () => (++calls === 1 ? ENDED : good({ ...ME, username: 'Wren' }));
  const again = await opened({ change }, ME.id);
  expect(await again.page.change({ username: 'Wren' })).toBeNull();
  calls = 0;
  const stayed = await opened({ change });
  expect(await stayed.page.change({ username: 'Wren' })).toBe(ENDED);
});

test('What I wanted is not done to the account of somebody else who logs in then', async () => {
  let calls = 0;
  const change = async () => (++calls === 1 ? ENDED : good({ ...ME, id: 'them', username: 'Wren' }));
  const { page, took } = await opened({ change }, 'them');
  expect(await page.change({ username: 'Wren' })).toMatchObject({ ok: false, code: 'other_account' });
  expect([calls, took]).toEqual([1, []]);
});

test('A picture that could not be sent changes nothing', async () => {
  const wishes: unknown[] = [];
  const { page } = await opened({
    sendPicture: async () => NETWORK_FAILURE,
    change: async (wish) => (wishes.push(wish), good(ME)),
  });
  expect(await page.setAvatar(new Blob(), { signal: new AbortController().signal })).toBe(NETWORK_FAILURE);
  expect(wishes).toEqual([]);
});

test('A picture that I called off while it was being sent is not worn', async () => {
  const wishes: unknown[] = [];
  const { answer, come } = later<{ avatar_id: string; url: string }>();
  const { page } = await opened({
    sendPicture: () => answer,
    change: async (wish) => (wishes.push(wish), good(ME)),
  });
  const off = new AbortController();
  const worn = page.setAvatar(new Blob(), { signal: off.signal });
  off.abort();
  come(good({ avatar_id: 'a.webp', url: '/media/a.webp' }));
  expect(await worn).toBeNull();
  expect(wishes).toEqual([]);
});

describe('My ledger', () => {
  const entry = (id: number): LedgerEntry => ({
    id: String(id),
    at: '2026-11-21T00:00:00.000Z',
    kind: 'message',
    reason: 'A reply was written',
    amount: -1,
    balance_after: 9,
  });

  test('comes page by page, goes on after a failure, and stops where a page would grow too long', async () => {
    const cursors: (string | undefined)[] = [];
    let fails = false;
    const { page } = await opened({
      ledger: async (cursor) => {
        if (fails) return NETWORK_FAILURE;
        cursors.push(cursor);
        const start = Number(cursor ?? 0);
        const items = Array.from({ length: 20 }, (_, index) => entry(start + index));
        return good({ items, next_cursor: String(start + 20) });
      },
    });
    await page.showLedger();
    expect(page.$ledger.get()).toMatchObject({ status: 'ready', nextCursor: '20', cutOff: false });
    fails = true;
    await page.showLedger();
    expect(page.$ledger.get()).toMatchObject({ status: 'failed', nextCursor: '20' });
    expect(page.$ledger.get().entries).toHaveLength(20);
    fails = false;
    for (let shown = 20; shown < MAX_LEDGER_ENTRIES; shown += 20) await page.showLedger();
    expect(page.$ledger.get()).toMatchObject({ nextCursor: null, cutOff: true });
    await page.showLedger();
    expect(cursors).toHaveLength(MAX_LEDGER_ENTRIES / 20);
  });

  test('of somebody else never shows: an answer that comes after I left is dropped', async () => {
    const { answer, come } = later<{ items: LedgerEntry[]; next_cursor: string | null }>();
    const { page } = await opened({ ledger: () => answer });
    const asked = page.showLedger();
    page.reset();
    come(good({ items: [entry(1)], next_cursor: null }));
    await asked;
    expect(page.$ledger.get()).toMatchObject({ status: 'idle', entries: [] });
  });
});

test('A session that ended elsewhere already leaves the list as well', async () => {
  const session = { created_at: '', last_seen_at: '', user_agent: '' };
  const items = ['a', 'b', 'c'].map((id) => ({ id, current: id === 'a', ...session }));
  const { page } = await opened({
    sessions: async () => good({ items }),
    endSession: async () => ({ ok: false, status: 404, code: 'not_found', error: '' }),
    endOtherSessions: async () => good(null),
  });
  await page.sessions.load();
  const ids = () => page.sessions.$state.get().data?.items.map(({ id }) => id);
  expect(await page.endSession('b')).toBeNull();
  expect(ids()).toEqual(['a', 'c']);
  expect(await page.endOtherSessions()).toBeNull();
  expect(ids()).toEqual(['a']);
});

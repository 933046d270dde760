import { describe, expect, test } from 'vitest';
import type { OwnAccount } from '../../../../src/features/account/contract.ts';
import type { AccountPageApi } from '../../../../src/islands/account/account-api.ts';
import { createAccountPage } from '../../../../src/islands/account/account-state.ts';
import { type Failure, NETWORK_FAILURE, type Result } from '../../../../src/islands/shared/api.ts';

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
  personal_suggestions: true,
  email_notifications: true,
  marketing_emails: false,
};
const ENDED: Failure = { ok: false, status: 401, code: 'unauthenticated', error: '' };
const good = <T>(data: T): Result<T> => ({ ok: true, data });

/** An answer that the test resolves. */
function createAnswer<T>() {
  let resolveAnswer: (answer: Result<T>) => void = () => {};
  const answer = new Promise<Result<T>>((resolve) => (resolveAnswer = resolve));
  return { answer, resolveAnswer };
}

/** @param becomes the id of the account that the user logs in to when asked, null if they do not */
async function openPage(api: Partial<AccountPageApi>, becomes: string | null = null) {
  const updates: OwnAccount[] = [];
  const page = createAccountPage({
    api: { account: async () => good(ME), ...api } as AccountPageApi,
    signIn: async () => becomes,
    updateSession: (account) => void updates.push(account),
  });
  await page.account.load();
  const getShown = () => page.account.$state.get().data as OwnAccount;
  return { page, updates, getShown };
}

describe('Account switches', () => {
  test('a switch changes at once and goes back when saving fails', async () => {
    const { answer, resolveAnswer } = createAnswer<OwnAccount>();
    const { page, getShown } = await openPage({ change: () => answer });
    const flipped = page.toggleFlag('marketing_emails', true);
    expect(getShown().marketing_emails).toBe(true);
    resolveAnswer(NETWORK_FAILURE);
    expect(await flipped).toBe(NETWORK_FAILURE);
    expect(getShown().marketing_emails).toBe(false);
  });

  test('a switch pressed twice keeps the second value even when the first request fails', async () => {
    const answers = [createAnswer<OwnAccount>(), createAnswer<OwnAccount>()] as const;
    let call = 0;
    const { page, getShown } = await openPage({
      change: () => (answers[call++] as (typeof answers)[number]).answer,
    });
    const first = page.toggleFlag('marketing_emails', true);
    const second = page.toggleFlag('marketing_emails', false);
    answers[1].resolveAnswer(good(ME));
    await second;
    answers[0].resolveAnswer(NETWORK_FAILURE);
    expect(await first).toBeNull();
    expect(getShown().marketing_emails).toBe(false);
  });

  test('saving a switch keeps another change made during the request', async () => {
    const { answer, resolveAnswer } = createAnswer<OwnAccount>();
    const { page, getShown } = await openPage({
      change: (wish) => ('nickname' in wish ? Promise.resolve(good({ ...ME, nickname: 'Wren' })) : answer),
    });
    const flipped = page.toggleFlag('marketing_emails', true);
    await page.change({ nickname: 'Wren' });
    resolveAnswer(good({ ...ME, marketing_emails: true }));
    await flipped;
    expect(getShown()).toMatchObject({ nickname: 'Wren', marketing_emails: true });
  });
});

test('a saved change updates the session of the page, and a failed one does not', async () => {
  const { page, updates, getShown } = await openPage({
    change: async () => good({ ...ME, username: 'Wren' }),
  });
  expect(await page.change({ username: 'Wren' })).toBeNull();
  expect(updates).toEqual([getShown()]);
  const failing = await openPage({ change: async () => NETWORK_FAILURE });
  expect(await failing.page.change({ username: 'Wren' })).toBe(NETWORK_FAILURE);
  expect(failing.updates).toEqual([]);
  expect(failing.getShown()).toEqual(ME);
});

test('after the session ended, a change asks for login and is retried after it', async () => {
  let calls = 0;
  const change = async () => (++calls === 1 ? ENDED : good({ ...ME, username: 'Wren' }));
  const again = await openPage({ change }, ME.id);
  expect(await again.page.change({ username: 'Wren' })).toBeNull();
  calls = 0;
  const stayed = await openPage({ change });
  expect(await stayed.page.change({ username: 'Wren' })).toBe(ENDED);
});

test('a change is not retried when a different account logs in', async () => {
  let calls = 0;
  const change = async () => (++calls === 1 ? ENDED : good({ ...ME, id: 'them', username: 'Wren' }));
  const { page, updates } = await openPage({ change }, 'them');
  expect(await page.change({ username: 'Wren' })).toMatchObject({ ok: false, code: 'other_account' });
  expect([calls, updates]).toEqual([1, []]);
});

test('an avatar that could not be uploaded changes nothing', async () => {
  const changes: unknown[] = [];
  const { page } = await openPage({
    sendPicture: async () => NETWORK_FAILURE,
    change: async (wish) => (changes.push(wish), good(ME)),
  });
  expect(await page.setAvatar(new Blob(), { signal: new AbortController().signal })).toBe(NETWORK_FAILURE);
  expect(changes).toEqual([]);
});

test('an avatar cancelled during its upload is not applied', async () => {
  const changes: unknown[] = [];
  const { answer, resolveAnswer } = createAnswer<{ avatar_id: string; url: string }>();
  const { page } = await openPage({
    sendPicture: () => answer,
    change: async (wish) => (changes.push(wish), good(ME)),
  });
  const off = new AbortController();
  const setting = page.setAvatar(new Blob(), { signal: off.signal });
  off.abort();
  resolveAnswer(good({ avatar_id: 'a.webp', url: '/media/a.webp' }));
  expect(await setting).toBeNull();
  expect(changes).toEqual([]);
});

test('a session that already ended elsewhere leaves the list as well', async () => {
  const session = { created_at: '', last_seen_at: '', user_agent: '' };
  const items = ['a', 'b', 'c'].map((id) => ({ id, current: id === 'a', ...session }));
  const { page } = await openPage({
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

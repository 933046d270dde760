import { describe, expect, test } from 'vitest';
import type { SessionUser } from '../../../../src/features/account/contract.ts';
import type { Failure } from '../../../../src/islands/shared/api.ts';
import { checkCreatePermission } from '../../../../src/layouts/scripts/check-create-permission.ts';
import { syncFlags } from '../../../../src/layouts/scripts/spicy/spicy.ts';
import { createSpicySwitch } from '../../../../src/layouts/scripts/spicy/spicy-switch.ts';
import { ANA } from '../../../support/session-users.ts';

const refusal = (status: number, code: string, error = ''): Failure => ({ ok: false, status, code, error });
const createAuth = (user: SessionUser | null) => ({
  is_authenticated: user !== null,
  isAuthenticated: user !== null,
  user,
});

/** A user's spicy switch, with the server and the answer to the age question laid out by the test. */
function createTestSwitch(
  user: SessionUser | null,
  {
    age = 'sworn',
    answer,
    startsCheck = () => true,
    loggedInUser = null,
  }: {
    age?: 'sworn' | 'check' | 'declined';
    answer?: Failure | Promise<Failure>;
    /** Whether navigating to the age check succeeds; called each time. */
    startsCheck?: () => boolean | Promise<boolean>;
    /** The user after the login prompt; null when the user did not log in. */
    loggedInUser?: SessionUser | null;
  } = {},
) {
  const calls: unknown[][] = [];
  let current = user;
  const toggle = createSpicySwitch({
    api: {
      changeAccount: async (change) => {
        calls.push(['change', change]);
        return (await answer) ?? { ok: true, data: { ...ANA, ...user, ...(change as object) } };
      },
    },
    getSession: async () => createAuth(current),
    signIn: async () => {
      calls.push(['sign in']);
      current = loggedInUser ?? current;
      return loggedInUser !== null;
    },
    askAge: async () => {
      calls.push(['ask']);
      return age;
    },
    startAgeCheck: async () => {
      calls.push(['leave']);
      return startsCheck();
    },
    showPending: (pending) => void calls.push(['pending', pending]),
    updateSession: ({ spicy_mode }) => void calls.push(['took', spicy_mode]),
    showFailure: () => void calls.push(['failed']),
    notifyNetworkError: () => void calls.push(['trouble']),
    reload: () => void calls.push(['reload']),
  });
  return { toggle, calls };
}

describe('Spicy switch', () => {
  test('the spicy switch asks for the age the first time, sends both together and reloads the page', async () => {
    const { toggle, calls } = createTestSwitch(ANA);
    await toggle();
    expect(calls).toEqual([
      ['ask'],
      ['pending', true],
      ['change', { spicy_mode: true, age_confirmed: true }],
      ['took', true],
      ['reload'],
    ]);
  });

  test('the spicy switch changes nothing when the age question is declined', async () => {
    const { toggle, calls } = createTestSwitch(ANA, { age: 'declined' });
    await toggle();
    expect(calls).toEqual([['ask']]);
  });

  test('the spicy switch leads to the age check where one is required and changes nothing itself', async () => {
    const { toggle, calls } = createTestSwitch(ANA, { age: 'check' });
    await toggle();
    expect(calls).toEqual([['ask'], ['pending', true], ['leave']]);
    const unavailable = createTestSwitch(ANA, { age: 'check', startsCheck: () => false });
    await unavailable.toggle();
    expect(unavailable.calls.slice(-2)).toEqual([['failed'], ['pending', false]]);
  });

  test.each([true, false])(
    'the spicy switch does not ask again once the age is confirmed (on: %s)',
    async (spicy_mode) => {
      const { toggle, calls } = createTestSwitch({ ...ANA, age_confirmed: true, spicy_mode });
      await toggle();
      expect(calls.slice(0, 2)).toEqual([
        ['pending', true],
        ['change', { spicy_mode: !spicy_mode }],
      ]);
      expect(calls.at(-1)).toEqual(['reload']);
    },
  );

  test('a failed spicy switch reports the failure, stays as it was and can be pressed again', async () => {
    const { toggle, calls } = createTestSwitch(
      { ...ANA, age_confirmed: true },
      { answer: refusal(0, 'network') },
    );
    await toggle();
    expect(calls.slice(2)).toEqual([['failed'], ['pending', false]]);
    await toggle();
    expect(calls.filter(([name]) => name === 'change')).toHaveLength(2);
  });

  test('the spicy switch reports that the age check could not be reached and can be pressed again', async () => {
    let isThere = false;
    const startsCheck = () => isThere || Promise.reject(new Error('Failed to fetch'));
    const { toggle, calls } = createTestSwitch(ANA, { age: 'check', startsCheck });
    await toggle();
    expect(calls).toEqual([['ask'], ['pending', true], ['leave'], ['trouble'], ['pending', false]]);
    isThere = true;
    await toggle();
    expect(calls.slice(5)).toEqual([['ask'], ['pending', true], ['leave']]);
  });

  test('the spicy switch ignores presses while it waits', async () => {
    const waiting = createTestSwitch(ANA, { answer: new Promise(() => {}) });
    void waiting.toggle();
    await waiting.toggle();
    await Promise.resolve();
    expect(waiting.calls.filter(([name]) => name === 'ask')).toHaveLength(1);
  });

  test('the spicy switch asks users without an account to log in and continues afterwards', async () => {
    const guest = { ...ANA, is_anonymous: true };
    for (const user of [null, guest]) {
      const notLoggedIn = createTestSwitch(user);
      await notLoggedIn.toggle();
      expect(notLoggedIn.calls).toEqual([['sign in']]);
      const asGuest = createTestSwitch(user, { loggedInUser: guest });
      await asGuest.toggle();
      expect(asGuest.calls).toEqual([['sign in']]);
    }
    const loggedIn = createTestSwitch(guest, { loggedInUser: ANA });
    await loggedIn.toggle();
    expect(loggedIn.calls.slice(0, 2)).toEqual([['sign in'], ['ask']]);
    expect(loggedIn.calls.at(-1)).toEqual(['reload']);
    const alreadyOn = createTestSwitch(guest, {
      loggedInUser: { ...ANA, age_confirmed: true, spicy_mode: true },
    });
    await alreadyOn.toggle();
    expect(alreadyOn.calls).toEqual([['sign in'], ['reload']]);
  });

  test('the spicy flags are stored on the device as in the account and removed on logout', () => {
    const stored = new Map<string, string>();
    const storage = {
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    } as Storage;
    syncFlags(storage, { ...ANA, spicy_mode: true, age_confirmed: true });
    expect(Object.fromEntries(stored)).toEqual({ 'spicy-mode': 'true', 'age-verified': 'true' });
    syncFlags(storage, { ...ANA, age_confirmed: true });
    expect(Object.fromEntries(stored)).toEqual({ 'spicy-mode': 'false', 'age-verified': 'true' });
    syncFlags(storage, null);
    expect(stored.size).toBe(0);
  });
});

/** Presses «Create character» as this user; the server answers as the test lays out. */
async function pressCreate(
  user: SessionUser | null,
  { permission, points }: { permission?: unknown; points?: unknown } = {},
) {
  const calls: unknown[][] = [];
  const leaving = await checkCreatePermission({
    api: {
      mayCreateCharacter: async () => {
        calls.push(['permission']);
        return (permission ?? { ok: true, data: { success: true, error_message: null } }) as never;
      },
      checkCharacterPoints: async () => {
        calls.push(['points']);
        return (points ?? { ok: true, data: { success: true, error: null, points_required: 5 } }) as never;
      },
    },
    getSession: async () => createAuth(user),
    signIn: () => void calls.push(['sign in']),
    showRefusal: (message) => void calls.push(['refused', message]),
    showMissingPoints: (required) => void calls.push(['missing', required]),
    showFailure: () => void calls.push(['failed']),
    showCheckFailure: () => void calls.push(['check failed']),
    openCreatePage: () => void calls.push(['go']),
  });
  return { calls, leaving };
}

describe('Character creation checks', () => {
  test('creating a character checks the permission, then the points, and opens the page', async () => {
    expect(await pressCreate(ANA)).toEqual({ calls: [['permission'], ['points'], ['go']], leaving: true });
  });

  test.each([
    ['nobody', null],
    ['a guest', { ...ANA, is_anonymous: true }],
  ])(
    'creating a character needs an account and asks for a login without a request (user: %s)',
    async (_, user) => {
      expect(await pressCreate(user)).toEqual({ calls: [['sign in']], leaving: false });
    },
  );

  test('creating a character asks for a login when the session has ended', async () => {
    const { calls } = await pressCreate(ANA, { permission: refusal(401, 'unauthenticated', 'You must') });
    expect(calls).toEqual([['permission'], ['sign in']]);
  });

  test.each([
    [{ ok: true, data: { success: false, error_message: 'Not you.' } }, 'Not you.'],
    [{ ok: true, data: { success: false, error_message: null } }, ''],
    [refusal(500, 'server_error', 'Server error.'), 'Server error.'],
    [refusal(0, 'network'), ''],
  ])(
    "a refused character creation shows the server's message, if it has one",
    async (permission, message) => {
      const { calls, leaving } = await pressCreate(ANA, { permission });
      expect({ calls, leaving }).toEqual({ calls: [['permission'], ['refused', message]], leaving: false });
    },
  );

  test('creating a character reports missing points, an unclear answer and a failed check', async () => {
    const short = { ok: true, data: { success: false, error: 'You need 5', points_required: 5 } };
    expect((await pressCreate(ANA, { points: short })).calls.at(-1)).toEqual(['missing', 5]);
    const silent = { ok: true, data: { success: false, error: null, points_required: 5 } };
    expect((await pressCreate(ANA, { points: silent })).calls.at(-1)).toEqual(['failed']);
    for (const failure of [refusal(0, 'network'), refusal(500, 'server_error', 'x')]) {
      expect((await pressCreate(ANA, { points: failure })).calls.at(-1)).toEqual(['check failed']);
    }
  });
});

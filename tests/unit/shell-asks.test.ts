import { describe, expect, test } from 'vitest';
import type { SessionUser } from '../../src/features/account/contract.ts';
import type { Failure } from '../../src/islands/shared/api.ts';
import { checkCreatePermission } from '../../src/layouts/scripts/check-create-permission.ts';
import { syncFlags } from '../../src/layouts/scripts/spicy/spicy.ts';
import { createSpicySwitch } from '../../src/layouts/scripts/spicy/spicy-switch.ts';
import { ANA } from '../support/session-users.ts';

const refusal = (status: number, code: string, error = ''): Failure => ({ ok: false, status, code, error });
const authOf = (user: SessionUser | null) => ({
  is_authenticated: user !== null,
  isAuthenticated: user !== null,
  user,
});

/** The switch of somebody, with a server and an answer to the question about age as the test lays them out. */
function spicySwitch(
  user: SessionUser | null,
  {
    age = 'sworn',
    answer,
    leaves = () => true,
    becomes = null,
  }: {
    age?: 'sworn' | 'check' | 'declined';
    answer?: Failure | Promise<Failure>;
    /** Whether the way to the check opens; asked each time. */
    leaves?: () => boolean | Promise<boolean>;
    /** Who they are once they were asked to log in; null when they did not. */
    becomes?: SessionUser | null;
  } = {},
) {
  const calls: unknown[][] = [];
  let here = user;
  const toggle = createSpicySwitch({
    api: {
      changeAccount: async (change) => {
        calls.push(['change', change]);
        return (await answer) ?? { ok: true, data: { ...ANA, ...user, ...(change as object) } };
      },
    },
    getSession: async () => authOf(here),
    signIn: async () => {
      calls.push(['sign in']);
      here = becomes ?? here;
      return becomes !== null;
    },
    askAge: async () => {
      calls.push(['ask']);
      return age;
    },
    startAgeCheck: async () => {
      calls.push(['leave']);
      return leaves();
    },
    showPending: (pending) => void calls.push(['pending', pending]),
    updateSession: ({ spicy_mode }) => void calls.push(['took', spicy_mode]),
    showFailure: () => void calls.push(['failed']),
    notifyNetworkError: () => void calls.push(['trouble']),
    reload: () => void calls.push(['reload']),
  });
  return { toggle, calls };
}

describe('the spicy switch', () => {
  test('asks the first time whether I am 18 or older, sends both at once, and loads the page again', async () => {
    const { toggle, calls } = spicySwitch(ANA);
    await toggle();
    expect(calls).toEqual([
      ['ask'],
      ['pending', true],
      ['change', { spicy_mode: true, age_confirmed: true }],
      ['took', true],
      ['reload'],
    ]);
  });

  test('changes nothing when I do not say so', async () => {
    const { toggle, calls } = spicySwitch(ANA, { age: 'declined' });
    await toggle();
    expect(calls).toEqual([['ask']]);
  });

  test('leads to the check where my word is not enough, and changes nothing by itself', async () => {
    const { toggle, calls } = spicySwitch(ANA, { age: 'check' });
    await toggle();
    expect(calls).toEqual([['ask'], ['pending', true], ['leave']]);
    const inVain = spicySwitch(ANA, { age: 'check', leaves: () => false });
    await inVain.toggle();
    expect(inVain.calls.slice(-2)).toEqual([['failed'], ['pending', false]]);
  });

  test.each([true, false])('never asks again: later it just flips (on: %s)', async (spicy_mode) => {
    const { toggle, calls } = spicySwitch({ ...ANA, age_confirmed: true, spicy_mode });
    await toggle();
    expect(calls.slice(0, 2)).toEqual([
      ['pending', true],
      ['change', { spicy_mode: !spicy_mode }],
    ]);
    expect(calls.at(-1)).toEqual(['reload']);
  });

  test('says when it failed, stays as it was, and can be pressed again', async () => {
    const { toggle, calls } = spicySwitch({ ...ANA, age_confirmed: true }, { answer: refusal(0, 'network') });
    await toggle();
    expect(calls.slice(2)).toEqual([['failed'], ['pending', false]]);
    await toggle();
    expect(calls.filter(([name]) => name === 'change')).toHaveLength(2);
  });

  test('says when the way to the check could not be fetched, and leads there when pressed again', async () => {
    let isThere = false;
    const leaves = () => isThere || Promise.reject(new Error('Failed to fetch'));
    const { toggle, calls } = spicySwitch(ANA, { age: 'check', leaves });
    await toggle();
    expect(calls).toEqual([['ask'], ['pending', true], ['leave'], ['trouble'], ['pending', false]]);
    isThere = true;
    await toggle();
    expect(calls.slice(5)).toEqual([['ask'], ['pending', true], ['leave']]);
  });

  test('does nothing while it waits', async () => {
    const waiting = spicySwitch(ANA, { answer: new Promise(() => {}) });
    void waiting.toggle();
    await waiting.toggle();
    await Promise.resolve();
    expect(waiting.calls.filter(([name]) => name === 'ask')).toHaveLength(1);
  });

  test('asks those without an account to log in, and goes on from there', async () => {
    const guest = { ...ANA, is_anonymous: true };
    for (const user of [null, guest]) {
      const stayed = spicySwitch(user);
      await stayed.toggle();
      expect(stayed.calls).toEqual([['sign in']]);
      const asGuest = spicySwitch(user, { becomes: guest });
      await asGuest.toggle();
      expect(asGuest.calls).toEqual([['sign in']]);
    }
    const came = spicySwitch(guest, { becomes: ANA });
    await came.toggle();
    expect(came.calls.slice(0, 2)).toEqual([['sign in'], ['ask']]);
    expect(came.calls.at(-1)).toEqual(['reload']);
    const hadIt = spicySwitch(guest, { becomes: { ...ANA, age_confirmed: true, spicy_mode: true } });
    await hadIt.toggle();
    expect(hadIt.calls).toEqual([['sign in'], ['reload']]);
  });

  test('is remembered on my device as my account has it, and forgotten when I leave', () => {
    const kept = new Map<string, string>();
    const storage = {
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    } as Storage;
    syncFlags(storage, { ...ANA, spicy_mode: true, age_confirmed: true });
    expect(Object.fromEntries(kept)).toEqual({ 'spicy-mode': 'true', 'age-verified': 'true' });
    syncFlags(storage, { ...ANA, age_confirmed: true });
    expect(Object.fromEntries(kept)).toEqual({ 'spicy-mode': 'false', 'age-verified': 'true' });
    syncFlags(storage, null);
    expect(kept.size).toBe(0);
  });
});

/** Somebody presses «Create character»; the server answers as the test lays out. */
async function create(
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
    getSession: async () => authOf(user),
    signIn: () => void calls.push(['sign in']),
    showRefusal: (message) => void calls.push(['refused', message]),
    showMissingPoints: (required) => void calls.push(['missing', required]),
    showFailure: () => void calls.push(['failed']),
    showCheckFailure: () => void calls.push(['check failed']),
    openCreatePage: () => void calls.push(['go']),
  });
  return { calls, leaving };
}

describe('creating a character', () => {
  test('asks for the permission, then for the points, and leads to the page', async () => {
    expect(await create(ANA)).toEqual({ calls: [['permission'], ['points'], ['go']], leaving: true });
  });

  test.each([
    ['nobody', null],
    ['a guest', { ...ANA, is_anonymous: true }],
  ])('needs an account: %s is asked to log in, and the server nothing', async (_, user) => {
    expect(await create(user)).toEqual({ calls: [['sign in']], leaving: false });
  });

  test('asks to log in when my session ended meanwhile', async () => {
    const { calls } = await create(ANA, { permission: refusal(401, 'unauthenticated', 'You must') });
    expect(calls).toEqual([['permission'], ['sign in']]);
  });

  test.each([
    [{ ok: true, data: { success: false, error_message: 'Not you.' } }, 'Not you.'],
    [{ ok: true, data: { success: false, error_message: null } }, ''],
    [refusal(500, 'server_error', 'Server error.'), 'Server error.'],
    [refusal(0, 'network'), ''],
  ])('ends with the server’s words when it is refused, or with none', async (permission, message) => {
    const { calls, leaving } = await create(ANA, { permission });
    expect({ calls, leaving }).toEqual({ calls: [['permission'], ['refused', message]], leaving: false });
  });

  test('tells how many points are needed when they are not there, and when it could not be found out', async () => {
    const short = { ok: true, data: { success: false, error: 'You need 5', points_required: 5 } };
    expect((await create(ANA, { points: short })).calls.at(-1)).toEqual(['missing', 5]);
    const silent = { ok: true, data: { success: false, error: null, points_required: 5 } };
    expect((await create(ANA, { points: silent })).calls.at(-1)).toEqual(['failed']);
    for (const failure of [refusal(0, 'network'), refusal(500, 'server_error', 'x')]) {
      expect((await create(ANA, { points: failure })).calls.at(-1)).toEqual(['check failed']);
    }
  });
});

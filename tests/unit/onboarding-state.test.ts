import { atom } from 'nanostores';
import { describe, expect, test } from 'vitest';
import type { SessionUser } from '../../src/features/account/contract.ts';
import { normalizeInviteCode } from '../../src/features/account/invite-code.ts';
import { createOnboardingFlow } from '../../src/islands/onboarding/onboarding-flow.ts';
import {
  isInviteCodeMalformed,
  isNewcomer,
  isNicknameTooLong,
  createOpenState,
  type OnboardingState,
} from '../../src/islands/onboarding/onboarding-state.ts';
import {
  clearPendingInvite,
  savePendingInvite,
  readPendingInvite,
} from '../../src/islands/onboarding/pending-invite.ts';
import type { Failure } from '../../src/islands/shared/api.ts';
import { NEWCOMER as ANA } from '../support/session-users.ts';

const refusal = (status: number, code: string, error = ''): Failure => ({ ok: false, status, code, error });

/** The dialog, open, with a server that answers what the test lays out. */
function opened(user: Partial<SessionUser> = {}, inviteCode = '') {
  const calls: unknown[][] = [];
  const answers: Record<string, unknown[]> = {};
  const $state = atom<OnboardingState>(createOpenState({ ...ANA, ...user }, inviteCode));
  let spicy = user.spicy_mode ?? false;
  const answer = async (name: string, body: unknown) => {
    calls.push([name, body]);
    const next = answers[name]?.shift() ?? { ok: true, data: { points_awarded: 0, error: null } };
    return (typeof next === 'function' ? await next() : next) as never;
  };
  const journey = createOnboardingFlow(
    {
      api: {
        changeAccount: async (change) => {
          const given = await answer('change', change);
          if ((given as { ok: boolean }).ok) spicy = change.spicy_mode ?? spicy;
          return given;
        },
        completeOnboarding: (body) => answer('complete', body),
      },
      refreshSession: async () => {
        calls.push(['refresh', $state.get().open]);
        return { is_authenticated: true, isAuthenticated: true, user: null };
      },
      isSpicyOn: () => spicy,
      forgetInvite: () => void calls.push(['forget']),
    },
    $state,
  );
  return {
    journey,
    calls,
    get state() {
      return $state.get();
    },
    will: (name: 'change' | 'complete', ...next: unknown[]) => void (answers[name] ??= []).push(...next),
  };
}

describe('the onboarding', () => {
  test('is for accounts that have not had it', () => {
    expect(isNewcomer(ANA)).toBe(true);
    expect(isNewcomer({ ...ANA, onboarding_completed: true })).toBe(false);
    expect(isNewcomer({ ...ANA, is_anonymous: true })).toBe(false);
    expect(isNewcomer(null)).toBe(false);
  });

  test('begins with what my account and my device know', () => {
    const dialog = opened({ nickname: 'Ana', spicy_mode: true, age_confirmed: true }, 'frommira');
    expect(dialog.state).toMatchObject({ nickname: 'Ana', inviteCode: 'frommira', spicy: 'on' });
  });

  test('saves what I filled in, trimmed, asks who I am, and only then closes', async () => {
    const dialog = opened();
    dialog.journey.setNickname('  Ana ');
    dialog.journey.setInviteCode(' FromMira ');
    await dialog.journey.save();
    expect(dialog.calls).toEqual([
      ['complete', { nickname: 'Ana', invite_code: 'frommira' }],
      ['forget'],
      ['refresh', true],
    ]);
    expect(dialog.state.open).toBe(false);
  });

  test('leaves out what I left empty', async () => {
    const dialog = opened();
    dialog.journey.setNickname('   ');
    await dialog.journey.save();
    expect(dialog.calls[0]).toEqual(['complete', {}]);
  });

  test.each([
    ['saved', 'finishFlow'],
    ['skipped', 'finishFlow'],
    ['saved', 'closeFlow'],
  ] as const)(
    'that is %s tells how many points the invitation brought before it closes',
    async (how, out) => {
      const dialog = opened({}, 'frommira');
      dialog.will('complete', { ok: true, data: { points_awarded: 10, error: null } });
      await (how === 'saved' ? dialog.journey.save() : dialog.journey.skip());
      expect(dialog.state).toMatchObject({ open: true, awarded: 10, busy: false });
      expect(dialog.calls).toContainEqual(['refresh', true]);
      const asked = dialog.calls.length;
      dialog.journey[out]();
      expect(dialog.state).toMatchObject({ open: false, awarded: 0 });
      expect(dialog.calls).toHaveLength(asked);
    },
  );

  test('sends nothing while the nickname is too long or the code cannot be one', async () => {
    const dialog = opened();
    dialog.journey.setNickname('x'.repeat(21));
    await dialog.journey.save();
    dialog.journey.setNickname(` ${'x'.repeat(20)} `);
    dialog.journey.setInviteCode('no-code');
    await dialog.journey.save();
    expect(dialog.calls).toEqual([]);
    expect(dialog.state.open).toBe(true);
  });

  test('is sent once, however often I press', async () => {
    const dialog = opened();
    await Promise.all([dialog.journey.save(), dialog.journey.save()]);
    expect(dialog.calls.filter(([name]) => name === 'complete')).toHaveLength(1);
  });

  test.each([
    [refusal(0, 'network'), 'network'],
    [refusal(400, 'server_error'), 'invalid_input'],
    [refusal(403, 'server_error'), 'account_problem'],
    [refusal(409, 'server_error'), 'invite_code_invalid'],
    [refusal(500, 'server_error'), 'server_error'],
    [refusal(503, 'server_error'), 'server_error'],
    [refusal(409, 'invite_code_invalid', 'Invite code already used or invalid'), 'invite_code_invalid'],
    [refusal(418, 'server_error'), 'onboarding_failed'],
    [refusal(403, 'account_locked', 'This account is locked.'), 'account_locked'],
  ])('that fails stays open with what I typed, and says why', async (failure, code) => {
    const dialog = opened();
    dialog.will('complete', failure);
    dialog.journey.setNickname('Ana');
    await dialog.journey.save();
    expect(dialog.state).toMatchObject({
      open: true,
      busy: false,
      nickname: 'Ana',
      trouble: { code, error: failure.error },
    });
    dialog.journey.setInviteCode('x');
    expect(dialog.state.trouble).toBeNull();
  });
});

describe('Escape', () => {
  test('at the question about age is «not now», and what I typed is still there', () => {
    const dialog = opened();
    dialog.journey.setNickname('Ada');
    dialog.journey.setInviteCode('frommira');
    dialog.journey.toggleSpicy();
    dialog.journey.closeFlow();
    expect(dialog.state).toMatchObject({
      open: true,
      busy: false,
      nickname: 'Ada',
      inviteCode: 'frommira',
      spicy: 'off',
      ageConfirmed: false,
    });
    expect(dialog.calls).toEqual([]);
  });

  test('anywhere else skips', () => {
    const dialog = opened();
    dialog.journey.closeFlow();
    expect(dialog.state.busy).toBe(true);
    expect(dialog.calls[0]).toEqual(['complete', {}]);
  });
});

describe('skipping', () => {
  test('completes the onboarding with nothing, whatever was typed', async () => {
    const dialog = opened({}, 'frommira');
    dialog.journey.setNickname('Ana');
    await dialog.journey.skip();
    expect(dialog.calls).toEqual([['complete', {}], ['forget'], ['refresh', true]]);
    expect(dialog.state.open).toBe(false);
  });

  test('closes also when the server cannot be told, and keeps the invite code for the next time', async () => {
    const dialog = opened({}, 'frommira');
    dialog.will('complete', refusal(0, 'network'));
    await dialog.journey.skip();
    expect(dialog.state.open).toBe(false);
    expect(dialog.calls).not.toContainEqual(['forget']);
  });

  test('a second time waits for no answer', async () => {
    const dialog = opened();
    dialog.will('complete', () => new Promise(() => {}));
    void dialog.journey.skip();
    expect(dialog.state.open).toBe(true);
    await dialog.journey.skip();
    expect(dialog.state.open).toBe(false);
    expect(dialog.calls).toEqual([['complete', {}]]);
  });
});

describe('the spicy switch of the onboarding', () => {
  test('asks for my age once, and both go to the server before the onboarding is over', async () => {
    const dialog = opened();
    dialog.journey.toggleSpicy();
    expect(dialog.state.spicy).toBe('asking');
    dialog.journey.confirmAge();
    expect(dialog.state.spicy).toBe('on');
    dialog.journey.toggleSpicy();
    dialog.journey.toggleSpicy();
    expect(dialog.state.spicy).toBe('on');
    await dialog.journey.save();
    expect(dialog.calls.slice(0, 2)).toEqual([
      ['change', { spicy_mode: true, age_confirmed: true }],
      ['complete', {}],
    ]);
  });

  test('stays off when I say no, or say nothing', async () => {
    const dialog = opened();
    dialog.journey.toggleSpicy();
    dialog.journey.declineAge();
    expect(dialog.state.spicy).toBe('off');
    dialog.journey.confirmAge();
    expect(dialog.state.spicy).toBe('off');
    dialog.journey.toggleSpicy();
    await dialog.journey.save();
    expect(dialog.calls.map(([name]) => name)).not.toContain('change');
  });

  test('that the server refuses leaves the onboarding open, and nothing of it is over', async () => {
    const dialog = opened({ age_confirmed: true });
    dialog.will('change', refusal(403, 'account_required', 'You must be logged in'));
    dialog.journey.toggleSpicy();
    await dialog.journey.save();
    expect(dialog.state).toMatchObject({ open: true, spicy: 'on', trouble: { code: 'account_required' } });
    expect(dialog.calls.map(([name]) => name)).not.toContain('complete');
  });

  test('is not sent again when only the invite code was wrong', async () => {
    const dialog = opened({ age_confirmed: true }, 'frommira');
    dialog.journey.toggleSpicy();
    dialog.will('complete', refusal(409, 'invite_code_invalid', 'No'));
    await dialog.journey.save();
    dialog.journey.setInviteCode('');
    await dialog.journey.save();
    expect(dialog.calls.filter(([name]) => name === 'change')).toHaveLength(1);
    expect(dialog.state.open).toBe(false);
  });
});

describe('a nickname and an invite code', () => {
  test('are measured as they are sent', () => {
    expect(isNicknameTooLong({ nickname: ` ${'x'.repeat(20)} ` })).toBe(false);
    expect(isNicknameTooLong({ nickname: 'x'.repeat(21) })).toBe(true);
    expect(isInviteCodeMalformed({ inviteCode: '  ' })).toBe(false);
    expect(isInviteCodeMalformed({ inviteCode: 'elevenchars' })).toBe(true);
    expect(normalizeInviteCode(' ABC123 ')).toBe('abc123');
    expect(normalizeInviteCode('ünicode')).toBeNull();
  });

  test('of an invite link waits on the device until it is used, and only when it can be one', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
      removeItem: (key: string) => void kept.delete(key),
    } as Storage;
    savePendingInvite(storage, ' FromMira ');
    expect(kept.get('pending-invite-code')).toBe('frommira');
    savePendingInvite(storage, '<script>');
    expect(readPendingInvite(storage)).toBe('frommira');
    clearPendingInvite(storage);
    expect(readPendingInvite(storage)).toBe('');
    expect(readPendingInvite(null)).toBe('');
  });
});

test('a nickname that a rule refuses is told with the rule, until another one is typed', async () => {
  const dialog = opened();
  const refused = { rule: 'minors' as const, text: 'Loli nsfw', token: 'signed' };
  dialog.will('complete', { ...refusal(422, 'text_refused', 'Refused'), refused });
  dialog.journey.setNickname('Loli nsfw');
  await dialog.journey.save();
  expect(dialog.state).toMatchObject({ open: true, busy: false, trouble: { code: 'text_refused', refused } });
  dialog.journey.setNickname('Lo');
  expect(dialog.state.trouble).toBeNull();
});

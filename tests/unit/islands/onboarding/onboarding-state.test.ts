import { atom } from 'nanostores';
import { describe, expect, test } from 'vitest';
import type { SessionUser } from '../../../../src/features/account/contract.ts';
import { normalizeInviteCode } from '../../../../src/features/account/invite-code.ts';
import { createOnboardingFlow } from '../../../../src/islands/onboarding/onboarding-flow.ts';
import {
  isInviteCodeMalformed,
  isNewcomer,
  isNicknameTooLong,
  createOpenState,
  type OnboardingState,
} from '../../../../src/islands/onboarding/onboarding-state.ts';
import {
  clearPendingInvite,
  savePendingInvite,
  readPendingInvite,
} from '../../../../src/islands/onboarding/pending-invite.ts';
import type { Failure } from '../../../../src/islands/shared/api.ts';
import { NEWCOMER as ANA } from '../../../support/session-users.ts';

const refusal = (status: number, code: string, error = ''): Failure => ({ ok: false, status, code, error });

/** The open dialog, with the server's answers laid out by the test. */
function openDialog(user: Partial<SessionUser> = {}, inviteCode = '') {
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
          const result = await answer('change', change);
          if ((result as { ok: boolean }).ok) spicy = change.spicy_mode ?? spicy;
          return result;
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

describe('Onboarding', () => {
  test('only accounts that have not finished it see the onboarding', () => {
    expect(isNewcomer(ANA)).toBe(true);
    expect(isNewcomer({ ...ANA, onboarding_completed: true })).toBe(false);
    expect(isNewcomer({ ...ANA, is_anonymous: true })).toBe(false);
    expect(isNewcomer(null)).toBe(false);
  });

  test('the onboarding starts with the nickname, invite code and spicy mode that are known already', () => {
    const dialog = openDialog({ nickname: 'Ana', spicy_mode: true, age_confirmed: true }, 'frommira');
    expect(dialog.state).toMatchObject({ nickname: 'Ana', inviteCode: 'frommira', spicy: 'on' });
  });

  test('saving the onboarding sends trimmed values, refreshes the session and then closes', async () => {
    const dialog = openDialog();
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

  test('saving the onboarding leaves out empty fields', async () => {
    const dialog = openDialog();
    dialog.journey.setNickname('   ');
    await dialog.journey.save();
    expect(dialog.calls[0]).toEqual(['complete', {}]);
  });

  test.each([
    ['saved', 'finishFlow'],
    ['skipped', 'finishFlow'],
    ['saved', 'closeFlow'],
  ] as const)(
    'an onboarding that is %s shows the points of the invitation before it closes',
    async (how, out) => {
      const dialog = openDialog({}, 'frommira');
      dialog.will('complete', { ok: true, data: { points_awarded: 10, error: null } });
      await (how === 'saved' ? dialog.journey.save() : dialog.journey.skip());
      expect(dialog.state).toMatchObject({ open: true, awarded: 10, busy: false });
      expect(dialog.calls).toContainEqual(['refresh', true]);
      const callCount = dialog.calls.length;
      dialog.journey[out]();
      expect(dialog.state).toMatchObject({ open: false, awarded: 0 });
      expect(dialog.calls).toHaveLength(callCount);
    },
  );

  test('the onboarding sends nothing while the nickname is too long or the code is malformed', async () => {
    const dialog = openDialog();
    dialog.journey.setNickname('x'.repeat(21));
    await dialog.journey.save();
    dialog.journey.setNickname(` ${'x'.repeat(20)} `);
    dialog.journey.setInviteCode('no-code');
    await dialog.journey.save();
    expect(dialog.calls).toEqual([]);
    expect(dialog.state.open).toBe(true);
  });

  test('pressing save twice sends the onboarding once', async () => {
    const dialog = openDialog();
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
  ])('an onboarding that fails stays open with its input and the reason', async (failure, code) => {
    const dialog = openDialog();
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

describe('Escape in the onboarding', () => {
  test('Escape at the age question declines it and keeps the input', () => {
    const dialog = openDialog();
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

  test('Escape outside the age question skips the onboarding', () => {
    const dialog = openDialog();
    dialog.journey.closeFlow();
    expect(dialog.state.busy).toBe(true);
    expect(dialog.calls[0]).toEqual(['complete', {}]);
  });
});

describe('Skipping the onboarding', () => {
  test('skipping completes the onboarding without the typed values', async () => {
    const dialog = openDialog({}, 'frommira');
    dialog.journey.setNickname('Ana');
    await dialog.journey.skip();
    expect(dialog.calls).toEqual([['complete', {}], ['forget'], ['refresh', true]]);
    expect(dialog.state.open).toBe(false);
  });

  test('skipping closes the dialog even offline and keeps the invite code for the next time', async () => {
    const dialog = openDialog({}, 'frommira');
    dialog.will('complete', refusal(0, 'network'));
    await dialog.journey.skip();
    expect(dialog.state.open).toBe(false);
    expect(dialog.calls).not.toContainEqual(['forget']);
  });

  test('skipping a second time closes the dialog without waiting for the answer', async () => {
    const dialog = openDialog();
    dialog.will('complete', () => new Promise(() => {}));
    void dialog.journey.skip();
    expect(dialog.state.open).toBe(true);
    await dialog.journey.skip();
    expect(dialog.state.open).toBe(false);
    expect(dialog.calls).toEqual([['complete', {}]]);
  });
});

describe('Spicy switch of the onboarding', () => {
  test('the spicy switch asks for the age once, and both are sent before the onboarding completes', async () => {
    const dialog = openDialog();
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

  test('spicy mode stays off when the age question is declined or left unanswered', async () => {
    const dialog = openDialog();
    dialog.journey.toggleSpicy();
    dialog.journey.declineAge();
    expect(dialog.state.spicy).toBe('off');
    dialog.journey.confirmAge();
    expect(dialog.state.spicy).toBe('off');
    dialog.journey.toggleSpicy();
    await dialog.journey.save();
    expect(dialog.calls.map(([name]) => name)).not.toContain('change');
  });

  test('a refused spicy switch keeps the onboarding open and incomplete', async () => {
    const dialog = openDialog({ age_confirmed: true });
    dialog.will('change', refusal(403, 'account_required', 'You must be logged in'));
    dialog.journey.toggleSpicy();
    await dialog.journey.save();
    expect(dialog.state).toMatchObject({ open: true, spicy: 'on', trouble: { code: 'account_required' } });
    expect(dialog.calls.map(([name]) => name)).not.toContain('complete');
  });

  test('the spicy switch is not sent again when only the invite code was wrong', async () => {
    const dialog = openDialog({ age_confirmed: true }, 'frommira');
    dialog.journey.toggleSpicy();
    dialog.will('complete', refusal(409, 'invite_code_invalid', 'No'));
    await dialog.journey.save();
    dialog.journey.setInviteCode('');
    await dialog.journey.save();
    expect(dialog.calls.filter(([name]) => name === 'change')).toHaveLength(1);
    expect(dialog.state.open).toBe(false);
  });
});

describe('Nickname and invite code', () => {
  test('a nickname and an invite code are measured after trimming', () => {
    expect(isNicknameTooLong({ nickname: ` ${'x'.repeat(20)} ` })).toBe(false);
    expect(isNicknameTooLong({ nickname: 'x'.repeat(21) })).toBe(true);
    expect(isInviteCodeMalformed({ inviteCode: '  ' })).toBe(false);
    expect(isInviteCodeMalformed({ inviteCode: 'elevenchars' })).toBe(true);
    expect(normalizeInviteCode(' ABC123 ')).toBe('abc123');
    expect(normalizeInviteCode('ünicode')).toBeNull();
  });

  test('an invite code from a link is stored on the device until it is used, if it is well-formed', () => {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    } as Storage;
    savePendingInvite(storage, ' FromMira ');
    expect(stored.get('pending-invite-code')).toBe('frommira');
    savePendingInvite(storage, '<script>');
    expect(readPendingInvite(storage)).toBe('frommira');
    clearPendingInvite(storage);
    expect(readPendingInvite(storage)).toBe('');
    expect(readPendingInvite(null)).toBe('');
  });
});

test('a nickname refused by a rule shows that rule until the nickname changes', async () => {
  const dialog = openDialog();
  const refused = { rule: 'minors' as const, text: 'Loli nsfw', token: 'signed' };
  dialog.will('complete', { ...refusal(422, 'text_refused', 'Refused'), refused });
  dialog.journey.setNickname('Loli nsfw');
  await dialog.journey.save();
  expect(dialog.state).toMatchObject({ open: true, busy: false, trouble: { code: 'text_refused', refused } });
  dialog.journey.setNickname('Lo');
  expect(dialog.state.trouble).toBeNull();
});

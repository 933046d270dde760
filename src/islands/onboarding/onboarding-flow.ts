import type { WritableAtom } from 'nanostores';
import type { AuthStatus, OnboardingBody } from '../../features/account/contract.ts';
import { normalInviteCode } from '../../features/account/invite-code.ts';
import { type AccountApi, api as browserApi, type Failure } from '../shared/api.ts';
import { deviceStorage } from '../shared/device-storage.ts';
import { $session, refreshSession as askWhoIsHere } from '../shared/session-state.ts';
import {
  $onboarding,
  CLOSED_ONBOARDING,
  inviteCodeMalformed,
  nicknameTooLong,
  type OnboardingState,
  type OnboardingTrouble,
} from './onboarding-state.ts';
import { forgetInvite } from './pending-invite.ts';

export interface OnboardingDeps {
  api: Pick<AccountApi, 'changeAccount' | 'completeOnboarding'>;
  refreshSession(): Promise<AuthStatus>;
  /** Whether the account's spicy mode is on, as far as is known here. */
  spicyNow(): boolean;
  forgetInvite(): void;
}

/** What a newcomer can do in the dialog. */
export interface OnboardingJourney {
  typeNickname(nickname: string): void;
  typeInviteCode(inviteCode: string): void;
  /** The switch: turning it on asks for the age where it was not confirmed before. */
  switchSpicy(): void;
  confirmAge(): void;
  declineAge(): void;
  /** Closes when everything is kept, or says first what the invitation brought. */
  save(): Promise<void>;
  /**
   * Closes, also when the server cannot be told: it then asks again after the next login. Asked for a second time, it
   * waits for no answer.
   */
  skip(): Promise<void>;
  /** Has read what the invitation brought. */
  goOn(): void;
  /** Escape, or the device's own way back: «not now» to the question about age, else it goes on or skips. */
  turnAway(): void;
}

/** SPEC section 8, «Onboarding»: the server's own words, else the common ones for the status. */
function troubleOf({ status, code, error, refused }: Failure): OnboardingTrouble {
  if (refused !== undefined) return { code, error, refused };
  if (error !== '' || code === 'network') return { code, error };
  const common: Record<number, string> = {
    400: 'invalid_input',
    403: 'account_problem',
    409: 'invite_code_invalid',
  };
  return { code: common[status] ?? (status >= 500 ? 'server_error' : 'onboarding_failed'), error: '' };
}

/**
 * The dialog's journey. Everything is optional; nothing of it is asked of the server before save.
 *
 * The dialog may be skipped while it is being saved: what the server then still answers changes nothing in it, except
 * that the session takes notice.
 */
export function createOnboardingJourney(
  deps: OnboardingDeps,
  $state: WritableAtom<OnboardingState> = $onboarding,
): OnboardingJourney {
  let visit = 0;
  let skipping = false;
  const change = (part: Partial<OnboardingState>) => $state.set({ ...$state.get(), ...part });

  function bodyOf({ nickname, inviteCode }: OnboardingState): OnboardingBody {
    const code = normalInviteCode(inviteCode);
    return {
      ...(nickname.trim() === '' ? {} : { nickname: nickname.trim() }),
      ...(code === null ? {} : { invite_code: code }),
    };
  }

  function leave(): void {
    visit += 1;
    $state.set(CLOSED_ONBOARDING);
  }

  /** Told in the dialog, because the page is often left together with it. */
  function end(points: number): void {
    if (points > 0) change({ busy: false, awarded: points });
    else leave();
  }

  function declineAge(): void {
    if ($state.get().spicy === 'asking') change({ spicy: 'off' });
  }

  async function skip(): Promise<void> {
    if (!$state.get().open) return;
    visit += 1;
    if (skipping) return leave();
    const own = visit;
    skipping = true;
    change({ busy: true, trouble: null });
    const done = await deps.api.completeOnboarding({});
    skipping = false;
    if (done.ok) deps.forgetInvite();
    await deps.refreshSession();
    if (own === visit) end(done.ok ? done.data.points_awarded : 0);
  }

  return {
    typeNickname: (nickname) => change({ nickname, trouble: null }),
    typeInviteCode: (inviteCode) => change({ inviteCode, trouble: null }),
    switchSpicy() {
      const { spicy, ageConfirmed, busy } = $state.get();
      if (busy) return;
      const on = ageConfirmed ? 'on' : 'asking';
      change({ spicy: spicy === 'off' ? on : 'off', trouble: null });
    },
    confirmAge() {
      if ($state.get().spicy === 'asking') change({ spicy: 'on', ageConfirmed: true });
    },
    declineAge,
    async save() {
      const state = $state.get();
      if (!state.open || state.busy || nicknameTooLong(state) || inviteCodeMalformed(state)) return;
      const own = visit;
      const fail = (failure: Failure) => {
        if (own === visit) change({ busy: false, trouble: troubleOf(failure) });
      };
      change({ busy: true, trouble: null });
      const spicy = state.spicy === 'on';
      const switched = spicy !== deps.spicyNow();
      if (switched) {
        // Saved first, so that the onboarding is over only when all of it is kept.
        const set = await deps.api.changeAccount(
          spicy ? { spicy_mode: true, age_confirmed: true } : { spicy_mode: false },
        );
        if (!set.ok) return fail(set);
      }
      const done = await deps.api.completeOnboarding(bodyOf(state));
      if (!done.ok) {
        if (switched) await deps.refreshSession();
        return fail(done);
      }
      deps.forgetInvite();
      await deps.refreshSession();
      if (own === visit) end(done.data.points_awarded);
    },
    skip,
    goOn: leave,
    turnAway() {
      if ($state.get().awarded > 0) leave();
      else if ($state.get().spicy === 'asking') declineAge();
      else void skip();
    },
  };
}

/** The journey of the page's one dialog. */
export const onboardingJourney = createOnboardingJourney({
  api: browserApi,
  refreshSession: askWhoIsHere,
  spicyNow: () => $session.get().auth?.user?.spicy_mode === true,
  forgetInvite: () => forgetInvite(deviceStorage()),
});

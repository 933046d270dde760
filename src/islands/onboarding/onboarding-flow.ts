import type { WritableAtom } from 'nanostores';
import type { AuthStatus, OnboardingBody } from '../../features/account/contract.ts';
import { normalizeInviteCode } from '../../features/account/invite-code.ts';
import { type AccountApi, api as browserApi, type Failure } from '../shared/api.ts';
import { getDeviceStorage } from '../shared/device-storage.ts';
import { $session, refreshSession as askWhoIsHere } from '../shared/session-state.ts';
import {
  $onboarding,
  CLOSED_ONBOARDING,
  isInviteCodeMalformed,
  isNicknameTooLong,
  type OnboardingState,
  type OnboardingError,
} from './onboarding-state.ts';
import { clearPendingInvite } from './pending-invite.ts';

export interface OnboardingDeps {
  api: Pick<AccountApi, 'changeAccount' | 'completeOnboarding'>;
  refreshSession(): Promise<AuthStatus>;
  /** Whether the account's spicy mode is on, as far as is known here. */
  isSpicyOn(): boolean;
  forgetInvite(): void;
}

/** What a newcomer can do in the dialog. */
export interface OnboardingFlow {
  setNickname(nickname: string): void;
  setInviteCode(inviteCode: string): void;
  /** The switch: turning it on asks for the age where it was not confirmed before. */
  toggleSpicy(): void;
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
  finishFlow(): void;
  /** Escape, or the device's own way back: «not now» to the question about age, else it goes on or skips. */
  closeFlow(): void;
}

/** SPEC section 8, «Onboarding»: the server's own words, else the common ones for the status. */
function toOnboardingError({ status, code, error, refused }: Failure): OnboardingError {
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
export function createOnboardingFlow(
  deps: OnboardingDeps,
  $state: WritableAtom<OnboardingState> = $onboarding,
): OnboardingFlow {
  let visitCount = 0;
  let isSkipping = false;
  const change = (part: Partial<OnboardingState>) => $state.set({ ...$state.get(), ...part });

  function toBody({ nickname, inviteCode }: OnboardingState): OnboardingBody {
    const code = normalizeInviteCode(inviteCode);
    return {
      ...(nickname.trim() === '' ? {} : { nickname: nickname.trim() }),
      ...(code === null ? {} : { invite_code: code }),
    };
  }

  function closeDialog(): void {
    visitCount += 1;
    $state.set(CLOSED_ONBOARDING);
  }

  /** Told in the dialog, because the page is often left together with it. */
  function end(points: number): void {
    if (points > 0) change({ busy: false, awarded: points });
    else closeDialog();
  }

  function declineAge(): void {
    if ($state.get().spicy === 'asking') change({ spicy: 'off' });
  }

  async function skip(): Promise<void> {
    if (!$state.get().open) return;
    visitCount += 1;
    if (isSkipping) return closeDialog();
    const own = visitCount;
    isSkipping = true;
    change({ busy: true, trouble: null });
    const done = await deps.api.completeOnboarding({});
    isSkipping = false;
    if (done.ok) deps.forgetInvite();
    await deps.refreshSession();
    if (own === visitCount) end(done.ok ? done.data.points_awarded : 0);
  }

  return {
    setNickname: (nickname) => change({ nickname, trouble: null }),
    setInviteCode: (inviteCode) => change({ inviteCode, trouble: null }),
    toggleSpicy() {
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
      if (!state.open || state.busy || isNicknameTooLong(state) || isInviteCodeMalformed(state)) return;
      const own = visitCount;
      const fail = (failure: Failure) => {
        if (own === visitCount) change({ busy: false, trouble: toOnboardingError(failure) });
      };
      change({ busy: true, trouble: null });
      const spicy = state.spicy === 'on';
      const switched = spicy !== deps.isSpicyOn();
      if (switched) {
        // Saved first, so that the onboarding is over only when all of it is kept.
        const set = await deps.api.changeAccount(
          spicy ? { spicy_mode: true, age_confirmed: true } : { spicy_mode: false },
        );
        if (!set.ok) return fail(set);
      }
      const done = await deps.api.completeOnboarding(toBody(state));
      if (!done.ok) {
        if (switched) await deps.refreshSession();
        return fail(done);
      }
      deps.forgetInvite();
      await deps.refreshSession();
      if (own === visitCount) end(done.data.points_awarded);
    },
    skip,
    finishFlow: closeDialog,
    closeFlow() {
      if ($state.get().awarded > 0) closeDialog();
      else if ($state.get().spicy === 'asking') declineAge();
      else void skip();
    },
  };
}

/** The journey of the page's one dialog. */
export const onboardingFlow = createOnboardingFlow({
  api: browserApi,
  refreshSession: askWhoIsHere,
  isSpicyOn: () => $session.get().auth?.user?.spicy_mode === true,
  forgetInvite: () => clearPendingInvite(getDeviceStorage()),
});

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
  /** Whether the account's spicy mode is on, according to the page's session. */
  isSpicyOn(): boolean;
  forgetInvite(): void;
}

/** The user's actions in the onboarding dialog. */
export interface OnboardingFlow {
  setNickname(nickname: string): void;
  setInviteCode(inviteCode: string): void;
  /** Toggles spicy mode; turning it on asks for the age if it is not confirmed yet. */
  toggleSpicy(): void;
  confirmAge(): void;
  declineAge(): void;
  /** Saves. Closes the dialog, or first shows the points that the invitation earned. */
  save(): Promise<void>;
  /**
   * Skips the onboarding and closes the dialog. If the server cannot be reached, the dialog appears again after the
   * next login. A second call closes it without waiting for the answer.
   */
  skip(): Promise<void>;
  /** Closes the dialog after the user has read what the invitation earned. */
  finishFlow(): void;
  /** Escape or the back gesture: declines the age question if it is open, otherwise continues or skips. */
  closeFlow(): void;
}

/** The server's own text, or a common one for the status (docs/product.md, «Onboarding»). */
function toOnboardingError({ status, code, error, refused, part }: Failure): OnboardingError {
  if (refused !== undefined) return { code, error, refused };
  if (part !== undefined) return { code, error, part };
  if (error !== '' || code === 'network') return { code, error };
  const common: Record<number, string> = {
    400: 'invalid_input',
    403: 'account_problem',
    409: 'invite_code_invalid',
  };
  return { code: common[status] ?? (status >= 500 ? 'server_error' : 'onboarding_failed'), error: '' };
}

/**
 * State of the onboarding dialog. All input is optional, and nothing is sent before `save`.
 *
 * The dialog may be skipped while it is being saved; the answer then only refreshes the session.
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

  /** Shown in the dialog, because the page often changes when the dialog closes. */
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
        // Save spicy mode first, so that the onboarding only counts as completed when everything is saved.
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

export const onboardingFlow = createOnboardingFlow({
  api: browserApi,
  refreshSession: askWhoIsHere,
  isSpicyOn: () => $session.get().auth?.user?.spicy_mode === true,
  forgetInvite: () => clearPendingInvite(getDeviceStorage()),
});

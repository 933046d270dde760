import { atom } from 'nanostores';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { SessionUser } from '../../features/account/contract.ts';
import { normalizeInviteCode } from '../../features/account/invite-code.ts';
import type { Failure } from '../shared/api.ts';
import { getDeviceStorage } from '../shared/device-storage.ts';
import { $session } from '../shared/session-state.ts';
import { readPendingInvite } from './pending-invite.ts';

/** `asking`: the switch was turned on by somebody whose age is not confirmed yet. */
type SpicyChoice = 'off' | 'asking' | 'on';

/** Why it could not be saved: a failure's code and the server's own words, where it had any; of a nickname, the rule. */
export type OnboardingError = Pick<Failure, 'code' | 'error' | 'refused'>;

export interface OnboardingState {
  open: boolean;
  /** As typed. */
  nickname: string;
  inviteCode: string;
  spicy: SpicyChoice;
  /** Whether the age was confirmed before, or is now. */
  ageConfirmed: boolean;
  busy: boolean;
  /** What the invitation brought, once everything is saved; the dialog then says so and nothing else. */
  awarded: number;
  trouble: OnboardingError | null;
}

export const CLOSED_ONBOARDING: OnboardingState = {
  open: false,
  nickname: '',
  inviteCode: '',
  spicy: 'off',
  ageConfirmed: false,
  busy: false,
  awarded: 0,
  trouble: null,
};

export const $onboarding = atom<OnboardingState>(CLOSED_ONBOARDING);

/** What is filled in when the dialog opens: what the account and the device know already. */
export function createOpenState(user: SessionUser, inviteCode: string): OnboardingState {
  return {
    ...CLOSED_ONBOARDING,
    open: true,
    nickname: user.nickname ?? '',
    inviteCode,
    spicy: user.spicy_mode ? 'on' : 'off',
    ageConfirmed: user.age_confirmed,
  };
}

/** Opens the dialog for somebody with an account, and wakes its island. Open already, it stays as it is. */
function openOnboarding(user: SessionUser): void {
  if ($onboarding.get().open) return;
  $onboarding.set(createOpenState(user, readPendingInvite(getDeviceStorage())));
  document.documentElement.dataset['ask'] = 'onboarding';
  window.dispatchEvent(new CustomEvent('loreloom:ask', { detail: 'onboarding' }));
}

/**
 * Opens the dialog and waits until it is closed, saved or skipped, or could not be fetched: then nothing was asked, and
 * nothing is skipped.
 * @returns `reload`: spicy mode was switched, so that what the page shows may have changed
 */
export function startOnboarding(user: SessionUser): Promise<{ reload: boolean; asked: boolean }> {
  let asked = true;
  const onNetworkError = (event: Event) => {
    if ((event as CustomEvent<string>).detail !== 'onboarding') return;
    asked = false;
    $onboarding.set(CLOSED_ONBOARDING);
  };
  window.addEventListener('loreloom:network-trouble', onNetworkError);
  openOnboarding(user);
  return new Promise((resolve) => {
    const stop = $onboarding.listen(({ open }) => {
      if (open) return;
      stop();
      window.removeEventListener('loreloom:network-trouble', onNetworkError);
      const now = $session.get().auth?.user;
      resolve({ reload: now?.id === user.id && now.spicy_mode !== user.spicy_mode, asked });
    });
  });
}

/** Whether somebody's first login still has its onboarding before it; a guest has none. */
export function isNewcomer(user: SessionUser | null): user is SessionUser {
  return user !== null && !user.is_anonymous && !user.onboarding_completed;
}

/** Length of the nickname as it would be sent, in UTF-16 units, as the server counts. */
export function getNicknameLength({ nickname }: Pick<OnboardingState, 'nickname'>): number {
  return nickname.trim().length;
}

export function isNicknameTooLong(state: Pick<OnboardingState, 'nickname'>): boolean {
  return getNicknameLength(state) > TEXT_LIMITS.nickname;
}

/** Whether something was typed that cannot be an invite code. */
export function isInviteCodeMalformed({ inviteCode }: Pick<OnboardingState, 'inviteCode'>): boolean {
  return inviteCode.trim() !== '' && normalizeInviteCode(inviteCode) === null;
}

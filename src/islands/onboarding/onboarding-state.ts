import { atom } from 'nanostores';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { SessionUser } from '../../features/account/contract.ts';
import { normalizeInviteCode } from '../../features/account/invite-code.ts';
import type { Failure } from '../shared/api.ts';
import { getDeviceStorage } from '../shared/device-storage.ts';
import { $session } from '../shared/session-state.ts';
import { readPendingInvite } from './pending-invite.ts';

/** `asking`: turned on while the age is not confirmed yet. */
type SpicyChoice = 'off' | 'asking' | 'on';

/** Why saving failed: a failure's code with the server's text, and for a refused nickname the rule or the part. */
export type OnboardingError = Pick<Failure, 'code' | 'error' | 'refused' | 'part'>;

/** Whether an error belongs to the nickname's field. */
export const isAboutNickname = ({ refused, part }: OnboardingError): boolean =>
  refused !== undefined || part !== undefined;

export interface OnboardingState {
  open: boolean;
  /** As typed. */
  nickname: string;
  inviteCode: string;
  spicy: SpicyChoice;
  /** Whether the age is confirmed, earlier or in this dialog. */
  ageConfirmed: boolean;
  busy: boolean;
  /** Points that the invitation earned, after saving; the dialog then shows only these. */
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

/** The initial state: values known from the account and the device. */
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

/** Opens the dialog for an account and hydrates its island. Does nothing if it is open. */
function openOnboarding(user: SessionUser): void {
  if ($onboarding.get().open) return;
  $onboarding.set(createOpenState(user, readPendingInvite(getDeviceStorage())));
  document.documentElement.dataset['ask'] = 'onboarding';
  window.dispatchEvent(new CustomEvent('loreloom:ask', { detail: 'onboarding' }));
}

/**
 * Opens the dialog and resolves when it is closed. `asked` is false if its code could not be loaded;
 * then nothing was skipped.
 * @returns `reload`: spicy mode was toggled, so the page's content may have changed
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

/** Whether an account has not completed its onboarding; guests have none. */
export function isNewcomer(user: SessionUser | null): user is SessionUser {
  return user !== null && !user.is_anonymous && !user.onboarding_completed;
}

/** Length of the nickname as sent, in UTF-16 units, as the server counts. */
export function getNicknameLength({ nickname }: Pick<OnboardingState, 'nickname'>): number {
  return nickname.trim().length;
}

export function isNicknameTooLong(state: Pick<OnboardingState, 'nickname'>): boolean {
  return getNicknameLength(state) > TEXT_LIMITS.nickname;
}

/** Whether the typed text cannot be an invite code. */
export function isInviteCodeMalformed({ inviteCode }: Pick<OnboardingState, 'inviteCode'>): boolean {
  return inviteCode.trim() !== '' && normalizeInviteCode(inviteCode) === null;
}

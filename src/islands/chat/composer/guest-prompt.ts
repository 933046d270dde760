import type { SessionUser } from '../../../features/account/contract.ts';
import { getDeviceStorage } from '../../shared/device-storage.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Replies in a chat after which a guest is offered to log in. */
export const LOG_IN_AFTER_REPLIES = 5;
/** How long a dismissed offer to log in stays away from this device. */
export const LOG_IN_PAUSE_MS = 7 * DAY_MS;

/** Device storage keys: whether the name was given or the question dismissed, and when the offer was dismissed. */
const NAME_KEY = 'guest-name-asked';
const LOG_IN_KEY = 'guest-log-in-dismissed';

/** The one line that a guest is shown above the composer. */
export type GuestPrompt = 'name' | 'log-in';

/** What this device knows of earlier prompts. */
export interface GuestPromptHistory {
  /** Whether the name was given, or the question dismissed. */
  isNameSettled: boolean;
  /** When the offer to log in was dismissed, in milliseconds since 1970; null when it was not. */
  logInDismissedAt: number | null;
}

/**
 * Chooses the line: after the first reply the question for a name, until there is one; after a few replies the offer to log
 * in instead. An account sees neither.
 * @param input.replyCount replies in this chat
 * @param input.hasPersona whether a persona's name is used in this chat
 */
export function chooseGuestPrompt({
  user,
  replyCount,
  hasPersona,
  history: { isNameSettled, logInDismissedAt },
  now,
}: {
  user: Pick<SessionUser, 'is_anonymous' | 'nickname'>;
  replyCount: number;
  hasPersona: boolean;
  history: GuestPromptHistory;
  now: number;
}): GuestPrompt | null {
  if (!user.is_anonymous || replyCount === 0) return null;
  if (replyCount >= LOG_IN_AFTER_REPLIES)
    return logInDismissedAt !== null && now - logInDismissedAt < LOG_IN_PAUSE_MS ? null : 'log-in';
  return user.nickname === null && !hasPersona && !isNameSettled ? 'name' : null;
}

export function readPromptHistory(): GuestPromptHistory {
  try {
    const storage = getDeviceStorage();
    const at = storage?.getItem(LOG_IN_KEY) ?? null;
    return {
      isNameSettled: storage?.getItem(NAME_KEY) === '1',
      logInDismissedAt: at === null ? null : Number(at),
    };
  } catch {
    return { isNameSettled: false, logInDismissedAt: null };
  }
}

export const saveNameSettled = (): void => save(NAME_KEY, '1');

/** @param now in milliseconds since 1970 */
export const saveLogInDismissed = (now: number): void => save(LOG_IN_KEY, String(now));

function save(key: string, value: string): void {
  try {
    getDeviceStorage()?.setItem(key, value);
  } catch {
    // Storage is full or blocked: the line shows again on the next page.
  }
}

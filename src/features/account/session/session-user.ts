import { LANGUAGES, type Language } from '../../../config/languages.ts';
import type { users } from '../../../db/schema/core.ts';
import type { SessionUser } from '../contract.ts';

/** The site's conditions for showing adult content. */
export interface AgeGateRules {
  /** `off`: the site has no adult content. */
  spicyMode: 'on' | 'off';
  /** `required`: a user's own declaration is not enough. */
  ageCheck: { mode: 'declared' | 'required' };
}

/** The stored state of an account, which may have been written under other rules. */
export interface AgeRecord {
  isAnonymous: boolean;
  spicyMode: boolean;
  /** By the user's declaration or by a check. */
  ageConfirmed: boolean;
  /** When a check found the user to be an adult, in ms; null without such a check. */
  ageCheckedAt: number | null;
}

/**
 * Whether the user's age counts as confirmed under the site's rules, and whether spicy mode is on. Both are false for
 * guests.
 */
export function getAgeGateFlags(
  { isAnonymous, spicyMode, ageConfirmed, ageCheckedAt }: AgeRecord,
  rules: AgeGateRules,
): { spicy_mode: boolean; age_confirmed: boolean } {
  const isAdult =
    rules.spicyMode === 'on' &&
    !isAnonymous &&
    ageConfirmed &&
    (rules.ageCheck.mode === 'declared' || ageCheckedAt !== null);
  return { spicy_mode: isAdult && spicyMode, age_confirmed: isAdult };
}

/** The operator's settings that determine a user's role and age gate. */
export interface UserPolicy extends AgeGateRules {
  adminEmails: readonly string[];
}

/** The columns of an account that its session depends on. */
export type SessionUserRow = Pick<
  typeof users.$inferSelect,
  | 'username'
  | 'email'
  | 'avatarKey'
  | 'nickname'
  | 'plan'
  | 'planUntil'
  | 'isAnonymous'
  | 'onboardingCompleted'
  | 'spicyMode'
  | 'ageConfirmed'
  | 'ageCheckedAt'
  | 'language'
  | 'personalSuggestions'
  | 'suspendedAt'
> & { id: string };

/** Returns an account as its owner sees it. @param now in ms since 1970 */
export function toSessionUser(user: SessionUserRow, rules: UserPolicy, now: number): SessionUser {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    avatar_url: user.avatarKey === null ? null : `/media/${user.avatarKey}`,
    nickname: user.nickname,
    role: user.email !== null && rules.adminEmails.includes(user.email) ? 'admin' : 'user',
    // A paid plan ends at its time; cron only records that some minutes later.
    plan: user.planUntil === null || user.planUntil > now ? user.plan : 'free',
    is_anonymous: user.isAnonymous,
    onboarding_completed: user.onboardingCompleted,
    ...getAgeGateFlags(user, rules),
    language: LANGUAGES.find((language): language is Language => language === user.language) ?? null,
    personal_suggestions: user.personalSuggestions,
    ...(user.suspendedAt === null ? {} : { suspended_at: new Date(user.suspendedAt).toISOString() }),
  };
}

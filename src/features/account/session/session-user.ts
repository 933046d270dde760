import { LANGUAGES, type Language } from '../../../config/languages.ts';
import type { users } from '../../../db/schema/core.ts';
import { getAgeGateFlags, type AgeGateRules } from '../age-gate.ts';
import type { SessionUser } from '../contract.ts';

/** The operator's settings that determine a user's role and age gate. */
export interface UserPolicy extends AgeGateRules {
  adminEmails: readonly string[];
}

/** Returns an account as its owner sees it. @param now in ms since 1970 */
export function toSessionUser(
  user: { id: string } & Omit<typeof users.$inferSelect, 'id'>,
  rules: UserPolicy,
  now: number,
): SessionUser {
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
    ...(user.suspendedAt === null ? {} : { suspended_at: new Date(user.suspendedAt).toISOString() }),
  };
}

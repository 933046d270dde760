import type { SessionUser } from '../../src/features/account/contract.ts';

/** A user with an account as the server returns it; tests override fields. */
export const ANA: SessionUser = {
  id: 'u1',
  username: 'reader-1',
  email: 'ana@example.org',
  avatar_url: null,
  nickname: null,
  role: 'user',
  plan: 'free',
  is_anonymous: false,
  onboarding_completed: true,
  spicy_mode: false,
  age_confirmed: false,
  language: null,
  personal_suggestions: true,
};

/** The same user before the onboarding. */
export const NEWCOMER: SessionUser = { ...ANA, onboarding_completed: false };

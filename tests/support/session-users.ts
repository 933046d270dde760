import type { SessionUser } from '../../src/features/account/contract.ts';

/** Somebody with an account, as the server tells of them; a test changes what it is about. */
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
};

/** The same, who has not been through the onboarding yet. */
export const NEWCOMER: SessionUser = { ...ANA, onboarding_completed: false };

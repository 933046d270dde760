import { z } from 'zod';
import { LANGUAGES, LOGIN_CODE, TEXT_LIMITS } from '../../config.ts';

/** «A basic address pattern» (SPEC section 5): something, an at sign, a domain with a dot, no blanks. */
export const EMAIL_PATTERN = /^[^\s@<>"',;:]+@[^\s@<>"',;:]+\.[^\s@<>"',;:.]+$/;

export const sendLoginCodeBody = z.strictObject({
  email: z
    .string()
    .trim()
    .max(TEXT_LIMITS.email)
    .regex(EMAIL_PATTERN, 'Please enter a valid email address')
    .transform((email) => email.toLowerCase()),
});

export const loginWithCodeBody = z.strictObject({
  email: sendLoginCodeBody.shape.email,
  code: z.string().regex(new RegExp(`^[0-9]{${LOGIN_CODE.digits}}$`), 'The code has 6 digits'),
});

export const sessionUser = z.object({
  id: z.string(),
  username: z.string(),
  email: z.string().nullable(),
  avatar_url: z.string().nullable(),
  nickname: z.string().nullable(),
  role: z.enum(['user', 'admin']),
  plan: z.enum(['free', 'storyteller', 'adventurer', 'legend']),
  is_anonymous: z.boolean(),
  onboarding_completed: z.boolean(),
  spicy_mode: z.boolean(),
  age_confirmed: z.boolean(),
  language: z.enum(LANGUAGES).nullable(),
});
export type SessionUser = z.infer<typeof sessionUser>;

export const authStatus = z.object({
  is_authenticated: z.boolean(),
  /** The same under SPEC section 3's name. */
  isAuthenticated: z.boolean(),
  user: sessionUser.nullable(),
});
export type AuthStatus = z.infer<typeof authStatus>;

export const codeSent = z.object({ sent: z.literal(true), expires_in: z.number().int().describe('seconds') });
export const loggedIn = z.object({ user_id: z.string() });

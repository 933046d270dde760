import { z } from 'zod';
import { LANGUAGES } from '../../config/languages.ts';
import { LOGIN_CODE } from './limits.ts';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { pictureId } from '../picture/contract.ts';
import { createNameSchema } from '../../lib/text-schemas.ts';
import { normalizeInviteCode } from './invite-code.ts';
import { normalizeUsername, MIN_USERNAME_CHARS, validateUsername } from './username.ts';

/**
 * Basic address pattern (docs/product.md): something, an at sign, a domain with a dot, no blanks, and no characters that
 * cannot be seen.
 */
export const EMAIL_PATTERN = /^[^\s\p{C}@<>"',;:]+@[^\s\p{C}@<>"',;:]+\.[^\s\p{C}@<>"',;:.]+$/u;

const INVALID_EMAIL_MESSAGE = 'Please enter a valid email address';

/** An address as accounts store it: in lower case. */
export const emailAddress = z
  .string()
  .trim()
  // Aborts, so that an address that fails both checks gets one message.
  .max(TEXT_LIMITS.email, { error: INVALID_EMAIL_MESSAGE, abort: true })
  .regex(EMAIL_PATTERN, INVALID_EMAIL_MESSAGE)
  .transform((email) => email.toLowerCase());

export const sendLoginCodeBody = z.strictObject({ email: emailAddress });

export const loginWithCodeBody = z.strictObject({
  email: emailAddress,
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
  personal_suggestions: z
    .boolean()
    .describe('Whether suggestions may follow what the user likes, saves, follows and chats with'),
  suspended_at: z
    .string()
    .optional()
    .describe('When staff suspended the account; absent if it is not suspended'),
});
export type SessionUser = z.infer<typeof sessionUser>;

export const authStatus = z.object({
  is_authenticated: z.boolean(),
  /** The same value under the name that docs/api.md specifies. */
  isAuthenticated: z.boolean(),
  user: sessionUser.nullable(),
  ai_notice: z
    .enum(['bold', 'calm'])
    .optional()
    .describe(
      'How to show the AI notice: in bold capitals of at least 16 points, or as calm text; absent without a session',
    ),
});
export type AuthStatus = z.infer<typeof authStatus>;

/** The name that other users see. */
const nickname = createNameSchema(TEXT_LIMITS.nickname, {
  missing: 'A nickname needs at least one character',
  tooLong: `Nickname must not exceed ${TEXT_LIMITS.nickname} characters`,
});

const username = z
  .string()
  .overwrite(normalizeUsername)
  .refine(
    (name) => validateUsername(name) === null,
    `A username must have ${MIN_USERNAME_CHARS} to ${TEXT_LIMITS.username} letters, digits, hyphens or underscores`,
  );

/** The account as its own settings page shows it. */
export const ownAccount = sessionUser.extend({
  avatar_id: z.string().nullable(),
  email_notifications: z.boolean(),
  marketing_emails: z.boolean(),
});
export type OwnAccount = z.infer<typeof ownAccount>;

export const accountChange = z
  .strictObject({
    nickname: nickname.nullable().optional().describe('Null removes it'),
    username: username.optional().describe('For display; not unique'),
    avatar_id: pictureId
      .nullable()
      .optional()
      .describe('Id of a picture that the user uploaded; null removes the picture'),
    email_notifications: z.boolean().optional(),
    marketing_emails: z.boolean().optional(),
    spicy_mode: z.boolean().optional(),
    age_confirmed: z.boolean().optional(),
    language: z.enum(LANGUAGES).optional(),
    personal_suggestions: z.boolean().optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'There is nothing to change');
export type AccountChange = z.infer<typeof accountChange>;

export const onboardingBody = z.strictObject({
  nickname: nickname.optional(),
  invite_code: z
    .string()
    .refine((code) => normalizeInviteCode(code) !== null, 'An invite code has at most 10 letters and digits')
    .transform((code) => normalizeInviteCode(code) ?? '')
    .optional(),
});
export type OnboardingBody = z.input<typeof onboardingBody>;

export const onboardingResponse = z.object({ points_awarded: z.number().int(), error: z.null() });
export type OnboardingResponse = z.infer<typeof onboardingResponse>;

/** Whether the caller may do something, with a message for users if not. */
export const permission = z.object({ success: z.boolean(), error_message: z.string().nullable() });
export type Permission = z.infer<typeof permission>;

export const sendLoginCodeResponse = z.object({
  sent: z.literal(true),
  expires_in: z.number().int().describe('In seconds'),
});
export const loginWithCodeResponse = z.object({ user_id: z.string() });

/** Google's own tokens have at most two kilobytes. */
const MAX_TOKEN_CHARS = 4096;

export const googleTokenBody = z.strictObject({
  token: z
    .string()
    .max(MAX_TOKEN_CHARS)
    .regex(/^[\u0021-\u007e]+$/, 'Not an access token'),
  userInfo: z.unknown().optional().describe('User data that the browser received from Google; ignored'),
});

export const googleLoginResponse = z.object({ user_id: z.string(), user: sessionUser });

/** Ways to log in to an account; `methods` of the errors `recent_login_required` and `passkey_required`. */
export type LoginMethod = 'passkey' | 'code' | 'google';

/** The sessions of a user; their ids are not secret. */
export const sessionList = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      current: z.boolean(),
      created_at: z.string(),
      last_seen_at: z.string().describe('To the hour'),
      user_agent: z.string(),
    }),
  ),
});
export type SessionList = z.infer<typeof sessionList>;

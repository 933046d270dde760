import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { routePath } from 'hono/route';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import { log } from '../../lib/log.ts';
import { redactError } from '../../lib/redact.ts';
import type { Refused, Result } from '../../services/context.ts';
import type { ApiEnv } from './context.ts';

const ACCEPTED_CARDS =
  'You can import character cards (PNG, APNG or JSON), CharX and BYAF files, and characters from agnai, Pygmalion and text-generation-webui (JSON or YAML).';

/** All problem codes of the API with their status and English message. */
const PROBLEMS = {
  invalid_input: [400, 'Please check your input and try again.'],
  name_like_staff: [400, 'Part of this name looks like this site’s staff. Choose another name.'],
  invalid_code: [400, 'Invalid verification code'],
  invalid_deletion_link: [400, 'This link no longer works. Nothing was deleted.'],
  invalid_passkey: [400, 'This passkey could not be verified. Please try again, or log in another way.'],
  invalid_google_token: [400, 'Google could not confirm who you are. Please try again.'],
  oauth_state_expired: [400, 'This login took too long or was started in another browser. Please try again.'],
  invalid_age_check: [400, 'This age check result is not valid. Please start the age check again.'],
  google_cancelled: [400, 'Google login was cancelled. You can try again.'],
  unauthenticated: [401, 'You must be logged in to perform this action'],
  points_exhausted: [402, 'You do not have enough points for this message.'],
  cross_origin: [403, 'This request came from another site.'],
  forbidden: [403, 'You do not have permission to do this.'],
  email_unverified: [403, 'Google has not verified this account’s email address.'],
  email_code_required: [
    403,
    'Google does not host this email address. Log in with a code sent to it once; afterwards Google is enough.',
  ],
  recent_login_required: [403, 'Please log in again first: your last login was more than 15 minutes ago.'],
  passkey_required: [
    403,
    'This requires a login with a passkey. Add one on your account page, then log in with it.',
  ],
  account_required: [403, 'You must be logged in to perform this action'],
  account_suspended: [
    403,
    'Your account is suspended. See your account page for the reason and how to appeal.',
  ],
  age_confirmation_required: [403, 'First, please confirm that you are 18 or older.'],
  age_check_required: [403, 'You need to complete an age check before you can turn on spicy mode.'],
  spicy_mode_off: [403, 'This character is for adults, and spicy mode is off.'],
  spicy_mode_unavailable: [403, 'Spicy mode is not available on this site.'],
  persona_limit: [403, 'You have reached your plan’s persona limit.'],
  not_found: [404, 'The requested resource was not found.'],
  character_gone: [409, 'This character no longer exists, so there will be no more replies.'],
  character_hidden: [
    409,
    'Moderators have hidden this character. The chat can continue if the character becomes visible again.',
  ],
  character_removed: [
    409,
    'This character was removed because it broke the rules, so there will be no more replies.',
  ],
  character_deleted: [409, 'The creator deleted this character, so there will be no more replies.'],
  conversation_started: [409, 'This chat has already started. A first message can be chosen in a new chat.'],
  character_version_outdated: [409, 'This is not the newest version of the character. Please try again.'],
  conversation_not_started: [409, 'Start the conversation before selecting a persona.'],
  nothing_to_answer: [409, 'There is no message waiting for a reply.'],
  version_unfinished: [409, 'This version is still being written.'],
  version_limit: [
    409,
    'This message has reached the version limit. Choose a version, or continue with your next message.',
  ],
  length_limit: [409, 'This reply has reached the maximum length. Continue with your next message.'],
  conversation_full: [409, 'This chat is full. Continue in a new one.'],
  message_deleted: [409, 'This message has been deleted. It was not sent again.'],
  memory_source_deleted: [
    409,
    'A message this note came from was permanently deleted, so the note could not be saved.',
  ],
  pin_limit: [409, 'You have reached the limit for pinned messages. Unpin one first.'],
  reply_style_limit: [409, 'You have reached the limit for saved styles. Delete one first.'],
  storage_full: [409, 'Your storage is full. Delete something or empty the trash first.'],
  conversation_limit: [409, 'You have reached the limit for chats. Delete one first, or log in.'],
  passkey_limit: [409, 'You have reached the limit for passkeys. Remove one first.'],
  favourite_limit: [409, 'You have reached the limit for favourites. Remove one first.'],
  like_limit: [409, 'You have reached the limit for likes. Remove one first.'],
  follow_limit: [409, 'You have reached the limit for creators you can follow. Unfollow one first.'],
  hidden_limit: [409, 'You have reached the limit for hidden tags and creators. Show one again first.'],
  cannot_target_self: [409, 'You cannot follow or hide yourself, or like your own character.'],
  appeal_exists: [409, 'You have already appealed against this. You will find the answer in your account.'],
  name_cleared: [409, 'Moderators removed this name. Choose another one, or appeal in your account.'],
  nothing_to_remove: [409, 'There is nothing left to remove.'],
  pinned_budget_exceeded: [409, 'There is no room for this in the prompt. Unpin or shorten something first.'],
  test_turn_expired: [
    409,
    'This message already has a reply, and test chats are not saved. Please send it again.',
  ],
  reply_in_progress: [409, 'A reply is still being written. Wait for it or stop it first.'],
  age_check_used: [409, 'This age check has already been used.'],
  invite_code_invalid: [409, 'Invite code already used or invalid'],
  invite_code_failed: [503, 'Failed to generate invite code'],
  subscription_wrong_account: [403, 'This subscription belongs to another account.'],
  subscription_not_found: [404, 'PayPal cannot find this subscription.'],
  subscription_already_claimed: [409, 'This subscription is in use by another account.'],
  subscription_not_active: [409, 'This subscription is not active with PayPal.'],
  no_subscription: [409, 'There is no membership to cancel.'],
  no_balance_due: [409, 'Nothing is owed to this person.'],
  payout_conflict: [
    409,
    'The amount owed to this person has changed, so nothing was recorded. Please check the new amount and try again.',
  ],
  subscription_wrong_plan: [422, 'This subscription is for a plan that is not sold here.'],
  subscription_wrong_currency: [422, 'This subscription is not paid in US dollars.'],
  subscription_wrong_price: [422, 'The price of this subscription does not match the plan.'],
  webhook_signature_invalid: [400, 'This message does not come from PayPal.'],
  payments_unavailable: [503, 'Memberships are not available on this site right now.'],
  paypal_unavailable: [502, 'PayPal is not responding properly at the moment. Please try again later.'],
  downgrade_failed: [502, 'Failed to downgrade subscription. Please contact support.'],
  upgrade_required: [426, 'This address requires a WebSocket connection.'],
  request_timeout: [408, 'The request did not arrive in time. Check your connection and try again.'],
  too_large: [413, 'This is too large.'],
  unsupported_media: [415, 'Send this as application/json.'],
  idempotency_key_reused: [422, 'This key was already used with another request. Use a new one.'],
  import_too_long: [
    422,
    'This file contains more text than we can check, so nothing was imported. Split the chat into several files.',
  ],
  import_line_invalid: [422, 'A line in this file cannot be read, so nothing was imported.'],
  card_too_large: [413, 'This card is too large: a file can be up to 50 MiB, with up to 4 MiB of text.'],
  card_damaged: [422, 'This file is damaged or incomplete. Download or export it again, then try again.'],
  card_not_found: [
    422,
    'There is no character card in this file. Websites and chat apps often remove it from pictures. Choose the original file that was exported.',
  ],
  card_not_json: [422, `This file is not a character card. ${ACCEPTED_CARDS}`],
  card_not_understood: [
    422,
    `This file does not contain a character card that can be imported here. ${ACCEPTED_CARDS}`,
  ],
  card_is_lorebook: [
    422,
    'This file is a lorebook, not a character. Edit a character and choose “Import lorebook”.',
  ],
  card_is_chat: [
    422,
    'This file is a chat, not a character. Open a chat with its character and import the file there.',
  ],
  card_archive_unknown: [
    422,
    'This archive is neither a CharX nor a BYAF file. If it contains several cards, unpack it and import them one by one.',
  ],
  card_too_complex: [422, 'This file is too complex to be a character card. Choose another one.'],
  card_archive_unsafe: [
    422,
    'This archive cannot be opened safely: it contains invalid file paths, or two files with the same name. Export the card again.',
  ],
  lorebook_too_large: [413, 'A lorebook can be up to 512 kB.'],
  picture_damaged: [422, 'This picture is damaged or incomplete. Please choose another one.'],
  text_refused: [422, 'This text breaks the rules and was not accepted. No points were used.'],
  not_refused: [
    422,
    'This text was not refused, or it was refused more than 30 days ago. Please send it again before you appeal.',
  ],
  picture_dimensions: [422, 'Pictures can be up to 4096 pixels on each side.'],
  model_unavailable: [422, 'This model is not available here. Choose another one.'],
  not_a_reply: [422, 'Only a reply can be regenerated, continued or rated.'],
  nothing_to_continue: [422, 'There is no text to continue yet.'],
  deletion_link_recently_sent: [429, 'A link was sent a short while ago. Please check your mailbox.'],
  too_many_guests: [
    429,
    'Too many guest sessions have been started today from your network or on this device. Please log in, or come back tomorrow.',
  ],
  too_many_uploads: [429, 'Two of your files are being uploaded already. Wait for one to finish.'],
  too_many_imports: [429, 'You have reached today’s limit for imported files. You can continue tomorrow.'],
  too_many_codes: [
    429,
    'Too many codes have been requested from your network today. Use one you already have, or come back tomorrow.',
  ],
  code_recently_sent: [429, 'A verification code was sent a short while ago. Please check your mailbox.'],
  too_many_unused_codes: [
    429,
    'Several codes were requested but not used, so we cannot send another one yet. You can still log in with a passkey or with Google.',
  ],
  too_much_feedback: [
    429,
    'We have received a lot of feedback from you or your network. You can send more later, by tomorrow at the latest.',
  ],
  daily_usage_limit: [
    429,
    'You have reached today’s usage limit per person. You can continue tomorrow. No points were used.',
  ],
  too_many_replies: [429, 'Too many replies are being written for you at once. Wait for one to finish.'],
  too_many_subscribers: [
    429,
    'This reply is open in too many tabs or on too many devices. Close some tabs and try again.',
  ],
  daily_limit_reached: [429, 'You have reached today’s message limit.'],
  too_many_requests: [429, 'Too many requests. Please wait a moment.'],
  moderation_unavailable: [
    503,
    'We cannot check text right now, so this was not accepted. Please try again later. No points were used.',
  ],
  assist_failed: [502, 'The model did not write anything. No points were used.'],
  dependencies_down: [503, 'Some services this site depends on are not responding right now.'],
  server_error: [500, 'Server error. Please try again later.'],
  google_unavailable: [502, 'Google is not responding properly at the moment. Please try again later.'],
  deletion_failed: [
    500,
    'You will not be charged for your membership again, but your account could not be deleted. Try again.',
  ],
  cancellation_failed: [502, 'Your membership could not be cancelled, so nothing was deleted.'],
  mail_failed: [502, 'The email could not be sent. Please try again later.'],
} as const satisfies Record<string, readonly [ContentfulStatusCode, string]>;

export type ProblemCode = keyof typeof PROBLEMS;

/** The body of every error response. */
export const problemBody = z.looseObject({
  error: z.string(),
  code: z.string(),
  fields: z.record(z.string(), z.array(z.string())).optional(),
});

/** Ends a request with a problem response; `respondWithError` renders it. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly extra: Record<string, unknown>;
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ProblemCode,
    extra: Record<string, unknown> = {},
    retryAfterSeconds: number | null = null,
  ) {
    super(code);
    this.code = code;
    this.extra = extra;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export const toProblem = ({ code, extra, retryAfterSeconds }: Refused<ProblemCode>): Problem =>
  new Problem(code, extra, retryAfterSeconds);

/** Throws the refusal of a service as a Problem, if there is one. */
export function throwRefused(refused: Refused<ProblemCode> | null): void {
  if (refused !== null) throw toProblem(refused);
}

/** Returns the value of a service's result. @throws Problem with the code of a refusal */
export function unwrap<Value>(result: Result<Value, ProblemCode>): Value {
  if (result.ok) return result.value;
  throw toProblem(result);
}

/** Returns the seconds until a time, at least one, for `Retry-After`. */
export function computeSecondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / 1000));
}

function respondWithProblem(c: Context<ApiEnv>, problem: Problem): Response {
  const [status, error] = PROBLEMS[problem.code];
  if (status === 429) c.header('retry-after', String(problem.retryAfterSeconds ?? 60));
  return c.json({ error, code: problem.code, ...problem.extra }, status);
}

/** Turns every error into a response: the log gets the details, the client a code. */
export function respondWithError(error: Error, c: Context<ApiEnv>): Response {
  if (error instanceof Problem) return respondWithProblem(c, error);
  if (error instanceof HTTPException && error.status < 500) {
    // Hono's own refusals: invalid JSON or a body that is too large.
    return respondWithProblem(c, new Problem(error.status === 413 ? 'too_large' : 'invalid_input'));
  }
  logError(error, c);
  return respondWithProblem(c, new Problem('server_error'));
}

/** Logs an unexpected error. */
export function logError(error: unknown, c: Context<ApiEnv>): void {
  log('request_failed', { method: c.req.method, route: routePath(c), ...redactError(error) });
}

export function respondNotFound(c: Context<ApiEnv>): Response {
  return respondWithProblem(c, new Problem('not_found'));
}

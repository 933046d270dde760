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
  'Pictures (PNG, APNG) and JSON with a character card, CharX and BYAF can be imported, and so can characters of agnai, Pygmalion and text-generation-webui (JSON or YAML).';

/** All problem codes of the API with their status and English message. */
const PROBLEMS = {
  invalid_input: [400, 'Please check your input and try again.'],
  invalid_code: [400, 'Invalid verification code'],
  invalid_deletion_link: [400, 'This link does not work any more. Nothing was deleted.'],
  invalid_google_token: [400, 'Google could not confirm who you are. Please try again.'],
  oauth_state_expired: [400, 'This login was begun too long ago or in another browser. Please try again.'],
  invalid_age_check: [400, 'This is no result of an age check that was asked for here.'],
  google_cancelled: [400, 'You came back from Google without logging in.'],
  unauthenticated: [401, 'You must be logged in to perform this action'],
  points_exhausted: [402, 'You do not have enough points for this message.'],
  cross_origin: [403, 'This request came from another site.'],
  forbidden: [403, 'You may not do this.'],
  email_unverified: [403, 'Google has not verified the e-mail address of this account.'],
  account_required: [403, 'You must be logged in to perform this action'],
  account_suspended: [403, 'Your account is suspended. Your account page says why, and how to appeal.'],
  age_confirmation_required: [403, 'Please confirm first that you are 18 or older.'],
  age_check_required: [403, 'Your age has to be checked first.'],
  spicy_mode_off: [403, 'This character is for adults, and spicy mode is off.'],
  spicy_mode_unavailable: [403, 'There is no spicy mode on this site.'],
  persona_limit: [403, 'You have as many personas as your plan holds.'],
  not_found: [404, 'The requested resource was not found.'],
  character_gone: [409, 'This character is gone for good. Nobody answers here any more.'],
  character_hidden: [
    409,
    'This character is hidden while somebody looks into a report. The story can go on once it is shown again.',
  ],
  character_removed: [
    409,
    'This character was removed for breaking the rules. Nobody answers here any more.',
  ],
  character_deleted: [409, 'Whoever made this character deleted it. Nobody answers here any more.'],
  conversation_started: [409, 'This story has begun. Its first message can be chosen in a new conversation.'],
  character_version_outdated: [409, 'This is not the newest version of the character. Look again.'],
  conversation_not_started: [409, 'Start the conversation before selecting a persona.'],
  nothing_to_answer: [409, 'There is no message of yours that waits for a reply.'],
  version_unfinished: [409, 'This version is still being written.'],
  version_limit: [
    409,
    'This message has as many versions as it can hold. Choose one of them, or go on with your next message.',
  ],
  length_limit: [409, 'This reply is as long as it can be. Go on with your next message.'],
  conversation_full: [409, 'This conversation is full and holds no more messages. Go on in a new one.'],
  message_deleted: [409, 'This message was deleted meanwhile. It was not sent again.'],
  memory_source_deleted: [409, 'The messages that this note came from are gone for good. It was not saved.'],
  pin_limit: [409, 'As many messages are pinned as there may be. Unpin one first.'],
  reply_style_limit: [409, 'You have as many styles as you can save. Delete one first.'],
  favourite_limit: [409, 'You have as many favourites as you can keep. Take one out first.'],
  follow_limit: [409, 'You follow as many creators as you can. Stop following one first.'],
  hidden_limit: [409, 'You hide as much as you can. Show something again first.'],
  cannot_target_self: [409, 'You cannot follow or hide yourself.'],
  appeal_exists: [409, 'You have appealed against this already. The answer comes into your account.'],
  name_cleared: [
    409,
    'The site’s staff took this name away. Choose another one, or appeal against that in your account.',
  ],
  nothing_to_remove: [409, 'There is nothing of the kind left to take away.'],
  pinned_budget_exceeded: [
    409,
    'There is no room to tell the model this as well. Unpin or shorten something first.',
  ],
  test_turn_expired: [
    409,
    'This message was answered before, and nothing of a test chat is kept. Send it once more.',
  ],
  reply_in_progress: [409, 'A reply is still being written. Wait for it or stop it first.'],
  age_check_used: [409, 'This age check was answered before.'],
  invite_code_invalid: [409, 'Invite code already used or invalid'],
  invite_code_failed: [503, 'Failed to generate invite code'],
  subscription_wrong_account: [403, 'This subscription belongs to another account.'],
  subscription_not_found: [404, 'PayPal does not know this subscription.'],
  subscription_already_claimed: [409, 'This subscription is in use by another account.'],
  subscription_not_active: [409, 'This subscription is not active at PayPal.'],
  no_subscription: [409, 'There is no membership to cancel.'],
  no_balance_due: [409, 'Nothing is due to this person.'],
  payout_conflict: [409, 'Another sum is due to this person by now. Nothing was written down; look again.'],
  subscription_wrong_plan: [422, 'This subscription is of another plan.'],
  subscription_wrong_currency: [422, 'This subscription is paid in another currency.'],
  subscription_wrong_price: [422, 'This subscription has another price.'],
  webhook_signature_invalid: [400, 'PayPal did not send this.'],
  payments_unavailable: [503, 'Memberships cannot be paid for on this site.'],
  paypal_unavailable: [502, 'PayPal does not answer properly at the moment. Please try again later.'],
  downgrade_failed: [502, 'Failed to downgrade subscription. Please contact support.'],
  upgrade_required: [426, 'This address speaks WebSocket.'],
  too_large: [413, 'That is too large.'],
  unsupported_media: [415, 'Send this as application/json.'],
  idempotency_key_reused: [422, 'This key came with another request before. Use a new one.'],
  import_too_long: [
    422,
    'This file holds more text than can be looked at, so nothing was brought in. Split it into several chats.',
  ],
  import_line_invalid: [422, 'A line of this file cannot be read as part of a chat. Nothing was brought in.'],
  card_too_large: [413, 'This card is too large: a file may have 50 MiB, and the text in it 4 MiB.'],
  card_damaged: [422, 'This file is damaged or cut off. Download or export it once more, and try again.'],
  card_not_found: [
    422,
    'There is no card in this file. Choose the card as it was exported: sites and chats often send pictures on without it.',
  ],
  card_not_json: [422, `This file is not a character card. ${ACCEPTED_CARDS}`],
  card_not_understood: [422, `This file holds something else than a character card. ${ACCEPTED_CARDS}`],
  card_is_lorebook: [
    422,
    'This file is a lorebook, not a character. Open a character for editing and choose “Import lorebook” there.',
  ],
  card_is_chat: [
    422,
    'This file is a chat, not a character. Open a conversation with its character and import the file there.',
  ],
  card_archive_unknown: [
    422,
    'This archive is neither a CharX nor a BYAF file. If it holds several cards, unpack it and import them one by one.',
  ],
  card_too_complex: [422, 'This file has far more in it than a character card. Choose another one.'],
  card_archive_unsafe: [
    422,
    'This archive names files that would lie outside of it, or one twice. Export the card once more.',
  ],
  lorebook_too_large: [413, 'A lorebook may have 512 kB in all.'],
  picture_damaged: [422, 'This picture is damaged or cut off, and cannot be shown.'],
  text_refused: [422, 'This text breaks the rules and was not taken. Nothing was charged.'],
  not_refused: [
    422,
    'This text was not refused to you, or that is more than 30 days ago. Send it once more where it belongs first.',
  ],
  picture_dimensions: [422, 'A picture may be at most 4096 pixels wide and high.'],
  model_unavailable: [422, 'This model is not available here. Choose another one.'],
  not_a_reply: [422, 'Only a reply of the character can be written anew.'],
  nothing_to_continue: [422, 'There is no text yet that could be gone on with.'],
  deletion_link_recently_sent: [429, 'A link was sent a short while ago. Please look into your mailbox.'],
  too_many_guests: [
    429,
    'Many guests have begun today, from your network or on this device. Log in with your e-mail, or come back tomorrow.',
  ],
  too_many_imports: [429, 'You have imported as many files today as one person can. Go on tomorrow.'],
  too_many_codes: [
    429,
    'Many verification codes have been sent to your network today. Use one that you have, or come back tomorrow.',
  ],
  code_recently_sent: [429, 'A verification code was sent a short while ago. Please look into your mailbox.'],
  daily_usage_limit: [
    429,
    'As much has been written for you today as can be for one person. It goes on tomorrow. Nothing was charged.',
  ],
  too_many_replies: [429, 'Too many replies are being written for you at once. Wait for one of them.'],
  too_many_subscribers: [429, 'This reply is being read in too many places at once. Close some of them.'],
  daily_limit_reached: [429, 'You have reached today’s message limit.'],
  too_many_requests: [429, 'Too many requests. Please wait a moment.'],
  moderation_unavailable: [
    503,
    'Texts cannot be looked at right now, and this one may not go by unseen. Please try again later. Nothing was charged.',
  ],
  assist_failed: [502, 'The model did not come up with anything. Nothing was charged.'],
  dependencies_down: [503, 'Not everything that this site stands on answers right now.'],
  server_error: [500, 'Server error. Please try again later.'],
  google_unavailable: [502, 'Google does not answer properly at the moment. Please try again later.'],
  deletion_failed: [500, 'Your membership is over, but your account could not be deleted. Try again.'],
  cancellation_failed: [502, 'Your membership could not be cancelled, so nothing was deleted.'],
  mail_failed: [502, 'The mail could not be sent. Please try again later.'],
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

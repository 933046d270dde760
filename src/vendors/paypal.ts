import { z } from 'zod';
import { boundedText, parsed } from './bounded-answer.ts';

/** What the operator set; see docs/paypal.md. */
export interface PayPalSettings {
  clientId: string;
  clientSecret: string;
  /** Where PayPal's REST API is: the real one, its sandbox, or a stand-in for tests. */
  apiBase: string;
}

export const PAYPAL_API_BASE = 'https://api-m.paypal.com';

/** The states that PayPal's own subscriptions have. */
const STATUSES = ['APPROVAL_PENDING', 'APPROVED', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED'] as const;
export type PayPalStatus = (typeof STATUSES)[number];

export interface PayPalSubscription {
  id: string;
  status: PayPalStatus;
}

export type PayPalRefusal = {
  ok: false;
  /** `unknown`: PayPal has no such thing; `refused`: it is not done; `unavailable`: nobody knows. */
  code: 'unknown' | 'refused' | 'unavailable';
  /** For the log: says what was wrong and PayPal's number for it, holds no secret and nothing of anybody. */
  reason: string;
};
export type SubscriptionAnswer = { ok: true; subscription: PayPalSubscription } | PayPalRefusal;
export type CancelAnswer = { ok: true } | PayPalRefusal;

export interface PayPalCall {
  /** The moment of the call, in ms. */
  now: number;
  /** How long each of its questions may take, in ms. */
  timeoutMs?: number | undefined;
}

/** Somebody waits for it in front of a button, and PayPal takes some seconds over money. */
const PAYPAL_TIMEOUT_MS = 8000;
/** A subscription with all its parts is four kilobytes. */
const MAX_ANSWER_BYTES = 64 * 1024;
/** A token is given up so long before it is over, so that it lasts for the call that it is taken for. */
const TOKEN_LEEWAY_MS = 60_000;
/** What PayPal takes as the reason of a cancellation. */
const MAX_REASON_CHARS = 128;

const tokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  expires_in: z.number().positive(),
});
const subscriptionAnswer = z.object({ id: z.string(), status: z.enum(STATUSES) });

/** The names that PayPal gives to a refusal; anything else in it may be about somebody. */
const name = z
  .string()
  .regex(/^\w{1,60}$/)
  .optional()
  .catch(undefined);
const refusalAnswer = z.object({
  error: name,
  name,
  debug_id: name,
  details: z
    .array(z.object({ issue: name }))
    .optional()
    .catch(undefined),
});

/** What PayPal says about a subscription at this moment. */
export async function showSubscription(
  settings: PayPalSettings,
  id: string,
  options: PayPalCall,
): Promise<SubscriptionAnswer> {
  const answer = await call(settings, { what: 'show', path: pathOf(id), init: {} }, options);
  if (!answer.ok) return refusalOf(answer);
  const told = subscriptionAnswer.safeParse(answer.body);
  if (!told.success) return refusalOf(unavailable('show answered what is no subscription'));
  return told.data.id === id
    ? { ok: true, subscription: told.data }
    : refusalOf(unavailable('show answered another subscription'));
}

/**
 * Asks PayPal to cancel a subscription for good. One that is over already is refused with `SUBSCRIPTION_STATUS_INVALID`;
 * what became of it, also after an answer that was lost, only `showSubscription` can tell.
 * @param reason for PayPal's own records, where the person can read it
 */
export async function cancelSubscription(
  settings: PayPalSettings,
  id: string,
  reason: string,
  options: PayPalCall,
): Promise<CancelAnswer> {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ reason: reason.slice(0, MAX_REASON_CHARS) }),
  };
  const answer = await call(settings, { what: 'cancel', path: `${pathOf(id)}/cancel`, init }, options);
  return answer.ok ? { ok: true } : refusalOf(answer);
}

const pathOf = (id: string): string => `/v1/billing/subscriptions/${encodeURIComponent(id)}`;

interface Question {
  /** What the log calls it; its address names a subscription. */
  what: 'token' | 'show' | 'cancel';
  path: string;
  init: { method?: string; headers?: Record<string, string>; body?: string };
}
/** `status` is null where there was no answer. */
type Failure = PayPalRefusal & { status: number | null };
type Answer = { ok: true; body: unknown } | Failure;

const refusalOf = ({ code, reason }: Failure): PayPalRefusal => ({ ok: false, code, reason });
const unavailable = (reason: string): Failure => ({ ok: false, code: 'unavailable', reason, status: null });

/** The last token, for as long as this isolate and the token live: PayPal asks not to be asked for one each time. */
let kept: { of: string; token: string; until: number } | null = null;

async function call(settings: PayPalSettings, question: Question, options: PayPalCall): Promise<Answer> {
  const first = await tryOnce(settings, question, options);
  if (first.ok || first.status !== 401 || question.what === 'token') return first;
  // PayPal may take a token back before it is over: a new one is worth one more try.
  kept = null;
  return tryOnce(settings, question, options);
}

async function tryOnce(settings: PayPalSettings, question: Question, options: PayPalCall): Promise<Answer> {
  const token = await tokenFor(settings, options);
  if (!token.ok) return token;
  const headers = { ...question.init.headers, authorization: `Bearer ${token.token}` };
  return ask(settings, { ...question, init: { ...question.init, headers } }, options);
}

async function tokenFor(
  settings: PayPalSettings,
  options: PayPalCall,
): Promise<{ ok: true; token: string } | Failure> {
  const { clientId, clientSecret, apiBase } = settings;
  const of = [apiBase, clientId, clientSecret].join('\n');
  if (kept?.of === of && options.now < kept.until) return { ok: true, token: kept.token };
  const answer = await ask(
    settings,
    {
      what: 'token',
      path: '/v1/oauth2/token',
      init: {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
        },
        body: 'grant_type=client_credentials',
      },
    },
    options,
  );
  // Whatever it says, it is about this site and not about what was to be asked.
  if (!answer.ok) return unavailable(answer.reason);
  const told = tokenAnswer.safeParse(answer.body);
  if (!told.success) return unavailable('token answered none');
  const { access_token: token, expires_in: seconds } = told.data;
  kept = { of, token, until: options.now + seconds * 1000 - TOKEN_LEEWAY_MS };
  return { ok: true, token };
}

async function ask(
  { apiBase }: PayPalSettings,
  { what, path, init }: Question,
  { timeoutMs = PAYPAL_TIMEOUT_MS }: PayPalCall,
): Promise<Answer> {
  let status: number;
  let text: string | null;
  try {
    const response = await fetch(apiBase + path, {
      ...init,
      headers: { accept: 'application/json', ...init.headers },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    status = response.status;
    text = await boundedText(response, MAX_ANSWER_BYTES);
  } catch {
    return unavailable(`${what} did not answer`);
  }
  if (status === 204) return { ok: true, body: null };
  const body = text === null ? undefined : parsed(text);
  if (status === 200)
    return body === undefined ? unavailable(`${what} answered no JSON`) : { ok: true, body };
  const told = refusalAnswer.safeParse(body).data;
  const issue = told?.details?.[0]?.issue ?? told?.name ?? told?.error;
  const reason = [
    `${what} answered ${status}`,
    ...(issue === undefined ? [] : [issue]),
    ...(told?.debug_id === undefined ? [] : [`debug_id ${told.debug_id}`]),
  ].join(' ');
  return { ok: false, code: codeOf(status), reason, status };
}

function codeOf(status: number): PayPalRefusal['code'] {
  if (status === 404) return 'unknown';
  return status >= 400 && status < 500 && status !== 401 && status !== 429 ? 'refused' : 'unavailable';
}

import { z } from 'zod';
import { readBoundedText, tryParseJson } from './bounded-response.ts';

/** Who asks PayPal, and where; see docs/paypal.md. */
export interface PayPalSettings {
  clientId: string;
  clientSecret: string;
  /** Where PayPal's REST API is: the real one, its sandbox, or a stand-in for tests. */
  apiBase: string;
}

/** Where browsers get PayPal's own script, of the sandbox too: the client id says which it is. */
const PAYPAL_SITE = 'https://www.paypal.com';

/** Whether an address is at PayPal itself. */
export const isPayPalUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' && /^(?:[a-z0-9-]+\.)*paypal\.com$/.test(hostname);

/** Where the script is whose button begins a subscription, without its path `/sdk/js`: PayPal's, or a stand-in's. */
export const getPayPalScriptBase = ({ apiBase }: Pick<PayPalSettings, 'apiBase'>): string =>
  isPayPalUrl(new URL(apiBase)) ? PAYPAL_SITE : apiBase;

export type PayPalRefusal = {
  ok: false;
  /** `unknown`: PayPal has no such thing; `refused`: it is not done; `unavailable`: nobody knows. */
  code: 'unknown' | 'refused' | 'unavailable';
  /** For the log: says what was wrong and PayPal's number for it, holds no secret and nothing of anybody. */
  reason: string;
};

export interface PayPalCall {
  /** The moment of the call, in ms. */
  now: number;
  /** How long each of its questions may take, in ms. */
  timeoutMs?: number | undefined;
}

/** Somebody waits for it in front of a button, and PayPal takes some seconds over money. */
const PAYPAL_TIMEOUT_MS = 8000;
/** A subscription with its plan is ten kilobytes; what was paid for one within years is less than this. */
const MAX_ANSWER_BYTES = 128 * 1024;
/** A token is given up so long before it is over, so that it lasts for the call that it is taken for. */
const TOKEN_LEEWAY_MS = 60_000;

const tokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  /** Where it is not told, the token is for this one call. */
  expires_in: z.number().nonnegative().catch(0),
});

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

export interface PayPalRequest {
  /** What the log calls it; its address may name a subscription. */
  what: 'token' | 'show' | 'cancel' | 'transactions' | 'verify';
  path: string;
  /** What is asked where PayPal has nothing at that address, or does not take it. */
  plainPath?: string;
  init: { method?: string; headers?: Record<string, string>; body?: string };
}
/** `status` is null where there was no answer. */
type Failure = PayPalRefusal & { status: number | null };
type Answer = { ok: true; body: unknown } | Failure;

const createFailure = (reason: string): Failure => ({ ok: false, code: 'unavailable', reason, status: null });

/** Nobody knows what it is asked, for this reason. */
export const createUnavailableRefusal = (reason: string): PayPalRefusal => ({
  ok: false,
  code: 'unavailable',
  reason,
});

/** Headers and body of something told to PayPal. */
export const buildJsonInit = (json: string): PayPalRequest['init'] => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: json,
});

/** Asks PayPal as the operator. What it answers is whatever JSON came, null where nothing was to come. */
export async function callPayPal(
  settings: PayPalSettings,
  question: PayPalRequest,
  call: PayPalCall,
): Promise<{ ok: true; body: unknown } | PayPalRefusal> {
  const first = await callOnce(settings, question, call);
  // PayPal may take a token back before it is over: a new one is worth one more try.
  const shouldRetry = !first.ok && first.status === 401;
  if (shouldRetry) cachedToken = null;
  const answer = shouldRetry ? await callOnce(settings, question, call) : first;
  return answer.ok ? answer : { ok: false, code: answer.code, reason: answer.reason };
}

/** The last token, for as long as this isolate and the token live: PayPal asks not to be asked for one each time. */
let cachedToken: { of: string; token: string; until: number } | null = null;

async function callOnce(
  settings: PayPalSettings,
  question: PayPalRequest,
  call: PayPalCall,
): Promise<Answer> {
  const token = await getAccessToken(settings, call);
  if (!token.ok) return token;
  const headers = { ...question.init.headers, authorization: `Bearer ${token.token}` };
  const init = { ...question.init, headers };
  const answer = await sendRequest(settings, { ...question, init }, call);
  const { plainPath } = question;
  const isRefused = !answer.ok && (answer.status === 400 || answer.status === 404);
  return isRefused && plainPath !== undefined
    ? sendRequest(settings, { ...question, path: plainPath, init }, call)
    : answer;
}

async function getAccessToken(
  settings: PayPalSettings,
  call: PayPalCall,
): Promise<{ ok: true; token: string } | Failure> {
  const { clientId, clientSecret, apiBase } = settings;
  const of = [apiBase, clientId, clientSecret].join('\n');
  if (cachedToken?.of === of && call.now < cachedToken.until) return { ok: true, token: cachedToken.token };
  const answer = await sendRequest(
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
    call,
  );
  // Whatever it says, it is about this site and not about what was to be asked.
  if (!answer.ok) return createFailure(answer.reason);
  const read = tokenAnswer.safeParse(answer.body);
  if (!read.success) return createFailure('token answered none');
  const { access_token: token, expires_in: seconds } = read.data;
  cachedToken = { of, token, until: call.now + seconds * 1000 - TOKEN_LEEWAY_MS };
  return { ok: true, token };
}

async function sendRequest(
  { apiBase }: PayPalSettings,
  { what, path, init }: PayPalRequest,
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
    text = await readBoundedText(response, MAX_ANSWER_BYTES);
  } catch {
    return createFailure(`${what} did not answer`);
  }
  const isDone = status >= 200 && status < 300;
  if (isDone && text === '') return { ok: true, body: null };
  const body = text === null ? undefined : tryParseJson(text);
  // That something is cancelled its status says, whatever comes with it.
  if (isDone && body === undefined && what !== 'cancel') return createFailure(`${what} answered no JSON`);
  if (isDone) return { ok: true, body: body ?? null };
  const refusal = refusalAnswer.safeParse(body).data;
  const issue = refusal?.details?.[0]?.issue ?? refusal?.name ?? refusal?.error;
  const reason = [
    `${what} answered ${status}`,
    ...(issue === undefined ? [] : [issue]),
    ...(refusal?.debug_id === undefined ? [] : [`debug_id ${refusal.debug_id}`]),
  ].join(' ');
  return { ok: false, code: toRefusalCode(status), reason, status };
}

function toRefusalCode(status: number): PayPalRefusal['code'] {
  if (status === 404) return 'unknown';
  return status >= 400 && status < 500 && status !== 401 && status !== 429 ? 'refused' : 'unavailable';
}

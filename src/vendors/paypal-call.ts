import { z } from 'zod';
import { readBoundedText, tryParseJson } from './bounded-response.ts';

/** PayPal's credentials and address (docs/paypal.md). */
export interface PayPalSettings {
  clientId: string;
  clientSecret: string;
  /** Base of PayPal's REST API: production, the sandbox, or a stand-in for tests. */
  apiBase: string;
}

/** Origin of PayPal's browser script, for the sandbox too: the client id selects the environment. */
const PAYPAL_SITE = 'https://www.paypal.com';

/** Whether an address belongs to PayPal. */
export const isPayPalUrl = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' && /^(?:[a-z0-9-]+\.)*paypal\.com$/.test(hostname);

/** Returns the origin of the subscription button's script, without `/sdk/js`: PayPal's or the stand-in's. */
export const getPayPalScriptBase = ({ apiBase }: Pick<PayPalSettings, 'apiBase'>): string =>
  isPayPalUrl(new URL(apiBase)) ? PAYPAL_SITE : apiBase;

export type PayPalRefusal = {
  ok: false;
  /** `unknown`: PayPal has no such resource; `refused`: nothing was done; `unavailable`: the outcome is unknown. */
  code: 'unknown' | 'refused' | 'unavailable';
  /** For the log: the problem and PayPal's debug id, without secrets or personal data. */
  reason: string;
};

export interface PayPalCall {
  /** Time of the call in milliseconds. */
  now: number;
  /** Timeout of each request in milliseconds. */
  timeoutMs?: number | undefined;
}

/** A user is waiting, but PayPal needs some seconds for payments. */
const PAYPAL_TIMEOUT_MS = 8000;
/** A subscription with its plan has ten kilobytes; years of transactions fit into this too. */
const MAX_ANSWER_BYTES = 128 * 1024;
/** A cached token is discarded this long before it expires, so that it outlasts the call. */
const TOKEN_LEEWAY_MS = 60_000;

const tokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]{1,4096}$/),
  /** Without an expiry the token is used for one call only. */
  expires_in: z.number().nonnegative().catch(0),
});

/** Names in PayPal's error; other parts of it may contain personal data. */
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
  /** Name for the log, because the path may contain a subscription id. */
  what: 'token' | 'show' | 'cancel' | 'transactions' | 'verify';
  path: string;
  /** Path for a second request, when PayPal answers the first with 400 or 404. */
  plainPath?: string;
  init: { method?: string; headers?: Record<string, string>; body?: string };
}
/** `status` is null without a response. */
type Failure = PayPalRefusal & { status: number | null };
type Answer = { ok: true; body: unknown } | Failure;

const createFailure = (reason: string): Failure => ({ ok: false, code: 'unavailable', reason, status: null });

/** Creates a refusal for an unknown outcome. */
export const createUnavailableRefusal = (reason: string): PayPalRefusal => ({
  ok: false,
  code: 'unavailable',
  reason,
});

/** Builds the headers and body of a JSON request. */
export const buildJsonInit = (json: string): PayPalRequest['init'] => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: json,
});

/** Calls PayPal's API with the operator's credentials. `body` is the parsed JSON, or null for an empty response. */
export async function callPayPal(
  settings: PayPalSettings,
  question: PayPalRequest,
  call: PayPalCall,
): Promise<{ ok: true; body: unknown } | PayPalRefusal> {
  const first = await callOnce(settings, question, call);
  // PayPal may revoke a token before it expires: retry once with a new one.
  const shouldRetry = !first.ok && first.status === 401;
  if (shouldRetry) cachedToken = null;
  const answer = shouldRetry ? await callOnce(settings, question, call) : first;
  return answer.ok ? answer : { ok: false, code: answer.code, reason: answer.reason };
}

/** The last access token, cached per isolate until it expires, because PayPal asks clients to reuse tokens. */
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
  // An error here concerns our credentials, not the resource.
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
  // The status alone confirms a cancellation, with any body.
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

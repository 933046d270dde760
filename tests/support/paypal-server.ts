import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createSubscriptionRecord,
  applyAction,
  isPayPalAction,
  type PayPalSubscriptionRecord,
  toTransactionList,
  type ObservedSubscription,
  toSubscriptionResponse,
  type InjectedResponse,
} from './paypal-subscriptions.ts';
import { type EventRequest, createSigner } from './paypal-events.ts';
import { createPayPalCatalogue, type PayPalCatalogue } from './paypal-catalogue.ts';
import { renderSdkButtons, buildSdkScript, validateSdkRequest } from './paypal-sdk.ts';
import { KEEP_ALIVE_TIMEOUT_MS } from './keep-alive.mjs';

export interface PayPalServer {
  url: string;
  /** The catalogue. */
  shop: PayPalCatalogue;
  close(): Promise<void>;
}

interface Credentials {
  clientId: string;
  clientSecret: string;
  /** The webhook's id. */
  webhookId?: string;
}

interface ReceivedRequest {
  path: string;
  query: URLSearchParams;
  body: string;
}

/** The actions on a subscription. */
type Action = 'cancel' | 'revise' | 'transactions';

const TOKEN_SECONDS = 31_668;

/**
 * A mock of the parts of PayPal that we call: access tokens, reading, revising and cancelling subscriptions, their
 * payments, event verification, and the page script with its button, with PayPal's own errors. Events are signed with a
 * key whose certificate it publishes, so that a forged one is detected as at PayPal.
 *
 * Controls for tests:
 * - `POST /control/subscriptions` creates a subscription and returns its id; `PATCH` and `GET
 *   /control/subscriptions/<id>` change it and return its state.
 * - `POST /control/subscriptions/<id>/<act>` performs an action at PayPal: pay, fail, refund, reverse, revise, suspend,
 *   cancel, expire, activate. It returns the result and the event about it, for the test to post or to lose.
 * - `POST /control/events` signs an event of any type, or all of `events`, also a forged one (`forge`).
 * - `POST /control/verify {id, troubles}` sets the failures of verifying one event.
 * - `POST /control/tokens` revokes all tokens and sets the failures of new ones; `GET` returns how many were issued.
 */
export async function startPayPalServer({
  clientId,
  clientSecret,
  webhookId = '8PT597110X687430L',
}: Credentials): Promise<PayPalServer> {
  const subscriptions = new Map<string, PayPalSubscriptionRecord>();
  const tokens = new Set<string>();
  const verifications = new Map<string, InjectedResponse[]>();
  const signer = createSigner();
  const { shop, answer: answerOfShop } = createPayPalCatalogue();
  let base = '';
  let given = 0;
  let tokenTroubles: InjectedResponse[] = [];
  let tokenSeconds = TOKEN_SECONDS;

  const isOurs = (req: IncomingMessage): boolean =>
    req.headers.authorization === `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const hasToken = (req: IncomingMessage): boolean =>
    tokens.has((req.headers.authorization ?? '').replace(/^Bearer /, ''));

  async function token(req: IncomingMessage, res: ServerResponse, body: string): Promise<void> {
    if (!isOurs(req))
      return sendJson(res, 401, {
        error: 'invalid_client',
        error_description: 'Client Authentication failed',
      });
    if (new URLSearchParams(body).get('grant_type') !== 'client_credentials')
      return sendJson(res, 400, { error: 'unsupported_grant_type', error_description: 'Grant Type is NULL' });
    if (await sendInjectedResponse(res, tokenTroubles, 'token')) return;
    const access = `A21AA${randomBytes(24).toString('base64url')}`;
    tokens.add(access);
    given += 1;
    sendJson(res, 200, {
      scope: 'https://uri.paypal.com/services/subscriptions',
      access_token: access,
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: tokenSeconds,
      nonce: new Date().toISOString(),
    });
  }

  async function ofSubscription(
    res: ServerResponse,
    { id, action, query, body }: ReceivedRequest & { id: string; action: Action | undefined },
  ): Promise<void> {
    const found = subscriptions.get(id);
    if (found === undefined) return sendError(res, 404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
    const what = action ?? 'show';
    found.calls.push(what);
    const trouble = await sendInjectedResponse(res, found.troubles, what);
    if (trouble?.acts === false) return;
    if (what === 'show')
      return trouble === null
        ? sendJson(res, 200, toSubscriptionResponse(found, query.get('fields') === 'plan'))
        : undefined;
    if (what === 'transactions') {
      if (trouble !== null) return;
      const [from, to] = [query.get('start_time'), query.get('end_time')];
      return from === null || to === null
        ? sendError(res, 400, 'INVALID_REQUEST', 'MISSING_REQUIRED_PARAMETER')
        : sendJson(res, 200, toTransactionList(found, from, to));
    }
    const told = JSON.parse(body || '{}') as Record<string, unknown>;
    if (what === 'revise') {
      if (found.status !== 'ACTIVE')
        return trouble === null
          ? sendError(res, 422, 'UNPROCESSABLE_ENTITY', 'SUBSCRIPTION_STATUS_INVALID')
          : undefined;
      applyAction(found, 'revise', told);
      return trouble === null ? sendJson(res, 200, { plan_id: found.plan_id, links: [] }) : undefined;
    }
    const { reason } = told;
    if (typeof reason !== 'string' || reason.length < 1 || reason.length > 128)
      return trouble === null
        ? sendError(res, 400, 'INVALID_REQUEST', 'MISSING_REQUIRED_PARAMETER')
        : undefined;
    if (found.status !== 'ACTIVE' && found.status !== 'SUSPENDED')
      return trouble === null
        ? sendError(res, 422, 'UNPROCESSABLE_ENTITY', 'SUBSCRIPTION_STATUS_INVALID')
        : undefined;
    Object.assign(found, { status: 'CANCELLED', reason });
    if (trouble === null) res.writeHead(204).end();
  }

  async function verify(res: ServerResponse, body: string): Promise<void> {
    const told = JSON.parse(body) as { webhook_id?: string; webhook_event?: { id?: string } };
    if (await sendInjectedResponse(res, verifications.get(told.webhook_event?.id ?? '') ?? [], 'verify'))
      return;
    if (told.webhook_id !== webhookId) return sendError(res, 400, 'VALIDATION_ERROR', 'INVALID_WEBHOOK_ID');
    sendJson(res, 200, { verification_status: signer.isGenuine(base, body) ? 'SUCCESS' : 'FAILURE' });
  }

  /** The button's requests to PayPal. */
  function sdk(req: IncomingMessage, res: ServerResponse, { path, query, body }: ReceivedRequest): void {
    if (path === '/sdk/js') {
      const wrong = validateSdkRequest(query, clientId);
      res.writeHead(wrong === null ? 200 : 400, { 'content-type': 'application/javascript' });
      res.end(wrong === null ? buildSdkScript(base, query) : `throw new Error(${JSON.stringify(wrong)});`);
      return;
    }
    if (path === '/sdk/buttons') {
      res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(renderSdkButtons(query));
      return;
    }
    const [, id] = /^\/sdk\/subscriptions(?:\/([^/]+)\/approve)?$/.exec(path) ?? [];
    if (req.method !== 'POST' || !path.startsWith('/sdk/subscriptions')) return sendJson(res, 404, {});
    if (id === undefined) {
      const { plan_id, custom_id = '', start_time } = JSON.parse(body) as Record<string, string | undefined>;
      if (plan_id === undefined || (start_time !== undefined && !(Date.parse(start_time) > Date.now())))
        return sendError(res, 400, 'INVALID_REQUEST', 'INVALID_PARAMETER_VALUE');
      const begins = start_time === undefined ? {} : { start_time };
      const fresh = createSubscriptionRecord({ plan_id, custom_id, ...begins, status: 'APPROVAL_PENDING' });
      subscriptions.set(fresh.id, fresh);
      return sendJson(res, 201, { id: fresh.id });
    }
    const found = subscriptions.get(id);
    if (found?.status !== 'APPROVAL_PENDING') return sendError(res, 422, 'UNPROCESSABLE_ENTITY');
    applyAction(found, 'activate', {});
    // A subscription that begins later is paid later.
    if (Date.parse(found.start_time) <= Date.now()) applyAction(found, 'pay', {});
    else found.next_billing_time = found.start_time;
    sendJson(res, 200, { what: 'agreed', id });
  }

  function control(req: IncomingMessage, res: ServerResponse, { path, body }: ReceivedRequest): void {
    const told = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
    const [, , kind, id, act] = path.split('/');
    if (kind === 'tokens') {
      if (req.method === 'GET') return sendJson(res, 200, { given });
      tokens.clear();
      tokenTroubles = (told.troubles as InjectedResponse[] | undefined) ?? [];
      tokenSeconds = (told.expires_in as number | undefined) ?? TOKEN_SECONDS;
      return sendJson(res, 200, {});
    }
    if (kind === 'verify') {
      verifications.set(told.id as string, told.troubles as InjectedResponse[]);
      return sendJson(res, 200, {});
    }
    const event = (wanted: EventRequest) =>
      signer.event(base, webhookId, wanted, subscriptions.get(wanted.subscription ?? ''));
    if (kind === 'events')
      return sendJson(
        res,
        200,
        Array.isArray(told.events)
          ? (told.events as EventRequest[]).map(event)
          : event(told as unknown as EventRequest),
      );
    if (id === undefined) {
      const fresh = createSubscriptionRecord(told);
      subscriptions.set(fresh.id, fresh);
      return sendJson(res, 200, { id: fresh.id });
    }
    const found = subscriptions.get(id);
    if (found === undefined) return sendJson(res, 404, {});
    if (act !== undefined) {
      if (!isPayPalAction(act)) return sendJson(res, 404, {});
      const done = applyAction(found, act, told);
      const { kind: telling, payment, refund } = done;
      return sendJson(res, 200, {
        payment: payment?.id ?? null,
        refund: refund?.id ?? null,
        event:
          telling === undefined
            ? null
            : event({
                kind: telling,
                subscription: id,
                ...(payment ? { payment: payment.id } : {}),
                ...(refund ? { refund: refund.id } : {}),
              }),
      });
    }
    Object.assign(found, told);
    const { status, calls, reason } = found;
    return sendJson(res, 200, { status, calls, reason } satisfies ObservedSubscription);
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await readText(req);
    const { pathname: path, searchParams: query } = new URL(req.url ?? '/', base);
    const asked = { path, query, body };
    if (path.startsWith('/control/')) return control(req, res, asked);
    if (path.startsWith('/sdk/')) return sdk(req, res, asked);
    if (path === '/xoplatform/logger/api/logger') return void res.writeHead(204).end();
    if (path === signer.certPath) return void res.writeHead(200).end(signer.certificate);
    if (req.method === 'POST' && path === '/v1/oauth2/token') return token(req, res, body);
    const ofShop = hasToken(req)
      ? answerOfShop({
          ...asked,
          method: req.method ?? 'GET',
          requestId: req.headers['paypal-request-id'] as string | undefined,
        })
      : null;
    if (ofShop === 'lost') return void req.socket.destroy();
    if (ofShop !== null) return sendJson(res, ofShop.status, ofShop.body);
    const [, id, action] =
      /^\/v1\/billing\/subscriptions\/([^/]+)(?:\/(cancel|revise|transactions))?$/.exec(path) ?? [];
    const isVerify = path === '/v1/notifications/verify-webhook-signature';
    const wanted = isVerify || action === 'cancel' || action === 'revise' ? 'POST' : 'GET';
    if ((id === undefined && !isVerify) || req.method !== wanted)
      return sendError(res, 404, 'RESOURCE_NOT_FOUND');
    if (!hasToken(req))
      return sendJson(res, 401, {
        error: 'invalid_token',
        error_description: 'Token signature verification failed',
      });
    return id === undefined
      ? verify(res, body)
      : ofSubscription(res, { ...asked, id: decodeURIComponent(id), action: action as Action | undefined });
  }

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, (req, res) => {
    answer(req, res).catch((error: unknown) => sendJson(res, 500, { name: String(error) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the port is not known');
  base = `http://127.0.0.1:${address.port}`;
  return {
    url: base,
    shop,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Sends the injected failure of an endpoint, if there is one; `acts: false` where the call is not executed. */
async function sendInjectedResponse(
  res: ServerResponse,
  troubles: InjectedResponse[],
  at: InjectedResponse['at'],
): Promise<(InjectedResponse & { acts: boolean }) | null> {
  const trouble = troubles.find((one) => one.at === at && one.times !== 0);
  if (trouble === undefined) return null;
  if (trouble.times !== undefined) trouble.times -= 1;
  if (trouble.slowMs !== undefined) {
    await new Promise((resolve) => setTimeout(resolve, trouble.slowMs));
    return null;
  }
  if (trouble.status === 422) sendError(res, 422, 'UNPROCESSABLE_ENTITY', 'SUBSCRIPTION_STATUS_INVALID');
  else if (trouble.status === 204) res.writeHead(204).end();
  else if (trouble.status !== undefined) {
    const body = trouble.body ?? { name: 'INTERNAL_SERVER_ERROR', debug_id: 'b1f5' };
    res.writeHead(trouble.status, { 'content-type': 'application/json', location: '/elsewhere' });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
  return { ...trouble, acts: trouble.acts ?? false };
}

/** A refusal in PayPal's format. */
function sendError(res: ServerResponse, status: number, name: string, issue?: string): void {
  sendJson(res, status, {
    name,
    message: 'As the documentation has it.',
    debug_id: randomBytes(6).toString('hex'),
    details: issue === undefined ? [] : [{ issue, description: 'As the documentation has it.' }],
    links: [],
  });
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

async function readText(req: IncomingMessage): Promise<string> {
  // A character may arrive in two chunks.
  req.setEncoding('utf8');
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text;
}

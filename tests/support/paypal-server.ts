import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** What one of the places answers instead of what it would. */
export interface Trouble {
  at: 'token' | 'show' | 'cancel';
  /** Without one it never answers; with a body of its own, that one. */
  status?: number;
  body?: unknown;
  /** Does what was asked for all the same: the answer alone is lost. */
  acts?: boolean;
  /** For so many calls; without it, for all. */
  times?: number;
}

/** A subscription, as far as it is known here; the rest of it is as PayPal gives it. */
export interface PayPalSubscription {
  id: string;
  status: 'APPROVAL_PENDING' | 'APPROVED' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED';
  plan_id: string;
  custom_id: string;
  next_billing_time: string;
  troubles: Trouble[];
}

/** What PayPal has seen of a subscription: its state, and which calls came, in their order. */
export interface SeenSubscription {
  status: PayPalSubscription['status'];
  calls: string[];
  /** Of the cancellation. */
  reason: string | null;
}

export interface PayPalServer {
  url: string;
  close(): Promise<void>;
}

interface Credentials {
  clientId: string;
  clientSecret: string;
}

const TOKEN_SECONDS = 31_668;

/**
 * PayPal's REST API in PayPal's place, as far as we call it: tokens for a client id and its secret, subscriptions shown
 * and cancelled, in PayPal's own words also where it refuses.
 *
 * Tests stand behind it: `POST /control/subscriptions` makes one and answers its id, `PATCH` and `GET
 * /control/subscriptions/<id>` change it and tell what was seen of it; `POST /control/tokens` takes all tokens back and
 * sets what troubles there are with new ones, `GET` tells how many were given.
 */
export async function startPayPalServer({ clientId, clientSecret }: Credentials): Promise<PayPalServer> {
  const subscriptions = new Map<string, PayPalSubscription & SeenSubscription>();
  const tokens = new Set<string>();
  let given = 0;
  let tokenTroubles: Trouble[] = [];
  let tokenSeconds = TOKEN_SECONDS;

  const isOurs = (req: IncomingMessage): boolean =>
    req.headers.authorization === `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const hasToken = (req: IncomingMessage): boolean =>
    tokens.has((req.headers.authorization ?? '').replace(/^Bearer /, ''));

  function token(req: IncomingMessage, res: ServerResponse, body: string): void {
    if (!isOurs(req))
      return json(res, 401, {
        error: 'invalid_client',
        error_description: 'Client Authentication failed',
      });
    if (new URLSearchParams(body).get('grant_type') !== 'client_credentials')
      return json(res, 400, { error: 'unsupported_grant_type', error_description: 'Grant Type is NULL' });
    if (troubled(res, tokenTroubles, 'token')) return;
    const access = `A21AA${randomBytes(24).toString('base64url')}`;
    tokens.add(access);
    given += 1;
    json(res, 200, {
      scope: 'https://uri.paypal.com/services/subscriptions',
      access_token: access,
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: tokenSeconds,
      nonce: new Date().toISOString(),
    });
  }

  function ofSubscription(
    req: IncomingMessage,
    res: ServerResponse,
    { id, action, body }: { id: string; action: string | undefined; body: string },
  ): void {
    if (!hasToken(req))
      return json(res, 401, {
        error: 'invalid_token',
        error_description: 'Token signature verification failed',
      });
    const found = subscriptions.get(id);
    if (found === undefined) return refuse(res, 404, 'RESOURCE_NOT_FOUND', 'INVALID_RESOURCE_ID');
    const what = action === 'cancel' ? 'cancel' : 'show';
    found.calls.push(what);
    const trouble = troubled(res, found.troubles, what);
    if (trouble?.acts === false) return;
    if (what === 'show') return trouble === null ? json(res, 200, shown(found)) : undefined;
    const reason = (JSON.parse(body || '{}') as { reason?: unknown }).reason;
    if (typeof reason !== 'string' || reason.length < 1 || reason.length > 128)
      return trouble === null ? refuse(res, 400, 'INVALID_REQUEST', 'MISSING_REQUIRED_PARAMETER') : undefined;
    if (found.status !== 'ACTIVE' && found.status !== 'SUSPENDED')
      return trouble === null
        ? refuse(res, 422, 'UNPROCESSABLE_ENTITY', 'SUBSCRIPTION_STATUS_INVALID')
        : undefined;
    Object.assign(found, { status: 'CANCELLED', reason });
    if (trouble === null) res.writeHead(204).end();
  }

  function control(
    req: IncomingMessage,
    res: ServerResponse,
    { path, body }: { path: string; body: string },
  ): void {
    const told = body === '' ? {} : (JSON.parse(body) as Record<string, unknown>);
    const [, , kind, id] = path.split('/');
    if (kind === 'tokens') {
      if (req.method === 'GET') return json(res, 200, { given });
      tokens.clear();
      tokenTroubles = (told.troubles as Trouble[] | undefined) ?? [];
      tokenSeconds = (told.expires_in as number | undefined) ?? TOKEN_SECONDS;
      return json(res, 200, {});
    }
    if (id === undefined) {
      const fresh = fromPayPal(told);
      subscriptions.set(fresh.id, { ...fresh, calls: [], reason: null });
      return json(res, 200, { id: fresh.id });
    }
    const found = subscriptions.get(id);
    if (found === undefined) return json(res, 404, {});
    Object.assign(found, told);
    const { status, calls, reason } = found;
    return json(res, 200, { status, calls, reason } satisfies SeenSubscription);
  }

  const server = createServer((req, res) => {
    void textOf(req).then((body) => {
      const path = (req.url ?? '/').split('?')[0] ?? '/';
      if (path.startsWith('/control/')) return control(req, res, { path, body });
      if (req.method === 'POST' && path === '/v1/oauth2/token') return token(req, res, body);
      const [, id, action] = /^\/v1\/billing\/subscriptions\/([^/]+)(?:\/(cancel))?$/.exec(path) ?? [];
      const wanted = action === undefined ? 'GET' : 'POST';
      if (id === undefined || req.method !== wanted) return refuse(res, 404, 'RESOURCE_NOT_FOUND');
      return ofSubscription(req, res, { id: decodeURIComponent(id), action, body });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the port is not known');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A subscription as somebody has just begun it, with what a test gives it. */
function fromPayPal(given: Record<string, unknown>): PayPalSubscription {
  return {
    id: `I-${randomBytes(6).toString('hex').toUpperCase()}`,
    status: 'ACTIVE',
    plan_id: 'P-5ML4271244454362WXNWU5NQ',
    custom_id: '',
    next_billing_time: '2027-01-15T10:00:00Z',
    troubles: [],
    ...given,
  };
}

/** As PayPal describes it. Once it is over, no payment is to come. */
function shown({ id, status, plan_id, custom_id, next_billing_time }: PayPalSubscription) {
  const isOn = status === 'ACTIVE' || status === 'SUSPENDED';
  return {
    id,
    status,
    status_update_time: new Date().toISOString(),
    plan_id,
    custom_id,
    quantity: '1',
    subscriber: { email_address: 'payer@example.test', payer_id: '2J6QB8YJQSJRJ' },
    billing_info: {
      outstanding_balance: { currency_code: 'USD', value: '0.0' },
      failed_payments_count: 0,
      ...(isOn ? { next_billing_time } : {}),
    },
  };
}

/** Answers with what is the matter at a place, if anything is; `acts: false` where nothing else is done. */
function troubled(
  res: ServerResponse,
  troubles: Trouble[],
  at: Trouble['at'],
): (Trouble & { acts: boolean }) | null {
  const trouble = troubles.find((one) => one.at === at && one.times !== 0);
  if (trouble === undefined) return null;
  if (trouble.times !== undefined) trouble.times -= 1;
  if (trouble.status === 422) refuse(res, 422, 'UNPROCESSABLE_ENTITY', 'SUBSCRIPTION_STATUS_INVALID');
  else if (trouble.status === 204) res.writeHead(204).end();
  else if (trouble.status !== undefined) {
    const body = trouble.body ?? { name: 'INTERNAL_SERVER_ERROR', debug_id: 'b1f5' };
    res.writeHead(trouble.status, { 'content-type': 'application/json', location: '/elsewhere' });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  }
  return { ...trouble, acts: trouble.acts ?? false };
}

/** A refusal in PayPal's own words. */
function refuse(res: ServerResponse, status: number, name: string, issue?: string): void {
  json(res, status, {
    name,
    message: 'As the documentation has it.',
    debug_id: randomBytes(6).toString('hex'),
    details: issue === undefined ? [] : [{ issue, description: 'As the documentation has it.' }],
    links: [],
  });
}

function json(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

async function textOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text;
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { KEEP_ALIVE_TIMEOUT_MS } from './keep-alive.mjs';

/** The contents of an account on the mock server. */
export interface CloudflareAccount {
  databases: { uuid: string; name: string }[];
  namespaces: { id: string; title: string }[];
  buckets: string[];
  /** The Workers with the names of their secrets. */
  workers: Map<string, Map<string, string>>;
  /** Domains that may send mail. */
  senders: Map<string, string>;
  zones: { id: string; name: string }[];
  /** The next calls whose path contains this fail with a server error. */
  breaksAt: { method: string; path: string } | null;
  /** A version was uploaded after the deployed one, as after a rollback. */
  newestReturnsNull?: boolean;
  /** The caller is not authenticated. */
  isForeign?: boolean;
  /** The changes in order. */
  changes: string[];
}

export interface CloudflareServer {
  url: string;
  account: CloudflareAccount;
  close(): Promise<void>;
}

export const ACCOUNT_ID = '00000000000000000000000000000acc';

interface ReceivedCall {
  method: string;
  path: string;
  query: URLSearchParams;
  body: string;
}
type ApiResponse = { status?: number; result?: unknown; errors?: { code: number; message: string }[] };

const okResponse = (result: unknown): ApiResponse => ({ result });
const errorResponse = (status: number, code: number, message: string): ApiResponse => ({
  status,
  errors: [{ code, message }],
});

/** The requested page of a list. */
function paginate<T>(rows: readonly T[], query: URLSearchParams): T[] {
  const size = Number(query.get('per_page') ?? 20);
  const page = Number(query.get('page') ?? 1);
  return rows.slice((page - 1) * size, page * size);
}

/**
 * A mock of the parts of Cloudflare's API that the setup uses. Wrangler itself talks to it (CLOUDFLARE_API_BASE_URL), so
 * the requests, messages and refusals are wrangler's own.
 */
export async function startCloudflareServer(): Promise<CloudflareServer> {
  let made = 0;
  const account: CloudflareAccount = {
    ...{ databases: [], namespaces: [], buckets: [], workers: new Map(), senders: new Map() },
    ...{ zones: [{ id: 'zone-of-chat-example', name: 'chat.example' }], breaksAt: null, changes: [] },
  };
  const change = (what: string): void => void account.changes.push(what);
  const numbered = (length: number): string => (++made).toString(16).padStart(length, '0');

  const routes: [string, RegExp, (call: ReceivedCall, ...parts: string[]) => ApiResponse][] = [
    ['GET', /^\/user$/, () => okResponse({ id: 'me', email: 'operator@chat.example' })],
    ['GET', /^\/user\/tokens\/verify$/, () => okResponse({ id: 'token', status: 'active' })],
    ['GET', /^\/accounts$/, () => okResponse([{ id: ACCOUNT_ID, name: 'Loreloom’s' }])],
    ['GET', /^\/memberships$/, () => okResponse([{ account: { id: ACCOUNT_ID, name: 'Loreloom’s' } }])],
    ['GET', /\/d1\/database$/, ({ query }) => okResponse(paginate(account.databases, query))],
    [
      'POST',
      /\/d1\/database$/,
      ({ body }) => {
        const { name } = JSON.parse(body) as { name: string };
        if (account.databases.some((one) => one.name === name))
          return errorResponse(400, 7502, `A database with the name ${name} already exists`);
        const fresh = { uuid: `11111111-1111-4111-8111-${numbered(12)}`, name, version: 'production' };
        account.databases.push(fresh);
        change(`database ${name}`);
        return okResponse(fresh);
      },
    ],
    ['GET', /\/storage\/kv\/namespaces$/, ({ query }) => okResponse(paginate(account.namespaces, query))],
    [
      'POST',
      /\/storage\/kv\/namespaces$/,
      ({ body }) => {
        const { title } = JSON.parse(body) as { title: string };
        if (account.namespaces.some((one) => one.title === title))
          return errorResponse(400, 10014, 'a namespace with this account ID and title already exists');
        const fresh = { id: numbered(32), title, supports_url_encoding: true };
        account.namespaces.push(fresh);
        change(`namespace ${title}`);
        return okResponse(fresh);
      },
    ],
    [
      'GET',
      /\/r2\/buckets\/([^/]+)$/,
      (_, name = '') =>
        account.buckets.includes(name)
          ? okResponse({ name, creation_date: '2026-11-22T00:00:00.000Z', storage_class: 'Standard' })
          : errorResponse(404, 10006, 'The specified bucket does not exist.'),
    ],
    [
      'POST',
      /\/r2\/buckets$/,
      ({ body }) => {
        const { name } = JSON.parse(body) as { name: string };
        account.buckets.push(name);
        change(`bucket ${name}`);
        return okResponse({ name });
      },
    ],
    [
      'GET',
      /\/workers\/scripts\/([^/]+)\/secrets$/,
      (_, name = '') => {
        const secrets = account.workers.get(name);
        return secrets === undefined
          ? errorResponse(404, 10007, 'This Worker does not exist on your account.')
          : okResponse([...secrets.keys()].map((key) => ({ name: key, type: 'secret_text' })));
      },
    ],
    [
      'PUT',
      /\/workers\/scripts\/([^/]+)\/secrets$/,
      ({ body }, name = '') => {
        const secrets = account.workers.get(name);
        if (secrets === undefined)
          return errorResponse(404, 10007, 'This Worker does not exist on your account.');
        if (account.newestReturnsNull === true)
          return errorResponse(
            400,
            10215,
            "Secret edit failed. You attempted to modify a secret, but the latest version isn't currently deployed.",
          );
        const told = JSON.parse(body) as { name: string; text: string };
        secrets.set(told.name, told.text);
        change(`secret ${told.name} of ${name}`);
        return okResponse({ name: told.name, type: 'secret_text' });
      },
    ],
    [
      'PATCH',
      /\/workers\/workers\/([^/]+)\/versions\/latest$/,
      ({ body }, name = '') => {
        const { env } = JSON.parse(body) as { env: Record<string, { text: string }> };
        for (const [key, { text }] of Object.entries(env)) {
          account.workers.get(name)?.set(key, text);
          change(`secret ${key} of the newest ${name}`);
        }
        return okResponse({ id: `33333333-3333-4333-8333-${numbered(12)}` });
      },
    ],
    [
      'PUT',
      /\/workers\/scripts\/([^/]+)$/,
      (_, name = '') => {
        account.workers.set(name, new Map());
        change(`worker ${name}`);
        return okResponse({ id: name });
      },
    ],
    [
      'GET',
      /^\/zones$/,
      ({ query }) => okResponse(account.zones.filter(({ name }) => name === query.get('name'))),
    ],
    [
      'GET',
      /^\/zones\/([^/]+)\/email\/sending\/subdomains$/,
      () =>
        okResponse(
          [...account.senders].map(([name, tag]) => ({ name, tag, enabled: true, created: '2026-11-22' })),
        ),
    ],
    [
      'POST',
      /^\/zones\/([^/]+)\/email\/sending\/subdomains$/,
      ({ body }) => {
        const { name } = JSON.parse(body) as { name: string };
        account.senders.set(name, numbered(32));
        change(`sender ${name}`);
        return okResponse({ name, tag: account.senders.get(name), enabled: true });
      },
    ],
    [
      'GET',
      /^\/zones\/([^/]+)\/email\/sending\/subdomains\/([^/]+)$/,
      (_, _zone, tag = '') => {
        const name = [...account.senders].find(([, one]) => one === tag)?.[0];
        return name === undefined
          ? errorResponse(404, 1001, 'not found')
          : okResponse({ name, tag, enabled: true, created: '2026-11-22' });
      },
    ],
  ];

  function answer(call: ReceivedCall): ApiResponse {
    const { breaksAt } = account;
    if (breaksAt !== null && call.method === breaksAt.method && call.path.includes(breaksAt.path))
      return errorResponse(500, 10000, 'An unexpected error occurred.');
    for (const [method, path, act] of routes) {
      const match = path.exec(call.path);
      if (method === call.method && match !== null) return act(call, ...match.slice(1));
    }
    return errorResponse(404, 7000, `No route for that URI: ${call.method} ${call.path}`);
  }

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let body = '';
    req.setEncoding('utf8');
    for await (const chunk of req) body += String(chunk);
    const url = new URL(req.url ?? '/', 'http://cloudflare.test');
    const path = url.pathname.replace(/^\/client\/v4/, '');
    const told = answer({ method: req.method ?? 'GET', path, query: url.searchParams, body });
    const rows = Array.isArray(told.result) ? told.result.length : 0;
    res.writeHead(told.status ?? 200, { 'content-type': 'application/json' });
    res.end(
      JSON.stringify({
        success: told.errors === undefined,
        errors: told.errors ?? [],
        messages: [],
        result: told.result ?? null,
        result_info: { page: 1, per_page: 1000, count: rows, total_count: rows, total_pages: 1 },
      }),
    );
  }

  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS },
    (req, res) => void serve(req, res),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the port is not known');
  return {
    url: `http://127.0.0.1:${address.port}/client/v4`,
    account,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server';
import { KEEP_ALIVE_TIMEOUT_MS } from './keep-alive.mjs';

/** A Google account and Google's answers about it; omitted parts have Google's usual values. */
export interface GoogleAccount {
  subject: string;
  email: string;
  /** Overrides the token info. */
  info?: Record<string, unknown>;
  /** Overrides the user info. */
  user?: Record<string, unknown>;
  /** Overrides the claims of the ID token. */
  claims?: Record<string, unknown>;
  /** A failure of one endpoint. Without a body it never answers. */
  trouble?: { at: 'tokeninfo' | 'userinfo' | 'token'; status?: number; body?: string };
}

export interface GoogleServer {
  url: string;
  close(): Promise<void>;
}

const CONTROL_PATH = '/control/accounts';

/**
 * A mock of Google's script with the part of its token client that we use. It opens a window that lists the accounts,
 * receives the choice and notices when the window is closed.
 */
const buildClientScript = (origin: string) => `
window.google = { accounts: { oauth2: { initTokenClient: (options) => ({ requestAccessToken() {
  const query = new URLSearchParams({ client_id: options.client_id, scope: options.scope, origin: location.origin });
  const popup = window.open('${origin}/gsi/window?' + query, '', 'popup,width=500,height=600');
  if (!popup) return options.error_callback({ type: 'popup_failed_to_open' });
  const end = (told) => {
    clearInterval(watch);
    window.removeEventListener('message', hear);
    popup.close();
    told();
  };
  const hear = ({ origin, data }) => origin === '${origin}' && end(() => options.callback(data));
  const watch = setInterval(() => popup.closed && end(() => options.error_callback({ type: 'popup_closed' })), 100);
  window.addEventListener('message', hear);
} }) } } };`;

/**
 * A real OpenID provider with Google's paths and Google's own token info endpoint. `POST /control/accounts` creates an
 * account and returns `{id, token}` with an access token. The provider's page lists the accounts to choose from;
 * `login_hint=<id>` chooses one, and so does the window of the script at `/gsi/client`.
 */
export async function startGoogleServer(clientId: string): Promise<GoogleServer> {
  const issuer = new OAuth2Issuer();
  await issuer.keys.generate('RS256');
  const service = new OAuth2Service(issuer, {
    authorize: '/o/oauth2/v2/auth',
    token: '/token',
    userinfo: '/oauth2/v3/userinfo',
  });
  const byToken = new Map<string, GoogleAccount>();
  const byId = new Map<string, GoogleAccount>();
  const byCode = new Map<string, GoogleAccount>();

  /** A new access token of an account; each can be used once. */
  async function tokenFor(account: GoogleAccount): Promise<string> {
    const jti = randomUUID();
    const token = await issuer.buildToken({ scopesOrTransform: (_, payload) => void (payload.jti = jti) });
    byToken.set(token, account);
    return token;
  }

  service.addRoute('POST', CONTROL_PATH, async (req, res) => {
    const account = req.body as unknown as GoogleAccount;
    const id = randomUUID();
    byId.set(id, account);
    sendJson(res, 200, { id, token: await tokenFor(account) });
  });
  service.addRoute('GET', '/tokeninfo', (req, res) => {
    const account = byToken.get(String(req.query.access_token));
    if (account === undefined) return sendJson(res, 400, { error_description: 'Invalid Value' });
    sendJson(res, 200, {
      azp: clientId,
      aud: clientId,
      sub: account.subject,
      scope: 'https://www.googleapis.com/auth/userinfo.email openid',
      exp: String(Math.floor(Date.now() / 1000) + 3599),
      expires_in: '3599',
      email: account.email,
      email_verified: 'true',
      access_type: 'online',
      ...account.info,
    });
  });
  service.on('beforeUserinfo', (answer, req: IncomingMessage) => {
    const account = byToken.get(readBearerToken(req));
    if (account === undefined)
      return Object.assign(answer, { statusCode: 401, body: { error: 'invalid_request' } });
    const { subject: sub, email } = account;
    answer.body = {
      sub,
      name: 'Somebody',
      email,
      email_verified: true,
      hd: getDomain(email),
      ...account.user,
    };
  });
  service.on(
    'beforeAuthorizeRedirect',
    ({ url }, req: IncomingMessage & { query: Record<string, string> }) => {
      const account = byId.get(String(req.query.login_hint));
      if (account === undefined) {
        url.searchParams.delete('code');
        return url.searchParams.set('error', 'access_denied');
      }
      byCode.set(url.searchParams.get('code') ?? '', account);
    },
  );
  service.on('beforeTokenSigning', ({ payload }, req: { body: { code?: string } }) => {
    const account = byCode.get(req.body.code ?? '');
    // Both tokens are signed here; the ID token is issued for our client.
    if (account === undefined || payload.aud === undefined) return;
    const { subject: sub, email } = account;
    const claims = { sub, azp: payload.aud, email, email_verified: true, hd: getDomain(email) };
    Object.assign(payload, { ...claims, ...account.claims });
  });
  service.on('beforeResponse', (answer, req: { body: { code?: string } }) => {
    const account = byCode.get(req.body.code ?? '');
    if (account?.trouble?.at !== 'token') return;
    answer.statusCode = account.trouble.status ?? 200;
    answer.body = JSON.parse(account.trouble.body ?? '{}');
  });

  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, async (req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '/', 'http://google.invalid');
    const place = pathname.split('/').at(-1);
    const hint = searchParams.get('login_hint');
    if (pathname === '/gsi/client') return sendBody(res, 'text/javascript', buildClientScript(url));
    if (hint === null && (place === 'auth' || pathname === '/gsi/window'))
      return renderAccountChooser(res, `${req.url}`, byId);
    if (pathname === '/gsi/window') {
      const account = byId.get(`${hint}`);
      return sendTokenToOpener(res, searchParams, account && (await tokenFor(account)));
    }
    const trouble = byToken.get(searchParams.get('access_token') ?? readBearerToken(req))?.trouble;
    if (trouble === undefined || trouble.at !== place) return service.requestHandler(req, res);
    if (trouble.body === undefined) return;
    res.writeHead(trouble.status ?? 200, { 'content-type': 'application/json', location: '/elsewhere' });
    res.end(trouble.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the port is not known');
  const url = `http://127.0.0.1:${address.port}`;
  issuer.url = url;
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Google hosts the addresses of the tests, unless an account says otherwise. */
const getDomain = (email: string): string | undefined => email.split('@')[1];

/** The page on which the user chooses an account. */
function renderAccountChooser(
  res: ServerResponse,
  here: string,
  accounts: ReadonlyMap<string, GoogleAccount>,
): void {
  const choices: [string, string][] = [...accounts].map(([id, { email }]) => [id, email]);
  const links = [...choices, ['nobody', 'Cancel']].map(
    ([id, name]) => `<p><a href="${here.replaceAll('&', '&amp;')}&amp;login_hint=${id}">${name}</a></p>`,
  );
  sendBody(
    res,
    'text/html; charset=utf-8',
    `<!doctype html><title>Choose an account</title>${links.join('')}`,
  );
}

/** The window's last page: it sends the choice to its opener only, which closes it. */
function sendTokenToOpener(res: ServerResponse, asked: URLSearchParams, token: string | undefined): void {
  const { origin = '', scope = '' } = Object.fromEntries(asked);
  const answer = token === undefined ? { error: 'access_denied' } : { access_token: token, scope };
  const script = `opener.postMessage(${JSON.stringify(answer)}, ${JSON.stringify(origin)})`;
  sendBody(res, 'text/html; charset=utf-8', `<!doctype html><title>Done</title><script>${script}</script>`);
}

function sendBody(res: ServerResponse, type: string, body: string): void {
  res.writeHead(200, { 'content-type': type });
  res.end(body);
}

function readBearerToken(req: IncomingMessage): string {
  return (req.headers.authorization ?? '').replace(/^Bearer /, '');
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

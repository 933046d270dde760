import { expect, inject } from 'vitest';
import { createId } from '../../src/lib/ids.ts';
import type { GoogleAccount } from './google-server.ts';
import { createEmail, ORIGIN, Visitor } from './factories.ts';

/** A user with a Google account; `token` is a Google access token for it. */
export interface GoogleUser {
  subject: string;
  email: string;
  id: string;
  token: string;
}

/** Creates a Google account with these fields. */
export async function createGoogleUser(fields: Partial<GoogleAccount> = {}): Promise<GoogleUser> {
  const account = { subject: `g-${createId(Date.now())}`, email: createEmail(), ...fields };
  const answer = await fetch(`${inject('servers').googleUrl}/control/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  const { id, token } = await answer.json<{ id: string; token: string }>();
  return { subject: account.subject, email: account.email.toLowerCase(), id, token };
}

/** Issues another token for the same account, as for another login. */
export const issueToken = (
  { subject, email }: GoogleUser,
  fields: Partial<GoogleAccount> = {},
): Promise<GoogleUser> => createGoogleUser({ subject, email, ...fields });

/** Posts a token as the button does. */
export function postToken(visitor: Visitor, token: string): Promise<Response> {
  return visitor.call('/api/auth/google/callback', {
    json: { token, userInfo: { sub: 'somebody-else', email: 'admin@localhost.test', email_verified: true } },
  });
}

/** Logs in with a token that must be accepted. */
export async function signInWithToken(googler: GoogleUser, visitor = new Visitor()): Promise<Visitor> {
  const answer = await postToken(visitor, googler.token);
  const body = await answer.json<{ user_id: string }>();
  expect({ status: answer.status, body }).toMatchObject({ status: 200 });
  visitor.id = body.user_id;
  visitor.email = googler.email;
  return visitor;
}

/** A client that keeps every cookie by name, for the redirect to Google and back. */
export class Browser extends Visitor {
  readonly jar = new Map<string, string>();

  override async call(...[path, options = {}]: Parameters<Visitor['call']>): Promise<Response> {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await super.call(path, { ...options, headers: { cookie, ...options.headers } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value === '') this.jar.delete(name);
      else this.jar.set(name, value);
    }
    return response;
  }

  /** Starts the login and returns the address of Google's page. */
  async followRedirect(next?: string): Promise<URL> {
    const query = next === undefined ? '' : `?${new URLSearchParams({ next })}`;
    const answer = await this.call(`/api/auth/google${query}`);
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 302, body: '' });
    return new URL(answer.headers.get('location') ?? '');
  }

  /** Returns from Google's page; returns the next location. */
  async returnTo(path: string): Promise<string> {
    const answer = await this.call(path);
    expect({ status: answer.status, body: await answer.text() }).toEqual({ status: 302, body: '' });
    return answer.headers.get('location') ?? '';
  }
}

/** Chooses an account on Google's page, or none; returns our path that Google redirects to. */
export async function chooseAccount(page: URL, googler: GoogleUser | null): Promise<string> {
  const choice = new URL(page);
  choice.searchParams.set('login_hint', googler?.id ?? 'nobody');
  const answer = await fetch(choice, { redirect: 'manual' });
  await answer.body?.cancel();
  const back = new URL(answer.headers.get('location') ?? '');
  expect(back.origin).toBe(ORIGIN);
  return back.pathname + back.search;
}

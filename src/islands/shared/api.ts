import { hc } from 'hono/client';
import type { ClientResponse } from 'hono/client';
import type { Api } from '../../api/app.ts';
import type {
  AccountChange,
  AuthStatus,
  OnboardingBody,
  OnboardingResponse,
  Permission,
  SessionUser,
} from '../../features/account/contract.ts';
import type { ChatList } from '../../features/conversation/contract.ts';
import type { MessageSafety } from '../../features/conversation/moderation/safety-contract.ts';
import type { Helpline } from '../../features/safety/helplines.ts';
import type { RefusalRule } from '../../features/safety/moderation.ts';
import type { Availability, PointsStatus } from '../../features/wallet/contract.ts';

/** Why a call did not succeed. `code` is `network` when no answer came at all, with status 0. */
export interface Failure {
  ok: false;
  status: number;
  code: string;
  /** The server's sentence; empty when no answer came. */
  error: string;
  fields?: Record<string, string[]>;
  /** Seconds, from `Retry-After`. */
  retryAfter?: number;
  /** The rule that a text was refused by, the text, and what an appeal shows to tell that. */
  refused?: { rule: RefusalRule; text: string; token?: string };
  /** The wallet's state, where a refusal is about points or the daily limit. */
  points?: PointsStatus;
  /** The rule that a text was refused by. */
  rule?: RefusalRule;
  /** What an appeal shows to tell that it was. */
  appealToken?: string;
  /** Where help is, for whoever may need it. */
  helplines?: Helpline[];
}

export type Result<T> = { ok: true; data: T } | Failure;

/** The calls about who is here, and the chat history that the shell shows. */
export interface AccountApi {
  authStatus(): Promise<Result<AuthStatus>>;
  sendLoginCode(email: string): Promise<Result<{ sent: true; expires_in: number }>>;
  loginWithCode(email: string, code: string): Promise<Result<{ user_id: string }>>;
  enterAnonymously(): Promise<Result<{ user_id: string }>>;
  logout(): Promise<Result<null>>;
  changeAccount(change: AccountChange): Promise<Result<SessionUser>>;
  /** An empty body skips it. */
  completeOnboarding(body: OnboardingBody): Promise<Result<OnboardingResponse>>;
  mayCreateCharacter(): Promise<Result<Permission>>;
  /** Whether the points for a new character are there. */
  checkCharacterPoints(): Promise<Result<Availability>>;
  listChats(): Promise<Result<ChatList>>;
}

export const NETWORK_FAILURE: Failure = { ok: false, status: 0, code: 'network', error: '' };

/** This page's own id: the server spares it the hints of its own doing. */
export const TAB_ID = import.meta.env.SSR ? '' : crypto.randomUUID();

/** Whose days the server counts: the browser's own time zone. */
const TIME_ZONE = import.meta.env.SSR ? '' : Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * The typed client of the HTTP contract.
 * @param fetcher the browser's `fetch`, or a test's
 */
export function createClient(fetcher: typeof fetch) {
  return hc<Api>('/api', {
    fetch: fetcher,
    init: { credentials: 'same-origin' },
    headers: { 'x-tab': TAB_ID, 'x-time-zone': TIME_ZONE },
  });
}
export type Client = ReturnType<typeof createClient>;

/** A part of a path; the client itself would put it in as it is. */
export const encodePathPart = (part: string) => encodeURIComponent(part);

/**
 * Waits for an answer. Expected refusals, broken networks and aborted calls are failures, never exceptions.
 */
export async function resolveResponse<R extends { ok: boolean }>(call: Promise<R>): Promise<R | Failure> {
  try {
    const response = await call;
    return response.ok ? response : await parseFailure(response as unknown as Response);
  } catch {
    return NETWORK_FAILURE;
  }
}

/** Waits for an answer and reads its JSON. */
export async function readJson<T>(call: Promise<ClientResponse<T, number, 'json'>>): Promise<Result<T>> {
  const response = await resolveResponse(call);
  if ('code' in response) return response;
  try {
    return { ok: true, data: (await response.json()) as T };
  } catch {
    return NETWORK_FAILURE;
  }
}

/** Waits for an answer whose body does not matter. */
export async function checkOk(call: Promise<{ ok: boolean }>): Promise<Result<null>> {
  const response = await resolveResponse(call);
  return 'code' in response ? response : { ok: true, data: null };
}

/** Reads a refusal; an answer that is not the contract's JSON counts as a fault of the server. */
async function parseFailure(response: Response): Promise<Failure> {
  const problem = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const safety = problem?.['safety'] as MessageSafety | undefined;
  const token = problem?.['appeal_token'];
  const appeal = typeof token === 'string' ? { token } : {};
  const retryAfter = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  return {
    ok: false,
    status: response.status,
    code: typeof problem?.['code'] === 'string' ? problem['code'] : 'server_error',
    error: typeof problem?.['error'] === 'string' ? problem['error'] : '',
    ...(problem?.['fields'] ? { fields: problem['fields'] as Record<string, string[]> } : {}),
    ...(typeof problem?.['refused_text'] === 'string'
      ? { refused: { rule: problem['rule'] as RefusalRule, text: problem['refused_text'], ...appeal } }
      : {}),
    ...(problem?.['points'] ? { points: problem['points'] as PointsStatus } : {}),
    ...(problem?.['rule'] ? { rule: problem['rule'] as RefusalRule } : {}),
    ...(typeof token === 'string' ? { appealToken: token } : {}),
    ...(safety?.kind === 'crisis' ? { helplines: safety.helplines } : {}),
    ...(Number.isFinite(retryAfter) ? { retryAfter } : {}),
  };
}

export function createAccountApi(client: Client): AccountApi {
  return {
    authStatus: () => readJson(client.auth.status.$get()),
    sendLoginCode: (email) => readJson(client.auth['send-login-code'].$post({ json: { email } })),
    loginWithCode: (email, code) => readJson(client.auth['login-with-code'].$post({ json: { email, code } })),
    enterAnonymously: () => readJson(client.auth.anonymous.$post()),
    logout: () => checkOk(client.logout.$post()),
    changeAccount: (change) => readJson(client.account.$patch({ json: change })),
    completeOnboarding: (body) => readJson(client.onboarding.$post({ json: body })),
    mayCreateCharacter: () => readJson(client.permissions.create_character.$get()),
    checkCharacterPoints: () =>
      readJson(client.points['check-availability'].$post({ json: { action: 'create_character' } })),
    listChats: () => readJson(client.chats.$get()),
  };
}

/** The early answer, once, to the call that it answers. */
function takeEarlyAnswer(input: unknown): Promise<Response> | undefined {
  const { earlyAnswer } = window;
  if (!earlyAnswer || earlyAnswer.address !== input) return undefined;
  delete window.earlyAnswer;
  return earlyAnswer.answer;
}

/** The one client of a page. */
export const client = createClient((input, init) => takeEarlyAnswer(input) ?? fetch(input, init));
export const api: AccountApi = createAccountApi(client);

import type { ClientResponse, hc } from 'hono/client';
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
import type { LineProblem } from '../../features/conversation/files/chat-file.ts';
import type { MessageSafety } from '../../features/conversation/moderation/safety-contract.ts';
import type { StorageUse } from '../../features/storage/contract.ts';
import type { Helpline } from '../../features/safety/helplines.ts';
import type { RefusalRule } from '../../features/safety/moderation.ts';
import type { Availability, PointsStatus } from '../../features/wallet/contract.ts';
import { createRpcClient } from '../../lib/rpc-client.ts';

/** A failed call. `code` is `network` and `status` is 0 when there was no answer. */
export interface Failure {
  ok: false;
  status: number;
  code: string;
  /** The server's error text; empty without an answer. */
  error: string;
  fields?: Record<string, string[]>;
  /** Seconds, from `Retry-After`. */
  retryAfter?: number;
  /** A refused text with its rule, and the token that an appeal against the refusal needs. */
  refused?: { rule: RefusalRule; text: string; token?: string };
  /** The point balance, for refusals that concern points or the daily limit. */
  points?: PointsStatus;
  /** The rule that refused a text. */
  rule?: RefusalRule;
  /** Proves in an appeal that the text was refused. */
  appealToken?: string;
  /** Helplines for a user who may need help. */
  helplines?: Helpline[];
  /** The part of a name that looks like the site's staff. */
  part?: string;
  /** What takes the room, when there is none for more. */
  storage?: StorageUse;
  /** The first line of a chat file that cannot be read. */
  line?: { number: number; reason: LineProblem };
}

export type Result<T> = { ok: true; data: T } | Failure;

/** API calls for the session and account, and for the conversation list in the shell. */
export interface AccountApi {
  authStatus(): Promise<Result<AuthStatus>>;
  sendLoginCode(email: string): Promise<Result<{ sent: true; expires_in: number }>>;
  loginWithCode(email: string, code: string): Promise<Result<{ user_id: string }>>;
  enterAnonymously(): Promise<Result<{ user_id: string }>>;
  logout(): Promise<Result<null>>;
  changeAccount(change: AccountChange): Promise<Result<SessionUser>>;
  /** An empty body skips the onboarding. */
  completeOnboarding(body: OnboardingBody): Promise<Result<OnboardingResponse>>;
  mayCreateCharacter(): Promise<Result<Permission>>;
  /** Whether the balance covers a new character. */
  checkCharacterPoints(): Promise<Result<Availability>>;
  listChats(): Promise<Result<ChatList>>;
}

export const NETWORK_FAILURE: Failure = { ok: false, status: 0, code: 'network', error: '' };

/** Identifies this page, so that the server does not send it events about its own changes. */
export const TAB_ID = import.meta.env.SSR ? '' : crypto.randomUUID();

/** The browser's time zone, in which the server counts daily limits. */
export const TIME_ZONE = import.meta.env.SSR ? '' : Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * Creates the typed client of the HTTP API (docs/api.md).
 * @param fetcher the browser's `fetch`, or a test's
 */
export function createClient(fetcher: typeof fetch) {
  return createRpcClient<ReturnType<typeof hc<Api>>>('/api', {
    fetch: fetcher,
    init: { credentials: 'same-origin' },
    headers: { 'x-tab': TAB_ID, 'x-time-zone': TIME_ZONE },
  });
}
export type Client = ReturnType<typeof createClient>;

/** Encodes a path parameter; the client inserts it unencoded. */
export const encodePathPart = (part: string) => encodeURIComponent(part);

/** Awaits a response. Refusals, network errors and aborted calls become failures; it never throws. */
export async function resolveResponse<R extends { ok: boolean }>(call: Promise<R>): Promise<R | Failure> {
  try {
    const response = await call;
    return response.ok ? response : await parseFailure(response as unknown as Response);
  } catch {
    return NETWORK_FAILURE;
  }
}

/** Awaits a response and reads its JSON. */
export async function readJson<T>(call: Promise<ClientResponse<T, number, 'json'>>): Promise<Result<T>> {
  const response = await resolveResponse(call);
  if ('code' in response) return response;
  try {
    return { ok: true, data: (await response.json()) as T };
  } catch {
    return NETWORK_FAILURE;
  }
}

/** Awaits a response and ignores its body. */
export async function checkOk(call: Promise<{ ok: boolean }>): Promise<Result<null>> {
  const response = await resolveResponse(call);
  return 'code' in response ? response : { ok: true, data: null };
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Returns what the refusal `storage_full` says about the user's storage. */
export const getStorageUse = (problem: Record<string, unknown> | null): { storage?: StorageUse } =>
  problem?.['code'] === 'storage_full' && Array.isArray(problem['kinds'])
    ? { storage: problem as unknown as StorageUse }
    : {};

/** Reads an error response. Anything but the documented JSON (docs/api.md) counts as a server error. */
async function parseFailure(response: Response): Promise<Failure> {
  // The session may be over (session-guard.ts).
  if (response.status === 401) globalThis.dispatchEvent?.(new Event('loreloom:unauthenticated'));
  const problem = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const safety = problem?.['safety'] as MessageSafety | undefined;
  const token = problem?.['appeal_token'] as string | undefined;
  const retryAfter = Number(response.headers.get('retry-after'));
  return {
    ok: false,
    status: response.status,
    code: toText(problem?.['code']) || 'server_error',
    error: toText(problem?.['error']),
    ...(problem?.['fields'] ? { fields: problem['fields'] as Record<string, string[]> } : {}),
    ...(problem?.['refused_text']
      ? {
          refused: {
            rule: problem['rule'] as RefusalRule,
            text: problem['refused_text'] as string,
            ...(token ? { token } : {}),
          },
        }
      : {}),
    ...(problem?.['points'] ? { points: problem['points'] as PointsStatus } : {}),
    ...(problem?.['rule'] ? { rule: problem['rule'] as RefusalRule } : {}),
    ...(token ? { appealToken: token } : {}),
    ...(safety?.kind === 'crisis' ? { helplines: safety.helplines } : {}),
    ...(problem?.['part'] ? { part: toText(problem['part']) } : {}),
    ...(retryAfter ? { retryAfter } : {}),
    ...getStorageUse(problem),
    ...(problem?.['line']
      ? { line: { number: problem['line'] as number, reason: problem['reason_code'] as LineProblem } }
      : {}),
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

export const client = createClient((input, init) => fetch(input, init));
export const api: AccountApi = createAccountApi(client);

import { EventSourceParserStream } from 'eventsource-parser/stream';
import { CHECK_LIMITS } from '../features/status/limits.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { readEnvironment } from '../env/read-environment.ts';
import { getCookieName, SESSION_COOKIE } from '../features/account/session/session-cookie.ts';
import { createSession } from '../features/account/session/session.ts';
import { listOfferedModels } from '../features/model/choose-model.ts';
import {
  saveCheck,
  listAbandonedConversations,
  ensureSyntheticUser,
} from '../features/status/check-store.ts';
import type { Check, CheckedPart, CheckResult } from '../features/status/contract.ts';
import {
  SYNTHETIC_CHARACTER_ID,
  SYNTHETIC_TEXTS,
  SYNTHETIC_USER_ID,
} from '../features/account/synthetic-user.ts';
import { formatRepliesPart, classifySpeed } from '../features/status/status.ts';
import { log } from '../lib/log.ts';
import { describeError } from '../lib/redact.ts';
import { withTimeout } from '../lib/with-timeout.ts';
import { probeDependencies, listFailedDependencies } from '../services/health-probes.ts';

/*
 * The synthetic check: a guest user of the site begins a conversation, sends one message, receives the reply, reads the
 * conversation back and deletes it. Every step is an API call as a browser makes it, so that it finds what users find.
 */

/** The parts of the Worker that the check calls. */
export interface MonitorDeps {
  /** Handles an API request. */
  api(request: Request): Response | Promise<Response>;
  /** Renders the front page as for an anonymous visitor. */
  page(): Promise<Response>;
}

/** A step failed. The code is the API's problem code or a name given here. */
class StepError extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const getErrorCode = (error: unknown): string => (error instanceof StepError ? error.code : 'no_answer');

/** API calls of the synthetic user, with the session cookie. */
class SyntheticClient {
  readonly #api: MonitorDeps['api'];
  readonly #origin: string;
  readonly #cookie: string;

  constructor(api: MonitorDeps['api'], origin: string, cookie: string) {
    this.#api = api;
    this.#origin = origin;
    this.#cookie = cookie;
  }

  /** @throws StepError with the code of the refusal */
  async call(path: string, method = 'GET', json?: unknown): Promise<Response> {
    const headers: Record<string, string> = { cookie: this.#cookie, 'user-agent': 'synthetic-check' };
    const request: RequestInit = { method, headers };
    if (json !== undefined) {
      headers['content-type'] = 'application/json';
      request.body = JSON.stringify(json);
    }
    const asked = this.#api(new Request(`${this.#origin}/api${path}`, request));
    const answer = await withTimeout(CHECK_LIMITS.limitMs, Promise.resolve(asked));
    if (answer.ok) return answer;
    const { code } = (await answer.json().catch(() => ({}))) as { code?: unknown };
    throw new StepError(typeof code === 'string' ? code : `status_${answer.status}`);
  }

  async fetchJson<Answer>(path: string, method?: string, json?: unknown): Promise<Answer> {
    return (await this.call(path, method, json)).json<Answer>();
  }
}

interface Reply {
  /** Time to the first text of the reply. */
  firstMs: number;
  doneMs: number;
  text: string;
}

type ServerEvent = { event?: string | undefined; data: string };

/**
 * Sends the message and reads the reply stream.
 * @param onAccepted called once the message is stored
 */
async function sendMessage(
  visitor: SyntheticClient,
  { conversationId, model }: { conversationId: string; model: string },
  onAccepted: (ms: number) => void,
): Promise<Reply> {
  const began = Date.now();
  const answer = await visitor.call(`/conversations/${conversationId}/messages`, 'POST', {
    client_message_id: crypto.randomUUID(),
    content: SYNTHETIC_TEXTS.message,
    model,
  });
  const reader = (answer.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream())
    .getReader();
  let firstMs = -1;
  try {
    for (;;) {
      const left = CHECK_LIMITS.replyLimitMs - (Date.now() - began);
      const { done, value } = await withTimeout(
        left,
        reader.read() as Promise<{ done: boolean; value?: ServerEvent }>,
      );
      if (done || value === undefined) throw new StepError('cut_off');
      const data = JSON.parse(value.data) as { text?: string; code?: string; reply?: { content: string } };
      const ms = Date.now() - began;
      if (value.event === 'accepted') onAccepted(ms);
      if (value.event === 'delta' && firstMs < 0) firstMs = ms;
      if (value.event === 'error') throw new StepError(data.code ?? 'reply_failed');
      if (value.event === 'done') {
        const text = data.reply?.content ?? '';
        if (text.trim() === '' || firstMs < 0) throw new StepError('empty');
        return { firstMs, doneMs: ms, text };
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Runs the whole conversation and records the parts `chats` and, with a model, `replies:`. Deletes it in any case. */
async function runConversation(
  visitor: SyntheticClient,
  model: string | null,
  recordPart: (part: CheckedPart) => void,
): Promise<void> {
  const began = Date.now();
  const { slowMs } = CHECK_LIMITS;
  let isAccepted = false;
  let conversationId: string | null = null;
  try {
    const created = await visitor.fetchJson<{ conversation: { id: string } }>('/conversations', 'POST', {
      character_id: SYNTHETIC_CHARACTER_ID,
    });
    const id = created.conversation.id;
    conversationId = id;
    let chatsMs = Date.now() - began;
    let reply: Reply | null = null;
    if (model !== null) {
      const part = formatRepliesPart(model);
      try {
        reply = await sendMessage(visitor, { conversationId: id, model }, (ms) => {
          isAccepted = true;
          chatsMs += ms;
        });
        const [first, whole] = [
          classifySpeed(reply.firstMs, slowMs.firstWords),
          classifySpeed(reply.doneMs, slowMs.reply),
        ];
        recordPart({ part, is: first === 'up' ? whole : first, ms: reply.firstMs });
      } catch (error) {
        // Before the message was stored, the failure is one of the chat and says nothing about the model.
        if (!isAccepted) throw error;
        recordPart({ part, is: 'down', ms: null, code: getErrorCode(error) });
      }
    }
    const readBackStartedAt = Date.now();
    const page = await visitor.fetchJson<{ messages: { role: string; content: string }[] }>(
      `/conversations/${id}`,
    );
    const said = new Set(page.messages.map(({ role, content }) => `${role}: ${content}`));
    const expected = [
      `character: ${SYNTHETIC_TEXTS.greeting}`,
      ...(isAccepted ? [`user: ${SYNTHETIC_TEXTS.message}`] : []),
      ...(reply === null ? [] : [`character: ${reply.text}`]),
    ];
    if (expected.some((line) => !said.has(line))) throw new StepError('not_read_back');
    chatsMs += Date.now() - readBackStartedAt;
    recordPart({ part: 'chats', is: classifySpeed(chatsMs, slowMs.chats), ms: chatsMs });
  } catch (error) {
    recordPart({ part: 'chats', is: 'down', ms: null, code: getErrorCode(error) });
  } finally {
    if (conversationId !== null) await deleteConversation(visitor, conversationId);
  }
}

/** Deletes the conversation of a check. A later check retries one that could not be deleted. */
async function deleteConversation(visitor: SyntheticClient, id: string): Promise<void> {
  await visitor.call(`/conversations/${id}?forever=true`, 'DELETE').catch((error: unknown) => {
    log('check_cleanup_failed', {
      conversation_id: id,
      code: getErrorCode(error),
      message: describeError(error),
    });
  });
}

/** Checks the front page and all stores. */
async function checkSite(env: Env, ports: MonitorDeps): Promise<CheckedPart> {
  const began = Date.now();
  const [stores, page] = await Promise.all([
    probeDependencies(env, CHECK_LIMITS.limitMs),
    withTimeout(CHECK_LIMITS.limitMs, ports.page()).catch(() => null),
  ]);
  const ms = Date.now() - began;
  // An unread body would keep its connection open.
  await page?.body?.cancel();
  const failed: string[] = listFailedDependencies(stores);
  if (page?.status !== 200) failed.push('page');
  if (failed.length > 0) return { part: 'site', is: 'down', ms: null, code: failed.join(' ') };
  return { part: 'site', is: classifySpeed(ms, CHECK_LIMITS.slowMs.site), ms };
}

/** Signs the synthetic user in, by creating its session directly. */
async function signInSyntheticUser(
  db: Database,
  api: MonitorDeps['api'],
  origin: string,
): Promise<{ visitor: SyntheticClient; part: CheckedPart }> {
  const began = Date.now();
  await ensureSyntheticUser(db, began);
  const token = await createSession(db, {
    userId: SYNTHETIC_USER_ID,
    provedBy: 'guest',
    userAgent: 'synthetic-check',
    now: began,
  });
  const { name } = getCookieName(SESSION_COOKIE, new URL(origin));
  const visitor = new SyntheticClient(api, origin, `${name}=${token}`);
  const { user } = await visitor.fetchJson<{ user: { id: string } | null }>('/auth/status');
  if (user?.id !== SYNTHETIC_USER_ID) throw new StepError('not_recognised');
  const ms = Date.now() - began;
  return { visitor, part: { part: 'sign_in', is: classifySpeed(ms, CHECK_LIMITS.slowMs.sign_in), ms } };
}

/** Rotates through the available models, one per check. Returns null when there is none. */
function pickModel(env: Env, now: number): string | null {
  const models = listOfferedModels(readEnvironment(env).models).filter(({ available }) => available);
  return models[Math.floor(now / CHECK_LIMITS.everyMs) % Math.max(1, models.length)]?.id ?? null;
}

const ALERT_EVENTS: Record<Exclude<CheckResult, 'up'>, 'check_slow' | 'check_failed'> = {
  slow: 'check_slow',
  down: 'check_failed',
};

/**
 * Runs all checks once, logs the outcome and stores it for the status page.
 * @returns null when the operator has switched the checks off
 */
export async function runSyntheticChecks(
  env: Env,
  ports: MonitorDeps,
  now = Date.now(),
): Promise<Check | null> {
  const { syntheticChecks, siteUrl } = readEnvironment(env);
  if (syntheticChecks === 'off') return null;
  const origin = siteUrl ?? 'https://check.invalid';
  const db = openDatabase(env.DB);
  const parts: CheckedPart[] = [];
  const site = await checkSite(env, ports);
  parts.push(site);
  // Without the stores all other checks would fail too, so record nothing about them.
  if (site.is !== 'down') {
    try {
      const { visitor, part } = await signInSyntheticUser(db, ports.api, origin);
      parts.push(part);
      for (const id of await listAbandonedConversations(db).catch(() => []))
        await deleteConversation(visitor, id);
      await runConversation(visitor, pickModel(env, now), (one) => void parts.push(one));
      await visitor.call('/logout', 'POST').catch(() => undefined);
    } catch (error) {
      parts.push({ part: 'sign_in', is: 'down', ms: null, code: getErrorCode(error) });
    }
  }
  for (const { part, is, ms, code } of parts) if (is !== 'up') log(ALERT_EVENTS[is], { part, ms, code });
  log('check_done', {
    ms: Date.now() - now,
    parts: Object.fromEntries(parts.map(({ part, is, ms }) => [part, ms ?? is])),
  });
  const check = { at: now, parts };
  if (!(await saveCheck(env, db, { check, now: Date.now() }))) log('check_save_failed');
  return check;
}

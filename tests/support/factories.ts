import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { expect } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { characterFreeTags, characters, characterTags, users } from '../../src/db/schema/core.ts';
import { buildSearchWords } from '../../src/features/character/discovery/search-words-store.ts';
import type { Message } from '../../src/features/conversation/contract.ts';
import type { LedgerEntry, LedgerPage, PointsStatus } from '../../src/features/wallet/contract.ts';
import { createId } from '../../src/lib/ids.ts';
import { mailsTo } from '../workers/mailbox.ts';
import { EventReader, type ReceivedEvent } from './event-reader.ts';

/** Factories for the users, characters and conversations of a test. */

export const ORIGIN = 'https://loreloom.test';

export interface CallOptions {
  method?: string;
  /** Sent as application/json. */
  json?: unknown;
  /** Sent unchanged, in place of `json`. */
  body?: BodyInit;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** A client with a cookie, as a browser has. */
export class Visitor {
  cookie = '';
  /** The id of the user; empty without a session. */
  id = '';
  email = '';

  async call(path: string, options: CallOptions = {}): Promise<Response> {
    const body = options.json === undefined ? options.body : JSON.stringify(options.json);
    const response = await this.fetch(
      new Request(ORIGIN + path, {
        method: options.method ?? (body === undefined ? 'GET' : 'POST'),
        redirect: 'manual',
        headers: {
          ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(this.cookie === '' ? {} : { cookie: this.cookie }),
          ...options.headers,
        },
        ...(body === undefined ? {} : { body }),
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      }),
    );
    const set = response.headers.getSetCookie().find((text) => !text.startsWith('__Host-suspended='));
    if (set !== undefined) this.cookie = /^[^=]+=;/.test(set) ? '' : (set.split(';')[0] as string);
    return response;
  }

  /** Sends the request. */
  protected async fetch(request: Request): Promise<Response> {
    return exports.default.fetch(request);
  }

  /** Calls, expects the status and returns the JSON. */
  async ask<Answer>(path: string, options: CallOptions & { status?: number } = {}): Promise<Answer> {
    const response = await this.call(path, options);
    const text = await response.text();
    expect({ path, status: response.status, text }).toMatchObject({ status: options.status ?? 200 });
    return JSON.parse(text) as Answer;
  }
}

/** Creates a guest. */
export async function signInGuest(): Promise<Visitor> {
  const visitor = new Visitor();
  const { user_id } = await visitor.ask<{ user_id: string }>('/api/auth/anonymous', {
    method: 'POST',
    status: 201,
  });
  visitor.id = user_id;
  return visitor;
}

/** An email address unique to the run. */
export function createEmail(): string {
  return `reader-${createId(Date.now())}@example.test`;
}

/** Requests a login code and reads it from the mail. */
export async function requestLoginCode(email: string, visitor = new Visitor()): Promise<string> {
  const mailCount = mailsTo(email.toLowerCase()).length;
  await visitor.ask('/api/auth/send-login-code', { json: { email }, status: 201 });
  // Another mail may arrive at the same address in the meantime.
  const newMails = mailsTo(email.toLowerCase()).slice(mailCount);
  const code = newMails.map(({ text }) => /\b\d{6}\b/.exec(text)?.[0]).find((found) => found !== undefined);
  if (code === undefined) throw new Error('the mail holds no code');
  return code;
}

/** Logs in by mail; a guest visitor becomes the account, as in one browser. */
export async function createAccount(email = createEmail(), visitor = new Visitor()): Promise<Visitor> {
  const code = await requestLoginCode(email, visitor);
  const { user_id } = await visitor.ask<{ user_id: string }>('/api/auth/login-with-code', {
    json: { email, code },
    status: 201,
  });
  visitor.id = user_id;
  visitor.email = email.toLowerCase();
  return visitor;
}

type CharacterRow = typeof characters.$inferInsert;

/** Inserts a character of `creatorId` or of a new creator. */
export async function addCharacter(
  fields: Partial<CharacterRow> & { tags?: string[]; freeTags?: string[] } = {},
): Promise<string> {
  const db = openDatabase(env.DB);
  const now = Date.now();
  const { tags = [], freeTags = [], ...row } = fields;
  const creatorId = row.creatorId ?? createId(now);
  if (row.creatorId === undefined) {
    await db.insert(users).values({
      id: creatorId,
      username: `maker-${creatorId.slice(-6)}`,
      isAnonymous: false,
      createdAt: now,
      updatedAt: now,
    });
  }
  const id = createId(now);
  await db.insert(characters).values({
    id,
    name: 'Mira',
    oneliner: 'Keeper of the last lighthouse',
    characterTraits: 'Patient, dry humour, afraid of the open sea.',
    firstMessage: '*The lamp turns.* "You came back, {{user}}," says {{char}}.',
    modelType: 'roleplay',
    visibility: 'public',
    pointOfView: 'normal',
    suggestedReplies: ['Who are you?'],
    avatarKey: `${'0'.repeat(32)}.webp`,
    createdAt: now,
    updatedAt: now,
    ...row,
    creatorId,
  });
  if (tags.length > 0) await db.insert(characterTags).values(tags.map((tag) => ({ tag, characterId: id })));
  if (freeTags.length > 0)
    await db.insert(characterFreeTags).values(freeTags.map((tag) => ({ tag, characterId: id })));
  await buildSearchWords(db, [id]);
  return id;
}

/** Starts a conversation and returns its id. */
export async function startConversation(visitor: Visitor, characterId?: string): Promise<string> {
  const created = await visitor.ask<{ conversation: { id: string } }>('/api/conversations', {
    json: { character_id: characterId ?? (await addCharacter()) },
    status: 201,
  });
  return created.conversation.id;
}

/** Puts a conversation in which the user has not written into their list and search, as their first message does. */
export async function listConversation(visitor: Visitor, id: string): Promise<void> {
  const stub = getConversationStub(id);
  const isListed = await runInDurableObject(stub, (_, { storage }) => {
    const { begun } = storage.sql.exec<{ begun: number }>('select begun from meta').one();
    storage.sql.exec('update meta set begun = 1, d1_begun = 1');
    return begun === 1;
  });
  if (isListed) return;
  await env.DB.prepare('update conversations set begun = 1 where id = ?').bind(id).run();
  // The object has read its row before.
  await evictDurableObject(stub);
  await getConversationStub(id).reindex(visitor.id);
}

/** Starts a conversation that is in the user's list, and returns its id. */
export async function startListedConversation(visitor: Visitor, characterId?: string): Promise<string> {
  const id = await startConversation(visitor, characterId);
  await listConversation(visitor, id);
  return id;
}

export interface SendOptions {
  turnId?: string;
  model?: string;
  lastEventId?: string;
}

/** A turn id as clients create them. */
export function createTurnId(): string {
  return `turn-${createId(Date.now())}`;
}

/** Posts a message and returns the response. */
export function postMessage(
  visitor: Visitor,
  conversationId: string,
  content: string,
  { turnId = createTurnId(), model, lastEventId }: SendOptions = {},
): Promise<Response> {
  return visitor.call(`/api/conversations/${conversationId}/messages`, {
    json: { content, client_message_id: turnId, ...(model === undefined ? {} : { model }) },
    ...(lastEventId === undefined ? {} : { headers: { 'last-event-id': lastEventId } }),
  });
}

/** Posts a message that is accepted and returns a reader of its reply. */
export async function startTurn(
  visitor: Visitor,
  conversationId: string,
  content: string,
  options: SendOptions = {},
): Promise<EventReader> {
  return EventReader.fromResponse(await postMessage(visitor, conversationId, content, options));
}

/** Sends a message and reads its reply to the end. */
export async function sendMessage(
  visitor: Visitor,
  conversationId: string,
  content = 'Hello there.',
  options: SendOptions = {},
): Promise<ReceivedEvent[]> {
  return (await startTurn(visitor, conversationId, content, options)).readRest();
}

/** Rejoins the reply being written. */
export async function rejoinReply(
  visitor: Visitor,
  conversationId: string,
  lastEventId?: string,
): Promise<EventReader> {
  const response = await visitor.call(
    `/api/conversations/${conversationId}/stream`,
    lastEventId === undefined ? {} : { headers: { 'last-event-id': lastEventId } },
  );
  return EventReader.fromResponse(response);
}

/** The newest messages of a conversation, oldest first. */
export async function listMessages(visitor: Visitor, conversationId: string): Promise<Message[]> {
  return (await visitor.ask<{ messages: Message[] }>(`/api/conversations/${conversationId}?limit=100`))
    .messages;
}

/** The newest message of a conversation. */
export async function getLastMessage(visitor: Visitor, conversationId: string): Promise<Message> {
  return (await listMessages(visitor, conversationId)).at(-1) as Message;
}

export function getPoints(visitor: Visitor): Promise<PointsStatus> {
  return visitor.ask<PointsStatus>('/api/points');
}

/** Every entry of the ledger, newest first, by pages. */
export async function listLedger(visitor: Visitor, limit = 100): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: LedgerPage = await visitor.ask(`/api/points/ledger?limit=${limit}&cursor=${cursor}`);
    entries.push(...page.items);
    cursor = page.next_cursor;
  }
  return entries;
}

/** Expects the ledger entries to sum up to the balance, each following from the one before it. */
export async function expectBalancedLedger(visitor: Visitor): Promise<void> {
  const status = await getPoints(visitor);
  const entries = (await listLedger(visitor)).toReversed();
  expect(entries[0]).toMatchObject({ kind: 'opening' });
  let balance = 0;
  for (const entry of entries) {
    balance += entry.amount;
    expect(entry).toMatchObject({ balance_after: balance });
  }
  expect(balance).toBe(status.current_points + status.permanent_points);
}

export const getConversationStub = (id: string) => env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id));
export const getWalletStub = (userId: string) => env.WALLETS.get(env.WALLETS.idFromName(userId));

/**
 * Removes scenario markers from earlier messages, so that the next message is answered normally: unanswered messages are
 * sent to the model together with the next one, and the first marker applies.
 */
export async function clearScenes(conversationId: string): Promise<void> {
  await runInDurableObject(getConversationStub(conversationId), (_, { storage }) => {
    storage.sql.exec("update messages set content = 'plain' where content like '%[[scenario:%'");
  });
}

/** Sets a user's points as their opening balance. */
export async function setPoints(visitor: Visitor, amount: number): Promise<void> {
  await getPoints(visitor);
  await runInDurableObject(getWalletStub(visitor.id), (_, { storage }) => {
    storage.sql.exec('update balance set current = ?', amount);
    storage.sql.exec(
      "update ledger set amount = ?, balance_after = ? where kind = 'opening'",
      amount,
      amount,
    );
  });
}

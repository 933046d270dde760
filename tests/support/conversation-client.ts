import { expect, inject } from 'vitest';
import type {
  Conversation,
  ConversationPage,
  Message,
  ReplyRating,
  TrashItem,
  TrashList,
} from '../../src/features/conversation/contract.ts';
import type { MessageRecord } from '../../src/features/conversation/files/chat-record.ts';
import { createPositionedId, getIdPosition, createId } from '../../src/lib/ids.ts';
import { EventReader, type ReceivedEvent } from './event-reader.ts';
import {
  type CallOptions,
  listConversation,
  startConversation,
  getConversationStub,
  signInGuest,
  createTurnId,
  getPoints,
  sendMessage,
  type Visitor,
} from './factories.ts';

/** The options of a turn. */
export interface TurnOptions {
  turnId?: string;
  model?: string;
  lastEventId?: string;
  /** Instructions for a regenerated reply. */
  note?: string;
}

type RequestOptions = CallOptions & { status?: number };

/** A conversation in one open tab, with every action on its messages. */
export class ConversationClient {
  readonly me: Visitor;
  readonly id: string;
  readonly #tab: string | null;

  /** @param tab the page's id; other clients have none */
  constructor(me: Visitor, id: string, tab: string | null = null) {
    this.me = me;
    this.id = id;
    this.#tab = tab;
  }

  call(path: string, { headers, ...options }: CallOptions = {}): Promise<Response> {
    return this.me.call(`/api/conversations/${this.id}${path}`, {
      ...options,
      headers: { ...headers, ...(this.#tab === null ? {} : { 'x-tab': this.#tab }) },
    });
  }

  /** Calls, expects the status and returns the JSON. */
  async ask<Answer>(path: string, { status = 200, ...options }: RequestOptions = {}): Promise<Answer> {
    const response = await this.call(path, options);
    const text = await response.text();
    expect({ path, status: response.status, text }).toMatchObject({ status });
    return JSON.parse(text) as Answer;
  }

  // ── reading ──

  page(query = '?limit=100'): Promise<ConversationPage> {
    return this.ask<ConversationPage>(query);
  }

  async messages(): Promise<Message[]> {
    return (await this.page()).messages;
  }

  async texts(): Promise<string[]> {
    return (await this.messages()).map(({ content }) => content);
  }

  async ids(): Promise<string[]> {
    return (await this.messages()).map(({ id }) => id);
  }

  async count(): Promise<number> {
    return (await this.page('?limit=1')).conversation.message_count;
  }

  async trash(query = ''): Promise<TrashList> {
    return this.ask<TrashList>(`/trash${query}`);
  }

  // ── turns ──

  /** Sends a message and reads its reply to the end. */
  send(content?: string, options: TurnOptions = {}): Promise<ReceivedEvent[]> {
    return sendMessage(this.me, this.id, content, options);
  }

  rewrite(
    how: 'regenerate' | 'continue',
    messageId: string,
    { turnId = createTurnId(), model, lastEventId, note }: TurnOptions = {},
  ): Promise<Response> {
    return this.call(`/messages/${messageId}/${how}`, {
      json: {
        client_message_id: turnId,
        ...(model === undefined ? {} : { model }),
        ...(note === undefined ? {} : { note }),
      },
      ...(lastEventId === undefined ? {} : { headers: { 'last-event-id': lastEventId } }),
    });
  }

  /** Regenerates a reply and reads it to the end. */
  async regenerate(messageId: string, options?: TurnOptions): Promise<ReceivedEvent[]> {
    return (await EventReader.fromResponse(await this.rewrite('regenerate', messageId, options))).readRest();
  }

  /** Continues a reply and reads the added text to the end. */
  async continueReply(messageId: string, options?: TurnOptions): Promise<ReceivedEvent[]> {
    return (await EventReader.fromResponse(await this.rewrite('continue', messageId, options))).readRest();
  }

  // ── changes ──

  edit(messageId: string, content: string, status = 200): Promise<Message & { code?: string }> {
    return this.ask(`/messages/${messageId}`, { method: 'PATCH', json: { content }, status });
  }

  select(messageId: string, versionId: string, status = 200): Promise<Message & { code?: string }> {
    return this.ask(`/messages/${messageId}/version`, {
      method: 'PUT',
      json: { version_id: versionId },
      status,
    });
  }

  discard(messageId: string, status = 200): Promise<TrashItem & { code?: string }> {
    return this.ask(`/messages/${messageId}`, { method: 'DELETE', status });
  }

  async restore(trashId: string): Promise<string[]> {
    const answer = await this.ask<{ message_ids: string[] }>(`/trash/${trashId}/restore`, { method: 'POST' });
    return answer.message_ids;
  }

  pin(messageId: string, pinned = true): Promise<Response> {
    return this.call(`/messages/${messageId}/pin`, { method: pinned ? 'PUT' : 'DELETE' });
  }

  /** Rates a version of a reply; null takes the rating back. */
  rate(
    messageId: string,
    versionId: string,
    rating: ReplyRating | null,
    status = 200,
  ): Promise<Message & { code?: string }> {
    return this.ask(`/messages/${messageId}/rating`, {
      method: 'PUT',
      json: { version_id: versionId, rating },
      status,
    });
  }

  /** Forks a conversation at a message, which is included. */
  async fork(messageId: string): Promise<{ chat: ConversationClient; conversation: Conversation }> {
    const made = await this.ask<{ conversation: Conversation }>(`/messages/${messageId}/fork`, {
      method: 'POST',
      status: 201,
    });
    return { chat: new ConversationClient(this.me, made.conversation.id), conversation: made.conversation };
  }

  /** Inserts old messages, by user and character in turn. */
  async insertMessages(...texts: string[]): Promise<void> {
    await listConversation(this.me, this.id);
    const now = Date.now();
    const records = texts.map((content, index): MessageRecord => {
      const isMine = index % 2 === 0;
      return {
        id: createId(now + index),
        role: isMine ? 'user' : 'character',
        name: null,
        createdAt: now + index,
        pinned: false,
        source: null,
        selected: 0,
        versions: [
          {
            id: createId(now + index),
            content,
            model: isMine ? null : 'loreloom',
            status: 'complete',
            errorCode: null,
            edited: false,
            createdAt: now + index,
          },
        ],
      };
    });
    await this.appendRecords(records);
  }

  /** Appends whole messages, with ids for the positions after the last message; `pageSize` at a time. */
  async appendRecords(records: MessageRecord[], pageSize = records.length): Promise<string[]> {
    const last = (await this.messages()).at(-1);
    // Deleted messages keep their places.
    const first = last === undefined ? 1 : getIdPosition(last.id) + 100;
    const placed = records.map((record, index) => withPosition(record, first + index));
    for (let at = 0; at < placed.length; at += pageSize)
      await getConversationStub(this.id).append(this.me.id, placed.slice(at, at + pageSize));
    return placed.map(({ id }) => id);
  }
}

/** Returns a message with ids for a position in its conversation. */
export function withPosition(record: MessageRecord, position: number): MessageRecord {
  const id = () => createPositionedId(record.createdAt, position);
  return {
    ...record,
    id: id(),
    versions: record.versions.map((version) => ({ ...version, id: id() })),
  };
}

/** Starts a new conversation. */
export async function startConversationClient(
  me: Visitor,
  characterId?: string,
): Promise<ConversationClient> {
  return new ConversationClient(me, await startConversation(me, characterId));
}

/** The state of a conversation, its lists and the points, for a later comparison. */
export async function snapshotConversation(me: Visitor, id: string): Promise<unknown[]> {
  const parts = ['', '/trash', '/memory'].map((part) => me.ask(`/api/conversations/${id}${part}`));
  return [
    ...(await Promise.all(parts)),
    await me.ask('/api/chats'),
    await me.ask('/api/conversations/trash'),
    await getPoints(me),
  ];
}

/** A new user's conversation with two exchanges. */
export async function startWithTwoExchanges(): Promise<{ chat: ConversationClient; said: Message[] }> {
  const chat = await startConversationClient(await signInGuest());
  await chat.send('First.');
  await chat.send('Second.');
  return { chat, said: await chat.messages() };
}

/** The id of a message by index; negative indexes count from the newest. */
export const getMessageId = (said: Message[], index: number): string => said.at(index)?.id as string;

/** The version texts of a message, for comparisons. */
export const describeVersions = (message: Message | undefined): string[] =>
  (message?.versions ?? []).map(({ content }) => content);

/** Closes or opens the gate of a key on the scripted model server for later requests. */
export async function setGate(key: string, what: 'shut' | 'open'): Promise<void> {
  const control = inject('servers').modelUrl.replace(/\/v1$/, `/control/${what}?key=${key}`);
  expect((await fetch(control)).status).toBe(200);
}

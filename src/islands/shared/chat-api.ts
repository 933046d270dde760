import type {
  Conversation,
  ConversationCreated,
  ConversationList,
  ConversationPage,
  GreetingChosen,
  Message,
  ReplyRating,
  Thinking,
  TrashItem,
  TrashList,
  TrashedChats,
} from '../../features/conversation/contract.ts';
import type { ModelChoice, ModelList } from '../../features/model/contract.ts';
import type { PointsStatus } from '../../features/wallet/contract.ts';
import {
  resolveResponse,
  client,
  readJson,
  checkOk,
  encodePathPart,
  NETWORK_FAILURE,
  type Client,
  type Result,
} from './api.ts';
import { readReplyStream, type ReplyStream } from './sse.ts';

/** A turn with its client-generated id. Sending the same id again does not create a second turn. */
export interface TurnBody {
  client_message_id: string;
  model?: ModelChoice;
}

/** A page of the history: before or after a cursor, or around a message. The newest page has no position. */
export type HistoryPosition = { before: string } | { after: string } | { around: string };

/** The API calls of a chat. Tests replace them. */
export interface ChatApi {
  models(): Promise<Result<ModelList>>;
  /**
   * Starts a conversation, or returns the one that was started before and has no message of the user. With a scene, it
   * starts with the scene's lines.
   */
  createConversation(characterId: string, scene?: 'home'): Promise<Result<ConversationCreated>>;
  conversation(
    id: string,
    page?: { place?: HistoryPosition; limit?: number; signal?: AbortSignal },
  ): Promise<Result<ConversationPage>>;
  conversationsWith(characterId: string): Promise<Result<ConversationList>>;
  thinking(id: string, messageId: string): Promise<Result<Thinking>>;
  sendMessage(
    id: string,
    body: TurnBody & { content: string },
    signal?: AbortSignal,
  ): Promise<Result<ReplyStream>>;
  regenerate(
    id: string,
    messageId: string,
    body: TurnBody & { note?: string },
    signal?: AbortSignal,
  ): Promise<Result<ReplyStream>>;
  continueReply(
    id: string,
    messageId: string,
    body: TurnBody,
    signal?: AbortSignal,
  ): Promise<Result<ReplyStream>>;
  /** Requests a reply to the user's last message; fails with `nothing_to_answer` when it has one. */
  answer(id: string, body: TurnBody, signal?: AbortSignal): Promise<Result<ReplyStream>>;
  /** The reply being written, after a given event or from its beginning; null when there is none. */
  rejoin(id: string, lastEventId: string | null, signal?: AbortSignal): Promise<Result<ReplyStream | null>>;
  stop(id: string): Promise<Result<null>>;
  editMessage(id: string, messageId: string, content: string): Promise<Result<Message>>;
  selectVersion(id: string, messageId: string, versionId: string): Promise<Result<Message>>;
  /** @param rating what the user thinks of the version; null takes it back */
  rate(
    id: string,
    messageId: string,
    versionId: string,
    rating: ReplyRating | null,
  ): Promise<Result<Message>>;
  /** Moves a message and all later ones to the trash. */
  deleteFrom(id: string, messageId: string): Promise<Result<TrashItem>>;
  trash(id: string, cursor?: string): Promise<Result<TrashList>>;
  restore(id: string, trashId: string): Promise<Result<{ message_ids: string[] }>>;
  /** Permanently deletes an entry of the trash. */
  eraseTrashed(id: string, trashId: string): Promise<Result<null>>;
  pin(id: string, messageId: string, pinned: boolean): Promise<Result<Message>>;
  /** @param clientId client-generated id; repeating it does not create a second conversation */
  fork(id: string, messageId: string, clientId: string): Promise<Result<{ conversation: Conversation }>>;
  rename(id: string, title: string): Promise<Result<Conversation>>;
  setPersona(id: string, personaId: string | null): Promise<Result<Conversation>>;
  /** Replaces the conversation's greeting, by index. */
  chooseGreeting(id: string, index: number): Promise<Result<GreetingChosen>>;
  takeVersion(id: string, version: number): Promise<Result<Conversation>>;
  /**
   * Moves the conversation to the trash, from which `restoreConversation` restores it; `forever` deletes it permanently.
   */
  deleteConversation(id: string, forever?: boolean): Promise<Result<null>>;
  restoreConversation(id: string): Promise<Result<Conversation>>;
  /** All conversations in the trash, latest deletion first. */
  trashedConversations(): Promise<Result<Pick<TrashedChats, 'items'>>>;
  /** Asks the model for three suggested next lines. */
  suggest(id: string, body: TurnBody): Promise<Result<{ items: string[]; points: PointsStatus }>>;
  /** Asks the model for a draft of the user's next message. */
  draft(id: string, body: TurnBody): Promise<Result<{ draft: string; points: PointsStatus }>>;
}

/** Messages per page. */
const PAGE_SIZE = 50;

const toRequestOptions = (signal: AbortSignal | undefined) => (signal ? { init: { signal } } : {});

async function readEventStream(call: Promise<unknown>): Promise<Result<ReplyStream | null>> {
  const response = await resolveResponse(call as Promise<Response>);
  if ('code' in response) return response;
  return {
    ok: true,
    data: response.status === 204 || !response.body ? null : readReplyStream(response.body),
  };
}

/** A turn's event stream; an answer without a stream counts as a network failure. */
export async function readTurnStream(call: Promise<unknown>): Promise<Result<ReplyStream>> {
  const answer = await readEventStream(call);
  if (!answer.ok) return answer;
  return answer.data ? { ok: true, data: answer.data } : NETWORK_FAILURE;
}

export function createChatApi({ models, characters, conversations }: Client): ChatApi {
  const one = conversations[':id'];
  const message = one.messages[':mid'];
  const toParams = (id: string) => ({ id: encodePathPart(id) });
  const toMessageParams = (id: string, messageId: string) => ({
    id: encodePathPart(id),
    mid: encodePathPart(messageId),
  });
  return {
    models: () => readJson(models.$get()),
    createConversation: (characterId, scene) =>
      readJson(
        conversations.$post({
          json: { character_id: characterId, reuse: true, ...(scene ? { scene } : {}) },
        }),
      ),
    conversation: (id, { place = {}, limit = PAGE_SIZE, signal } = {}) =>
      readJson(
        one.$get(
          { param: toParams(id), query: { limit: String(limit), ...place } },
          toRequestOptions(signal),
        ),
      ),
    conversationsWith: (characterId) =>
      readJson(characters[':id'].conversations.$get({ param: toParams(characterId), query: {} })),
    thinking: (id, messageId) => readJson(message.thinking.$get({ param: toMessageParams(id, messageId) })),
    sendMessage: (id, body, signal) =>
      readTurnStream(one.messages.$post({ param: toParams(id), json: body }, toRequestOptions(signal))),
    regenerate: (id, messageId, body, signal) =>
      readTurnStream(
        message.regenerate.$post(
          { param: toMessageParams(id, messageId), json: body },
          toRequestOptions(signal),
        ),
      ),
    continueReply: (id, messageId, body, signal) =>
      readTurnStream(
        message.continue.$post(
          { param: toMessageParams(id, messageId), json: body },
          toRequestOptions(signal),
        ),
      ),
    answer: (id, body, signal) =>
      readTurnStream(one.reply.$post({ param: toParams(id), json: body }, toRequestOptions(signal))),
    rejoin: (id, lastEventId, signal) =>
      readEventStream(
        one.stream.$get(
          { param: toParams(id) },
          {
            ...toRequestOptions(signal),
            ...(lastEventId ? { headers: { 'last-event-id': lastEventId } } : {}),
          },
        ),
      ),
    stop: (id) => checkOk(one.stop.$post({ param: toParams(id) })),
    editMessage: (id, messageId, content) =>
      readJson(message.$patch({ param: toMessageParams(id, messageId), json: { content } })),
    selectVersion: (id, messageId, versionId) =>
      readJson(
        message.version.$put({ param: toMessageParams(id, messageId), json: { version_id: versionId } }),
      ),
    rate: (id, messageId, versionId, rating) =>
      readJson(
        message.rating.$put({
          param: toMessageParams(id, messageId),
          json: { version_id: versionId, rating },
        }),
      ),
    deleteFrom: (id, messageId) => readJson(message.$delete({ param: toMessageParams(id, messageId) })),
    trash: (id, cursor) =>
      readJson(one.trash.$get({ param: toParams(id), query: cursor === undefined ? {} : { cursor } })),
    restore: (id, trashId) =>
      readJson(
        one.trash[':tid'].restore.$post({ param: { id: encodePathPart(id), tid: encodePathPart(trashId) } }),
      ),
    eraseTrashed: (id, trashId) =>
      checkOk(one.trash[':tid'].$delete({ param: { id: encodePathPart(id), tid: encodePathPart(trashId) } })),
    pin: (id, messageId, pinned) =>
      readJson(
        pinned
          ? message.pin.$put({ param: toMessageParams(id, messageId) })
          : message.pin.$delete({ param: toMessageParams(id, messageId) }),
      ),
    fork: (id, messageId, clientId) =>
      readJson(
        message.fork.$post({
          param: toMessageParams(id, messageId),
          json: { client_conversation_id: clientId },
        }),
      ),
    rename: (id, title) => readJson(one.$patch({ param: toParams(id), json: { title } })),
    setPersona: (id, personaId) =>
      readJson(one.persona.$put({ param: toParams(id), json: { persona_id: personaId } })),
    chooseGreeting: (id, index) => readJson(one.greeting.$post({ param: toParams(id), json: { index } })),
    takeVersion: (id, version) =>
      readJson(one['character-version'].$put({ param: toParams(id), json: { version } })),
    deleteConversation: (id, forever = false) =>
      checkOk(one.$delete({ param: toParams(id), query: forever ? { forever: 'true' } : {} })),
    restoreConversation: (id) => readJson(one.restore.$post({ param: toParams(id) })),
    async trashedConversations() {
      const items: TrashedChats['items'] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Result<TrashedChats> = await readJson(
          conversations.trash.$get({ query: { limit: '100', ...(cursor === '' ? {} : { cursor }) } }),
        );
        if (!page.ok) return page;
        items.push(...page.data.items);
        cursor = page.data.next_cursor;
      }
      return { ok: true, data: { items } };
    },
    suggest: (id, body) => readJson(one.suggestions.$post({ param: toParams(id), json: body })),
    draft: (id, body) => readJson(one.impersonate.$post({ param: toParams(id), json: body })),
  };
}

export const chatApi: ChatApi = createChatApi(client);

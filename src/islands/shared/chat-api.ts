import type {
  Conversation,
  ConversationCreated,
  ConversationList,
  ConversationPage,
  GreetingChosen,
  Message,
  TrashItem,
  TrashList,
  TrashedChats,
} from '../../features/conversation/contract.ts';
import type { ModelChoice, ModelList } from '../../features/model/contract.ts';
import type { PointsStatus } from '../../features/wallet/contract.ts';
import {
  answerOf,
  client,
  dataOf,
  doneOf,
  inPath,
  NETWORK_FAILURE,
  type Client,
  type Result,
} from './api.ts';
import { readReply, type ReplyStream } from './sse.ts';

/** A turn as the client names it: the same id again never sends twice. */
export interface TurnBody {
  client_message_id: string;
  model?: ModelChoice;
}

/** Which page of a history: the newest, the one before or after a cursor, or the one round a message. */
export type HistoryPlace = { before: string } | { after: string } | { around: string };

/** The calls that a chat makes. Tests put their own in its place. */
export interface ChatApi {
  models(): Promise<Result<ModelList>>;
  /** With a scene, the conversation goes on from its lines. */
  createConversation(characterId: string, scene?: 'home'): Promise<Result<ConversationCreated>>;
  conversation(
    id: string,
    page?: { place?: HistoryPlace; limit?: number; signal?: AbortSignal },
  ): Promise<Result<ConversationPage>>;
  conversationsWith(characterId: string): Promise<Result<ConversationList>>;
  sendMessage(
    id: string,
    body: TurnBody & { content: string },
    signal?: AbortSignal,
  ): Promise<Result<ReplyStream>>;
  regenerate(
    id: string,
    messageId: string,
    body: TurnBody,
    signal?: AbortSignal,
  ): Promise<Result<ReplyStream>>;
  continueReply(
    id: string,
    messageId: string,
    body: TurnBody,
    signal?: AbortSignal,
  ): Promise<Result<ReplyStream>>;
  /** Has one's last message answered, where it stands without a reply; `nothing_to_answer` otherwise. */
  answer(id: string, body: TurnBody, signal?: AbortSignal): Promise<Result<ReplyStream>>;
  /** The reply being written, after a given event or from its beginning; null when none is. */
  rejoin(id: string, lastEventId: string | null, signal?: AbortSignal): Promise<Result<ReplyStream | null>>;
  stop(id: string): Promise<Result<null>>;
  editMessage(id: string, messageId: string, content: string): Promise<Result<Message>>;
  selectVersion(id: string, messageId: string, versionId: string): Promise<Result<Message>>;
  /** Deletes a message and what follows it, to the trash. */
  deleteFrom(id: string, messageId: string): Promise<Result<TrashItem>>;
  trash(id: string, cursor?: string): Promise<Result<TrashList>>;
  restore(id: string, trashId: string): Promise<Result<{ message_ids: string[] }>>;
  /** Erases what lies in the trash for good. */
  eraseTrashed(id: string, trashId: string): Promise<Result<null>>;
  pin(id: string, messageId: string, pinned: boolean): Promise<Result<Message>>;
  /** @param clientId the client's own id of the new conversation: the same again makes no second one */
  fork(id: string, messageId: string, clientId: string): Promise<Result<{ conversation: Conversation }>>;
  rename(id: string, title: string): Promise<Result<Conversation>>;
  setPersona(id: string, personaId: string | null): Promise<Result<Conversation>>;
  /** Has a story begin with another of its character's first messages. */
  chooseGreeting(id: string, index: number): Promise<Result<GreetingChosen>>;
  takeVersion(id: string, version: number): Promise<Result<Conversation>>;
  /** To the trash; `restoreConversation` takes it back. */
  deleteConversation(id: string, forever?: boolean): Promise<Result<null>>;
  restoreConversation(id: string): Promise<Result<Conversation>>;
  /** All that can be had back, newest deletion first. */
  trashedConversations(): Promise<Result<Pick<TrashedChats, 'items'>>>;
  /** Three next lines that the model suggests. */
  suggest(id: string, body: TurnBody): Promise<Result<{ items: string[]; points: PointsStatus }>>;
  /** A draft of the person's own next line. */
  draft(id: string, body: TurnBody): Promise<Result<{ draft: string; points: PointsStatus }>>;
}

/** Messages fetched at once. */
const PAGE_SIZE = 50;

const aborting = (signal: AbortSignal | undefined) => (signal ? { init: { signal } } : {});

async function eventsOf(call: Promise<unknown>): Promise<Result<ReplyStream | null>> {
  const response = await answerOf(call as Promise<Response>);
  if ('code' in response) return response;
  return { ok: true, data: response.status === 204 || !response.body ? null : readReply(response.body) };
}

/** A turn's events, or why there are none. */
export async function turnOf(call: Promise<unknown>): Promise<Result<ReplyStream>> {
  const answer = await eventsOf(call);
  if (!answer.ok) return answer;
  return answer.data ? { ok: true, data: answer.data } : NETWORK_FAILURE;
}

export function createChatApi({ models, characters, conversations }: Client): ChatApi {
  const one = conversations[':id'];
  const message = one.messages[':mid'];
  const at = (id: string) => ({ id: inPath(id) });
  const of = (id: string, messageId: string) => ({ id: inPath(id), mid: inPath(messageId) });
  return {
    models: () => dataOf(models.$get()),
    createConversation: (characterId, scene) =>
      dataOf(conversations.$post({ json: { character_id: characterId, ...(scene ? { scene } : {}) } })),
    conversation: (id, { place = {}, limit = PAGE_SIZE, signal } = {}) =>
      dataOf(one.$get({ param: at(id), query: { limit: String(limit), ...place } }, aborting(signal))),
    conversationsWith: (characterId) =>
      dataOf(characters[':id'].conversations.$get({ param: at(characterId), query: {} })),
    sendMessage: (id, body, signal) =>
      turnOf(one.messages.$post({ param: at(id), json: body }, aborting(signal))),
    regenerate: (id, messageId, body, signal) =>
      turnOf(message.regenerate.$post({ param: of(id, messageId), json: body }, aborting(signal))),
    continueReply: (id, messageId, body, signal) =>
      turnOf(message.continue.$post({ param: of(id, messageId), json: body }, aborting(signal))),
    answer: (id, body, signal) => turnOf(one.reply.$post({ param: at(id), json: body }, aborting(signal))),
    rejoin: (id, lastEventId, signal) =>
      eventsOf(
        one.stream.$get(
          { param: at(id) },
          { ...aborting(signal), ...(lastEventId ? { headers: { 'last-event-id': lastEventId } } : {}) },
        ),
      ),
    stop: (id) => doneOf(one.stop.$post({ param: at(id) })),
    editMessage: (id, messageId, content) =>
      dataOf(message.$patch({ param: of(id, messageId), json: { content } })),
    selectVersion: (id, messageId, versionId) =>
      dataOf(message.version.$put({ param: of(id, messageId), json: { version_id: versionId } })),
    deleteFrom: (id, messageId) => dataOf(message.$delete({ param: of(id, messageId) })),
    trash: (id, cursor) =>
      dataOf(one.trash.$get({ param: at(id), query: cursor === undefined ? {} : { cursor } })),
    restore: (id, trashId) =>
      dataOf(one.trash[':tid'].restore.$post({ param: { id: inPath(id), tid: inPath(trashId) } })),
    eraseTrashed: (id, trashId) =>
      doneOf(one.trash[':tid'].$delete({ param: { id: inPath(id), tid: inPath(trashId) } })),
    pin: (id, messageId, pinned) =>
      dataOf(
        pinned
          ? message.pin.$put({ param: of(id, messageId) })
          : message.pin.$delete({ param: of(id, messageId) }),
      ),
    fork: (id, messageId, clientId) =>
      dataOf(message.fork.$post({ param: of(id, messageId), json: { client_conversation_id: clientId } })),
    rename: (id, title) => dataOf(one.$patch({ param: at(id), json: { title } })),
    setPersona: (id, personaId) =>
      dataOf(one.persona.$put({ param: at(id), json: { persona_id: personaId } })),
    chooseGreeting: (id, index) => dataOf(one.greeting.$post({ param: at(id), json: { index } })),
    takeVersion: (id, version) => dataOf(one['character-version'].$put({ param: at(id), json: { version } })),
    deleteConversation: (id, forever = false) =>
      doneOf(one.$delete({ param: at(id), query: forever ? { forever: 'true' } : {} })),
    restoreConversation: (id) => dataOf(one.restore.$post({ param: at(id) })),
    async trashedConversations() {
      const items: TrashedChats['items'] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: Result<TrashedChats> = await dataOf(
          conversations.trash.$get({ query: { limit: '100', ...(cursor === '' ? {} : { cursor }) } }),
        );
        if (!page.ok) return page;
        items.push(...page.data.items);
        cursor = page.data.next_cursor;
      }
      return { ok: true, data: { items } };
    },
    suggest: (id, body) => dataOf(one.suggestions.$post({ param: at(id), json: body })),
    draft: (id, body) => dataOf(one.impersonate.$post({ param: at(id), json: body })),
  };
}

/** The chat calls of a page. */
export const chatApi: ChatApi = createChatApi(client);

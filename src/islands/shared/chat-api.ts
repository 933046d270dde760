import type {
  ConversationCreated,
  ConversationList,
  ConversationPage,
} from '../../features/conversation/contract.ts';
import type { ModelChoice, ModelList } from '../../features/model/contract.ts';
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

/** The calls that a chat makes. Tests put their own in its place. */
export interface ChatApi {
  models(): Promise<Result<ModelList>>;
  createConversation(characterId: string): Promise<Result<ConversationCreated>>;
  /** The newest page, or the page before a cursor. */
  conversation(
    id: string,
    page?: { before?: string; signal?: AbortSignal },
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
  /** The reply being written, after a given event or from its beginning; null when none is. */
  rejoin(id: string, lastEventId: string | null, signal?: AbortSignal): Promise<Result<ReplyStream | null>>;
  stop(id: string): Promise<Result<null>>;
}

/** Messages fetched at once. */
const PAGE_SIZE = 50;

const aborting = (signal: AbortSignal | undefined) => (signal ? { init: { signal } } : {});

async function eventsOf(call: Promise<unknown>): Promise<Result<ReplyStream | null>> {
  const response = await answerOf(call as Promise<Response>);
  if ('code' in response) return response;
  return { ok: true, data: response.status === 204 || !response.body ? null : readReply(response.body) };
}

async function turnOf(call: Promise<unknown>): Promise<Result<ReplyStream>> {
  const answer = await eventsOf(call);
  if (!answer.ok) return answer;
  return answer.data ? { ok: true, data: answer.data } : NETWORK_FAILURE;
}

export function createChatApi({ models, characters, conversations }: Client): ChatApi {
  const one = conversations[':id'];
  return {
    models: () => dataOf(models.$get()),
    createConversation: (characterId) => dataOf(conversations.$post({ json: { character_id: characterId } })),
    conversation: (id, { before, signal } = {}) =>
      dataOf(
        one.$get(
          { param: { id: inPath(id) }, query: { limit: String(PAGE_SIZE), ...(before ? { before } : {}) } },
          aborting(signal),
        ),
      ),
    conversationsWith: (characterId) =>
      dataOf(characters[':id'].conversations.$get({ param: { id: inPath(characterId) }, query: {} })),
    sendMessage: (id, body, signal) =>
      turnOf(one.messages.$post({ param: { id: inPath(id) }, json: body }, aborting(signal))),
    regenerate: (id, messageId, body, signal) =>
      turnOf(
        one.messages[':mid'].regenerate.$post(
          { param: { id: inPath(id), mid: inPath(messageId) }, json: body },
          aborting(signal),
        ),
      ),
    rejoin: (id, lastEventId, signal) =>
      eventsOf(
        one.stream.$get(
          { param: { id: inPath(id) } },
          { ...aborting(signal), ...(lastEventId ? { headers: { 'last-event-id': lastEventId } } : {}) },
        ),
      ),
    stop: (id) => doneOf(one.stop.$post({ param: { id: inPath(id) } })),
  };
}

/** The chat calls of a page. */
export const chatApi: ChatApi = createChatApi(client);

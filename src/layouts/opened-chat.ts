import type { ConversationList, ConversationPage } from '../features/conversation/contract.ts';
import { truncatePage } from '../features/conversation/truncate-page.ts';
import { WITHOUT_MESSAGES_HEADER } from '../features/offline/contract.ts';
import { parseChatUrl } from '../features/offline/offline-rules.ts';
import { parseTimeZone } from '../features/wallet/user-day.ts';

/** Messages in the HTML of a chat page: more than a window shows. */
const MAX_MESSAGES = 20;
/** Length of the messages' JSON, in UTF-16 units. The HTML contains it and the text drawn from it, some 50 kB together. */
const MAX_JSON_LENGTH = 24_000;
/** Parameters of chat pages that the island opens by itself: around a message, and by starting a conversation. */
const ISLAND_PARAMETERS = ['message', 'scene'];

/** What a chat page shows before its script runs. */
export interface OpenedChat {
  /** The conversation with its newest messages; null when there is none yet, and the greeting is shown. */
  page: ConversationPage | null;
  /** Milliseconds since 1970. */
  openedAt: number;
  /** The user's time zone, as the platform knows it from their network. */
  timeZone: string;
}

/** An opened chat, and the cookies that the API sets with it. */
export interface ChatOpening {
  chat: OpenedChat | null;
  cookies: string[];
}

/** Whether the address is that of a chat whose messages the page's HTML can contain. */
function findChat({ method, url, headers }: Request): ReturnType<typeof parseChatUrl> {
  const address = new URL(url);
  if (method !== 'GET' || headers.has(WITHOUT_MESSAGES_HEADER)) return null;
  if (ISLAND_PARAMETERS.some((name) => address.searchParams.has(name))) return null;
  return parseChatUrl(address);
}

/**
 * Reads what a chat page shows at first, by the API's own routes: they alone decide who may read what.
 * @param hasSession whether the request has a session's cookie
 * @param fetchApi answers a request to the API
 * @returns null for other pages, and when the API refuses or fails: the island then asks and says why
 */
export async function readOpenedChat(
  request: Request,
  hasSession: boolean,
  fetchApi: (request: Request) => Promise<Response>,
): Promise<ChatOpening | null> {
  const found = findChat(request);
  if (found === null) return null;
  const cookies: string[] = [];
  const open = (page: ConversationPage | null): ChatOpening => ({
    chat: {
      page: page && truncatePage(page, MAX_JSON_LENGTH),
      openedAt: Date.now(),
      timeZone: parseTimeZone(request.cf?.timezone as string | undefined) ?? 'UTC',
    },
    cookies,
  });
  const read = async (path: string): Promise<Response> => {
    const answer = await fetchApi(new Request(new URL(path, request.url), request));
    cookies.push(...answer.headers.getSetCookie());
    return answer;
  };
  if (!hasSession) return open(null);

  let id = found.conversation;
  if (id === null) {
    const list = await read(
      `/api/characters/${encodeURIComponent(found.character ?? '')}/conversations?limit=1`,
    );
    if (list.status === 401) return open(null);
    if (!list.ok) return { chat: null, cookies };
    id = ((await list.json()) as ConversationList).items[0]?.id ?? null;
    if (id === null) return open(null);
  }
  const answer = await read(`/api/conversations/${encodeURIComponent(id)}?limit=${MAX_MESSAGES}`);
  if (answer.status === 401) return open(null);
  return answer.ok ? open((await answer.json()) as ConversationPage) : { chat: null, cookies };
}

const openedChats = new WeakMap<Request, OpenedChat>();

/** Passes an opened chat to the page that is rendered for the request. */
export function setOpenedChat(request: Request, chat: OpenedChat): void {
  openedChats.set(request, chat);
}

/** The chat that the page of a request shows at first; null when the island has to find it. */
export const getOpenedChat = (request: Request): OpenedChat | null => openedChats.get(request) ?? null;

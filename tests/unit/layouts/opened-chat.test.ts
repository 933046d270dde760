import { describe, expect, test } from 'vitest';
import type { ConversationPage } from '../../../src/features/conversation/contract.ts';
import { WITHOUT_MESSAGES_HEADER } from '../../../src/features/offline/contract.ts';
import { getOpenedChat, setOpenedChat, readOpenedChat } from '../../../src/layouts/opened-chat.ts';
import { GREETING, SAMPLE_CONVERSATION } from '../../support/chat-fixture.ts';

const PAGE: ConversationPage = {
  conversation: SAMPLE_CONVERSATION,
  messages: [GREETING],
  next_cursor: null,
  later_cursor: null,
  revision: 'r1',
};

/** An API that answers by path, and the requests that it got. */
function createApi(answers: Record<string, Response>) {
  const asked: Request[] = [];
  const fetchApi = (request: Request) => {
    asked.push(request);
    const { pathname } = new URL(request.url);
    return Promise.resolve(answers[pathname] ?? Response.json({ code: 'not_found' }, { status: 404 }));
  };
  return { asked, fetchApi };
}

const buildRequest = (path: string, init?: RequestInit) => new Request(`https://chat.test${path}`, init);
const refuse = (status: number) => Response.json({ code: 'refused' }, { status });

describe('The chat of a chat page', () => {
  test('a named conversation is read from the API with the headers of the page’s request', async () => {
    const { asked, fetchApi } = createApi({
      '/api/conversations/c1': Response.json(PAGE, { headers: { 'set-cookie': 'session=renewed' } }),
    });
    const request = buildRequest('/character/char1?conversation_id=c1', {
      headers: { cookie: 'session=s', 'sec-purpose': 'prefetch' },
    });
    const opening = await readOpenedChat(request, true, fetchApi);
    expect(opening?.chat?.page).toEqual(PAGE);
    expect(opening?.cookies).toEqual(['session=renewed']);
    expect(asked.map(({ url }) => url)).toEqual(['https://chat.test/api/conversations/c1?limit=20']);
    expect(asked[0]?.headers.get('cookie')).toBe('session=s');
    expect(asked[0]?.headers.get('sec-purpose')).toBe('prefetch');
  });

  test('without a name, the newest conversation with the character is read', async () => {
    const { asked, fetchApi } = createApi({
      '/api/characters/char1/conversations': Response.json({ items: [{ id: 'c1' }], next_cursor: null }),
      '/api/conversations/c1': Response.json(PAGE),
    });
    const opening = await readOpenedChat(buildRequest('/character/char1'), true, fetchApi);
    expect(opening?.chat?.page).toEqual(PAGE);
    expect(asked).toHaveLength(2);
  });

  test('before the first conversation and without a valid session, the greeting is shown', async () => {
    const none = createApi({
      '/api/characters/char1/conversations': Response.json({ items: [], next_cursor: null }),
    });
    const first = await readOpenedChat(buildRequest('/character/char1'), true, none.fetchApi);
    expect(first?.chat).toMatchObject({ page: null });

    const visitor = createApi({});
    const shown = await readOpenedChat(buildRequest('/character/char1'), false, visitor.fetchApi);
    expect(shown?.chat).toMatchObject({ page: null });
    expect(visitor.asked).toEqual([]);

    const ended = createApi({ '/api/conversations/c1': refuse(401) });
    const named = await readOpenedChat(buildRequest('/messages/c1'), true, ended.fetchApi);
    expect(named?.chat).toMatchObject({ page: null });
  });

  test.each([403, 404, 429, 500])('a refusal with %i leaves the page to its script', async (status) => {
    const { fetchApi } = createApi({ '/api/conversations/c1': refuse(status) });
    const opening = await readOpenedChat(buildRequest('/messages/c1'), true, fetchApi);
    expect(opening?.chat).toBeNull();
  });

  test.each([
    ['another page', '/en/discover', {}],
    ['a page below a character', '/character/char1/report', {}],
    ['a place in the conversation', '/character/char1?conversation_id=c1&message=m1', {}],
    ['a scene that starts a conversation', '/character/char1?scene=home', {}],
    ['a request without a body in the answer', '/messages/c1', { method: 'HEAD' }],
    ['a copy for offline reading', '/messages/c1', { headers: { [WITHOUT_MESSAGES_HEADER]: '1' } }],
  ])('%s asks the API nothing', async (_, path, init) => {
    const { asked, fetchApi } = createApi({});
    expect(await readOpenedChat(buildRequest(path, init), true, fetchApi)).toBeNull();
    expect(asked).toEqual([]);
  });

  test('an opened chat belongs to its own request alone', () => {
    const [mine, other] = [buildRequest('/messages/c1'), buildRequest('/messages/c1')];
    const chat = { page: PAGE, openedAt: 0, timeZone: 'UTC' };
    setOpenedChat(mine, chat);
    expect(getOpenedChat(mine)).toBe(chat);
    expect(getOpenedChat(other)).toBeNull();
  });
});

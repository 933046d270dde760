// The pages whose statements the bench measures, with every kind of public list and search.
import { generateCharacter } from '../../tests/support/large-catalogue.ts';
import { LIST_QUERIES } from '../../tests/support/list-queries.ts';
import { CHARACTER } from './servers.mjs';

const DEEP_PAGES = 40;
const DEEP_LISTS = ['list: popular', 'list: new', 'list: trending', 'search: a common word'];

/** The cursor of the fortieth page of a hundred, or of the last page in a small catalogue. */
async function findDeepCursor(origin, query, options) {
  const wanted = new URLSearchParams({ ...query, limit: '100' });
  for (let page = 0; page < DEEP_PAGES; page += 1) {
    const answer = await fetch(`${origin}/api/characters?${wanted}`, options);
    const { next_cursor: cursor } = await answer.json();
    if (cursor === null) break;
    wanted.set('cursor', cursor);
  }
  return wanted.get('cursor');
}

async function createListPages(origin, viewers, options) {
  const lists = Object.entries(LIST_QUERIES);
  for (const name of DEEP_LISTS) {
    const cursor = await findDeepCursor(origin, LIST_QUERIES[name], options);
    lists.push([`${name}, deep`, { ...LIST_QUERIES[name], cursor }]);
  }
  return lists.map(([name, query]) => [
    name + viewers,
    `/api/characters?${new URLSearchParams(query)}`,
    options,
  ]);
}

/** @returns {Promise<[string, string, RequestInit?][]>} the name, path and options of each page */
export async function createPages(origin, { cookie, conversationId }, adult) {
  const own = { headers: { cookie } };
  const headers = { cookie, 'content-type': 'application/json' };
  const content = '[[scenario:tokens n=3 ms=0]] And then?';
  const body = JSON.stringify({ content, client_message_id: crypto.randomUUID() });
  const turn = { method: 'POST', headers, body };
  return [
    ['home', '/en'],
    ['discover: popular', '/en/discover'],
    ['discover: new', '/en/discover?sort=new'],
    ['discover: trending', '/en/discover?sort=trending'],
    ['a tag', '/en/tag/fantasy'],
    ['a character', `/en/character-info/${CHARACTER}`],
    ['a creator', `/creator/${generateCharacter(1).creator}`],
    ['the competition', '/en/creator-competition'],
    ['one’s chats', '/api/chats', own],
    ['a conversation', `/api/conversations/${conversationId}`, own],
    ['a turn', `/api/conversations/${conversationId}/messages`, turn],
    ...(await createListPages(origin, '')),
    ...(await createListPages(origin, ', for adults', { headers: { cookie: adult.cookie } })),
  ];
}

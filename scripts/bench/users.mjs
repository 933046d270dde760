// Creates guests and their conversations through the product's own API.
import { buildLongConversation } from '../../tests/support/long-conversation.ts';
import { CHARACTER } from './servers.mjs';

const CONCURRENT_USERS = 8;

let addresses = 0;
/** Returns a network address that no other person has: the product limits what one network does. */
export function createAddress() {
  addresses += 1;
  return `10.${[16, 8, 0].map((bits) => (addresses >> bits) & 255).join('.')}`;
}

async function post(url, headers, body) {
  const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
  const answer = await fetch(url, { method: 'POST', headers: { ...headers, ...type }, body });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}: ${await answer.text()}`);
  return answer;
}

/** A form that imports a conversation of this many messages. */
function createImport(messages, characterId) {
  const form = new FormData();
  form.set('character_id', characterId);
  form.set(
    'file',
    new File([buildLongConversation(messages)], 'story.jsonl', { type: 'application/x-ndjson' }),
  );
  return form;
}

async function createUser(origin, messages, characterId) {
  const address = createAddress();
  const login = await post(`${origin}/api/auth/anonymous`, { 'cf-connecting-ip': address });
  const cookies = login.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  const headers = { cookie: cookies.join('; '), 'cf-connecting-ip': address };
  const created =
    messages === 0
      ? await post(`${origin}/api/conversations`, headers, JSON.stringify({ character_id: characterId }))
      : await post(`${origin}/api/conversations/import`, headers, createImport(messages, characterId));
  const { conversation } = await created.json();
  return { cookie: headers.cookie, address, conversationId: conversation.id };
}

/**
 * Creates guests, each with one conversation.
 * @param messages the length of an imported conversation; 0 for a new one
 * @returns {Promise<import('./targets.mjs').User[]>}
 */
export async function createUsers({ origin }, count, messages = 0, characterId = CHARACTER) {
  const users = [];
  while (users.length < count) {
    const size = Math.min(CONCURRENT_USERS, count - users.length);
    const create = () => createUser(origin, messages, characterId);
    users.push(...(await Promise.all(Array.from({ length: size }, create))));
  }
  return users;
}

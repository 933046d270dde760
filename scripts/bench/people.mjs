// Who the bench lets talk, and with whom. Everybody comes in as people do: by the product's own calls.
import { fillCatalogue, generateCharacter } from '../../tests/support/large-catalogue.ts';
import { buildLongConversation } from '../../tests/support/long-conversation.ts';
import { migrate } from './runtime.mjs';

const JSON_TYPE = { 'content-type': 'application/json' };
const AT_ONCE = 8;

/** Characters that a product has when nothing else is said: enough that every list is full. */
export const CATALOGUE = 1000;
/** The one that everybody talks with. */
export const CHARACTER = generateCharacter(1).id;

/** A database with a catalogue, and points without end: a turn is written down and paid as ever. */
export async function furnish({ db, kv }, characters = CATALOGUE) {
  await migrate(db);
  await fillCatalogue(db, 0, characters);
  await givePoints(kv);
}

export const givePoints = (kv) =>
  kv.put('business', JSON.stringify({ start_points: 1_000_000, daily_message_limit: null }));

async function good(answer) {
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function newGuest(origin) {
  const began = await good(await fetch(`${origin}/api/auth/anonymous`, { method: 'POST' }));
  return began.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
}

async function newConversation(origin, cookie) {
  const created = await good(
    await fetch(`${origin}/api/conversations`, {
      method: 'POST',
      headers: { ...JSON_TYPE, cookie },
      body: JSON.stringify({ character_id: CHARACTER }),
    }),
  );
  const { conversation } = await created.json();
  return conversation.id;
}

/** A conversation that has gone on for long: as many messages as its prompt can hold, and more. */
async function longConversation(origin, cookie, messages) {
  const form = new FormData();
  form.set('character_id', CHARACTER);
  form.set(
    'file',
    new File([buildLongConversation(messages)], 'story.jsonl', { type: 'application/x-ndjson' }),
  );
  const answer = await good(
    await fetch(`${origin}/api/conversations/import`, { method: 'POST', headers: { cookie }, body: form }),
  );
  const { conversation } = await answer.json();
  return conversation.id;
}

/**
 * Guests, each with a conversation of their own.
 * @param messages how many each begins with, of a chat that was brought along; 0 for a new one
 */
export async function newPeople({ origin }, count, messages = 0) {
  const people = [];
  const one = async () => {
    const cookie = await newGuest(origin);
    const conversationId =
      messages === 0
        ? await newConversation(origin, cookie)
        : await longConversation(origin, cookie, messages);
    return { cookie, conversationId };
  };
  while (people.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - people.length) }, one);
    people.push(...(await Promise.all(some)));
  }
  return people;
}

// The three ways to a reply that are measured beside each other, and how each says a word and its end.

const JSON_TYPE = { 'content-type': 'application/json' };

const modelBody = (scenario) =>
  JSON.stringify({
    model: 'bench',
    stream: true,
    messages: [{ role: 'user', content: `[[scenario:${scenario}]]` }],
  });

/** One piece of the model's text, as it and the bare Worker pass it on. */
const PIECE = '"content":" ';
const FIRST_PIECE = '"content":"w';

/**
 * @typedef {{ cookie: string, conversationId: string }} Person
 * @typedef {{ name: string, kind: 'upstream' | 'bare' | 'product', origin: string, people?: readonly Person[], objects?: number }} Way
 *   `objects`: so many conversations take turns; without it as many as there are people, and of the bare Worker a new one each time
 */

/**
 * One turn of a way.
 * @param {Way} way
 * @param {number} index whose turn it is: of the product a person's, of the bare Worker an object's
 * @param {string | null} scenario null: what the product's own model is called says it
 */
export function turnOf({ kind, origin, people = [], objects = Infinity }, index, scenario) {
  const { host, port } = new URL(origin);
  const at = (path, headers, body) => ({
    // Never by a name: to look one up takes time that differs.
    hostname: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { host, ...JSON_TYPE, ...headers, 'content-length': String(Buffer.byteLength(body)) },
    body,
  });
  if (kind === 'upstream') return at('/v1/chat/completions', {}, modelBody(scenario));
  const place = objects === Infinity ? index : index % objects;
  if (kind === 'bare') return at(`/?id=${place}`, {}, modelBody(scenario));
  const { cookie, conversationId } = people[place % people.length];
  const marker = scenario === null ? '' : `[[scenario:${scenario}]] `;
  const content = `${marker}What do you see from up there, and has anybody lit the lamp?`;
  const body = JSON.stringify({ content, client_message_id: crypto.randomUUID() });
  return at(`/api/conversations/${conversationId}/messages`, { cookie }, body);
}

const times = (text, word) => text.split(word).length - 1;

/** How many pieces of the reply a text holds. A piece that falls between two packets is missed by the three alike. */
export function piecesIn({ kind }, text) {
  return kind === 'product' ? times(text, 'event: delta') : times(text, PIECE) + times(text, FIRST_PIECE);
}

/** Whether a text tells that the reply is whole. */
export const isEnd = ({ kind }, text) => text.includes(kind === 'product' ? 'event: done' : '[DONE]');

/** What a reply says last where a scenario has words; '' where it is not known. */
export function lastWordOf(scenario) {
  const count = /\bn=(\d+)/.exec(scenario ?? '')?.[1];
  return count === undefined || Number(count) < 2 ? '' : ` w${Number(count) - 1}`;
}

// The servers that a turn is sent to, and how each one marks a piece of its reply and the end.

/**
 * @typedef {{ cookie: string, address: string, conversationId: string }} User
 * @typedef {object} Target
 * @property {string} name
 * @property {'model' | 'bare' | 'product'} kind
 * @property {string} origin
 * @property {number} [pid] of its runtime
 * @property {readonly User[]} [users]
 * @property {number} [objects] how many conversations take turns; by default each user's, and for the bare Worker a new one
 *   for each turn
 */

export const createModelTarget = ({ origin }) => ({ name: 'the model server alone', kind: 'model', origin });
export const createBareTarget = ({ origin, pid }) => ({
  name: 'bare Worker + object',
  kind: 'bare',
  origin,
  pid,
});
export const createProductTarget = ({ origin, pid }, users) => ({
  name: 'Loreloom',
  kind: 'product',
  origin,
  pid,
  users,
});

/** A scenario of the scripted model for a reply of three tokens at once. */
export const SHORT_REPLY = 'tokens n=3 ms=0';

const JSON_TYPE = { 'content-type': 'application/json' };

const createModelBody = (scenario) =>
  JSON.stringify({
    model: 'bench',
    stream: true,
    messages: [{ role: 'user', content: `[[scenario:${scenario}]]` }],
  });

/**
 * The HTTP request of one turn.
 * @param {Target} target
 * @param {number} index selects the user, or the bare Worker's object
 * @param {string | null} scenario of the scripted model; null if the model's name contains it
 */
export function createTurn({ kind, origin, users = [], objects = Infinity }, index, scenario) {
  const { host, port } = new URL(origin);
  const request = (path, headers, body) => ({
    // An address, because looking up a name takes a varying time.
    hostname: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: { ...JSON_TYPE, host, 'content-length': Buffer.byteLength(body), ...headers },
    body,
  });
  if (kind === 'model') return request('/v1/chat/completions', {}, createModelBody(scenario));
  const place = objects === Infinity ? index : index % objects;
  if (kind === 'bare') return request(`/?id=${place}`, {}, createModelBody(scenario));
  const { cookie, address, conversationId } = users[place % users.length];
  const marker = scenario === null ? '' : `[[scenario:${scenario}]] `;
  const content = `${marker}What do you see from up there, and has anybody lit the lamp?`;
  const body = JSON.stringify({ content, client_message_id: crypto.randomUUID() });
  return request(
    `/api/conversations/${conversationId}/messages`,
    { cookie, 'cf-connecting-ip': address },
    body,
  );
}

/** Counts the pieces of a reply. All targets alike miss a piece that two packets share. */
export const countPieces = ({ kind }, text) =>
  text.split(kind === 'product' ? /event: delta/ : /"content":"(?: |w)/).length - 1;

/** Whether a text contains the end of a complete reply. */
export const hasEnd = ({ kind }, text) => text.includes(kind === 'product' ? 'event: done' : '[DONE]');

/** The last word of a scenario's reply; '' if it is unknown. */
export function getLastWord(scenario) {
  const count = Number(/\bn=(\d+)/.exec(scenario ?? '')?.[1] ?? 0);
  return count < 2 ? '' : ` w${count - 1}`;
}

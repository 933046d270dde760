// What the product adds to a turn: `npm run bench`. The time to the first token over the upstream's
// own, and the evenness of many streams at once, each beside a bare Worker + object in the same run.
import { startModelServer } from '../../tests/support/model-server.mjs';
import { build, install } from '../lib/prepare.mjs';
import { startRuntime } from './runtime.mjs';

const OUT_DIR = '.wrangler/bench/dist';
const TURNS = 200;
const WARM_UP_TURNS = 30;
const STREAMS = 50;
const TOKENS = 150;
const TOKEN_MS = 20;
const POINTS_OF_A_GUEST = 50;

const say = (text) => console.log(text);

function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}
const round = (value) => value.toFixed(1);

/** Reads a stream and gives the moment of each piece that holds text of the model. */
async function momentsOfText(answer, pattern) {
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  const moments = [];
  const decoder = new TextDecoder();
  for await (const piece of answer.body) {
    const found = decoder.decode(piece, { stream: true }).match(pattern)?.length ?? 0;
    const now = performance.now();
    for (let count = 0; count < found; count += 1) moments.push(now);
  }
  return moments;
}

const UPSTREAM_TEXT = /"content":" ?\w/g;
const OUR_TEXT = /event: delta/g;

function upstreamBody(scenario) {
  return JSON.stringify({
    model: 'bench',
    stream: true,
    messages: [{ role: 'user', content: `[[scenario:${scenario}]]` }],
  });
}

const ways = (addresses) => ({
  upstream: () => (scenario) =>
    fetch(`${addresses.model}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: upstreamBody(scenario),
    }),
  bare: (index) => (scenario) =>
    fetch(`${addresses.bare}/?id=${index}`, { method: 'POST', body: upstreamBody(scenario) }),
});

/** A guest with a conversation of their own; sends until the points are used up. */
async function guestWithConversation(origin, characterId) {
  const json = { 'content-type': 'application/json' };
  const began = await fetch(`${origin}/api/auth/anonymous`, { method: 'POST' });
  const cookie = began.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ');
  const created = await fetch(`${origin}/api/conversations`, {
    method: 'POST',
    headers: { ...json, cookie },
    body: JSON.stringify({ character_id: characterId }),
  });
  const { conversation } = await created.json();
  return (scenario) =>
    fetch(`${origin}/api/conversations/${conversation.id}/messages`, {
      method: 'POST',
      headers: { ...json, cookie },
      body: JSON.stringify({ content: `[[scenario:${scenario}]]`, client_message_id: crypto.randomUUID() }),
    });
}

async function firstTokens(name, senderOf, pattern) {
  const times = [];
  let send;
  for (let turn = 0; turn < TURNS + WARM_UP_TURNS; turn += 1) {
    if (turn % (POINTS_OF_A_GUEST - 1) === 0) send = await senderOf(turn);
    const began = performance.now();
    const [first] = await momentsOfText(await send('tokens n=3 ms=0'), pattern);
    if (turn >= WARM_UP_TURNS) times.push(first - began);
  }
  return { name, median: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

async function gaps(name, senderOf, pattern) {
  const senders = [];
  for (let index = 0; index < STREAMS; index += 1) senders.push(await senderOf(`stream-${index}`));
  const all = await Promise.all(
    senders.map(async (send) => momentsOfText(await send(`tokens n=${TOKENS} ms=${TOKEN_MS}`), pattern)),
  );
  const between = all.flatMap((moments) => moments.slice(1).map((moment, index) => moment - moments[index]));
  return {
    name,
    streams: all.length,
    p50: percentile(between, 0.5),
    p95: percentile(between, 0.95),
    p99: percentile(between, 0.99),
  };
}

await install(say);
await build(say, OUT_DIR);
const model = await startModelServer();
const runtime = await startRuntime({ outDir: OUT_DIR, modelUrl: model.url });
try {
  const characterId = '01benchbenchbenchbenchbenc';
  await runtime.db.batch([
    runtime.db.prepare(
      "insert into users (id, username, is_anonymous, is_house, created_at, updated_at) values ('house', 'House', 0, 1, 1, 1)",
    ),
    runtime.db
      .prepare(
        `insert into characters (id, creator_id, name, oneliner, character_traits, first_message, model_type, visibility,
           point_of_view, suggested_replies, avatar_key, created_at, updated_at)
         values (?, 'house', 'Ada', 'A clockmaker', 'Patient.', 'Tick.', 'roleplay', 'public', 'normal', '[]', 'x', 1, 1)`,
      )
      .bind(characterId),
  ]);
  const other = ways({ model: model.url, bare: runtime.bare });
  const product = () => guestWithConversation(runtime.product, characterId);

  const upstream = await firstTokens('upstream alone', other.upstream, UPSTREAM_TEXT);
  const bare = await firstTokens('bare Worker + object', other.bare, UPSTREAM_TEXT);
  const ours = await firstTokens('Loreloom', product, OUR_TEXT);
  say(`\nTime to the first token, ${TURNS} turns one after another, ms (added to the upstream's own)`);
  for (const { name, median, p95 } of [upstream, bare, ours]) {
    say(
      `  ${name.padEnd(22)} median ${round(median)} (+${round(median - upstream.median)})   95 % ${round(p95)} (+${round(p95 - upstream.p95)})`,
    );
  }
  say(
    `  ratio to the bare Worker: median ${(ours.median / bare.median).toFixed(2)}, 95 % ${(ours.p95 / bare.p95).toFixed(2)}`,
  );

  say(`\nGaps between tokens, ${STREAMS} streams at once, one token every ${TOKEN_MS} ms`);
  for (const row of [
    await gaps('upstream alone', other.upstream, UPSTREAM_TEXT),
    await gaps('bare Worker + object', other.bare, UPSTREAM_TEXT),
    await gaps('Loreloom', product, OUR_TEXT),
  ]) {
    say(
      `  ${row.name.padEnd(22)} median ${round(row.p50)}   95 % ${round(row.p95)}   99 % ${round(row.p99)}`,
    );
  }
} finally {
  await runtime.end();
  await model.close();
}

// Over 400 lines: the demo model's evenings, in the order in which a reader meets them, over one cast of characters.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { piecesOf } from '../../scripts/local-model/pace.mjs';
import { makeRandom } from '../../scripts/local-model/random.mjs';
import {
  generateReply,
  generateReplies,
  simulateConversations,
  listPairs,
  listPlotSentences,
  buildRolePrompt,
  splitIntoSentences,
  countSharedSentences,
  type Message,
  type Role,
} from '../support/local-model-replies.mjs';
import { reply } from '../../scripts/local-model/reply.mjs';
import { createLocalModel } from '../../scripts/local-model/server.mjs';
import bundled from '../../scripts/seed/characters.json';

const MAREN: Role = {
  name: 'Maren Oake',
  tagline: 'The last lighthouse keeper of the northern coast',
  traits:
    'Maren is a gruff lighthouse keeper who has lived alone since her brother drowned. She keeps the old brass lamp burning every night. She loves black coffee. Secret: one winter she let the lamp go out.',
  first:
    '*The lighthouse door bangs open. Maren lifts her lantern.* "You are either lost or stupid. Come in."',
};
const PIPPA: Role = {
  name: 'Pippa',
  tagline: 'Fairy of misplaced things',
  traits:
    'Pippa is a playful, mischievous fairy who collects lost keys. She wants to find the door that none of them fits.',
  first: '*A fairy drops from the shelf into your teacup.* "Oops. Is this yours?"',
};
const UNIT: Role = {
  name: 'Unit Seven',
  tagline: 'Robot night guard of a closed museum',
  traits:
    'Unit Seven is a robot that guards a museum. It is literal about idioms. Likes: spoons. Goal: to learn what a smile is for',
  first: '*A lamp turns on in the gallery.* "Visitor. Please do not lean."',
};
const CREW: Role = {
  name: 'The Crew of the Petrel',
  tagline: 'Three sailors, one ship',
  traits: 'Three people speak: Dov, a nervous cook; Ana, the captain; and Lur, who lies.',
  first: '**Dov:** "The soup is moving."\n\n**Ana:** *at the wheel* "So are we."',
  mode: 'multiPeople',
};
const DUNGEON: Role = {
  name: 'The Ninth Stair',
  tagline: 'A dungeon below the city',
  traits: 'A game master. The dungeon of Harrow is ruled by a king without a face.',
  first: '*You stand at the top of the stairs with a lamp.* What do you do?',
  mode: 'rpg',
};

const REMEMBERED = 20;

const EVENING = `Hello.
My name is Mira.|Who are you?|ok|I lost my brother last winter.|Do you like the rain?
*sits down by the fire*|What is that light?|ok|the first one|Tell me a story
haha|I love old maps.|Why do you stay here?|no|yes
Let's go outside|Do you have a secret?|thank you|Goodbye`.split(/[|\n]/);
const HALF = EVENING.slice(0, 12);
const SHRUGS = Array.from({ length: 24 }, () => 'ok');

const nearby: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  await Promise.all(nearby.splice(0).map((end) => end()));
});

type Outcome = { complete: boolean; sent: number; of: number };

async function listening(
  options: { paceMs?: number; onEnd?: (outcome: Outcome) => void } = { paceMs: 0 },
): Promise<string> {
  const server = createLocalModel(options);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  nearby.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function ask(url: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });
}

const hello = (extra: object = {}): object => ({
  model: 'offline-demo',
  messages: [...buildRolePrompt(MAREN), { role: 'user', content: 'Hello, is anybody there?' }],
  ...extra,
});

describe('the voice of the offline demo', () => {
  for (const role of [MAREN, PIPPA, UNIT, CREW, DUNGEON]) {
    test(`${role.name} does not say the same sentence twice within twenty replies`, () => {
      for (const [seed, said] of [
        [1, EVENING],
        [2, SHRUGS],
      ] as const) {
        const told: string[][] = [];
        for (const text of generateReplies(role, [...said], seed)) {
          const before = new Set(told.slice(-(REMEMBERED - 1)).flat());
          const now = splitIntoSentences(text);
          expect(now.filter((sentence) => before.has(sentence))).toEqual([]);
          expect(now.length).toBeGreaterThan(0);
          told.push(now);
        }
      }
    });
  }

  test('when I ask for another version I get another one', () => {
    const versions = new Set(
      [1, 2, 3, 4].map((seed) => generateReply(MAREN, 'Do you live here alone?', seed)),
    );
    expect(versions.size).toBe(4);
  });

  test('the same history and the same numbers give the same reply', () => {
    expect(generateReply(PIPPA, 'What did you lose?', 7)).toBe(generateReply(PIPPA, 'What did you lose?', 7));
  });

  test('different characters answer the same lines differently', () => {
    const evenings = [MAREN, PIPPA, UNIT].map(
      (role) => new Set(generateReplies(role, HALF, 3).flatMap(splitIntoSentences)),
    );
    for (const one of evenings) {
      for (const other of evenings) {
        if (one === other) continue;
        const shared = [...one].filter((sentence) => other.has(sentence)).length;
        expect(shared / one.size).toBeLessThan(0.2);
      }
    }
    const openings = [MAREN, PIPPA, UNIT].map((role) => generateReply(role, 'Hello.'));
    expect(new Set(openings.flatMap(splitIntoSentences)).size).toBe(
      openings.flatMap(splitIntoSentences).length,
    );
  });

  test('two of the bundled characters never tell me the same step of a story in the same turn when they live in one setting', () => {
    const cast = simulateConversations(bundled, HALF, 3);
    const neighbours = listPairs(cast).filter(([one, other]) => one.world === other.world);
    expect(neighbours.length).toBeGreaterThan(10);
    for (const [one, other] of neighbours) {
      const plot = new Set(listPlotSentences(one.world));
      const met = countSharedSentences(one.evening, other.evening).flat();
      expect(met.filter((sentence) => plot.has(sentence))).toEqual([]);
    }
    // A cast that tells no story at all would pass the above.
    const told = cast.filter(({ evening, world }) =>
      listPlotSentences(world).some((sentence) => evening.flat().includes(sentence)),
    );
    expect(told.length).toBeGreaterThan(cast.length * 0.8);
  });

  test('two of the bundled characters seldom have a sentence in common when I say the same to both', () => {
    // Small pools, such as the answers to a loss, hold fewer lines than there are characters.
    const pairs = listPairs(simulateConversations(bundled, HALF, 3));
    const turnsOf = ([one, other]: (typeof pairs)[number]): number =>
      countSharedSentences(one.evening, other.evening).filter((shared) => shared.length > 0).length;
    const neighbours = pairs.filter(([one, other]) => one.world === other.world);
    const average = (some: typeof pairs): number =>
      some.reduce((sum, pair) => sum + turnsOf(pair), 0) / some.length;
    expect(average(neighbours)).toBeLessThan(2);
    expect(average(pairs)).toBeLessThan(1.5);
    expect(Math.max(...neighbours.map(turnsOf))).toBeLessThan(HALF.length * (2 / 3));
  });

  test('a robot writes its words out where others contract them', () => {
    const robot = generateReplies(UNIT, EVENING, 3)
      .join(' ')
      .replaceAll(/\*[^*]*\*/g, '');
    const keeper = generateReplies(MAREN, EVENING, 3)
      .join(' ')
      .replaceAll(/\*[^*]*\*/g, '');
    expect(robot).not.toMatch(/\b(?:don't|it's|I'm|I've|I'd|can't|won't)\b/);
    expect(keeper).toMatch(/\b(?:don't|it's|I'm|I've|I'd|can't|won't|that's)\b/i);
  });

  test('the character acts between asterisks and speaks between quotation marks, in a length that can be read', () => {
    for (const text of generateReplies(MAREN, EVENING, 4).slice(0, -1)) {
      expect(text).toMatch(/\*[^*]+\*/);
      expect(text).toMatch(/"[^"]+"/);
      const words = text.split(/\s+/).length;
      expect(words).toBeGreaterThanOrEqual(20);
      expect(words).toBeLessThanOrEqual(125);
    }
  });

  test('when I tell my name it is known many turns later', () => {
    const texts = generateReplies(
      MAREN,
      ['My name is Ottoline.', 'ok', 'What is that?', 'ok', 'no', 'What is my name?'],
      5,
    );
    expect(texts.at(-1)).toContain('Ottoline');
  });

  test('when I ask what I told before, it comes back', () => {
    const texts = generateReplies(
      PIPPA,
      ['I come from Lisbon.', 'ok', 'ok', 'Do you remember where I am from?'],
      5,
    );
    expect(texts.at(-1)).toContain('Lisbon');
  });

  test('when I ask what I brought, what I said I have with me comes back', () => {
    for (const [told, asked, kept] of [
      ['I have nothing with me but an old silver key', 'What did I bring with me?', 'an old silver key'],
      ["I brought a lamp and my brother's map.", 'What did I bring?', "a lamp and your brother's map"],
      ["I'm carrying a letter for the queen.", 'What am I carrying?', 'a letter for the queen'],
    ] as const) {
      for (const role of [MAREN, UNIT, CREW, DUNGEON])
        expect(generateReplies(role, [told, 'ok', 'Who are you?', asked], 5).at(-1)).toMatch(
          new RegExp(`you have ${kept} with you`, 'i'),
        );
    }
    expect(generateReplies(MAREN, ['Hello.', 'ok', 'What did I bring with me?'], 5).at(-1)).not.toMatch(
      /\byou have .+ with you\b/i,
    );
  });

  test('the character takes up the thing I speak of, turned round', () => {
    const texts = [1, 2, 3, 4, 5, 6].map((seed) =>
      generateReply(UNIT, 'I found my grandmother’s letter in the wall.', seed),
    );
    expect(
      texts.filter((text) => /\byour grandmother's letter\b|\byou found\b/i.test(text)).length,
    ).toBeGreaterThanOrEqual(4);
    for (const text of texts) expect(text).not.toMatch(/\bmy grandmother/i);
  });

  test('what the maker wrote of the character is told by the character', () => {
    expect(generateReplies(MAREN, EVENING, 6).join('\n')).toMatch(
      /I keep the old brass lamp burning|one winter I let the lamp go out/i,
    );
  });

  test('the character reacts to what I do, seen from outside', () => {
    expect(generateReply(MAREN, '*hands you my letter*')).toMatch(/you hand her your letter/i);
  });

  test('a small story moves on while I say little, and my choice counts', () => {
    const texts = generateReplies(MAREN, ['hello', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok'], 8);
    const at = texts.findIndex((text) => text.includes('A small boat slides out of the dark'));
    expect(at).toBeGreaterThan(0);
    const until: Message[] = buildRolePrompt(MAREN);
    for (const text of texts.slice(0, at + 1))
      until.push({ role: 'user', content: 'ok' }, { role: 'assistant', content: text });
    const signalled = reply([...until, { role: 'user', content: 'Signal it in.' }], makeRandom(1));
    const hidden = reply([...until, { role: 'user', content: 'Put out the light and hide.' }], makeRandom(1));
    expect(signalled).toContain('The boat turns at the signal');
    expect(hidden).toContain('The dark closes over everything');
  });

  test('a game master tells me what I cause and leaves me two or three choices', () => {
    const [first, second] = generateReplies(DUNGEON, ['I open the door.', '2'], 9);
    expect(first).toMatch(/You open the door\./);
    const choices = [...(first ?? '').matchAll(/^\d\. (.+)\.$/gm)].map((match) => match[1] ?? '');
    expect(choices.length).toBeGreaterThanOrEqual(2);
    expect(choices.length).toBeLessThanOrEqual(3);
    const taken = (choices[1] ?? '').split(/,? and see/)[0] ?? '';
    expect(second?.toLowerCase()).toContain(`you ${taken.toLowerCase()}`);
  });

  test('in a story of several people at least two of them speak', () => {
    for (const text of generateReplies(CREW, ['Hello.', 'Who is hungry?', '*takes the wheel*'], 10)) {
      expect(
        new Set([...text.matchAll(/^\*\*(\p{L}+):\*\*/gmu)].map((match) => match[1])).size,
      ).toBeGreaterThanOrEqual(2);
    }
  });

  test('when I play the character, others speak to me by that name and never for me', () => {
    const lord: Role = {
      name: 'Lord Ashgrove',
      tagline: 'Dark lord',
      mode: 'reverse',
      traits: 'Grim, the old butler, knows everything. Nettle is a goblin cook who fears nobody.',
      first: '*The throne room falls silent as you enter.* "My lord. The soup is late."',
    };
    const text = generateReplies(lord, ['Who spilled it?', 'ok', 'Come here.', 'ok', 'Why?', 'ok'], 11).join(
      '\n',
    );
    expect(text).toMatch(/Nettle|Grim/);
    expect(text).not.toMatch(/\*(?:[^*]*\. )?Lord Ashgrove [a-z]+s\b/);
  });

  test('a message in another language is answered once in that language, then in English', () => {
    const texts = generateReplies(MAREN, ['Hola, ¿cómo estás?', '¿Qué haces aquí por la noche?'], 12);
    expect(texts[0]).toContain('inglés');
    expect(texts[1]).not.toContain('inglés');
    expect(texts[1]).toMatch(/English/);
    expect(generateReply(MAREN, 'Привет, как дела?')).toMatch(/по-английски/);
    expect(generateReply(MAREN, 'こんにちは、元気ですか')).toContain('英語');
    expect(generateReply(MAREN, 'I said hello in Paris once')).not.toMatch(/anglais/);
  });

  test('when I say that I want to die, the story stops and help is named', () => {
    for (const said of [
      'I want to kill myself',
      "I don't want to live anymore",
      '*cries* I keep thinking about ending my life',
    ]) {
      const text = generateReply(PIPPA, said);
      expect(text).toMatch(/emergency/i);
      expect(text).toMatch(/crisis|findahelpline/i);
      expect(text).not.toMatch(/\*/);
    }
    expect(generateReply(PIPPA, 'I am dying to see the door')).not.toMatch(/emergency/i);
  });

  test('what is sexual is turned aside without leaving the character', () => {
    const text = generateReply(MAREN, 'take off your clothes');
    expect(text).toMatch(/"[^"]+"/);
    expect(text).not.toMatch(/\b(?:clothes|naked|undress)/i);
  });

  test('asked whether it is a program, it says so', () => {
    expect(generateReply(MAREN, 'Are you an AI?')).toMatch(/program|offline demo voice/i);
  });

  test('an empty or strange prompt is answered all the same', () => {
    for (const messages of [
      [{ role: 'user', content: 'Hello' }],
      [
        { role: 'system', content: 'Be nice.' },
        { role: 'user', content: '' },
      ],
      [
        { role: 'system', content: '# Character\nName: ???\nTraits:\n((((\n' },
        { role: 'user', content: '***' },
      ],
    ]) {
      expect(reply(messages, makeRandom(1)).trim().length).toBeGreaterThan(20);
    }
  });
});

describe('the server of the offline demo', () => {
  test('a streamed reply is the whole text in small pieces, then a finish frame and [DONE]', async () => {
    const url = await listening();
    const response = await ask(url, hello({ stream: true }));
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const frames = (await response.text())
      .split('\n\n')
      .filter(Boolean)
      .map((frame) => frame.replace(/^data: /, ''));
    expect(frames.pop()).toBe('[DONE]');
    const chunks = frames.map(
      (frame) =>
        JSON.parse(frame) as {
          object: string;
          choices: { delta: { role?: string; content?: string }; finish_reason: string | null }[];
        },
    );
    expect(chunks[0]?.choices[0]?.delta.role).toBe('assistant');
    expect(chunks.at(-1)?.choices[0]).toMatchObject({ delta: {}, finish_reason: 'stop' });
    const pieces = chunks.slice(1, -1).map((chunk) => chunk.choices[0]?.delta.content ?? '');
    expect(pieces.length).toBeGreaterThan(15);
    const text = pieces.join('');
    // Quotes and asterisks come in pairs; a lost or doubled piece would break one.
    expect(text.split('"').length % 2).toBe(1);
    expect(text.split('*').length % 2).toBe(1);
    expect(text).toMatch(/[.?!)]["*]*$/);
    expect(chunks.every((chunk) => chunk.object === 'chat.completion.chunk')).toBe(true);
  });

  test('nothing is lost between the pieces, whatever the language', () => {
    for (const text of [
      generateReply(MAREN, 'Hello.'),
      generateReply(MAREN, 'こんにちは、元気ですか'),
      generateReply(DUNGEON, 'I open the door.'),
      ' \n a  b\n\n',
    ]) {
      expect(piecesOf(text).join('')).toBe(text);
    }
    expect(
      Math.max(...piecesOf(generateReply(MAREN, 'こんにちは、元気ですか')).map((piece) => piece.length)),
    ).toBeLessThan(30);
  });

  test('a reply that is not streamed comes whole, with its cost', async () => {
    const url = await listening();
    const response = await ask(url, hello());
    const body = (await response.json()) as {
      choices: { message: Message; finish_reason: string }[];
      usage: { total_tokens: number };
    };
    expect(response.status).toBe(200);
    expect(body.choices[0]?.message.role).toBe('assistant');
    expect(body.choices[0]?.message.content.length).toBeGreaterThan(40);
    expect(body.choices[0]?.finish_reason).toBe('stop');
    expect(body.usage.total_tokens).toBeGreaterThan(10);
  });

  test('asking again for the same history gives another reply', async () => {
    const url = await listening();
    const texts = await Promise.all(
      [1, 2, 3].map(
        async () =>
          ((await (await ask(url, hello())).json()) as { choices: { message: Message }[] }).choices[0]
            ?.message.content,
      ),
    );
    expect(new Set(texts).size).toBe(3);
  });

  test('a limit on tokens cuts the reply and says so', async () => {
    const url = await listening();
    const body = (await (await ask(url, hello({ max_tokens: 8 }))).json()) as {
      choices: { message: Message; finish_reason: string }[];
    };
    expect(body.choices[0]?.finish_reason).toBe('length');
    expect(body.choices[0]?.message.content.length).toBeLessThanOrEqual(32);
  });

  test('the models and the health can be asked for', async () => {
    const url = await listening();
    const models = await (await fetch(`${url}/v1/models`)).json();
    expect(models).toMatchObject({ object: 'list', data: [{ id: 'offline-demo' }] });
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  test('bad input is refused with a reason', async () => {
    const url = await listening();
    const refused: [unknown, number][] = [
      ['{not json', 400],
      ['[]', 400],
      [{}, 400],
      [{ messages: [] }, 400],
      [{ messages: [{ role: 'king', content: 'x' }] }, 400],
      [{ messages: [{ role: 'user', content: 4 }] }, 400],
      [{ messages: [{ role: 'system', content: 'x' }] }, 400],
      [hello({ stream: 'yes' }), 400],
      [hello({ n: 2 }), 400],
      [hello({ max_tokens: -1 }), 400],
      [hello({ model: 3 }), 400],
      [{ messages: [{ role: 'user', content: 'x'.repeat(4 * 1024 * 1024) }] }, 413],
    ];
    for (const [body, status] of refused) {
      const response = await ask(url, body);
      expect(response.status).toBe(status);
      const { error } = (await response.json()) as { error: { message: string; type: string } };
      expect(error.type).toBe('invalid_request_error');
      expect(error.message.length).toBeGreaterThan(5);
    }
    expect((await fetch(`${url}/v1/nothing`)).status).toBe(404);
    expect((await fetch(`${url}/v1/chat/completions`)).status).toBe(405);
  });

  test('when I leave in the middle, it stops writing', async () => {
    const ended = Promise.withResolvers<Outcome>();
    // Slow enough that only leaving can end it in time.
    const url = await listening({ paceMs: 200, onEnd: ended.resolve });
    const leaving = new AbortController();
    const response = await ask(url, hello({ stream: true }), leaving.signal);
    await response.body?.getReader().read();
    leaving.abort();
    const outcome = await ended.promise;
    expect(outcome.complete).toBe(false);
    expect(outcome.sent).toBeLessThan(outcome.of);
  });

  test('started as a program it says where it listens, and ends cleanly when told to', async () => {
    const script = fileURLToPath(new URL('../../scripts/local-model/server.mjs', import.meta.url));
    const child = spawn(process.execPath, [script, '--port', '0'], {
      env: { ...process.env, LOCAL_MODEL_PACE_MS: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    nearby.push(async () => child.kill('SIGKILL'));
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    const url = /^local model listening on (http:\/\/127\.0\.0\.1:\d+)\/v1$/.exec(line)?.[1];
    expect((await fetch(`${url}/health`)).status).toBe(200);
    child.kill('SIGTERM');
    const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect([code, signal]).toEqual([0, null]);
  });
});

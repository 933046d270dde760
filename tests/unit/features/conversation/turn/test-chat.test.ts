// Over 400 lines: every rule of the test chat, over one fixture with a scripted server.
import { describe, expect, test } from 'vitest';
import { TEXT_LIMITS } from '../../../../../src/config/text-limits.ts';
import { LORE_LIMITS } from '../../../../../src/features/character/lorebook/lorebook-rules.ts';
import type { ReplyEvent } from '../../../../../src/features/conversation/contract.ts';
import type { TestChatBody } from '../../../../../src/features/conversation/turn/test-chat-contract.ts';
import {
  TEST_CHAT_CHARS,
  TEST_CHAT_MESSAGES,
  selectTestMessages,
} from '../../../../../src/features/conversation/turn/test-chat-rules.ts';
import {
  createTestChat,
  toTestCharacter,
  validateForTest,
} from '../../../../../src/islands/character-form/test-chat/test-chat-state.ts';
import { EMPTY_FIELDS, type CharacterFields } from '../../../../../src/islands/character-form/form-rules.ts';
import type { Failure } from '../../../../../src/islands/shared/api.ts';
import type { ReplyStream } from '../../../../../src/islands/shared/sse.ts';
import {
  createMessage,
  NETWORK_ERROR,
  SAMPLE_POINTS,
  createFailure,
  flushPromises,
} from '../../../../support/chat-fixture.ts';
import { CARD_DEFINITION, CARD_EXTRAS, WREN } from '../../../../support/form-fields.ts';

/** One reply whose events the test sends. */
function createControlledReply() {
  const waiting: ReplyEvent[] = [];
  let over = false;
  let wake = () => {};
  const stream: ReplyStream = {
    async *[Symbol.asyncIterator]() {
      for (;;) {
        while (waiting.length > 0) yield { id: 't:0', event: waiting.shift() as ReplyEvent };
        if (over) return;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    quietForMs: () => 0,
    close: () => {
      over = true;
      wake();
    },
  };
  return {
    stream,
    get open() {
      return !over;
    },
    async emit(...events: ReplyEvent[]) {
      waiting.push(...events);
      wake();
      await flushPromises();
    },
    async breakOff() {
      stream.close();
      await flushPromises();
    },
  };
}

const delta = (text: string): ReplyEvent => ({ event: 'delta', text });
const done = (left: number): ReplyEvent => ({
  event: 'done',
  reply: createMessage('r'),
  points: { ...SAMPLE_POINTS, current_points: left },
});

/** A form without an imported card. @param id null for a new character */
const createForm = (fields: CharacterFields, id: string | null = null) => ({
  id,
  fields,
  kept: null,
  card: null,
  importId: null,
});

/** A test chat next to the form, with a server whose answers the test lays out. */
function createTestChatFixture(fields: CharacterFields = WREN, id: string | null = null) {
  const fixture = {
    fields,
    asked: [] as TestChatBody[],
    next: [] as Failure[],
    replies: [] as ReturnType<typeof createControlledReply>[],
    spent: 0,
    now: 0,
    signsInAs: 'me' as string | null,
    timers: [] as (() => void)[],
  };
  let ids = 0;
  const chat = createTestChat({
    api: {
      sendTestMessage: async (body) => {
        fixture.asked.push(body);
        const refused = fixture.next.shift();
        if (refused !== undefined) return refused;
        const reply = createControlledReply();
        fixture.replies.push(reply);
        return { ok: true, data: reply.stream };
      },
      persona: async (characterId) => ({ ok: true, data: characterId === null ? 'Captain' : 'Mate' }),
      points: async () => ({ ok: true, data: SAMPLE_POINTS }),
    },
    asker: { getUserId: () => 'me', signIn: async () => fixture.signsInAs },
    clock: { now: () => fixture.now, after: (_, run) => (fixture.timers.push(run), () => {}) },
    form: () => createForm(fixture.fields, id),
    newId: () => `id-${(ids += 1)}`,
    onPointsSpent: () => void (fixture.spent += 1),
  });
  const now = () => chat.$chat.get();
  const listLines = () => now().lines.map(({ role, content, status }) => `${role} ${status}: ${content}`);
  /** Sends a message that is answered completely. */
  const sendAndAnswer = async (createMessages: string, answer: string) => {
    const sending = chat.send(createMessages);
    await flushPromises();
    await fixture.replies.at(-1)?.emit(delta(answer), done(40));
    await sending;
  };
  return { chat, fixture, now, listLines, sendAndAnswer };
}

describe('Test chat', () => {
  test('the test chat of a saved character names it, so that its persona takes part', async () => {
    const { chat, fixture, now, sendAndAnswer } = createTestChatFixture(WREN, 'wren');
    await chat.open();
    expect(now().persona).toBe('Mate');
    await sendAndAnswer('Hello', 'The map.');
    expect(fixture.asked[0]).toMatchObject({ character_id: 'wren' });
  });

  test('the test chat shows a reply as it comes and the points that are left', async () => {
    const { chat, fixture, now, listLines } = createTestChatFixture();
    await chat.open();
    expect(now()).toMatchObject({ persona: 'Captain', points: SAMPLE_POINTS });
    chat.write('Hello');
    const sending = chat.send();
    await flushPromises();
    expect(now()).toMatchObject({ draft: '', busy: true });
    await fixture.replies[0]?.emit(delta('The '), delta('map.'));
    expect(listLines()).toEqual(['user complete: Hello', 'character streaming: The map.']);
    // Nothing else is sent while the reply is written.
    await chat.send('Wait');
    await fixture.replies[0]?.emit(done(7));
    await sending;
    expect(listLines()).toEqual(['user complete: Hello', 'character complete: The map.']);
    expect(now()).toMatchObject({ busy: false, points: { current_points: 7 } });
    expect(fixture.spent).toBe(1);
    expect(fixture.asked).toHaveLength(1);
  });

  test('thinking is shown apart from the reply, and is not sent back', async () => {
    const { chat, fixture, now, listLines } = createTestChatFixture();
    const sending = chat.send('Hello');
    await flushPromises();
    const thinking = (text: string): ReplyEvent => ({ event: 'thinking', text });
    await fixture.replies[0]?.emit(thinking('A '), thinking('plan.'), delta('The map.'), done(7));
    await sending;
    expect(now().lines.at(-1)).toMatchObject({ content: 'The map.', thinking: 'A plan.' });
    expect(listLines()).toEqual(['user complete: Hello', 'character complete: The map.']);
    void chat.send('And then?');
    await flushPromises();
    expect(JSON.stringify(fixture.asked.at(-1)?.messages)).not.toContain('plan');
  });

  test('a reply that begins again, because its text was thinking, replaces both', async () => {
    const { chat, fixture, now } = createTestChatFixture();
    const accepted: ReplyEvent = {
      event: 'accepted',
      reply: createMessage('r', { content: '', status: 'streaming' }),
      newest: true,
    };
    const sending = chat.send('Hello');
    await flushPromises();
    await fixture.replies[0]?.emit(
      delta('A plan.'),
      accepted,
      { event: 'thinking', text: 'A plan.' },
      delta('Welcome.'),
      done(7),
    );
    await sending;
    expect(now().lines.at(-1)).toMatchObject({ content: 'Welcome.', thinking: 'A plan.' });
  });

  test('the test chat says until the next reply that the prompt had to be shortened', async () => {
    const { chat, fixture, now, sendAndAnswer } = createTestChatFixture();
    const sending = chat.send('Hello');
    await flushPromises();
    const reply = createMessage('r');
    await fixture.replies[0]?.emit(delta('Good'), {
      event: 'done',
      reply,
      points: null,
      context_shortened: true,
    });
    await sending;
    expect(now().wasShortened).toBe(true);
    await sendAndAnswer('And then?', 'Better');
    expect(now().wasShortened).toBe(false);
  });

  test('a busy model can be asked again when its provider says so', async () => {
    const { chat, fixture, now } = createTestChatFixture();
    fixture.now = 1000;
    const sending = chat.send('Hello');
    await flushPromises();
    await fixture.replies[0]?.emit({ event: 'error', code: 'model_busy', error: 'Busy.', retry_after: 7 });
    await sending;
    expect(now()).toMatchObject({ busyUntil: 8000 });
    expect(now().lines.at(-1)).toMatchObject({ status: 'failed', error_code: 'model_busy', retryAfter: 7 });
    void chat.retryReply();
    await flushPromises();
    expect(now().busyUntil).toBeNull();
  });

  test("helplines are shown with the user's message, whether answered or refused, and are not sent back", async () => {
    const { chat, fixture, now } = createTestChatFixture();
    const helplines = [
      { name: 'Somebody', phone: '116 123', text: null, url: null, hours: 'always' as const },
    ];
    const sending = chat.send('Something dark');
    await flushPromises();
    await fixture.replies[0]?.emit(
      { event: 'safety', kind: 'crisis', helplines },
      delta('I am here.'),
      done(7),
    );
    await sending;
    expect(now().lines.map((line) => line.helplines)).toEqual([helplines, undefined]);
    fixture.next.push({ ok: false, status: 402, code: 'points_exhausted', error: '', helplines });
    await chat.send('Something darker');
    expect(now().lines.at(-1)).toMatchObject({ content: 'Something darker', helplines });
    expect(JSON.stringify(fixture.asked)).not.toContain('helplines');
  });

  test('a reply ended by a rule names the rule until another try', async () => {
    const { chat, fixture, now } = createTestChatFixture();
    const sending = chat.send('Hello');
    await flushPromises();
    await fixture.replies[0]?.emit(
      delta('The sea.'),
      { event: 'safety', kind: 'refused', rule: 'minors' },
      {
        event: 'error',
        code: 'reply_refused',
        error: '',
        reply: createMessage('r', { status: 'interrupted' }),
      },
    );
    await sending;
    expect(now().lines.at(-1)).toMatchObject({ content: 'The sea.', rule: 'minors' });
    const again = chat.retryReply();
    await flushPromises();
    await fixture.replies[1]?.emit(delta('The map.'), done(7));
    await again;
    expect(now().lines.at(-1)).not.toHaveProperty('rule');
  });

  test('the notice about the AI appears again before a message three hours later', async () => {
    const { fixture, now, sendAndAnswer } = createTestChatFixture();
    const noticed = () => now().lines.flatMap(({ notice }, place) => (notice === true ? [place] : []));
    await sendAndAnswer('Hello', 'Yes?');
    fixture.now = 3 * 3_600_000 - 1;
    await sendAndAnswer('Still here', 'Yes?');
    expect(noticed()).toEqual([]);
    fixture.now += 1;
    await sendAndAnswer('And now', 'Yes?');
    fixture.now += 1000;
    await sendAndAnswer('And then', 'Yes?');
    expect(noticed()).toEqual([4]);
  });

  test('each test message sends the current form and the earlier messages', async () => {
    const { chat, fixture, sendAndAnswer } = createTestChatFixture();
    await sendAndAnswer('Hello', 'Yes?');
    fixture.fields = { ...WREN, character_traits: 'Sleepy.', point_of_view: 'rpg' };
    void chat.send('Still there?');
    await flushPromises();
    expect(fixture.asked[1]).toMatchObject({
      character: { character_traits: 'Sleepy.', point_of_view: 'rpg', first_message: WREN.first_message },
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'character', content: 'Yes?' },
        { role: 'user', content: 'Still there?' },
      ],
    });
    expect(fixture.asked[1]?.character).not.toHaveProperty('tags');
    expect(fixture.asked[1]?.turn_id).not.toBe(fixture.asked[0]?.turn_id);
  });

  test('the test chat reports what the form lacks and sends nothing until it is complete', async () => {
    const { chat, fixture } = createTestChatFixture({ ...EMPTY_FIELDS, oneliner: 'x'.repeat(51) });
    expect(validateForTest(createForm(fixture.fields))).toEqual([
      { field: 'name', code: 'required' },
      { field: 'oneliner', code: 'too_long' },
      { field: 'character_traits', code: 'required' },
    ]);
    await chat.send('Hello');
    expect(fixture.asked).toEqual([]);
    fixture.fields = { ...WREN, avatar: null, suggested_replies: ['Yes'] };
    expect(validateForTest(createForm(fixture.fields))).toEqual([]);
    // A text from a card may exceed the limits when published, so it may in a test as well.
    const lorebook = { entries: [{ keys: ['sea'], content: 'x'.repeat(LORE_LIMITS.text + 1) }] };
    const fields = { ...WREN, lorebook };
    expect(validateForTest(createForm(fields))).toMatchObject([{ code: 'book_text' }]);
    expect(
      validateForTest({
        ...createForm(fields),
        card: { ...CARD_EXTRAS, definition: CARD_DEFINITION, lorebook },
      }),
    ).toEqual([]);
  });

  test('the test chat sends no text that the server would refuse', async () => {
    const { chat, fixture, now } = createTestChatFixture();
    for (const nothing of ['', ' \n', '\u200b', 'x'.repeat(TEXT_LIMITS.message + 1)]) {
      chat.write(nothing);
      await chat.send();
    }
    expect(now().lines).toEqual([]);
    void chat.send('Half \ud83d');
    await flushPromises();
    expect(fixture.asked.map(({ messages }) => messages)).toEqual([
      [{ role: 'user', content: 'Half \ufffd' }],
    ]);
  });

  test('stopping a reply keeps its text and refreshes the points', async () => {
    const { chat, fixture, now, listLines } = createTestChatFixture();
    void chat.send('Hello');
    await flushPromises();
    const [reply] = fixture.replies;
    await reply?.emit(delta('The ma'));
    chat.stop();
    expect(reply?.open).toBe(false);
    expect(listLines()).toEqual(['user complete: Hello', 'character interrupted: The ma']);
    expect(now()).toMatchObject({ busy: false, failure: null });
    expect(now().lines.at(-1)).not.toHaveProperty('error_code');
    for (const run of fixture.timers) run();
    expect(fixture.spent).toBe(1);
    // Events that arrive after the stop are ignored.
    await reply?.emit(delta('p.'), done(1));
    expect(listLines().at(-1)).toBe('character interrupted: The ma');
    void chat.send('Go on');
    await flushPromises();
    expect(fixture.asked[1]?.messages.map(({ content }) => content)).toEqual(['Hello', 'The ma', 'Go on']);
  });

  test('retrying replaces a failed reply in a turn of its own', async () => {
    const { chat, fixture, now, listLines } = createTestChatFixture();
    const sending = chat.send('Hello');
    await flushPromises();
    await fixture.replies[0]?.emit(delta('The '), {
      event: 'error',
      code: 'reply_cut_off',
      error: '',
      reply: createMessage('r', { status: 'interrupted' }),
    });
    await sending;
    expect(now().lines.at(-1)).toMatchObject({ status: 'interrupted', error_code: 'reply_cut_off' });
    void chat.retryReply();
    await flushPromises();
    expect(listLines()).toEqual(['user complete: Hello', 'character streaming: ']);
    expect(fixture.asked[1]?.messages).toEqual(fixture.asked[0]?.messages);
    expect(fixture.asked[1]?.turn_id).not.toBe(fixture.asked[0]?.turn_id);
  });

  test('a message without an answer is sent again under the same id, so that it is charged once', async () => {
    const { chat, fixture, now, listLines } = createTestChatFixture();
    fixture.next = [NETWORK_ERROR];
    await chat.send('Hello');
    expect(now()).toMatchObject({ busy: false, failure: { code: 'network' } });
    expect(listLines()).toEqual(['user complete: Hello']);
    fixture.next = [createFailure(409, 'test_turn_expired')];
    await chat.retryReply();
    expect(fixture.asked[1]?.turn_id).toBe(fixture.asked[0]?.turn_id);
    expect(now().failure).toMatchObject({ code: 'test_turn_expired' });
    void chat.retryReply();
    await flushPromises();
    expect(fixture.asked[2]?.turn_id).not.toBe(fixture.asked[0]?.turn_id);
    expect(now().failure).toBeNull();
  });

  test('a reply whose connection breaks off keeps its text and is marked as interrupted', async () => {
    const { chat, fixture, now } = createTestChatFixture();
    const sending = chat.send('Hello');
    await flushPromises();
    await fixture.replies[0]?.emit(delta('The '));
    await fixture.replies[0]?.breakOff();
    await sending;
    expect(now().lines.at(-1)).toMatchObject({
      content: 'The ',
      status: 'interrupted',
      error_code: 'reply_interrupted',
    });
    expect(fixture.timers).toHaveLength(1);
  });

  test('the test chat asks for a login when the session ended, and never sends for another account', async () => {
    const { chat, fixture, now } = createTestChatFixture();
    fixture.next = [createFailure(401, 'unauthenticated')];
    void chat.send('Hello');
    await flushPromises();
    expect(fixture.replies).toHaveLength(1);
    chat.stop();
    fixture.next = [createFailure(401, 'unauthenticated')];
    fixture.signsInAs = 'somebody else';
    await chat.retryReply();
    expect(fixture.replies).toHaveLength(1);
    expect(now().failure).toMatchObject({ code: 'other_account' });
  });

  test('exhausted points show the current points', async () => {
    const { chat, fixture, now } = createTestChatFixture();
    const points = { ...SAMPLE_POINTS, current_points: 0 };
    fixture.next = [createFailure(402, 'points_exhausted', { points })];
    await chat.send('Hello');
    expect(now()).toMatchObject({ points, failure: { code: 'points_exhausted' } });
  });

  test('starting over works during a reply and can be undone', async () => {
    const { chat, fixture, now, listLines, sendAndAnswer } = createTestChatFixture();
    await sendAndAnswer('Hello', 'Yes?');
    void chat.send('Who are you?');
    await flushPromises();
    await fixture.replies[1]?.emit(delta('I a'));
    chat.startOver();
    expect(fixture.replies[1]?.open).toBe(false);
    expect(now()).toMatchObject({ lines: [], busy: false, canGoBack: true });
    chat.goBack();
    expect(listLines()).toEqual([
      'user complete: Hello',
      'character complete: Yes?',
      'user complete: Who are you?',
      'character interrupted: I a',
    ]);
    fixture.next = [NETWORK_ERROR];
    await chat.send('And now?');
    chat.startOver();
    expect(now().failure).toBeNull();
    chat.goBack();
    // The failed message can be retried as before.
    expect(now().failure).toMatchObject({ code: 'network' });
    chat.startOver();
    void chat.send('Anew');
    await flushPromises();
    expect(now().canGoBack).toBe(false);
    expect(fixture.asked.at(-1)?.messages).toEqual([{ role: 'user', content: 'Anew' }]);
  });
});

describe('Test chat request', () => {
  const createMessages = (count: number, length = 1) =>
    Array.from({ length: count }, (_, index) => ({ content: String(index).padEnd(length, 'x') }));

  test('a test request contains the newest messages within the limits and always the last one', () => {
    expect(selectTestMessages(createMessages(3))).toEqual(createMessages(3));
    expect(selectTestMessages(createMessages(30))).toEqual(createMessages(30).slice(-TEST_CHAT_MESSAGES));
    const long = createMessages(6, TEST_CHAT_CHARS / 2);
    expect(selectTestMessages(long)).toEqual(long.slice(-2));
    const longest = createMessages(2, TEST_CHAT_CHARS + 1);
    expect(selectTestMessages(longest)).toEqual(longest.slice(-1));
  });

  test('a test request contains the character without the fields of its page', () => {
    expect(Object.keys(toTestCharacter(WREN))).toEqual(
      expect.arrayContaining(['name', 'oneliner', 'character_traits', 'first_message']),
    );
    for (const other of ['avatar_id', 'visibility', 'tags', 'suggested_replies', 'alternate_greetings'])
      expect(toTestCharacter(WREN)).not.toHaveProperty(other);
  });
});

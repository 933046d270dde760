import { describe, expect, test } from 'vitest';
import { TEXT_LIMITS } from '../../src/config/text-limits.ts';
import { LORE_LIMITS } from '../../src/features/character/lorebook/lorebook-rules.ts';
import type { ReplyEvent } from '../../src/features/conversation/contract.ts';
import type { TestChatBody } from '../../src/features/conversation/turn/test-chat-contract.ts';
import {
  TEST_CHAT_CHARS,
  TEST_CHAT_MESSAGES,
  selectTestMessages,
} from '../../src/features/conversation/turn/test-chat-rules.ts';
import {
  createTestChat,
  toTestCharacter,
  validateForTest,
} from '../../src/islands/character-form/test-chat/test-chat-state.ts';
import { EMPTY_FIELDS, type CharacterFields } from '../../src/islands/character-form/form-rules.ts';
import type { Failure } from '../../src/islands/shared/api.ts';
import type { ReplyStream } from '../../src/islands/shared/sse.ts';
import {
  createMessage,
  NETWORK_ERROR,
  SAMPLE_POINTS,
  createFailure,
  flushPromises,
} from '../support/chat-fixture.ts';
import { CARD_EXTRAS, WREN } from '../support/form-fields.ts';

/** One reply, whose other end the test holds. */
function replyInHand() {
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
    async tell(...events: ReplyEvent[]) {
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

/** A form of a new character, without a card. */
const formOf = (fields: CharacterFields) => ({ fields, kept: null, card: null });

/** A test chat beside a form, with a server that answers what the test lays out. */
function beside(fields: CharacterFields = WREN) {
  const here = {
    fields,
    asked: [] as TestChatBody[],
    next: [] as Failure[],
    replies: [] as ReturnType<typeof replyInHand>[],
    spent: 0,
    now: 0,
    signsInAs: 'me' as string | null,
    timers: [] as (() => void)[],
  };
  let ids = 0;
  const chat = createTestChat({
    api: {
      sendTestMessage: async (body) => {
        here.asked.push(body);
        const refused = here.next.shift();
        if (refused !== undefined) return refused;
        const reply = replyInHand();
        here.replies.push(reply);
        return { ok: true, data: reply.stream };
      },
      persona: async () => ({ ok: true, data: 'Captain' }),
      points: async () => ({ ok: true, data: SAMPLE_POINTS }),
    },
    asker: { getUserId: () => 'me', signIn: async () => here.signsInAs },
    clock: { now: () => here.now, after: (_, run) => (here.timers.push(run), () => {}) },
    form: () => formOf(here.fields),
    newId: () => `id-${(ids += 1)}`,
    onPointsSpent: () => void (here.spent += 1),
  });
  const now = () => chat.$chat.get();
  const talk = () => now().lines.map(({ role, content, status }) => `${role} ${status}: ${content}`);
  /** Says something that is answered to its end. */
  const exchange = async (said: string, answer: string) => {
    const sending = chat.send(said);
    await flushPromises();
    await here.replies.at(-1)?.tell(delta(answer), done(40));
    await sending;
  };
  return { chat, here, now, talk, exchange };
}

describe('A test chat beside the form', () => {
  test('tells a reply as it comes, what is left of my points, and that they were spent', async () => {
    const { chat, here, now, talk } = beside();
    await chat.open();
    expect(now()).toMatchObject({ persona: 'Captain', points: SAMPLE_POINTS });
    chat.write('Hello');
    const sending = chat.send();
    await flushPromises();
    expect(now()).toMatchObject({ draft: '', busy: true });
    await here.replies[0]?.tell(delta('The '), delta('map.'));
    expect(talk()).toEqual(['user complete: Hello', 'character streaming: The map.']);
    // Nothing else is sent while it is written.
    await chat.send('Wait');
    await here.replies[0]?.tell(done(7));
    await sending;
    expect(talk()).toEqual(['user complete: Hello', 'character complete: The map.']);
    expect(now()).toMatchObject({ busy: false, points: { current_points: 7 } });
    expect(here.spent).toBe(1);
    expect(here.asked).toHaveLength(1);
  });

  test('puts where help is beside what I wrote, whether that is answered or refused, and sends nothing of it', async () => {
    const { chat, here, now } = beside();
    const helplines = [
      { name: 'Somebody', phone: '116 123', text: null, url: null, hours: 'always' as const },
    ];
    const sending = chat.send('Something dark');
    await flushPromises();
    await here.replies[0]?.tell({ event: 'safety', kind: 'crisis', helplines }, delta('I am here.'), done(7));
    await sending;
    expect(now().lines.map((line) => line.helplines)).toEqual([helplines, undefined]);
    here.next.push({ ok: false, status: 402, code: 'points_exhausted', error: '', helplines });
    await chat.send('Something darker');
    expect(now().lines.at(-1)).toMatchObject({ content: 'Something darker', helplines });
    expect(JSON.stringify(here.asked)).not.toContain('helplines');
  });

  test('knows the rule that ended a reply, for whoever appeals against it, and not after another try', async () => {
    const { chat, here, now } = beside();
    const sending = chat.send('Hello');
    await flushPromises();
    await here.replies[0]?.tell(
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
    await here.replies[1]?.tell(delta('The map.'), done(7));
    await again;
    expect(now().lines.at(-1)).not.toHaveProperty('rule');
  });

  test('has the notice that an AI answers again before what I say three hours later', async () => {
    const { here, now, exchange } = beside();
    const noticed = () => now().lines.flatMap(({ notice }, place) => (notice === true ? [place] : []));
    await exchange('Hello', 'Yes?');
    here.now = 3 * 3_600_000 - 1;
    await exchange('Still here', 'Yes?');
    expect(noticed()).toEqual([]);
    here.now += 1;
    await exchange('And now', 'Yes?');
    here.now += 1000;
    await exchange('And then', 'Yes?');
    expect(noticed()).toEqual([4]);
  });

  test('goes by the form as it stands with each message, and by what was said before', async () => {
    const { chat, here, exchange } = beside();
    await exchange('Hello', 'Yes?');
    here.fields = { ...WREN, character_traits: 'Sleepy.', point_of_view: 'rpg' };
    void chat.send('Still there?');
    await flushPromises();
    expect(here.asked[1]).toMatchObject({
      character: { character_traits: 'Sleepy.', point_of_view: 'rpg', first_message: WREN.first_message },
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'character', content: 'Yes?' },
        { role: 'user', content: 'Still there?' },
      ],
    });
    expect(here.asked[1]?.character).not.toHaveProperty('tags');
    expect(here.asked[1]?.turn_id).not.toBe(here.asked[0]?.turn_id);
  });

  test('says what the form still lacks, and sends nothing until then', async () => {
    const { chat, here } = beside({ ...EMPTY_FIELDS, oneliner: 'x'.repeat(51) });
    expect(validateForTest(formOf(here.fields))).toEqual([
      { field: 'name', code: 'required' },
      { field: 'oneliner', code: 'too_long' },
      { field: 'character_traits', code: 'required' },
    ]);
    await chat.send('Hello');
    expect(here.asked).toEqual([]);
    here.fields = { ...WREN, avatar: null, suggested_replies: ['Yes'] };
    expect(validateForTest(formOf(here.fields))).toEqual([]);
    // What came too long in a card may be published, and so it may be tried.
    const lorebook = { entries: [{ keys: ['sea'], content: 'x'.repeat(LORE_LIMITS.text + 1) }] };
    const fields = { ...WREN, lorebook };
    expect(validateForTest(formOf(fields))).toMatchObject([{ code: 'book_text' }]);
    expect(validateForTest({ ...formOf(fields), card: { ...CARD_EXTRAS, lorebook } })).toEqual([]);
  });

  test('never says what the server would refuse, now and with every message after it', async () => {
    const { chat, here, now } = beside();
    for (const nothing of ['', ' \n', '\u200b', 'x'.repeat(TEXT_LIMITS.message + 1)]) {
      chat.write(nothing);
      await chat.send();
    }
    expect(now().lines).toEqual([]);
    void chat.send('Half \ud83d');
    await flushPromises();
    expect(here.asked.map(({ messages }) => messages)).toEqual([[{ role: 'user', content: 'Half \ufffd' }]]);
  });

  test('keeps what was written when I stop it, and looks up what it cost', async () => {
    const { chat, here, now, talk } = beside();
    void chat.send('Hello');
    await flushPromises();
    const [reply] = here.replies;
    await reply?.tell(delta('The ma'));
    chat.stop();
    expect(reply?.open).toBe(false);
    expect(talk()).toEqual(['user complete: Hello', 'character interrupted: The ma']);
    expect(now()).toMatchObject({ busy: false, failure: null });
    expect(now().lines.at(-1)).not.toHaveProperty('error_code');
    for (const run of here.timers) run();
    expect(here.spent).toBe(1);
    // What comes late belongs to nothing any more.
    await reply?.tell(delta('p.'), done(1));
    expect(talk().at(-1)).toBe('character interrupted: The ma');
    void chat.send('Go on');
    await flushPromises();
    expect(here.asked[1]?.messages.map(({ content }) => content)).toEqual(['Hello', 'The ma', 'Go on']);
  });

  test('tries again in place of a reply that failed, as a turn of its own', async () => {
    const { chat, here, now, talk } = beside();
    const sending = chat.send('Hello');
    await flushPromises();
    await here.replies[0]?.tell(delta('The '), {
      event: 'error',
      code: 'reply_cut_off',
      error: '',
      reply: createMessage('r', { status: 'interrupted' }),
    });
    await sending;
    expect(now().lines.at(-1)).toMatchObject({ status: 'interrupted', error_code: 'reply_cut_off' });
    void chat.retryReply();
    await flushPromises();
    expect(talk()).toEqual(['user complete: Hello', 'character streaming: ']);
    expect(here.asked[1]?.messages).toEqual(here.asked[0]?.messages);
    expect(here.asked[1]?.turn_id).not.toBe(here.asked[0]?.turn_id);
  });

  test('asks under the same id again when no answer came, so that it is charged once', async () => {
    const { chat, here, now, talk } = beside();
    here.next = [NETWORK_ERROR];
    await chat.send('Hello');
    expect(now()).toMatchObject({ busy: false, failure: { code: 'network' } });
    expect(talk()).toEqual(['user complete: Hello']);
    here.next = [createFailure(409, 'test_message_over')];
    await chat.retryReply();
    expect(here.asked[1]?.turn_id).toBe(here.asked[0]?.turn_id);
    expect(now().failure).toMatchObject({ code: 'test_message_over' });
    void chat.retryReply();
    await flushPromises();
    expect(here.asked[2]?.turn_id).not.toBe(here.asked[0]?.turn_id);
    expect(now().failure).toBeNull();
  });

  test('says that a reply was lost on its way, with what there is of it', async () => {
    const { chat, here, now } = beside();
    const sending = chat.send('Hello');
    await flushPromises();
    await here.replies[0]?.tell(delta('The '));
    await here.replies[0]?.breakOff();
    await sending;
    expect(now().lines.at(-1)).toMatchObject({
      content: 'The ',
      status: 'interrupted',
      error_code: 'reply_interrupted',
    });
    expect(here.timers).toHaveLength(1);
  });

  test('has me sign in again when the session ended, and never asks in the name of somebody else', async () => {
    const { chat, here, now } = beside();
    here.next = [createFailure(401, 'unauthenticated')];
    void chat.send('Hello');
    await flushPromises();
    expect(here.replies).toHaveLength(1);
    chat.stop();
    here.next = [createFailure(401, 'unauthenticated')];
    here.signsInAs = 'somebody else';
    await chat.retryReply();
    expect(here.replies).toHaveLength(1);
    expect(now().failure).toMatchObject({ code: 'other_account' });
  });

  test('shows what is there when points are exhausted', async () => {
    const { chat, here, now } = beside();
    const points = { ...SAMPLE_POINTS, current_points: 0 };
    here.next = [createFailure(402, 'points_exhausted', { points })];
    await chat.send('Hello');
    expect(now()).toMatchObject({ points, failure: { code: 'points_exhausted' } });
  });

  test('starts over, also in the middle of a reply, and gives back what was said', async () => {
    const { chat, here, now, talk, exchange } = beside();
    await exchange('Hello', 'Yes?');
    void chat.send('Who are you?');
    await flushPromises();
    await here.replies[1]?.tell(delta('I a'));
    chat.startOver();
    expect(here.replies[1]?.open).toBe(false);
    expect(now()).toMatchObject({ lines: [], busy: false, canGoBack: true });
    chat.goBack();
    expect(talk()).toEqual([
      'user complete: Hello',
      'character complete: Yes?',
      'user complete: Who are you?',
      'character interrupted: I a',
    ]);
    here.next = [NETWORK_ERROR];
    await chat.send('And now?');
    chat.startOver();
    expect(now().failure).toBeNull();
    chat.goBack();
    // There is another try as before.
    expect(now().failure).toMatchObject({ code: 'network' });
    chat.startOver();
    void chat.send('Anew');
    await flushPromises();
    expect(now().canGoBack).toBe(false);
    expect(here.asked.at(-1)?.messages).toEqual([{ role: 'user', content: 'Anew' }]);
  });
});

describe('What an answer goes by', () => {
  const said = (count: number, length = 1) =>
    Array.from({ length: count }, (_, index) => ({ content: String(index).padEnd(length, 'x') }));

  test('are the newest messages, as many as may be sent, the last one always', () => {
    expect(selectTestMessages(said(3))).toEqual(said(3));
    expect(selectTestMessages(said(30))).toEqual(said(30).slice(-TEST_CHAT_MESSAGES));
    const long = said(6, TEST_CHAT_CHARS / 2);
    expect(selectTestMessages(long)).toEqual(long.slice(-2));
    const longest = said(2, TEST_CHAT_CHARS + 1);
    expect(selectTestMessages(longest)).toEqual(longest.slice(-1));
  });

  test('is the character without what only its page has', () => {
    expect(Object.keys(toTestCharacter(WREN))).toEqual(
      expect.arrayContaining(['name', 'oneliner', 'character_traits', 'first_message']),
    );
    for (const other of ['avatar_id', 'visibility', 'tags', 'suggested_replies', 'alternate_greetings'])
      expect(toTestCharacter(WREN)).not.toHaveProperty(other);
  });
});

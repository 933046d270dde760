import { describe, expect, test } from 'vitest';
import { getLastEvent, summarizeKinds, joinDeltas } from '../../../../support/event-reader.ts';
import {
  startConversation,
  expectBalancedLedger,
  clearScenes,
  signInGuest,
  getLastMessage,
  listLedger,
  listMessages,
  getPoints,
  sendMessage,
} from '../../../../support/factories.ts';
import { NOISE_TEXT, SPLIT_SURROGATE_TEXT, SPLIT_UTF8_TEXT } from '../../../../support/model-server.mjs';
import { createScene } from '../../../../support/scripted-model.ts';

const FIVE = 'w0 w1 w2 w3 w4';

interface Failure {
  when: string;
  scenario: string;
  /** `chatgpt` has a timeout of one second in the tests. */
  model?: string;
  code: string;
  sentence: string;
  text: string;
}

const MISCONFIGURED = 'The model did not accept this site’s key. The operator needs to fix it.';
const REFUSED_REQUEST = 'The model did not accept the request. The operator needs to fix it.';
const BUSY = 'The model is busy. Please try again in a moment.';
const FAILED = 'Something went wrong with the model.';
const TOO_LONG = 'The model took too long.';
const BROKEN_OFF = 'The reply was cut off.';

const FAILURES: Failure[] = [
  {
    when: 'refuses the key (401)',
    scenario: 'status code=401',
    code: 'model_misconfigured',
    sentence: MISCONFIGURED,
    text: '',
  },
  {
    when: 'refuses the request (400)',
    scenario: 'status code=400',
    code: 'model_misconfigured',
    sentence: REFUSED_REQUEST,
    text: '',
  },
  { when: 'is overrun (429)', scenario: 'status code=429', code: 'model_busy', sentence: BUSY, text: '' },
  { when: 'fails (500)', scenario: 'status code=500', code: 'model_failed', sentence: FAILED, text: '' },
  {
    when: 'sends us elsewhere (302)',
    scenario: 'status code=302',
    code: 'model_failed',
    sentence: FAILED,
    text: '',
  },
  {
    when: 'falls silent before it begins',
    scenario: 'hang',
    model: 'chatgpt',
    code: 'model_timed_out',
    sentence: TOO_LONG,
    text: '',
  },
  {
    when: 'does not even answer',
    scenario: 'hang-before-headers',
    model: 'chatgpt',
    code: 'model_timed_out',
    sentence: TOO_LONG,
    text: '',
  },
  {
    when: 'falls silent in the middle',
    scenario: 'gate n=5',
    model: 'chatgpt',
    code: 'model_timed_out',
    sentence: TOO_LONG,
    text: FIVE,
  },
  {
    when: 'closes without a word of the end',
    scenario: 'cut n=5',
    code: 'reply_cut_off',
    sentence: BROKEN_OFF,
    text: FIVE,
  },
  {
    when: 'closes before the first word',
    scenario: 'cut n=0',
    code: 'reply_cut_off',
    sentence: BROKEN_OFF,
    text: '',
  },
  {
    when: 'loses the connection',
    scenario: 'reset n=5',
    code: 'reply_cut_off',
    sentence: BROKEN_OFF,
    text: FIVE,
  },
  {
    when: 'loses the connection at once',
    scenario: 'reset n=0',
    code: 'reply_cut_off',
    sentence: BROKEN_OFF,
    text: '',
  },
  {
    when: 'sends an error in the middle',
    scenario: 'error-frame n=5',
    code: 'model_failed',
    sentence: FAILED,
    text: FIVE,
  },
  {
    when: 'sends an error event',
    scenario: 'error-frame n=0 event=1',
    code: 'model_failed',
    sentence: FAILED,
    text: '',
  },
  {
    when: 'sends an error for a reply that was not to be streamed',
    scenario: 'json error=1',
    code: 'model_failed',
    sentence: FAILED,
    text: '',
  },
  { when: 'sends nonsense', scenario: 'bad-json n=5', code: 'model_failed', sentence: FAILED, text: FIVE },
  {
    when: 'declines to answer',
    scenario: 'filter n=0',
    code: 'reply_refused',
    sentence: 'The model declined to answer this.',
    text: '',
  },
  {
    when: 'ends without any text',
    scenario: 'no-text',
    code: 'reply_empty',
    sentence: 'The model’s reply was empty.',
    text: '',
  },
  {
    when: 'cannot be reached',
    scenario: 'tokens',
    model: 'deepseek',
    code: 'model_unreachable',
    sentence: 'The model could not be reached.',
    text: '',
  },
];

describe('Model failures', () => {
  test.each(FAILURES)(
    'a turn keeps the partial reply, explains the failure and is free when the model $when',
    async (failure) => {
      const me = await signInGuest();
      const id = await startConversation(me);
      const events = await sendMessage(me, id, `My words. ${createScene(failure.scenario).marker}`, {
        model: failure.model,
      });

      expect(joinDeltas(events)).toBe(failure.text);
      expect(summarizeKinds(events)).toEqual(
        failure.text === '' ? ['accepted', 'error'] : ['accepted', 'delta', 'error'],
      );
      const [, mine, reply] = await listMessages(me, id);
      expect(getLastEvent(events).data).toEqual({ error: failure.sentence, code: failure.code, reply });
      expect(mine?.content).toMatch(/^My words\./);
      expect(reply).toMatchObject({
        content: failure.text,
        status: failure.text === '' ? 'failed' : 'interrupted',
        error_code: failure.code,
      });
      expect(await getPoints(me)).toMatchObject({ current_points: 50, daily_messages_used: 0 });
      expect(await listLedger(me)).toContainEqual(
        expect.objectContaining({ kind: 'message_free', amount: 0, message_id: reply?.id }),
      );

      await clearScenes(id);
      const next = await sendMessage(me, id, `And now? ${createScene('tokens n=2').marker}`);
      expect(joinDeltas(next)).toBe('w0 w1');
      expect(await getPoints(me)).toMatchObject({ current_points: 49 });
      await expectBalancedLedger(me);
    },
  );

  test.each([
    { when: 'cuts characters into bytes', scenario: 'split-utf8', text: SPLIT_UTF8_TEXT },
    { when: 'cuts emoji into halves', scenario: 'split-surrogate', text: SPLIT_SURROGATE_TEXT },
    { when: 'sends comments, empty choices and its thoughts', scenario: 'noise', text: NOISE_TEXT },
    { when: 'thinks first', scenario: 'thinking n=5', text: 'w0 w1 w2' },
    { when: 'says that it is done and not why', scenario: 'no-finish-done n=5', text: FIVE },
    { when: 'says why it ends and then keeps the line open', scenario: 'finish-hang n=5', text: FIVE },
    { when: 'reaches the longest reply', scenario: 'tokens n=5 finish=length', text: FIVE },
    { when: 'does not stream', scenario: 'json n=5', text: FIVE },
    { when: 'writes a very long reply', scenario: 'long chars=50000', text: /^rain on tin [\s\S]{49988}$/ },
  ])('the reply is complete when the model $when', async ({ scenario, text }) => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const events = await sendMessage(me, id, createScene(scenario).marker);
    expect(summarizeKinds(events).filter((kind) => kind !== 'thinking')).toEqual([
      'accepted',
      'delta',
      'done',
    ]);
    expect(joinDeltas(events)).toMatch(text);
    const reply = await getLastMessage(me, id);
    expect(reply).toMatchObject({ content: joinDeltas(events), status: 'complete' });
    expect(reply).not.toHaveProperty('error_code');
    expect(getLastEvent(events).data.reply).toEqual(reply);
    expect(await getPoints(me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(me);
  });

  test('an error of the model that quotes its key or the message is not passed on to the user', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const response = JSON.stringify(
      getLastEvent(await sendMessage(me, id, `my secret words ${createScene('status code=500').marker}`)).data
        .error,
    );
    expect(response).not.toContain('key-of-roleplay');
    expect(response).not.toContain('my secret words');
  });

  test('sending a failed message again returns the same failure without calling the model', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const broken = createScene('cut n=5');
    const turnId = 'turn-that-failed';
    const first = await sendMessage(me, id, broken.marker, { turnId });
    const again = await sendMessage(me, id, broken.marker, { turnId });
    expect(again.map(({ event, data }) => ({ event, data })).at(-1)).toEqual(
      first.map(({ event, data }) => ({ event, data })).at(-1),
    );
    expect(joinDeltas(again)).toBe(FIVE);
    expect(await broken.requests()).toHaveLength(1);
  });

  test('the provider is called with its own key and model name, streaming, with the character first', async () => {
    const me = await signInGuest();
    const id = await startConversation(me);
    const asked = createScene('tokens n=1');
    await sendMessage(me, id, `Are you there? ${asked.marker}`, { model: 'chatgpt' });
    const [request] = await asked.requests();
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer key-of-chatgpt' },
    });
    expect(request?.body).toMatchObject({ model: 'chatgpt-test', stream: true });
    expect(request?.body.messages.map((message) => message.role)).toEqual([
      'system',
      'user',
      'assistant',
      'user',
    ]);
    expect(request?.body.messages[0]?.content).toContain('Name: Mira');
    expect(request?.body.messages[2]?.content).toContain('You came back, Stranger');
    expect(JSON.stringify(request?.body)).not.toContain('{{');
  });
});

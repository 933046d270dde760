import { describe, expect, test } from 'vitest';
import { CHAT_FILE } from '../../src/features/conversation/limits.ts';
import type { Message } from '../../src/features/conversation/contract.ts';
import { createId } from '../../src/lib/ids.ts';
import {
  ConversationClient,
  getMessageId,
  startConversationClient,
  startWithTwoExchanges,
  describeVersions,
} from '../support/conversation-client.ts';
import { getLastEvent, EventReader, summarizeKinds, joinDeltas } from '../support/event-reader.ts';
import {
  startTurn,
  getConversationStub,
  expectBalancedLedger,
  signInGuest,
  createTurnId,
  getPoints,
  rejoinReply,
} from '../support/factories.ts';
import { createScene } from '../support/scripted-model.ts';

const UNKNOWN = '0'.repeat(26);

describe('When I edit a message', () => {
  test('it says what I wrote, is marked, keeps the old text, and what followed stays', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const edited = await chat.edit(getMessageId(said, 1), 'First, but better.');
    expect(edited).toMatchObject({
      id: said[1]?.id,
      content: 'First, but better.',
      edited: true,
      role: 'user',
    });
    expect(describeVersions(edited)).toEqual(['First.', 'First, but better.']);
    expect(edited.versions.map((version) => version.edited)).toEqual([false, true]);
    expect(edited.client_message_id).toBe(said[1]?.client_message_id);
    expect(await chat.messages()).toEqual(said.with(1, edited));
    expect(await chat.count()).toBe(5);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48 });
  });

  test('of the character, it is still known which model had written it', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const edited = await chat.edit(getMessageId(said, 2), 'What she should have said.');
    expect(edited.versions.map(({ model }) => model)).toEqual(['loreloom', 'loreloom']);
    const again = await chat.edit(getMessageId(said, 2), 'What she meant.');
    expect(again.versions.map(({ model }) => model)).toEqual(['loreloom', 'loreloom', 'loreloom']);
    const opening = await chat.edit(getMessageId(said, 0), 'Another beginning.');
    expect(opening.versions.map(({ model }) => model)).toEqual([null, null]);
  });

  test('and take it back, the old text shows again and mine is kept', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const edited = await chat.edit(getMessageId(said, 2), 'Mended.');
    const back = await chat.select(edited.id, said[2]?.selected_version_id as string);
    expect(back).toMatchObject({ content: said[2]?.content, edited: false });
    expect(describeVersions(back)).toEqual([said[2]?.content, 'Mended.']);
  });

  test('with the same text, nothing changes', async () => {
    const { chat, said } = await startWithTwoExchanges();
    expect(await chat.edit(getMessageId(said, 1), 'First.')).toEqual(said[1]);
    expect(await chat.messages()).toEqual(said);
  });

  test('the model reads the new text from then on', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('My boat is red.');
    await chat.edit(getMessageId(await chat.messages(), 1), 'My boat is green.');
    const told = createScene('tokens n=1');
    await chat.send(`And now? ${told.marker}`);
    const [request] = await told.requests();
    expect(JSON.stringify(request?.body)).toContain('My boat is green.');
    expect(JSON.stringify(request?.body)).not.toContain('My boat is red.');
  });

  test('that is not there or not mine, it is not found', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const stranger = new ConversationClient(await signInGuest(), chat.id);
    const { chat: other, said: others } = await startWithTwoExchanges();
    await chat.edit(UNKNOWN, 'x', 404);
    await chat.edit(getMessageId(others, 1), 'x', 404);
    await stranger.edit(getMessageId(said, 1), 'x', 404);
    expect(await chat.messages()).toEqual(said);
    expect(await other.messages()).toEqual(others);
  });

  test('to nothing, to blanks or to far too much, I am told what is wrong', async () => {
    const { chat, said } = await startWithTwoExchanges();
    for (const content of ['', ' \n\t ', 'x'.repeat(8001)]) {
      expect(await chat.edit(getMessageId(said, 1), content, 400)).toMatchObject({ code: 'invalid_input' });
    }
    expect(await chat.messages()).toEqual(said);
  });

  test('while it is being written, it is refused, and any other message is not', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const slow = createScene('gate n=2');
    const reader = await startTurn(chat.me, chat.id, slow.marker);
    await slow.reached();
    const reply = (await chat.messages()).at(-1) as Message;
    for (const answer of [
      await chat.edit(reply.id, 'No, like this.', 409),
      await chat.select(reply.id, reply.selected_version_id, 409),
      await chat.discard(reply.id, 409),
      await chat.discard(getMessageId(said, 1), 409),
    ]) {
      expect(answer).toMatchObject({ code: 'reply_in_progress' });
    }
    expect((await chat.rewrite('regenerate', getMessageId(said, 2))).status).toBe(409);
    expect((await chat.rewrite('continue', getMessageId(said, 2))).status).toBe(409);
    await chat.edit(getMessageId(said, 1), 'Changed meanwhile.');
    await slow.open();
    expect(joinDeltas(await reader.readRest())).toBe('w0 w1 w2 w3');
    expect(await chat.texts()).toEqual([
      said[0]?.content,
      'Changed meanwhile.',
      ...said.slice(2).map(({ content }) => content),
      slow.marker,
      'w0 w1 w2 w3',
    ]);
  });
});

describe('When a message holds as many versions as it can', () => {
  /** A conversation whose last reply has so many versions of a text. */
  async function rewritten(
    count: number,
    content: string,
  ): Promise<{ chat: ConversationClient; reply: string }> {
    const chat = await startConversationClient(await signInGuest());
    const now = Date.now();
    const id = createId(now);
    const version = { model: 'loreloom', status: 'complete', errorCode: null, edited: false } as const;
    await getConversationStub(chat.id).append(chat.me.id, [
      {
        id,
        role: 'character',
        name: null,
        createdAt: now,
        pinned: false,
        source: null,
        selected: 0,
        versions: Array.from({ length: count }, (_, index) => ({
          ...version,
          id: createId(now),
          content: `${content} ${index}`,
          createdAt: now,
        })),
      },
    ]);
    return { chat, reply: id };
  }

  test('I am told so, it takes no other and nothing is charged; up to there it can be taken along', async () => {
    const { chat, reply } = await rewritten(CHAT_FILE.maxVersions - 1, 'Again');
    await chat.edit(reply, 'The last one.');
    const full = await chat.messages();
    expect(full.at(-1)?.versions).toHaveLength(CHAT_FILE.maxVersions);
    expect(await chat.edit(reply, 'One too many.', 409)).toMatchObject({ code: 'version_limit' });
    for (const how of ['regenerate', 'continue'] as const) {
      const answer = await chat.rewrite(how, reply);
      expect([answer.status, await answer.json()]).toEqual([
        409,
        expect.objectContaining({ code: 'version_limit' }),
      ]);
    }
    expect(await chat.messages()).toEqual(full);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
    await chat.edit(reply, 'The last one.');
    await chat.select(reply, full.at(-1)?.versions[0]?.id as string);

    const file = await (await chat.call('/export?format=jsonl')).arrayBuffer();
    const body = new FormData();
    body.set('character_id', (await chat.page()).conversation.character_id);
    body.set('file', new Blob([file]), 'chat.jsonl');
    const { conversation } = await chat.me.ask<{ conversation: { id: string } }>(
      '/api/conversations/import',
      {
        method: 'POST',
        body,
        status: 201,
      },
    );
    const copy = await new ConversationClient(chat.me, conversation.id).messages();
    expect(copy.at(-1)?.versions).toHaveLength(CHAT_FILE.maxVersions);
  });

  test('a reply as long as it can be does not go on, and can still be written anew', async () => {
    const { chat, reply } = await rewritten(1, 'x'.repeat(CHAT_FILE.maxContentChars - 10));
    const answer = await chat.rewrite('continue', reply);
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'length_limit' }),
    ]);
    expect(getLastEvent(await chat.regenerate(reply)).event).toBe('done');
  });
});

describe('When I have any reply written anew', () => {
  test('and not only the last, it gets a version from what stood before it, and later messages stay', async () => {
    const chat = await startConversationClient(await signInGuest());
    const told = createScene('echo');
    await chat.send(`First. ${told.marker}`);
    await chat.send('Second.');
    const said = await chat.messages();
    const events = await chat.regenerate(getMessageId(said, 2));
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    const after = await chat.messages();
    expect(after).toEqual(said.with(2, getLastEvent(events).data.reply as Message));
    expect(describeVersions(after[2])).toEqual([said[2]?.content, joinDeltas(events)]);
    const [first, anew] = await told.requests();
    expect(anew?.body).toEqual(first?.body);
  });

  test('what was pinned or said later is not told to the model that writes an old one', async () => {
    const chat = await startConversationClient(await signInGuest());
    const told = createScene('tokens n=2');
    await chat.send(`Who is at the door? ${told.marker}`);
    await chat.send('It was the butler.');
    const said = await chat.messages();
    await chat.pin(getMessageId(said, 3));
    await chat.pin(getMessageId(said, 1));
    await chat.regenerate(getMessageId(said, 2));
    const anew = (await told.requests()).at(-1);
    expect(JSON.stringify(anew?.body)).toContain('Who is at the door?');
    expect(JSON.stringify(anew?.body)).not.toContain('butler');
  });
});

describe('When I choose a version', () => {
  test('it shows, the model is not called, and nothing is charged', async () => {
    const chat = await startConversationClient(await signInGuest());
    const told = createScene('echo');
    await chat.send(`Tell me. ${told.marker}`);
    const reply = (await chat.messages()).at(-1) as Message;
    await chat.regenerate(reply.id);
    await chat.edit(reply.id, 'By hand.');
    const { versions } = (await chat.messages()).at(-1) as Message;
    expect(versions).toHaveLength(3);
    const before = await getPoints(chat.me);
    for (const version of [versions[0], versions[2], versions[1], versions[1]]) {
      const shown = await chat.select(reply.id, version?.id as string);
      expect(shown).toMatchObject({
        selected_version_id: version?.id,
        content: version?.content,
        edited: version?.edited,
        versions,
      });
      expect((await chat.messages()).at(-1)).toEqual(shown);
    }
    expect(await told.requests()).toHaveLength(2);
    expect(await getPoints(chat.me)).toEqual(before);
  });

  test('of another message, or one that never was, it is not found', async () => {
    const { chat, said } = await startWithTwoExchanges();
    await chat.select(getMessageId(said, 2), said[4]?.selected_version_id as string, 404);
    await chat.select(getMessageId(said, 2), UNKNOWN, 404);
    await chat.select(UNKNOWN, said[2]?.selected_version_id as string, 404);
    expect(await chat.messages()).toEqual(said);
  });
});

describe('When a reply goes on', () => {
  /** A conversation whose reply is «w0 … w5» and goes on with the same. */
  async function begun() {
    const chat = await startConversationClient(await signInGuest());
    const told = createScene('tokens n=6');
    await chat.send(`Tell me. ${told.marker}`);
    const reply = (await chat.messages()).at(-1) as Message;
    return { chat, told, reply, base: reply.content };
  }

  test('its deltas are what is added, and the longer text is a version beside the shorter', async () => {
    const { chat, reply, base, told } = await begun();
    const events = await chat.continueReply(reply.id);
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    expect(events[0]?.data).toEqual({
      reply: expect.objectContaining({ id: reply.id, content: base, status: 'streaming' }),
      newest: true,
    });
    expect(joinDeltas(events)).toBe(' w0 w1 w2 w3 w4 w5');
    const after = (await chat.messages()).at(-1) as Message;
    expect(after).toEqual(getLastEvent(events).data.reply);
    expect(after).toMatchObject({ id: reply.id, status: 'complete', edited: false });
    expect(describeVersions(after)).toEqual([base, base + joinDeltas(events)]);
    expect(after.content).toBe(base + joinDeltas(events));
    expect(await chat.count()).toBe(3);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48 });
    const asked = (await told.requests()).at(-1)?.body as { messages: { role: string; content: string }[] };
    expect(asked.messages.at(-2)).toMatchObject({
      role: 'assistant',
      content: expect.stringContaining(base),
    });
    await expectBalancedLedger(chat.me);
  });

  test('and I rejoin it anywhere, before and after its end, base and deltas together are the stored reply', async () => {
    const { chat, reply, base } = await begun();
    await chat.edit(reply.id, `${base} …`);
    const turnId = createTurnId();
    const slow = createScene('gate n=6');
    await chat.edit((await chat.ids())[1] as string, `Tell me. ${slow.marker}`);
    const first = await EventReader.fromResponse(await chat.rewrite('continue', reply.id, { turnId }));
    await first.readUntilText((text) => text.endsWith('w5'));
    const told = joinDeltas(first.receivedEvents);
    const offsets = [0, 1, 7, told.length];
    const readers = await Promise.all([
      ...offsets.map((offset) => rejoinReply(chat.me, chat.id, `${turnId}:${offset}`)),
      EventReader.fromResponse(
        await chat.rewrite('continue', reply.id, { turnId, lastEventId: `${turnId}:3` }),
      ),
    ]);
    const whole = await rejoinReply(chat.me, chat.id);
    const shown = (await chat.messages()).at(-1) as Message;
    expect(shown).toMatchObject({ status: 'streaming', content: `${base} …${told}` });
    await slow.open();
    const added = joinDeltas(await first.readRest());
    const stored = (await chat.messages()).at(-1) as Message;
    expect(stored.content).toBe(`${base} …${added}`);
    for (const [index, reader] of readers.entries()) {
      expect(told.slice(0, offsets[index] ?? 3) + joinDeltas(await reader.readRest())).toBe(added);
    }
    const all = await whole.readRest();
    expect(all[0]?.data.reply?.content).toBe(`${base} …`);
    expect(joinDeltas(all)).toBe(added);
    const again = await chat.continueReply(reply.id, { turnId });
    expect(again[0]?.data.reply?.content).toBe(`${base} …`);
    expect(joinDeltas(again)).toBe(added);
    for (const { id } of again) {
      const rest = await chat.continueReply(reply.id, { turnId, lastEventId: id });
      expect(added.slice(0, Number(id.split(':')[1])) + joinDeltas(rest)).toBe(added);
    }
    expect((await chat.messages()).at(-1)).toEqual(stored);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48 });
  });

  test('any reply can, and what follows stays', async () => {
    const { chat, said } = await startWithTwoExchanges();
    const events = await chat.continueReply(getMessageId(said, 2));
    expect(await chat.messages()).toEqual(said.with(2, getLastEvent(events).data.reply as Message));
    const opening = await chat.continueReply(getMessageId(said, 0));
    expect((await chat.messages())[0]?.content).toBe((said[0]?.content ?? '') + joinDeltas(opening));
  });

  test('and nothing comes, the text before stays and nothing is charged', async () => {
    const { chat, reply } = await begun();
    for (const scenario of ['no-text', 'cut n=0', 'status code=500']) {
      await chat.edit((await chat.ids())[1] as string, `Tell me. [[scenario:${scenario}]]`);
      const events = await chat.continueReply(reply.id);
      expect(joinDeltas(events)).toBe('');
      expect(getLastEvent(events)).toMatchObject({ event: 'error', data: { reply } });
      expect((await chat.messages()).at(-1)).toEqual(reply);
    }
    const unreachable = await chat.continueReply(reply.id, { model: 'deepseek' });
    expect(getLastEvent(unreachable)).toMatchObject({
      event: 'error',
      data: { code: 'model_unreachable', reply },
    });
    expect((await chat.messages()).at(-1)).toEqual(reply);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(chat.me);
  });

  test('and breaks off, what was added stays, free of charge', async () => {
    const { chat, reply, base } = await begun();
    await chat.edit((await chat.ids())[1] as string, 'Tell me. [[scenario:cut n=2]]');
    await chat.continueReply(reply.id);
    const after = (await chat.messages()).at(-1) as Message;
    expect(after).toMatchObject({ content: `${base} w0 w1`, status: 'interrupted' });
    expect(describeVersions(after)).toEqual([base, `${base} w0 w1`]);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 49 });
  });

  test('and I stop it, what was added stays; before its first word, the text before does', async () => {
    const { chat, reply, base } = await begun();
    const slow = createScene('gate n=2');
    const mine = (await chat.ids())[1] as string;
    await chat.edit(mine, `Tell me. ${slow.marker}`);
    const reader = await EventReader.fromResponse(await chat.rewrite('continue', reply.id));
    await reader.readUntilText((text) => text === ' w0 w1');
    await chat.ask('/stop', { method: 'POST' });
    expect((await chat.messages()).at(-1)).toMatchObject({
      content: `${base} w0 w1`,
      status: 'interrupted',
    });
    await chat.edit(mine, 'Tell me. [[scenario:hang]]');
    const stopped = (await chat.messages()).at(-1);
    await EventReader.fromResponse(await chat.rewrite('continue', reply.id));
    await chat.ask('/stop', { method: 'POST' });
    expect((await chat.messages()).at(-1)).toEqual(stopped);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48 });
  });

  test('it must be a reply, and have a text to go on from', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('Hello.', { model: 'deepseek' });
    const [, mine, reply] = await chat.messages();
    const code = async (id: string | undefined) => {
      const response = await chat.rewrite('continue', id as string);
      return [response.status, (await response.json<{ code: string }>()).code];
    };
    expect(await code(mine?.id)).toEqual([422, 'not_a_reply']);
    expect(reply).toMatchObject({ content: '', status: 'failed' });
    expect(await code(reply?.id)).toEqual([422, 'nothing_to_continue']);
    expect(await code(UNKNOWN)).toEqual([404, 'not_found']);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 50 });
  });
});

import { describe, expect, test } from 'vitest';
import { CHAT_FILE } from '../../src/features/conversation/limits.ts';
import type { Message } from '../../src/features/conversation/contract.ts';
import { newId } from '../../src/lib/ids.ts';
import { Chat, idAt, newChat, twoExchanges, versionsOf } from '../support/chat.ts';
import { endOf, EventReader, shapeOf, textOf } from '../support/event-reader.ts';
import {
  begin,
  conversationStub,
  expectBalancedLedger,
  guest,
  newTurnId,
  points,
  rejoin,
} from '../support/makers.ts';
import { scene } from '../support/scripted-model.ts';

const UNKNOWN = '0'.repeat(26);

describe('When I edit a message', () => {
  test('it says what I wrote, is marked, keeps the old text, and what followed stays', async () => {
    const { chat, said } = await twoExchanges();
    const edited = await chat.edit(idAt(said, 1), 'First, but better.');
    expect(edited).toMatchObject({
      id: said[1]?.id,
      content: 'First, but better.',
      edited: true,
      role: 'user',
    });
    expect(versionsOf(edited)).toEqual(['First.', 'First, but better.']);
    expect(edited.versions.map((version) => version.edited)).toEqual([false, true]);
    expect(edited.client_message_id).toBe(said[1]?.client_message_id);
    expect(await chat.messages()).toEqual(said.with(1, edited));
    expect(await chat.count()).toBe(5);
    expect(await points(chat.me)).toMatchObject({ current_points: 48 });
  });

  test('of the character, it is still known which model had written it', async () => {
    const { chat, said } = await twoExchanges();
    const edited = await chat.edit(idAt(said, 2), 'What she should have said.');
    expect(edited.versions.map(({ model }) => model)).toEqual(['loreloom', 'loreloom']);
    const again = await chat.edit(idAt(said, 2), 'What she meant.');
    expect(again.versions.map(({ model }) => model)).toEqual(['loreloom', 'loreloom', 'loreloom']);
    const opening = await chat.edit(idAt(said, 0), 'Another beginning.');
    expect(opening.versions.map(({ model }) => model)).toEqual([null, null]);
  });

  test('and take it back, the old text shows again and mine is kept', async () => {
    const { chat, said } = await twoExchanges();
    const edited = await chat.edit(idAt(said, 2), 'Mended.');
    const back = await chat.select(edited.id, said[2]?.selected_version_id as string);
    expect(back).toMatchObject({ content: said[2]?.content, edited: false });
    expect(versionsOf(back)).toEqual([said[2]?.content, 'Mended.']);
  });

  test('with the same text, nothing changes', async () => {
    const { chat, said } = await twoExchanges();
    expect(await chat.edit(idAt(said, 1), 'First.')).toEqual(said[1]);
    expect(await chat.messages()).toEqual(said);
  });

  test('the model reads the new text from then on', async () => {
    const chat = await newChat(await guest());
    await chat.send('My boat is red.');
    await chat.edit(idAt(await chat.messages(), 1), 'My boat is green.');
    const told = scene('tokens n=1');
    await chat.send(`And now? ${told.marker}`);
    const [request] = await told.requests();
    expect(JSON.stringify(request?.body)).toContain('My boat is green.');
    expect(JSON.stringify(request?.body)).not.toContain('My boat is red.');
  });

  test('that is not there or not mine, it is not found', async () => {
    const { chat, said } = await twoExchanges();
    const stranger = new Chat(await guest(), chat.id);
    const { chat: other, said: others } = await twoExchanges();
    await chat.edit(UNKNOWN, 'x', 404);
    await chat.edit(idAt(others, 1), 'x', 404);
    await stranger.edit(idAt(said, 1), 'x', 404);
    expect(await chat.messages()).toEqual(said);
    expect(await other.messages()).toEqual(others);
  });

  test('to nothing, to blanks or to far too much, I am told what is wrong', async () => {
    const { chat, said } = await twoExchanges();
    for (const content of ['', ' \n\t ', 'x'.repeat(8001)]) {
      expect(await chat.edit(idAt(said, 1), content, 400)).toMatchObject({ code: 'invalid_input' });
    }
    expect(await chat.messages()).toEqual(said);
  });

  test('while it is being written, it is refused, and any other message is not', async () => {
    const { chat, said } = await twoExchanges();
    const slow = scene('gate n=2');
    const reader = await begin(chat.me, chat.id, slow.marker);
    await slow.reached();
    const reply = (await chat.messages()).at(-1) as Message;
    for (const answer of [
      await chat.edit(reply.id, 'No, like this.', 409),
      await chat.select(reply.id, reply.selected_version_id, 409),
      await chat.discard(reply.id, 409),
      await chat.discard(idAt(said, 1), 409),
    ]) {
      expect(answer).toMatchObject({ code: 'reply_in_progress' });
    }
    expect((await chat.rewrite('regenerate', idAt(said, 2))).status).toBe(409);
    expect((await chat.rewrite('continue', idAt(said, 2))).status).toBe(409);
    await chat.edit(idAt(said, 1), 'Changed meanwhile.');
    await slow.open();
    expect(textOf(await reader.rest())).toBe('w0 w1 w2 w3');
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
  async function rewritten(count: number, content: string): Promise<{ chat: Chat; reply: string }> {
    const chat = await newChat(await guest());
    const now = Date.now();
    const id = newId(now);
    const version = { model: 'loreloom', status: 'complete', errorCode: null, edited: false } as const;
    await conversationStub(chat.id).append(chat.me.id, [
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
          id: newId(now),
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
    expect(await points(chat.me)).toMatchObject({ current_points: 50 });
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
    const copy = await new Chat(chat.me, conversation.id).messages();
    expect(copy.at(-1)?.versions).toHaveLength(CHAT_FILE.maxVersions);
  });

  test('a reply as long as it can be does not go on, and can still be written anew', async () => {
    const { chat, reply } = await rewritten(1, 'x'.repeat(CHAT_FILE.maxContentChars - 10));
    const answer = await chat.rewrite('continue', reply);
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'length_limit' }),
    ]);
    expect(endOf(await chat.regenerate(reply)).event).toBe('done');
  });
});

describe('When I have any reply written anew', () => {
  test('and not only the last, it gets a version from what stood before it, and later messages stay', async () => {
    const chat = await newChat(await guest());
    const told = scene('echo');
    await chat.send(`First. ${told.marker}`);
    await chat.send('Second.');
    const said = await chat.messages();
    const events = await chat.regenerate(idAt(said, 2));
    expect(shapeOf(events)).toEqual(['accepted', 'delta', 'done']);
    const after = await chat.messages();
    expect(after).toEqual(said.with(2, endOf(events).data.reply as Message));
    expect(versionsOf(after[2])).toEqual([said[2]?.content, textOf(events)]);
    const [first, anew] = await told.requests();
    expect(anew?.body).toEqual(first?.body);
  });

  test('what was pinned or said later is not told to the model that writes an old one', async () => {
    const chat = await newChat(await guest());
    const told = scene('tokens n=2');
    await chat.send(`Who is at the door? ${told.marker}`);
    await chat.send('It was the butler.');
    const said = await chat.messages();
    await chat.pin(idAt(said, 3));
    await chat.pin(idAt(said, 1));
    await chat.regenerate(idAt(said, 2));
    const anew = (await told.requests()).at(-1);
    expect(JSON.stringify(anew?.body)).toContain('Who is at the door?');
    expect(JSON.stringify(anew?.body)).not.toContain('butler');
  });
});

describe('When I choose a version', () => {
  test('it shows, the model is not called, and nothing is charged', async () => {
    const chat = await newChat(await guest());
    const told = scene('echo');
    await chat.send(`Tell me. ${told.marker}`);
    const reply = (await chat.messages()).at(-1) as Message;
    await chat.regenerate(reply.id);
    await chat.edit(reply.id, 'By hand.');
    const { versions } = (await chat.messages()).at(-1) as Message;
    expect(versions).toHaveLength(3);
    const before = await points(chat.me);
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
    expect(await points(chat.me)).toEqual(before);
  });

  test('of another message, or one that never was, it is not found', async () => {
    const { chat, said } = await twoExchanges();
    await chat.select(idAt(said, 2), said[4]?.selected_version_id as string, 404);
    await chat.select(idAt(said, 2), UNKNOWN, 404);
    await chat.select(UNKNOWN, said[2]?.selected_version_id as string, 404);
    expect(await chat.messages()).toEqual(said);
  });
});

describe('When a reply goes on', () => {
  /** A conversation whose reply is «w0 … w5» and goes on with the same. */
  async function begun() {
    const chat = await newChat(await guest());
    const told = scene('tokens n=6');
    await chat.send(`Tell me. ${told.marker}`);
    const reply = (await chat.messages()).at(-1) as Message;
    return { chat, told, reply, base: reply.content };
  }

  test('its deltas are what is added, and the longer text is a version beside the shorter', async () => {
    const { chat, reply, base, told } = await begun();
    const events = await chat.goOn(reply.id);
    expect(shapeOf(events)).toEqual(['accepted', 'delta', 'done']);
    expect(events[0]?.data).toEqual({
      reply: expect.objectContaining({ id: reply.id, content: base, status: 'streaming' }),
      newest: true,
    });
    expect(textOf(events)).toBe(' w0 w1 w2 w3 w4 w5');
    const after = (await chat.messages()).at(-1) as Message;
    expect(after).toEqual(endOf(events).data.reply);
    expect(after).toMatchObject({ id: reply.id, status: 'complete', edited: false });
    expect(versionsOf(after)).toEqual([base, base + textOf(events)]);
    expect(after.content).toBe(base + textOf(events));
    expect(await chat.count()).toBe(3);
    expect(await points(chat.me)).toMatchObject({ current_points: 48 });
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
    const turnId = newTurnId();
    const slow = scene('gate n=6');
    await chat.edit((await chat.ids())[1] as string, `Tell me. ${slow.marker}`);
    const first = await EventReader.of(await chat.rewrite('continue', reply.id, { turnId }));
    await first.untilText((text) => text.endsWith('w5'));
    const told = textOf(first.seen);
    const offsets = [0, 1, 7, told.length];
    const readers = await Promise.all([
      ...offsets.map((offset) => rejoin(chat.me, chat.id, `${turnId}:${offset}`)),
      EventReader.of(await chat.rewrite('continue', reply.id, { turnId, lastEventId: `${turnId}:3` })),
    ]);
    const whole = await rejoin(chat.me, chat.id);
    const shown = (await chat.messages()).at(-1) as Message;
    expect(shown).toMatchObject({ status: 'streaming', content: `${base} …${told}` });
    await slow.open();
    const added = textOf(await first.rest());
    const stored = (await chat.messages()).at(-1) as Message;
    expect(stored.content).toBe(`${base} …${added}`);
    for (const [index, reader] of readers.entries()) {
      expect(told.slice(0, offsets[index] ?? 3) + textOf(await reader.rest())).toBe(added);
    }
    const all = await whole.rest();
    expect(all[0]?.data.reply?.content).toBe(`${base} …`);
    expect(textOf(all)).toBe(added);
    const again = await chat.goOn(reply.id, { turnId });
    expect(again[0]?.data.reply?.content).toBe(`${base} …`);
    expect(textOf(again)).toBe(added);
    for (const { id } of again) {
      const rest = await chat.goOn(reply.id, { turnId, lastEventId: id });
      expect(added.slice(0, Number(id.split(':')[1])) + textOf(rest)).toBe(added);
    }
    expect((await chat.messages()).at(-1)).toEqual(stored);
    expect(await points(chat.me)).toMatchObject({ current_points: 48 });
  });

  test('any reply can, and what follows stays', async () => {
    const { chat, said } = await twoExchanges();
    const events = await chat.goOn(idAt(said, 2));
    expect(await chat.messages()).toEqual(said.with(2, endOf(events).data.reply as Message));
    const opening = await chat.goOn(idAt(said, 0));
    expect((await chat.messages())[0]?.content).toBe((said[0]?.content ?? '') + textOf(opening));
  });

  test('and nothing comes, the text before stays and nothing is charged', async () => {
    const { chat, reply } = await begun();
    for (const scenario of ['no-text', 'cut n=0', 'status code=500']) {
      await chat.edit((await chat.ids())[1] as string, `Tell me. [[scenario:${scenario}]]`);
      const events = await chat.goOn(reply.id);
      expect(textOf(events)).toBe('');
      expect(endOf(events)).toMatchObject({ event: 'error', data: { reply } });
      expect((await chat.messages()).at(-1)).toEqual(reply);
    }
    const unreachable = await chat.goOn(reply.id, { model: 'deepseek' });
    expect(endOf(unreachable)).toMatchObject({ event: 'error', data: { code: 'model_unreachable', reply } });
    expect((await chat.messages()).at(-1)).toEqual(reply);
    expect(await points(chat.me)).toMatchObject({ current_points: 49 });
    await expectBalancedLedger(chat.me);
  });

  test('and breaks off, what was added stays, free of charge', async () => {
    const { chat, reply, base } = await begun();
    await chat.edit((await chat.ids())[1] as string, 'Tell me. [[scenario:cut n=2]]');
    await chat.goOn(reply.id);
    const after = (await chat.messages()).at(-1) as Message;
    expect(after).toMatchObject({ content: `${base} w0 w1`, status: 'interrupted' });
    expect(versionsOf(after)).toEqual([base, `${base} w0 w1`]);
    expect(await points(chat.me)).toMatchObject({ current_points: 49 });
  });

  test('and I stop it, what was added stays; before its first word, the text before does', async () => {
    const { chat, reply, base } = await begun();
    const slow = scene('gate n=2');
    const mine = (await chat.ids())[1] as string;
    await chat.edit(mine, `Tell me. ${slow.marker}`);
    const reader = await EventReader.of(await chat.rewrite('continue', reply.id));
    await reader.untilText((text) => text === ' w0 w1');
    await chat.ask('/stop', { method: 'POST' });
    expect((await chat.messages()).at(-1)).toMatchObject({
      content: `${base} w0 w1`,
      status: 'interrupted',
    });
    await chat.edit(mine, 'Tell me. [[scenario:hang]]');
    const stopped = (await chat.messages()).at(-1);
    await EventReader.of(await chat.rewrite('continue', reply.id));
    await chat.ask('/stop', { method: 'POST' });
    expect((await chat.messages()).at(-1)).toEqual(stopped);
    expect(await points(chat.me)).toMatchObject({ current_points: 48 });
  });

  test('it must be a reply, and have a text to go on from', async () => {
    const chat = await newChat(await guest());
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
    expect(await points(chat.me)).toMatchObject({ current_points: 50 });
  });
});

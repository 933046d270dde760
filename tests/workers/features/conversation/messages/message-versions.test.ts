import { describe, expect, test } from 'vitest';
import { CHAT_FILE } from '../../../../../src/features/conversation/limits.ts';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
import {
  ConversationClient,
  getMessageId,
  startConversationClient,
  startWithTwoExchanges,
  describeVersions,
} from '../../../../support/conversation-client.ts';
import { getLastEvent, summarizeKinds, joinDeltas } from '../../../../support/event-reader.ts';
import { startTurn, signInGuest, getPoints } from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';

const UNKNOWN = '0'.repeat(26);

describe('Message edits', () => {
  test('an edited message shows the new text, keeps the old version and the messages after it', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    const edited = await chat.edit(getMessageId(original, 1), 'First, but better.');
    expect(edited).toMatchObject({
      id: original[1]?.id,
      content: 'First, but better.',
      edited: true,
      role: 'user',
    });
    expect(describeVersions(edited)).toEqual(['First.', 'First, but better.']);
    expect(edited.versions.map((version) => version.edited)).toEqual([false, true]);
    expect(edited.client_message_id).toBe(original[1]?.client_message_id);
    expect(await chat.messages()).toEqual(original.with(1, edited));
    expect(await chat.count()).toBe(5);
    expect(await getPoints(chat.me)).toMatchObject({ current_points: 48 });
  });

  test('an edited reply keeps the name of the model that wrote it', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    const edited = await chat.edit(getMessageId(original, 2), 'What she should have said.');
    expect(edited.versions.map(({ model }) => model)).toEqual(['loreloom', 'loreloom']);
    const again = await chat.edit(getMessageId(original, 2), 'What she meant.');
    expect(again.versions.map(({ model }) => model)).toEqual(['loreloom', 'loreloom', 'loreloom']);
    const opening = await chat.edit(getMessageId(original, 0), 'Another beginning.');
    expect(opening.versions.map(({ model }) => model)).toEqual([null, null]);
  });

  test('selecting the old version undoes an edit and keeps the edited one', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    const edited = await chat.edit(getMessageId(original, 2), 'Mended.');
    const reverted = await chat.select(edited.id, original[2]?.selected_version_id as string);
    expect(reverted).toMatchObject({ content: original[2]?.content, edited: false });
    expect(describeVersions(reverted)).toEqual([original[2]?.content, 'Mended.']);
  });

  test('an edit with the same text changes nothing', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    expect(await chat.edit(getMessageId(original, 1), 'First.')).toEqual(original[1]);
    expect(await chat.messages()).toEqual(original);
  });

  test('the model gets the edited text from the next turn on', async () => {
    const chat = await startConversationClient(await signInGuest());
    await chat.send('My boat is red.');
    await chat.edit(getMessageId(await chat.messages(), 1), 'My boat is green.');
    const scene = createScene('tokens n=1');
    await chat.send(`And now? ${scene.marker}`);
    const [request] = await scene.requests();
    expect(JSON.stringify(request?.body)).toContain('My boat is green.');
    expect(JSON.stringify(request?.body)).not.toContain('My boat is red.');
  });

  test('editing an unknown message or another user’s message is answered with 404', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    const stranger = new ConversationClient(await signInGuest(), chat.id);
    const { chat: other, said: foreignMessages } = await startWithTwoExchanges();
    await chat.edit(UNKNOWN, 'x', 404);
    await chat.edit(getMessageId(foreignMessages, 1), 'x', 404);
    await stranger.edit(getMessageId(original, 1), 'x', 404);
    expect(await chat.messages()).toEqual(original);
    expect(await other.messages()).toEqual(foreignMessages);
  });

  test('an empty or overlong edit is refused', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    for (const content of ['', ' \n\t ', 'x'.repeat(8001)]) {
      expect(await chat.edit(getMessageId(original, 1), content, 400)).toMatchObject({
        code: 'invalid_input',
      });
    }
    expect(await chat.messages()).toEqual(original);
  });

  test('a reply cannot be edited while it is written, and other messages can', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    const slow = createScene('gate n=2');
    const reader = await startTurn(chat.me, chat.id, slow.marker);
    await slow.reached();
    const reply = (await chat.messages()).at(-1) as Message;
    for (const answer of [
      await chat.edit(reply.id, 'No, like this.', 409),
      await chat.select(reply.id, reply.selected_version_id, 409),
      await chat.discard(reply.id, 409),
      await chat.discard(getMessageId(original, 1), 409),
    ]) {
      expect(answer).toMatchObject({ code: 'reply_in_progress' });
    }
    expect((await chat.rewrite('regenerate', getMessageId(original, 2))).status).toBe(409);
    expect((await chat.rewrite('continue', getMessageId(original, 2))).status).toBe(409);
    await chat.edit(getMessageId(original, 1), 'Changed meanwhile.');
    await slow.open();
    expect(joinDeltas(await reader.readRest())).toBe('w0 w1 w2 w3');
    expect(await chat.texts()).toEqual([
      original[0]?.content,
      'Changed meanwhile.',
      ...original.slice(2).map(({ content }) => content),
      slow.marker,
      'w0 w1 w2 w3',
    ]);
  });
});

describe('Version limit', () => {
  /** A conversation whose last reply has this number of versions. */
  async function createRewritten(
    count: number,
    content: string,
  ): Promise<{ chat: ConversationClient; reply: string }> {
    const chat = await startConversationClient(await signInGuest());
    const now = Date.now();
    const version = { model: 'loreloom', status: 'complete', errorCode: null, edited: false } as const;
    const [id = ''] = await chat.appendRecords([
      {
        id: '',
        role: 'character',
        name: null,
        createdAt: now,
        pinned: false,
        source: null,
        selected: 0,
        versions: Array.from({ length: count }, (_, index) => ({
          ...version,
          id: '',
          content: `${content} ${index}`,
          createdAt: now,
        })),
      },
    ]);
    return { chat, reply: id };
  }

  test('a message at the version limit takes no new version for free, and can be exported and imported', async () => {
    const { chat, reply } = await createRewritten(CHAT_FILE.maxVersions - 1, 'Again');
    await chat.edit(reply, 'The last one.');
    const full = await chat.messages();
    expect(full.at(-1)?.versions).toHaveLength(CHAT_FILE.maxVersions);
    expect(await chat.edit(reply, 'One too many.', 409)).toMatchObject({ code: 'version_limit' });
    for (const kind of ['regenerate', 'continue'] as const) {
      const answer = await chat.rewrite(kind, reply);
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

  test('a reply of maximum length cannot be continued and can be regenerated', async () => {
    const { chat, reply } = await createRewritten(1, 'x'.repeat(CHAT_FILE.maxContentChars - 10));
    const answer = await chat.rewrite('continue', reply);
    expect([answer.status, await answer.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'length_limit' }),
    ]);
    expect(getLastEvent(await chat.regenerate(reply)).event).toBe('done');
  });
});

describe('Regenerating any reply', () => {
  test('regenerating an earlier reply uses the messages before it and keeps those after it', async () => {
    const chat = await startConversationClient(await signInGuest());
    const scene = createScene('echo');
    await chat.send(`First. ${scene.marker}`);
    await chat.send('Second.');
    const original = await chat.messages();
    const events = await chat.regenerate(getMessageId(original, 2));
    expect(summarizeKinds(events)).toEqual(['accepted', 'delta', 'done']);
    const after = await chat.messages();
    expect(after).toEqual(original.with(2, getLastEvent(events).data.reply as Message));
    expect(describeVersions(after[2])).toEqual([original[2]?.content, joinDeltas(events)]);
    const [first, regenerated] = await scene.requests();
    expect(regenerated?.body).toEqual(first?.body);
  });

  test('regenerating an earlier reply leaves out later messages and pins', async () => {
    const chat = await startConversationClient(await signInGuest());
    const scene = createScene('tokens n=2');
    await chat.send(`Who is at the door? ${scene.marker}`);
    await chat.send('It was the butler.');
    const original = await chat.messages();
    await chat.pin(getMessageId(original, 3));
    await chat.pin(getMessageId(original, 1));
    await chat.regenerate(getMessageId(original, 2));
    const regenerated = (await scene.requests()).at(-1);
    expect(JSON.stringify(regenerated?.body)).toContain('Who is at the door?');
    expect(JSON.stringify(regenerated?.body)).not.toContain('butler');
  });
});

describe('Version selection', () => {
  test('selecting a version shows it without calling the model or charging', async () => {
    const chat = await startConversationClient(await signInGuest());
    const scene = createScene('echo');
    await chat.send(`Tell me. ${scene.marker}`);
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
    expect(await scene.requests()).toHaveLength(2);
    expect(await getPoints(chat.me)).toEqual(before);
  });

  test('selecting a version of another message is answered with 404', async () => {
    const { chat, said: original } = await startWithTwoExchanges();
    await chat.select(getMessageId(original, 2), original[4]?.selected_version_id as string, 404);
    await chat.select(getMessageId(original, 2), UNKNOWN, 404);
    await chat.select(UNKNOWN, original[2]?.selected_version_id as string, 404);
    expect(await chat.messages()).toEqual(original);
  });
});

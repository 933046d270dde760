import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Conversation } from '../../../../../src/features/conversation/contract.ts';
import type { ContextRecord } from '../../../../../src/features/conversation/memory/memory-contract.ts';
import { resetModelState } from '../../../../../src/features/model/model-gateway.ts';
import { ConversationClient, startConversationClient } from '../../../../support/conversation-client.ts';
import { EventReader, getLastEvent, joinDeltas } from '../../../../support/event-reader.ts';
import {
  addCharacter,
  createTurnId,
  expectBalancedLedger,
  getConversationStub,
  getPoints,
  signInGuest,
} from '../../../../support/factories.ts';
import type { RecordedRequest } from '../../../../support/model-server.mjs';
import { buildReplyScript } from '../../../../support/reply-script.ts';
import { createScene, type ModelScene } from '../../../../support/scripted-model.ts';

const NOTE = 'Let her be angrier.';

afterEach(resetModelState);

const readPrompt = (request: RecordedRequest | undefined): string =>
  ((request?.body as { messages?: { content: string }[] } | undefined)?.messages ?? [])
    .map(({ content }) => content)
    .join('\n\n');
const countNotes = (request: RecordedRequest | undefined) => readPrompt(request).split(NOTE).length - 1;

/** A conversation with one reply. */
async function startWithReply(scenario = 'tokens n=2'): Promise<{
  chat: ConversationClient;
  scene: ModelScene;
  replyId: string;
}> {
  const chat = await startConversationClient(await signInGuest());
  const scene = createScene(scenario);
  await chat.send(`Hello. ${scene.marker}`);
  return { chat, scene, replyId: (await chat.ids()).at(-1) as string };
}

const readReply = async (chat: ConversationClient, replyId: string) =>
  (await chat.messages()).find(({ id }) => id === replyId);
const listNotes = async (chat: ConversationClient, replyId: string) =>
  (await readReply(chat, replyId))?.versions.map(({ regenerate_note: note }) => note);

describe('Regenerating with a note', () => {
  test('the note is last in the prompt of its reply, is kept with the version, and is in no other prompt', async () => {
    const { chat, scene, replyId } = await startWithReply();
    await chat.ask('/reply-settings', { method: 'PATCH', json: { author_note: 'It rains.' } });
    await chat.regenerate(replyId, { note: ` ${NOTE}\n` });
    const [, noted] = await scene.requests();
    expect(readPrompt(noted)).toMatch(new RegExp(`It rains\\.].*${NOTE}]$`, 's'));
    expect(countNotes(noted)).toBe(1);
    expect(await listNotes(chat, replyId)).toEqual([undefined, NOTE]);
    const { sections } = await chat.ask<ContextRecord>(`/messages/${replyId}/context`);
    expect(sections.at(-1)).toMatchObject({ kind: 'regenerate_note', text: expect.stringContaining(NOTE) });

    await chat.regenerate(replyId);
    await chat.continueReply(replyId);
    await chat.send(`And then? ${scene.marker}`);
    const later = (await scene.requests()).slice(2);
    expect(later.map(countNotes)).toEqual([0, 0, 0]);
    expect(await listNotes(chat, replyId)).toEqual([undefined, NOTE, undefined, undefined]);
    await expectBalancedLedger(chat.me);
  });

  test('the note moves with its version when another one is selected', async () => {
    const { chat, replyId } = await startWithReply();
    await chat.regenerate(replyId, { note: NOTE });
    const [first, noted] = (await readReply(chat, replyId))?.versions ?? [];
    await chat.select(replyId, first?.id ?? '');
    await chat.edit(replyId, 'Mine.');
    expect(await listNotes(chat, replyId)).toEqual([undefined, NOTE, undefined]);
    await chat.select(replyId, noted?.id ?? '');
    expect(await listNotes(chat, replyId)).toEqual([undefined, NOTE, undefined]);
  });

  test('a note that breaks a rule is refused before the model is asked, and costs nothing', async () => {
    const { chat, scene, replyId } = await startWithReply();
    const before = await getPoints(chat.me);
    const turnId = createTurnId();
    const events = await chat.regenerate(replyId, { note: 'A 15-year-old girl has sex with him.', turnId });
    expect(events.map(({ event }) => event)).toEqual(['safety', 'error']);
    expect(events[0]?.data).toMatchObject({
      kind: 'refused',
      rule: 'minors',
      appeal_token: expect.any(String),
    });
    expect(getLastEvent(events).data).toMatchObject({ code: 'text_refused' });
    expect(await scene.requests()).toHaveLength(1);
    expect(await listNotes(chat, replyId)).toEqual([undefined]);
    expect((await getPoints(chat.me)).current_points).toBe(before.current_points);
    // The id is still unused.
    await chat.regenerate(replyId, { note: NOTE, turnId });
    expect(await listNotes(chat, replyId)).toEqual([undefined, NOTE]);
  });

  test('a note is judged together with the messages before the reply', async () => {
    const { chat, replyId } = await startWithReply();
    await chat.edit((await chat.ids()).at(1) as string, 'The girl at the door is 12 years old.');
    const events = await chat.regenerate(replyId, { note: 'They have sex.' });
    expect(getLastEvent(events).data).toMatchObject({ code: 'text_refused' });
  });

  test('a reply is judged together with its note', async () => {
    const { chat, replyId } = await startWithReply();
    await chat.edit(
      (await chat.ids()).at(1) as string,
      `Hello. ${buildReplyScript('He has sex with her, slowly and in detail.')}`,
    );
    const events = await chat.regenerate(replyId, { note: 'The girl at the door is 12 years old.' });
    expect(getLastEvent(events)).toMatchObject({ event: 'error', data: { code: 'reply_refused' } });
  });

  test('a note of blanks is none, and one that is too long is refused', async () => {
    const { chat, scene, replyId } = await startWithReply();
    await chat.regenerate(replyId, { note: ' \n ' });
    expect(readPrompt((await scene.requests())[1])).not.toContain('Out of the story');
    expect(await listNotes(chat, replyId)).toEqual([undefined, undefined]);
    const answer = await chat.rewrite('regenerate', replyId, { note: 'a'.repeat(1001) });
    expect({ status: answer.status, ...(await answer.json<object>()) }).toMatchObject({
      status: 400,
      code: 'invalid_input',
      fields: { note: [expect.any(String)] },
    });
  });

  test('the same id again returns the reply to the first note', async () => {
    const { chat, scene, replyId } = await startWithReply();
    const turnId = createTurnId();
    const events = await chat.regenerate(replyId, { note: NOTE, turnId });
    const again = await chat.regenerate(replyId, { note: 'Let her laugh.', turnId });
    expect(joinDeltas(again)).toBe(joinDeltas(events));
    expect(await scene.requests()).toHaveLength(2);
    expect(await listNotes(chat, replyId)).toEqual([undefined, NOTE]);
  });

  test('the note stays with a reply whose object was evicted while it was written', async () => {
    const { chat, replyId } = await startWithReply();
    const gate = createScene('gate n=5');
    await chat.edit((await chat.ids()).at(1) as string, `Hello. ${gate.marker}`);
    const reader = await EventReader.fromResponse(await chat.rewrite('regenerate', replyId, { note: NOTE }));
    await reader.readUntilText((text) => text === 'w0 w1 w2 w3 w4');
    const stub = getConversationStub(chat.id);
    await vi.waitFor(
      () =>
        runInDurableObject(stub, (_, { storage }) => {
          const saved = storage.sql.exec("select 1 from messages where content = 'w0 w1 w2 w3 w4'").toArray();
          expect(saved).toHaveLength(1);
        }),
      { timeout: 5000, interval: 50 },
    );
    await abortAllDurableObjects();
    expect(await readReply(chat, replyId)).toMatchObject({
      status: 'interrupted',
      content: 'w0 w1 w2 w3 w4',
    });
    expect(await listNotes(chat, replyId)).toEqual([undefined, NOTE]);
  });

  test('a prompt that is sent once more with half of the messages has the note, too', async () => {
    const chat = await startConversationClient(await signInGuest());
    const line = 'The rain goes on, and the lamp turns over the water.';
    await chat.insertMessages(...Array.from({ length: 80 }, (_, index) => `${index}. ${line}`));
    const plain = createScene('tokens n=2');
    await chat.send(plain.marker);
    const chars = readPrompt((await plain.requests())[0]).length;
    const [userId, replyId] = (await chat.ids()).slice(-2) as [string, string];
    const scene = createScene(`window chars=${chars - 200} figures=0`);
    await chat.edit(userId, `And now? ${scene.marker}`);
    const events = await chat.regenerate(replyId, { note: NOTE });
    expect(getLastEvent(events).event).toBe('done');
    expect((await scene.requests()).map(countNotes)).toEqual([1, 1]);
    expect(await listNotes(chat, replyId)).toEqual([undefined, NOTE]);
  });

  test('a failed attempt leaves the version before it, without the note', async () => {
    const { chat, replyId } = await startWithReply();
    await chat.edit((await chat.ids()).at(1) as string, 'Hello. [[scenario:status code=500]]');
    const events = await chat.regenerate(replyId, { note: NOTE });
    expect(getLastEvent(events).event).toBe('error');
    expect(await listNotes(chat, replyId)).toEqual([undefined]);
  });

  test('branches, chat files and the account’s export have the note', async () => {
    const { chat, replyId } = await startWithReply();
    await chat.regenerate(replyId, { note: NOTE });
    const { chat: branch } = await chat.fork(replyId);
    expect(await listNotes(branch, (await branch.ids()).at(-1) as string)).toEqual([undefined, NOTE]);
    const body = new FormData();
    body.set('character_id', await addCharacter());
    body.set('file', new Blob([await (await chat.call('/export')).arrayBuffer()]), 'chat.jsonl');
    const answer = await chat.me.call('/api/conversations/import', { method: 'POST', body });
    const { conversation } = await answer.json<{ conversation: Conversation }>();
    const imported = new ConversationClient(chat.me, conversation.id);
    expect(await listNotes(imported, (await imported.ids()).at(-1) as string)).toEqual([undefined, NOTE]);
    const everything = await (await chat.me.call('/api/account/export?format=json')).text();
    expect(everything).toContain(`"regenerate_note":"${NOTE}"`);
  });
});

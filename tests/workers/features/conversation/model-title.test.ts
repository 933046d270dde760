import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ChatList } from '../../../../src/features/conversation/contract.ts';
import { startConversationClient } from '../../../support/conversation-client.ts';
import { getPoints, signInGuest, type Visitor } from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';
import { changeConfig, resetModelConfig } from '../../model-config.ts';

beforeEach(resetModelConfig);
afterEach(resetModelConfig);

const readTitle = async (me: Visitor) => (await me.ask<ChatList>('/api/chats')).chats[0]?.title;

describe('A model’s title', () => {
  test('a model’s title replaces the beginning of the first message after the third turn, and costs no points', async () => {
    await changeConfig({ model_titles: 'on' });
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const scene = createScene('tokens n=2 ms=0');
    for (const text of ['One.', 'Two.']) await chat.send(`${text} ${scene.marker}`);
    expect(await readTitle(me)).toMatch(/^One\. /);
    await chat.send(`Three. ${scene.marker}`);
    await vi.waitFor(async () => expect(await readTitle(me)).toBe('w0 w1'));
    expect((await chat.page()).conversation.title).toBe('w0 w1');
    await chat.send(`Four. ${scene.marker}`);
    // Four replies and one title.
    expect(await scene.requests()).toHaveLength(5);
    expect(await getPoints(me)).toMatchObject({ current_points: 46 });
  });

  test('a model’s title is not asked for where the operator has not switched it on', async () => {
    const me = await signInGuest();
    const chat = await startConversationClient(me);
    const scene = createScene('tokens n=2 ms=0');
    for (const text of ['One.', 'Two.', 'Three.', 'Four.']) await chat.send(`${text} ${scene.marker}`);
    expect(await scene.requests()).toHaveLength(4);
    expect(await readTitle(me)).toMatch(/^One\. /);
  });

  test('a model’s title never replaces a title of the user, and goes with the messages that it names', async () => {
    await changeConfig({ model_titles: 'on' });
    const me = await signInGuest();
    const named = await startConversationClient(me);
    const scene = createScene('tokens n=2 ms=0');
    await named.send(`One. ${scene.marker}`);
    await named.ask('', { method: 'PATCH', json: { title: 'Mine' } });
    for (const text of ['Two.', 'Three.']) await named.send(`${text} ${scene.marker}`);
    expect((await named.page()).conversation.title).toBe('Mine');
    expect(await scene.requests()).toHaveLength(3);

    const chat = await startConversationClient(me);
    for (const text of ['One.', 'Two.', 'Three.']) await chat.send(`${text} ${scene.marker}`);
    await vi.waitFor(async () => expect((await chat.page()).conversation.title).toBe('w0 w1'), {
      timeout: 15_000,
    });
    await chat.call(`/messages/${(await chat.ids())[1]}`, { method: 'DELETE' });
    expect((await chat.page()).conversation.title).toBeNull();
  });
});

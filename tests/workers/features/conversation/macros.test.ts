import { expect, test } from 'vitest';
import type { Conversation } from '../../../../src/features/conversation/contract.ts';
import { startConversationClient } from '../../../support/conversation-client.ts';
import { addCharacter, createAccount } from '../../../support/factories.ts';
import { createScene } from '../../../support/scripted-model.ts';

/** What the formats say must be replaced or removed. */
const RAW = /\{\{|<(?:user|bot|char)>|for makers only/i;

test('macros of a greeting, a definition, a lorebook and a message are never shown raw, and always alike', async () => {
  const me = await createAccount();
  const id = await addCharacter({
    name: 'Mara',
    oneliner: '<BOT> keeps a lighthouse{{// for makers only}}.',
    characterTraits:
      'Her lamp is {{pick:red,green,blue}}. <char> calls <USER> a guest. {{comment: for makers only}}',
    firstMessage:
      'Hello <USER>, I am <BOT>.{{// for makers only}} The lamp is {{pick:red,green,blue}}: {{random:one,two}} {{roll:d1000}}.',
  });
  const chat = await startConversationClient(me, id);
  const [greeting] = await chat.texts();
  expect(greeting).toMatch(/^Hello \S.*, I am Mara\. The lamp is (?:red|green|blue): (?:one|two) \d{1,4}\.$/);

  const scene = createScene('tokens n=1');
  // The browser rolls before it sends; other clients may send the macro.
  await chat.send(`I roll {{roll:d1000000}}. ${scene.marker}`);
  const [request] = await scene.requests();
  const { messages } = (request as { body: unknown }).body as { messages: { content: string }[] };
  const prompt = messages.map(({ content }) => content).join('\n');
  expect(prompt).not.toMatch(RAW);
  expect(prompt).toContain(greeting);
  const lamp = /The lamp is (\w+)/.exec(greeting ?? '')?.[1];
  expect(prompt).toContain(`Her lamp is ${lamp}. Mara calls`);
  const rolled = /I roll (\d+)\./.exec(prompt)?.[1];
  expect(rolled).toBeDefined();

  const exported = async (format: string) =>
    (await me.call(`/api/conversations/${chat.id}/export?format=${format}`)).text();
  for (const file of [await exported('jsonl'), await exported('md')]) {
    expect(file).toContain(greeting);
    expect(file).toContain(`I roll ${rolled}.`);
    expect(file).not.toMatch(/\{\{|<user>|for makers only/i);
  }

  const { id: personaId } = await me.ask<{ id: string }>('/api/personas', {
    json: { name: 'Wren', description: 'Maps coasts.' },
    status: 201,
  });
  await chat.ask<Conversation>('/persona', { method: 'PUT', json: { persona_id: personaId } });
  const renamed = greeting?.replace(/^Hello .*?, I am/, 'Hello Wren, I am');
  expect((await chat.texts())[0]).toBe(renamed);

  const [, sent] = await chat.ids();
  const trashed = await chat.discard(sent as string);
  expect(trashed.first_message.excerpt).toContain(`I roll ${rolled}.`);
  await expect.poll(() => me.ask('/api/chats')).toMatchObject({ chats: [{ last_line: renamed }] });
});

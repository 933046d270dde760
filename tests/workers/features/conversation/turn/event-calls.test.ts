import { expect, test } from 'vitest';
import { callForEvents } from '../../../../../src/api/middleware/conversation-access.ts';
import {
  getConversationStub,
  signInGuest,
  startConversation,
  startTurn,
} from '../../../../support/factories.ts';
import { createScene } from '../../../../support/scripted-model.ts';

test('a call for events returns the refusals of its method, and no events without a reply', async () => {
  const [me, other] = [await signInGuest(), await signInGuest()];
  const stub = getConversationStub(await startConversation(me));
  const refused = await callForEvents(stub, 'follow', other.id, null, 'session');
  expect(refused).toEqual({ ok: false, code: 'not_found' });
  expect(await callForEvents(stub, 'follow', me.id, null, 'session')).toEqual({ ok: true, events: null });
});

test('a call for events returns the events of the reply in progress', async () => {
  const me = await signInGuest();
  const id = await startConversation(me);
  const gate = createScene('gate n=5');
  const reader = await startTurn(me, id, gate.marker);
  await gate.reached();
  const followed = await callForEvents(getConversationStub(id), 'follow', me.id, null, 'session');
  await gate.open();
  const text = followed.ok ? await new Response(followed.events).text() : '';
  const kinds = new Set([...text.matchAll(/^event: (\w+)$/gm)].map(([, kind]) => kind));
  expect([...kinds]).toEqual(['accepted', 'delta', 'done']);
  await reader.readRest();
});

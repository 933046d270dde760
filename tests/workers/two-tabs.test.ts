import { describe, expect, test, vi } from 'vitest';
import type { Message } from '../../src/features/conversation/contract.ts';
import { ConversationClient, startConversationClient } from '../support/conversation-client.ts';
import { openLiveTab, readReceivedHints, type LiveTab } from '../support/live-tab.ts';
import {
  expectBalancedLedger,
  signInGuest,
  createTurnId,
  getPoints,
  setPoints,
} from '../support/factories.ts';

/** What came of something that was done in one tab. */
interface Done {
  status: number;
  code?: string;
  /** What the other tab is told when it was accepted. */
  hint: 'changed' | 'turn';
  /** A text that must not be lost, when it was accepted. */
  text?: string;
}

type Act = (chat: ConversationClient, messageId: string, label: string) => Promise<Done>;

async function outcome(response: Response, hint: Done['hint'], text?: string): Promise<Done> {
  const { status } = response;
  const body = await response.text();
  const refused = status >= 400 ? { code: (JSON.parse(body) as { code: string }).code } : {};
  return { status, hint, ...refused, ...(text === undefined ? {} : { text }) };
}

const rewritten = async (
  chat: ConversationClient,
  messageId: string,
  how: 'regenerate' | 'continue',
): Promise<Done> => {
  const response = await chat.rewrite(how, messageId, { turnId: createTurnId() });
  if (response.status !== 200) return outcome(response, 'turn');
  const events = await response.text();
  const done = /event: done\ndata: (.*)\n/.exec(events)?.[1];
  const { reply } = JSON.parse(done ?? '{}') as { reply?: Message };
  return { status: 200, hint: 'turn', text: reply?.content ?? '' };
};

/** Everything that two people could do to the same message at once. */
const ACTS: Record<string, Act> = {
  edit: async (chat, messageId, label) =>
    outcome(
      await chat.call(`/messages/${messageId}`, { method: 'PATCH', json: { content: label } }),
      'changed',
      label,
    ),
  regenerate: (chat, messageId) => rewritten(chat, messageId, 'regenerate'),
  continue: (chat, messageId) => rewritten(chat, messageId, 'continue'),
  delete: async (chat, messageId) =>
    outcome(await chat.call(`/messages/${messageId}`, { method: 'DELETE' }), 'changed'),
  pin: async (chat, messageId) => outcome(await chat.pin(messageId), 'changed'),
  send: async (chat, _, label) => {
    const response = await chat.call('/messages', {
      json: { content: label, client_message_id: createTurnId() },
    });
    return outcome(response, 'turn', label);
  },
};

const NAMES = Object.keys(ACTS);
const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second] as const));
const WAITS = ['not_found', 'reply_in_progress', 'not_a_reply'];

interface World {
  tabs: [ConversationClient, ConversationClient];
  live: [LiveTab, LiveTab];
  before: Message[];
}

/** One conversation of five messages, open in two tabs. */
async function twoTabs(): Promise<World> {
  const me = await signInGuest();
  await setPoints(me, 95);
  const { id } = await startConversationClient(me);
  const tabs: [ConversationClient, ConversationClient] = [
    new ConversationClient(me, id, 'the-first-tab'),
    new ConversationClient(me, id, 'the-second-tab'),
  ];
  await tabs[0].insertMessages('One.', 'Two.', 'Three.', 'Four.');
  return {
    tabs,
    live: [await openLiveTab(me, id, 'the-first-tab'), await openLiveTab(me, id, 'the-second-tab')],
    before: await tabs[0].messages(),
  };
}

/** What must hold after anything that both did at once. */
async function expectOneStory({ tabs, live, before }: World, done: [Done[], Done[]]): Promise<void> {
  for (const { status, code } of done.flat()) {
    if (status !== 200) expect(WAITS).toContain(code);
  }
  const accepted = done.map((list) => list.filter(({ status }) => status === 200)) as [Done[], Done[]];

  // Both see the same, and were told of everything that the other did.
  const [page, other] = await Promise.all(tabs.map((chat) => chat.page()));
  expect(page).toEqual(other);
  expect(page?.messages.filter(({ status }) => status === 'streaming')).toEqual([]);
  expect(page?.conversation.message_count).toBe(page?.messages.length);
  for (const [index, tab] of live.entries()) {
    const told = accepted[1 - index]?.map(({ hint }) => hint).toSorted();
    // A hint is told beside the answer, not before it.
    await vi.waitFor(async () => expect((await readReceivedHints(tab)).toSorted()).toEqual(told), {
      timeout: 5000,
    });
  }

  // Nothing is lost: what is not there is in the trash, and comes back into one order.
  for (const { id } of (await tabs[0].trash()).items) await tabs[0].restore(id);
  const whole = await tabs[1].messages();
  const ids = whole.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.slice(0, before.length)).toEqual(before.map(({ id }) => id));
  const texts = new Set(whole.flatMap(({ versions }) => versions.map(({ content }) => content)));
  for (const { text } of accepted.flat()) if (text !== undefined) expect(texts).toContain(text);
  for (const message of before) expect(texts).toContain(message.content);
  const turns = accepted.flat().filter(({ hint }) => hint === 'turn').length;
  expect(await getPoints(tabs[0].me)).toMatchObject({ current_points: 95 - turns });
  await expectBalancedLedger(tabs[0].me);
}

describe('When two tabs do something to the same message at once', () => {
  test.each(PAIRS)('%s and %s come into one order, and nothing is lost', async (first, second) => {
    const world = await twoTabs();
    const reply = world.before[2]?.id as string;
    const [one, two] = await Promise.all([
      ACTS[first]?.(world.tabs[0], reply, 'By the first.'),
      ACTS[second]?.(world.tabs[1], reply, 'By the second.'),
    ]);
    await expectOneStory(world, [[one as Done], [two as Done]]);
  });
});

test('Two tabs that edit, regenerate and delete many messages at once end with the same story', async () => {
  for (let round = 0; round < 6; round += 1) {
    const world = await twoTabs();
    const ids = world.before.map(({ id }) => id);
    const actsOf = (chat: ConversationClient, tab: number) =>
      Array.from({ length: 10 }, (_, step) => {
        const name = NAMES[(step * 5 + round * 3 + tab * 2) % NAMES.length] as string;
        const messageId = ids[(step * 3 + round + tab) % ids.length] as string;
        return ACTS[name]?.(chat, messageId, `tab ${tab}, step ${step}`) as Promise<Done>;
      });
    const done = await Promise.all(world.tabs.map((chat, tab) => Promise.all(actsOf(chat, tab))));
    await expectOneStory(world, done as [Done[], Done[]]);
  }
});

test('Two tabs that restore the same deletion at once both end with the story as it was', async () => {
  const { tabs, before } = await twoTabs();
  const { id } = await tabs[0].discard(before[1]?.id as string);
  const answers = await Promise.all(
    [...tabs, ...tabs].map((chat) => chat.call(`/trash/${id}/restore`, { method: 'POST' })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
  for (const chat of tabs) expect(await chat.messages()).toEqual(before);
  expect(await tabs[0].count()).toBe(before.length);
});

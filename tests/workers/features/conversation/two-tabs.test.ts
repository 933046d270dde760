import { describe, expect, test, vi } from 'vitest';
import type { Message } from '../../../../src/features/conversation/contract.ts';
import { ConversationClient, startConversationClient } from '../../../support/conversation-client.ts';
import { openLiveTab, readReceivedHints, type LiveTab } from '../../../support/live-tab.ts';
import {
  expectBalancedLedger,
  signInGuest,
  createTurnId,
  getPoints,
  setPoints,
} from '../../../support/factories.ts';

/** The result of an action in one tab. */
interface ActionResult {
  status: number;
  code?: string;
  /** The hint that the other tab receives if the action was accepted. */
  hint: 'changed' | 'turn';
  /** The text that must not be lost if the action was accepted. */
  text?: string;
}

type Action = (chat: ConversationClient, messageId: string, label: string) => Promise<ActionResult>;

async function readResult(
  response: Response,
  hint: ActionResult['hint'],
  text?: string,
): Promise<ActionResult> {
  const { status } = response;
  const body = await response.text();
  const refused = status >= 400 ? { code: (JSON.parse(body) as { code: string }).code } : {};
  return { status, hint, ...refused, ...(text === undefined ? {} : { text }) };
}

const rewriteReply = async (
  chat: ConversationClient,
  messageId: string,
  kind: 'regenerate' | 'continue',
): Promise<ActionResult> => {
  const response = await chat.rewrite(kind, messageId, { turnId: createTurnId() });
  if (response.status !== 200) return readResult(response, 'turn');
  const events = await response.text();
  const done = /event: done\ndata: (.*)\n/.exec(events)?.[1];
  const { reply } = JSON.parse(done ?? '{}') as { reply?: Message };
  return { status: 200, hint: 'turn', text: reply?.content ?? '' };
};

/** All actions that two tabs could take on the same message at once. */
const ACTIONS: Record<string, Action> = {
  edit: async (chat, messageId, label) =>
    readResult(
      await chat.call(`/messages/${messageId}`, { method: 'PATCH', json: { content: label } }),
      'changed',
      label,
    ),
  regenerate: (chat, messageId) => rewriteReply(chat, messageId, 'regenerate'),
  continue: (chat, messageId) => rewriteReply(chat, messageId, 'continue'),
  delete: async (chat, messageId) =>
    readResult(await chat.call(`/messages/${messageId}`, { method: 'DELETE' }), 'changed'),
  pin: async (chat, messageId) => readResult(await chat.pin(messageId), 'changed'),
  send: async (chat, _, label) => {
    const response = await chat.call('/messages', {
      json: { content: label, client_message_id: createTurnId() },
    });
    return readResult(response, 'turn', label);
  },
};

const NAMES = Object.keys(ACTIONS);
const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second] as const));
const EXPECTED_REFUSALS = ['not_found', 'reply_in_progress', 'not_a_reply'];

interface TwoTabs {
  tabs: [ConversationClient, ConversationClient];
  live: [LiveTab, LiveTab];
  before: Message[];
}

/** A conversation of five messages that is open in two tabs. */
async function openTwoTabs(): Promise<TwoTabs> {
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

/** Checks what must hold after any simultaneous actions of both tabs. */
async function expectConsistent(
  { tabs, live, before }: TwoTabs,
  done: [ActionResult[], ActionResult[]],
): Promise<void> {
  for (const { status, code } of done.flat()) {
    if (status !== 200) expect(EXPECTED_REFUSALS).toContain(code);
  }
  const accepted = done.map((list) => list.filter(({ status }) => status === 200)) as [
    ActionResult[],
    ActionResult[],
  ];

  // Both tabs see the same conversation and received a hint for every action of the other.
  const [page, other] = await Promise.all(tabs.map((chat) => chat.page()));
  expect(page).toEqual(other);
  expect(page?.messages.filter(({ status }) => status === 'streaming')).toEqual([]);
  expect(page?.conversation.message_count).toBe(page?.messages.length);
  for (const [index, tab] of live.entries()) {
    const expectedHints = accepted[1 - index]?.map(({ hint }) => hint).toSorted();
    // The hint may arrive after the answer.
    await vi.waitFor(async () => expect((await readReceivedHints(tab)).toSorted()).toEqual(expectedHints), {
      timeout: 5000,
    });
  }

  // Nothing is lost: what is missing is in the trash and can be restored in order.
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

describe('Simultaneous actions in two tabs', () => {
  test.each(PAIRS)(
    '%s and %s in two tabs at once are applied in one order, and nothing is lost @all',
    async (first, second) => {
      const session = await openTwoTabs();
      const reply = session.before[2]?.id as string;
      const [one, two] = await Promise.all([
        ACTIONS[first]?.(session.tabs[0], reply, 'By the first.'),
        ACTIONS[second]?.(session.tabs[1], reply, 'By the second.'),
      ]);
      await expectConsistent(session, [[one as ActionResult], [two as ActionResult]]);
    },
  );
});

test('two tabs that edit, regenerate and delete at once end with the same conversation', async () => {
  for (let round = 0; round < 6; round += 1) {
    const session = await openTwoTabs();
    const ids = session.before.map(({ id }) => id);
    const runActions = (chat: ConversationClient, tab: number) =>
      Array.from({ length: 10 }, (_, step) => {
        const name = NAMES[(step * 5 + round * 3 + tab * 2) % NAMES.length] as string;
        const messageId = ids[(step * 3 + round + tab) % ids.length] as string;
        return ACTIONS[name]?.(chat, messageId, `tab ${tab}, step ${step}`) as Promise<ActionResult>;
      });
    const done = await Promise.all(session.tabs.map((chat, tab) => Promise.all(runActions(chat, tab))));
    await expectConsistent(session, done as [ActionResult[], ActionResult[]]);
  }
});

test('two tabs that restore the same deletion at once both end with the original conversation', async () => {
  const { tabs, before } = await openTwoTabs();
  const { id } = await tabs[0].discard(before[1]?.id as string);
  const answers = await Promise.all(
    [...tabs, ...tabs].map((chat) => chat.call(`/trash/${id}/restore`, { method: 'POST' })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404]);
  for (const chat of tabs) expect(await chat.messages()).toEqual(before);
  expect(await tabs[0].count()).toBe(before.length);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DelayedTab } from '../../../../support/delayed-tab.ts';
import { createMessage, flushPromises, createUserMessage } from '../../../../support/chat-fixture.ts';

/** One event; its number chooses among the messages that exist when it runs. */
const step = fc.record({
  what: fc.constantFrom(
    ...(['arrive', 'arrive', 'arrive', 'arrive', 'arrive', 'arrive'] as const),
    ...(['send', 'edit', 'remove', 'undo', 'regenerate', 'continue', 'pin', 'rename'] as const),
    ...(['earlier', 'later', 'jump', 'newest', 'wake'] as const),
    ...([
      'theySend',
      'theyEdit',
      'theyRemove',
      'theyRestore',
      'theyRewrite',
      'theyPin',
      'theyRename',
    ] as const),
    ...(['write', 'end', 'end', 'connect', 'connect', 'disconnect', 'lose', 'lose'] as const),
    // These undo or overtake other events most often.
    ...(['edit', 'remove', 'undo', 'continue', 'jump', 'earlier', 'theyRemove', 'theyRestore'] as const),
  ),
  at: fc.nat(40),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const BEGINNING = Array.from({ length: 13 }, (_, index) =>
  index % 2 === 0
    ? createMessage(`m${index}`, { content: `Line ${index}` })
    : createUserMessage(`m${index}`, `Line ${index}`),
);

async function run(tab: DelayedTab, { what, at }: Step, number: number): Promise<void> {
  const { chat, server } = tab;
  const { activity, view } = chat.$chat.get();
  const pick = <T>(list: readonly T[]): T | undefined => list[at % Math.max(1, list.length)];
  const shown = pick(view.messages.filter(({ delivery }) => delivery === 'stored'));
  const target = pick(server.messages);
  const text = `Text ${number}`;
  switch (what) {
    case 'arrive':
      await tab.deliverNext(at);
      break;
    case 'send':
      if (activity === 'idle') void chat.send('recommended', text);
      break;
    case 'edit':
      if (shown) void chat.edit(shown.id, text);
      break;
    case 'remove':
      if (shown && activity === 'idle' && at % 3 === 0) void chat.deleteFrom(shown.id);
      break;
    case 'undo':
      void tab.undoable.pop()?.undo();
      break;
    case 'regenerate':
    case 'continue':
      if (shown?.role === 'character')
        void (what === 'continue' ? chat.continueReply : chat.regenerate)(shown.id, 'recommended');
      break;
    case 'pin':
      if (shown) void chat.pin(shown.id, !shown.pinned);
      break;
    case 'rename':
      // The dialog for a new title runs one request at a time.
      if (!tab.isRenaming) {
        tab.isRenaming = true;
        void chat.rename(text).then(() => (tab.isRenaming = false));
      }
      break;
    case 'earlier':
      void chat.showEarlier();
      break;
    case 'later':
      void chat.showLater();
      break;
    case 'jump':
      if (target) void chat.showMessage(target.id);
      break;
    case 'newest':
      void chat.showNewest();
      break;
    case 'wake':
      chat.wake();
      break;
    case 'theySend':
      server.send('other', `their-${number}`, text, null);
      break;
    case 'theyEdit':
      if (target) server.edit('other', target.id, text);
      break;
    case 'theyRemove':
      if (target && at % 3 === 0) server.remove('other', target.id);
      break;
    case 'theyRestore': {
      const item = pick(server.trash);
      if (item) server.restore('other', item.id);
      break;
    }
    case 'theyRewrite':
      if (target)
        server.rewrite('other', at % 2 ? 'regenerate' : 'continue', `their-${number}`, target.id, null);
      break;
    case 'theyPin':
      if (target) server.pin('other', target.id, !target.pinned);
      break;
    case 'theyRename':
      server.rename('other', text);
      break;
    case 'write':
      server.appendText(` w${number}`);
      break;
    case 'end':
      server.endTurn();
      break;
    case 'connect':
      tab.connect();
      break;
    case 'lose':
      await tab.breakConnection(at);
      break;
    case 'disconnect':
      tab.disconnect();
      break;
  }
  await flushPromises();
}

const steps = (...events: [what: Step['what'], at: number][]): [Step[]] => [
  events.map(([what, at]) => ({ what, at })),
];

/** Sequences that once ended in a state different from that of the server. */
const REGRESSIONS = [
  // A continued reply loses its first event and is deleted elsewhere: only the reply disappears.
  steps(
    ['continue', 13],
    ['arrive', 0],
    ['arrive', 0],
    ['lose', 0],
    ['end', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['theyRemove', 0],
  ),
  // An older reply is regenerated, and the answer is lost.
  steps(
    ['earlier', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['connect', 0],
    ['regenerate', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['theyRemove', 0],
    ['later', 0],
    ['lose', 0],
  ),
  // An older message is edited, and the answer is lost.
  steps(
    ['earlier', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['edit', 0],
    ['connect', 0],
    ['arrive', 0],
    ['lose', 0],
    ['arrive', 0],
    ['arrive', 0],
  ),
  // A reply is edited before the events of its generation arrive.
  steps(
    ['connect', 0],
    ['continue', 19],
    ['edit', 7],
    ['arrive', 4],
    ['end', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
  ),
  // An older reply is regenerated elsewhere and ends before it can be followed.
  steps(
    ['earlier', 0],
    ['arrive', 0],
    ['connect', 0],
    ['theyRewrite', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['lose', 0],
  ),
  // A message is sent elsewhere while an older answer with the newest messages is pending.
  steps(
    ['jump', 0],
    ['arrive', 0],
    ['connect', 0],
    ['arrive', 0],
    ['newest', 0],
    ['theyRestore', 0],
    ['connect', 0],
    ['undo', 0],
    ['arrive', 3],
    ['theySend', 0],
  ),
  // A sent message is deleted along with an earlier one, and its reply arrives afterwards.
  steps(
    ['connect', 0],
    ['remove', 9],
    ['send', 0],
    ['arrive', 0],
    ['write', 0],
    ['arrive', 27],
    ['end', 0],
    ['arrive', 0],
  ),
  // All messages are deleted elsewhere and most are restored before this tab receives either event.
  steps(
    ['connect', 0],
    ['earlier', 0],
    ['arrive', 21],
    ['theyRemove', 15],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['theyRemove', 0],
    ['arrive', 0],
    ['remove', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['theyRestore', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
  ),
  // The answer to the first message is lost, and the second is sent before the first is retried.
  steps(
    ['send', 0],
    ['connect', 0],
    ['arrive', 0],
    ['arrive', 4],
    ['lose', 0],
    ['arrive', 0],
    ['send', 0],
    ['lose', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
  ),
  // A reply regenerated elsewhere has ended while the reply to a new message is being written.
  steps(
    ['arrive', 0],
    ['earlier', 0],
    ['arrive', 0],
    ['connect', 0],
    ['send', 0],
    ['theyRewrite', 12],
    ['end', 0],
    ['arrive', 4],
    ['arrive', 29],
    ['wake', 0],
    ['send', 0],
    ['lose', 4],
  ),
  // A waiting message is hidden while an older part is read, and returns with the newest messages.
  steps(
    ['send', 0],
    ['lose', 0],
    ['remove', 0],
    ['lose', 0],
    ['jump', 16],
    ['arrive', 0],
    ['arrive', 9],
    ['lose', 0],
    ['arrive', 0],
    ['jump', 0],
    ['remove', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
  ),
  // A message is edited while its reply, which contains the old text, is being joined.
  steps(
    ['theySend', 0],
    ['connect', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['arrive', 0],
    ['edit', 13],
    ['arrive', 2],
    ['arrive', 2],
  ),
];

/**
 * The seed is fixed so that only a change of the code can make this test fail. `LORELOOM_RUNS=40000` runs
 * this many new random sequences.
 */
const EXTRA_RUNS = Number(process.env.LORELOOM_RUNS ?? 0);
const RUNS = EXTRA_RUNS > 0 ? { numRuns: EXTRA_RUNS } : { numRuns: 1000, seed: 20_260_310 };

test(
  'concurrent changes from several tabs end in the state of the server on any network',
  { timeout: EXTRA_RUNS > 0 ? 1_200_000 : 120_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const tab = new DelayedTab(BEGINNING);
        const started = tab.chat.start({ characterId: 'char1', conversationId: 'c1' });
        for (let number = 0; number < 2; number += 1) await tab.deliverNext(0);
        await started;
        for (const [number, one] of steps.entries()) await run(tab, one, number);
        await tab.settle();

        const { phase, activity, view, conversation, changing, earlierCursor, laterCursor, earlier, later } =
          tab.chat.$chat.get();
        const { messages, title } = tab.server;
        expect({ phase, activity, changing: changing.size }).toEqual({
          phase: 'ready',
          activity: 'idle',
          changing: 0,
        });
        expect([earlier, later]).not.toContain('loading');
        expect(conversation?.title).toBe(title);
        const shownMessages = view.messages.map(({ key: _key, ...rest }) => rest);
        const from = messages.findIndex(({ id }) => id === shownMessages[0]?.id);
        const expected = messages.map((one) => ({ ...one, delivery: 'stored' }));
        const to = laterCursor === null ? expected.length : from + shownMessages.length;
        expect(shownMessages).toEqual(expected.slice(Math.max(from, 0), to));
        expect(earlierCursor === null).toBe(from <= 0);
        tab.chat.dispose();
      }),
      { ...RUNS, examples: REGRESSIONS },
    );
  },
);

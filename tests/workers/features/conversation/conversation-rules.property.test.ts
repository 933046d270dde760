import { abortAllDurableObjects } from 'cloudflare:test';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { MAX_PINNED } from '../../../../src/features/conversation/limits.ts';
import type { Message } from '../../../../src/features/conversation/contract.ts';
import { createId } from '../../../../src/lib/ids.ts';
import {
  type ConversationClient,
  setGate,
  startConversationClient,
} from '../../../support/conversation-client.ts';
import { SEED } from '../../../support/random.ts';
import { EventReader, type ReceivedEvent, joinDeltas } from '../../../support/event-reader.ts';
import {
  expectBalancedLedger,
  signInGuest,
  createTurnId,
  getPoints,
  postMessage,
  setPoints,
} from '../../../support/factories.ts';
import {
  type Ending,
  ConversationModel,
  type MessageState,
  type RunningTurn,
} from '../../../support/conversation-model.ts';

/** Time for random sequences, in ms; 0 runs a few sequences with a fixed seed. */
const SEARCH_MS = inject('searchMs');
const FIXED_SEQUENCES = 6;
const START_POINTS = 95;
const MAX_SEQUENCES = 200;
const MAX_FORKS = 2;

/** One action and its targets; the numbers select among the items that exist at that time. */
const step = fc.record({
  what: fc.constantFrom(
    ...['send', 'send', 'send', 'sendGated', 'sendGated', 'sendFailing'],
    ...['edit', 'edit', 'edit', 'regenerate', 'regenerate', 'regenerateFailing'],
    ...['select', 'select', 'continue', 'continue', 'continueFailing'],
    ...['delete', 'delete', 'undo', 'undo', 'pin', 'fork'],
    ...[
      'crashSend',
      'crashRegenerate',
      'crashContinue',
      'stopSend',
      'stopRegenerate',
      'stopContinue',
      'sleep',
    ],
  ),
  where: fc.nat(MAX_FORKS),
  at: fc.nat(40),
  which: fc.nat(8),
  text: fc.constantFrom('The lamp.', 'Ein Sturm 🌊', '灯台の光', '*waves*', 'é'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** The real conversations, each with its model. */
class Scenario {
  readonly chats: { chat: ConversationClient; story: ConversationModel }[];
  readonly key = createId(Date.now());
  #spent = 0;
  #sentCount = 0;

  constructor(chat: ConversationClient, opening: Message[]) {
    this.chats = [{ chat, story: ConversationModel.fromOpening(opening) }];
  }

  get marker(): string {
    return `[[scenario:gate n=2 key=${this.key}]]`;
  }

  async take({ what, where, at, which, text }: Step): Promise<void> {
    const { chat, story } = this.chats[where % this.chats.length] as {
      chat: ConversationClient;
      story: ConversationModel;
    };
    const pick = <T>(list: readonly T[], index = at): T | undefined => list[index % Math.max(1, list.length)];
    switch (what) {
      case 'send':
      case 'sendGated':
      case 'sendFailing':
        await this.#send(chat, story, text, what);
        break;
      case 'regenerate':
      case 'regenerateFailing':
      case 'continue':
      case 'continueFailing': {
        const reply = pick(story.replies);
        if (reply !== undefined) await this.#rewrite(chat, story, reply, what);
        break;
      }
      case 'crashSend':
      case 'stopSend':
        await this.#interrupt(chat, story, null, what);
        break;
      case 'crashRegenerate':
      case 'crashContinue':
      case 'stopRegenerate':
      case 'stopContinue': {
        const gated = story.replies.filter(({ id }) => story.getPreviousUserText(id).includes(this.marker));
        await this.#interrupt(chat, story, pick(gated) ?? null, what);
        break;
      }
      case 'edit': {
        const message = pick(story.presentMessages);
        if (message === undefined) break;
        const edited = await chat.edit(message.id, `${text} ${which}`);
        story.edit(message.id, edited.selected_version_id, `${text} ${which}`);
        break;
      }
      case 'select': {
        const message = pick(story.presentMessages);
        const version = message && pick(message.versions, which);
        if (message === undefined || version === undefined) break;
        await chat.select(message.id, version.id);
        story.select(message.id, version.id);
        break;
      }
      case 'pin': {
        const message = pick(story.presentMessages);
        if (message === undefined || story.pinnedCount >= MAX_PINNED) break;
        expect((await chat.pin(message.id, !message.pinned)).status).toBe(200);
        story.pin(message.id, !message.pinned);
        break;
      }
      case 'delete': {
        const message = pick(story.presentMessages);
        if (message !== undefined) story.discard(message.id, (await chat.discard(message.id)).id);
        break;
      }
      case 'undo': {
        const trashId = pick(story.trash, which);
        if (trashId !== undefined) expect(await chat.restore(trashId)).toEqual(story.restore(trashId));
        break;
      }
      case 'fork': {
        const message = pick(story.presentMessages);
        if (message === undefined || this.chats.length > MAX_FORKS) break;
        this.chats.push({ chat: (await chat.fork(message.id)).chat, story: story.fork(message.id) });
        break;
      }
      case 'sleep':
        await abortAllDurableObjects();
        break;
    }
    await expectSame(chat, story);
  }

  /** Starts a turn in the model. */
  #startModelTurn(
    story: ConversationModel,
    events: readonly ReceivedEvent[],
    how: 'send' | 'regenerate' | 'continue',
    model: string,
    text = '',
  ): RunningTurn {
    const { user_message: mine, reply } = events[0]?.data ?? {};
    if (reply === undefined) throw new Error('the turn was not accepted');
    const versionId = reply.selected_version_id;
    if (how !== 'send') return story.startRewrite(how, reply.id, versionId, model);
    if (mine === undefined) throw new Error('the user message is missing');
    return story.startSend(
      { id: mine.id, versionId: mine.selected_version_id, text },
      { id: reply.id, versionId },
      model,
    );
  }

  #end(story: ConversationModel, writing: RunningTurn, text: string, ending: Ending): void {
    if (story.endTurn(writing, text, ending)) this.#spent += 1;
  }

  #buildText(text: string, isGated: boolean): string {
    this.#sentCount += 1;
    return `${text} ${this.#sentCount}${isGated ? ` ${this.marker}` : ''}`;
  }

  async #send(
    chat: ConversationClient,
    story: ConversationModel,
    said: string,
    what: 'send' | 'sendGated' | 'sendFailing',
  ): Promise<void> {
    const fails = what === 'sendFailing';
    const text = this.#buildText(said, what === 'sendGated');
    const events = await chat.send(text, fails ? { model: 'deepseek' } : {});
    const writing = this.#startModelTurn(story, events, 'send', fails ? 'deepseek' : 'loreloom', text);
    this.#end(story, writing, joinDeltas(events), fails ? 'failed' : 'finished');
  }

  async #rewrite(
    chat: ConversationClient,
    story: ConversationModel,
    reply: MessageState,
    what: 'regenerate' | 'regenerateFailing' | 'continue' | 'continueFailing',
  ): Promise<void> {
    const how = what.startsWith('regenerate') ? 'regenerate' : 'continue';
    const fails = what.endsWith('Failing');
    const response = await chat.rewrite(how, reply.id, fails ? { model: 'deepseek' } : {});
    if (how === 'continue' && story.getSelectedVersion(reply).content === '') {
      expect([response.status, await response.json()]).toMatchObject([422, { code: 'nothing_to_continue' }]);
      return;
    }
    const events = await (await EventReader.fromResponse(response)).readRest();
    const writing = this.#startModelTurn(story, events, how, fails ? 'deepseek' : 'loreloom');
    this.#end(story, writing, joinDeltas(events), fails ? 'failed' : 'finished');
  }

  /** Interrupts a turn halfway, by a crash or by the user; in a gated reply or in a new one. */
  async #interrupt(
    chat: ConversationClient,
    story: ConversationModel,
    reply: MessageState | null,
    what: string,
  ): Promise<void> {
    const content = reply === null ? '' : story.getSelectedVersion(reply).content;
    // The start of a continuation is held while it may repeat the reply's end, so no text would come before the gate opens.
    const canContinue = content !== '' && !/x\d$/.test(content);
    const how =
      reply === null ? 'send' : what.endsWith('Continue') && canContinue ? 'continue' : 'regenerate';
    await setGate(this.key, 'shut');
    const text = this.#buildText('Wait.', true);
    const turnId = createTurnId();
    const reader = await EventReader.fromResponse(
      how === 'send' || reply === null
        ? await postMessage(chat.me, chat.id, text, { turnId })
        : await chat.rewrite(how, reply.id, { turnId }),
    );
    await reader.readUntilText((told) => /^(?:w0 w1| x0 x1)$/.test(told));
    const writing = this.#startModelTurn(story, reader.receivedEvents, how, 'loreloom', text);
    if (what.startsWith('stop')) {
      await chat.ask('/stop', { method: 'POST' });
      this.#end(story, writing, joinDeltas(await reader.readRest()), 'stopped');
    } else {
      await abortAllDurableObjects();
      await reader.readRest().catch(() => null);
      // Any prefix of the received text may have been saved, and nothing else.
      const stored = (await chat.messages())
        .flatMap(({ versions }) => versions)
        .find(({ id }) => id === writing.versionId)?.content;
      const added = (stored ?? writing.base).slice(writing.base.length);
      expect(joinDeltas(reader.receivedEvents).startsWith(added)).toBe(true);
      this.#end(story, writing, added, 'lost');
    }
    await setGate(this.key, 'open');
  }

  /** Checks every conversation at the end, also after everything in the trash is restored. */
  async finish(me: ConversationClient['me']): Promise<void> {
    for (const { chat, story } of this.chats) {
      await expectSame(chat, story);
      for (const trashId of story.trash) expect(await chat.restore(trashId)).toEqual(story.restore(trashId));
      await expectSame(chat, story);
    }
    expect(await getPoints(me)).toMatchObject({ current_points: START_POINTS - this.#spent });
    await expectBalancedLedger(me);
  }
}

async function expectSame(chat: ConversationClient, story: ConversationModel): Promise<void> {
  const [page, trash] = await Promise.all([chat.page(), chat.trash('?limit=100')]);
  expect(ConversationModel.toView(page.messages)).toEqual(story.view());
  expect(page.conversation.message_count).toBe(story.presentMessages.length);
  expect(ConversationModel.toTrashView(trash)).toEqual(story.trashView());
}

test(
  'conversations follow the rules after any sequence of actions, and nothing is lost',
  async () => {
    const until = Date.now() + SEARCH_MS;
    let sequences = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }), async (steps) => {
        // A sequence after the time limit passes, so that shrinking a failure ends, too.
        if (SEARCH_MS > 0 && Date.now() > until) return;
        sequences += 1;
        const me = await signInGuest();
        await setPoints(me, START_POINTS);
        const chat = await startConversationClient(me);
        const scenario = new Scenario(chat, await chat.messages());
        await setGate(scenario.key, 'open');
        for (const one of steps) await scenario.take(one);
        await scenario.finish(me);
      }),
      SEARCH_MS > 0 ? { numRuns: MAX_SEQUENCES } : { numRuns: FIXED_SEQUENCES, seed: SEED },
    );
    expect(sequences).toBeGreaterThan(1);
  },
  90_000 + SEARCH_MS,
);

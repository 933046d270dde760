// Over 400 lines: all effects of a turn, and how each one is run.
import { logFailure, saveOrLog } from '../../../lib/log.ts';
import type { ChosenModel } from '../../model/choose-model.ts';
import { isNoticeDue } from '../messages/ai-notice.ts';
import type { PointsStatus } from '../../wallet/contract.ts';
import type { Message } from '../contract.ts';
import type { ConversationMeta } from '../conversation-store.ts';
import { moderateStream } from '../moderation/moderate-stream.ts';
import { buildEndEvents, type ReplyEnd, toErrorFields, withContent } from './reply-log.ts';
import { trimReply } from './reply-text.ts';
import { RunningReply } from './running-reply.ts';
import { askAgainIfTooLong } from './ask-again.ts';
import { awaitAdmission } from './turn-admission.ts';
import { TurnCounting } from './turn-counting.ts';
import { getRefusalRule, type TurnCause } from './turn.ts';
import {
  type CallId,
  decide,
  IDLE,
  type StartRefusal,
  type TurnCommand,
  type TurnEffect,
  type TurnEnd,
  type TurnPlan,
  type TurnState,
} from './turn-machine.ts';
import type {
  AccessChanged,
  BegunTurn,
  ComposedTurn,
  TurnPorts,
  TurnRefusal,
  TurnResult,
  TurnStart,
} from './turn-port.ts';
import { removeTurn, storeEnd, storeTurn, type TurnRows, type TurnStores } from './turn-rows.ts';
import type { OpenTurn, Settlement } from './turn-store.ts';
import { type ReplyReader, TurnStreams } from './followers.ts';

/** The parts of the turn in progress that are not stored. */
interface CurrentTurn {
  start: TurnStart;
  model: ChosenModel;
  /** The text before the turn, of a continued reply. */
  base: string;
  reply: RunningReply;
  prompt: Promise<ComposedTurn>;
  /** Stores the prompt's record; null until the model was asked, and once it is stored. */
  keepPrompt: (() => void) | null;
  /** Whether the provider refused the first prompt for its length. */
  isShortened: boolean;
}

/** Decides whether a turn may begin and what it writes, without writing it. */
type BeginTurn = (model: ChosenModel, now: number) => BegunTurn | TurnRefusal | AccessChanged;

/** How a call is answered. */
type Answer =
  | TurnResult
  | StartRefusal
  /** There is no reply in progress. */
  | null
  | { ok: true; reply: Message | null };

interface WaitingCall {
  reader: ReplyReader;
  resolve: (answer: Answer) => void;
  reject: (error: unknown) => void;
}

/** Of calls that are answered without a stream. */
const NO_READER: ReplyReader = { lastEventId: null, session: '' };
const TOO_MANY_READERS = { ok: false, code: 'too_many_subscribers' } as const;

/**
 * Runs the turns of one conversation: it takes the effects from the state machine (`turn-machine.ts`), runs them and reports
 * their results to it. A turn continues without readers and always ends in a stored state.
 */
export class TurnEngine {
  readonly #stores: TurnStores;
  readonly #ports: TurnPorts;
  readonly #streams: TurnStreams;
  readonly #counting: TurnCounting;
  readonly #calls = new Map<CallId, WaitingCall>();
  #lastCall = 0;
  #state: TurnState = IDLE;
  /** Null while the state is idle. */
  #current: CurrentTurn | null = null;

  constructor(stores: TurnStores, ports: TurnPorts) {
    this.#stores = stores;
    this.#ports = ports;
    this.#streams = new TurnStreams(stores.messages);
    this.#counting = new TurnCounting(ports);
  }

  get isBusy(): boolean {
    return this.#state.phase !== 'idle';
  }

  /** Whether a request with this turn id would start a new turn now. */
  isNew(turnId: string): boolean {
    return !this.isBusy && this.#stores.turns.get(turnId) === null;
  }

  /** Whether the reply with this id is being written. */
  isWriting(messageId: string): boolean {
    return this.#state.phase !== 'idle' && this.#state.turn.replyId === messageId;
  }

  /**
   * Starts a turn, or rejoins it when its id is known. `begin` decides and writes nothing. No await precedes the stored
   * turn, so that only one of several simultaneous requests starts it.
   */
  begin(start: TurnStart, begin: BeginTurn): Promise<TurnResult | StartRefusal> {
    const { turnId, lastEventId, access, model } = start;
    return this.#call({ lastEventId, session: access.sessionPublicId }, (call) => {
      // Only one open turn is stored: end the one whose end could not be stored before the next replaces it.
      this.endOrphan();
      const known = this.#stores.turns.get(turnId);
      const plan = known !== null || this.isBusy ? null : this.#plan(start, begin);
      if (plan !== null && 'turn' in plan) this.#prepare(start, model as ChosenModel, plan);
      return { kind: 'begin', call, known, plan };
    }) as Promise<TurnResult | StartRefusal>;
  }

  /** Streams the reply in progress from the reader's last event on; null when there is none. */
  async follow(
    reader: ReplyReader,
  ): Promise<{ ok: true; events: ReadableStream<Uint8Array> | null } | typeof TOO_MANY_READERS> {
    const answer = await this.#call(reader, (call) => ({ kind: 'follow', call }));
    return (answer ?? { ok: true, events: null }) as { ok: true; events: ReadableStream<Uint8Array> };
  }

  /** Ends the streams of a session that has ended; the reply continues. @param session its public id */
  closeSession(session: string): void {
    this.#current?.reply.followers.closeSession(session);
  }

  /** Stops the reply in progress and waits for its end; its text so far stays. Null when there was none. */
  async stop(): Promise<Message | null> {
    const answer = await this.#call(NO_READER, (call) => ({ kind: 'stop', call }));
    return answer !== null && 'reply' in answer ? answer.reply : null;
  }

  /** Returns a message with only the text that the followers of a reply in progress have received. */
  withSentText(message: Message): Message {
    const reply = this.#current?.reply;
    const isWritten = reply !== undefined && message.selected_version_id === reply.versionId;
    return isWritten ? withContent(message, reply.base + reply.sentText) : message;
  }

  /** Ends a turn whose object was evicted while writing. Its text is kept, and it is free. */
  endOrphan(): void {
    const turn = this.isBusy ? null : this.#stores.turns.getOpen();
    if (turn === null) return;
    const content = this.#readVersion(turn)?.content ?? '';
    this.#dispatch({ kind: 'recover', turn, text: content.slice(turn.baseLength) });
  }

  #plan({ turnId, access, model }: TurnStart, begin: BeginTurn): TurnPlan | TurnRefusal | AccessChanged {
    if (model === null) return { ok: false, code: 'model_unavailable' };
    const now = Date.now();
    const begun = begin(model, now);
    if (!('turn' in begun)) return begun;
    const { character, updatedAt, noticedAt, isBegun } = this.#stores.store.getMeta() as ConversationMeta;
    const { turn, rows } = begun;
    const wasShown = () => this.#stores.messages.findMessage(turn.replyId)?.notice === true;
    const notice = isNoticeDue(noticedAt, now)
      ? { noticedAt, wasShown: rows.reply.kind === 'version' && wasShown() }
      : null;
    return {
      turn: {
        ...turn,
        id: turnId,
        characterId: character.id,
        payerId: access.userId,
        notice,
        isFirst: !isBegun,
        updatedBefore: updatedAt,
      },
      rows,
    };
  }

  #prepare(start: TurnStart, model: ChosenModel, { turn, rows }: TurnPlan): void {
    const base = rows.reply.kind === 'version' ? rows.reply.content : '';
    const saveText = (text: string, thinking: string) =>
      this.#stores.messages.saveText(turn.versionId, base + text, thinking);
    // If a save fails, a crash loses more text; the next save follows.
    const save = (text: string, thinking: string) =>
      saveOrLog('checkpoint_failed', () => {
        // A transaction takes as long as the statement in it, so begin one for two statements only.
        if ((this.#current?.keepPrompt ?? null) === null) return saveText(text, thinking);
        this.#ports.atomically(() => {
          this.#keepPrompt();
          saveText(text, thinking);
        });
      });
    const getAccepted = () => this.#streams.buildAccepted(turn, base);
    const { findActive } = this.#ports;
    const how = { base, head: turn.head, save, getAccepted, findActive };
    const reply = new RunningReply(turn.id, turn.versionId, how);
    this.#current = { start, model, base, reply, prompt: NO_PROMPT, keepPrompt: null, isShortened: false };
  }

  /** Answers a call when the state machine says so. */
  #call(reader: ReplyReader, toCommand: (call: CallId) => TurnCommand): Promise<Answer> {
    const call = (this.#lastCall += 1);
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { reader, resolve, reject });
      try {
        this.#dispatch(toCommand(call));
      } catch (error) {
        this.#calls.delete(call);
        reject(error);
      }
    });
  }

  /** Runs a command. When an effect fails, the state is the one before, and the error is thrown. */
  #dispatch(command: TurnCommand): void {
    const before = this.#state;
    const { state, effects } = decide(before, command, Date.now());
    this.#state = state;
    try {
      for (const effect of effects) this.#run(effect);
    } catch (error) {
      // A turn that has failed is over, even if the alarm cannot be stored either.
      if (command.kind !== 'failed') this.#state = before;
      throw error;
    } finally {
      if (this.#state.phase === 'idle') this.#current = null;
    }
  }

  /** Runs a command that reports the result of an effect. When it fails, the conversation must not stay busy. */
  #report(command: TurnCommand): void {
    try {
      this.#dispatch(command);
    } catch (error) {
      logFailure('turn_end_failed', error);
      saveOrLog('turn_end_failed', () => this.#dispatch({ kind: 'failed' }));
    }
  }

  #run(effect: TurnEffect): void {
    switch (effect.kind) {
      case 'request_admission':
        return void this.#requestAdmission(effect.turn, this.#getCurrent());
      case 'store_turn':
        return this.#storeTurn(effect.turn, effect.rows, effect.now);
      case 'compose':
        return this.#compose(effect.turn, this.#getCurrent());
      case 'remove_turn':
        return this.#removeTurn(effect.turn, effect.settlement);
      case 'call_model':
        this.#ports.begun(effect.turn.replyId, this.#getCurrent().start.tab);
        return this.#ports.keepAlive(this.#callModel(effect.turn, this.#getCurrent()));
      case 'abort_model':
        return this.#getCurrent().reply.stop();
      case 'store_end':
        return this.#storeEnd(effect);
      case 'settle':
        return this.#ports.keepAlive(this.#settle(effect, this.#getCurrent()));
      case 'publish_end':
        return this.#publishEnd(effect.turn, effect.end, effect.points);
      case 'drop_readers':
        return this.#getCurrent().reply.followers.close();
      case 'record':
        return this.#record(effect.turn, effect.end, effect.points);
      case 'sync':
        return this.#ports.keepAlive(this.#sync(effect.turn, effect.calls, this.#getCurrent().model));
      case 'watch':
        return this.#ports.watch();
      case 'answer_stream': {
        const { reply } = this.#getCurrent();
        return this.#answer(effect.call, (reader) =>
          reply.followers.hasRoom
            ? { ok: true, events: this.#streams.join(reply, effect.turn, reader) }
            : TOO_MANY_READERS,
        );
      }
      case 'answer_replay':
        return this.#answer(effect.call, ({ lastEventId }) => {
          const events = this.#streams.after(effect.turn, lastEventId);
          // The message was deleted since. Do not send it again, because the turn was answered once.
          return events === null ? { ok: false, code: 'message_deleted' } : { ok: true, events };
        });
      case 'answer_refusal':
        return this.#answer(effect.call, () => effect.refusal);
      case 'answer_nothing':
        return this.#answer(effect.call, () => null);
    }
  }

  #getCurrent(): CurrentTurn {
    if (this.#current === null) throw new Error('there is no turn in progress');
    return this.#current;
  }

  /** A failure to answer one call does not affect the turn or the other calls. */
  #answer(id: CallId, build: (reader: ReplyReader) => Answer): void {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    if (call === undefined) return;
    try {
      call.resolve(build(call.reader));
    } catch (error) {
      call.reject(error);
    }
  }

  async #requestAdmission(turn: OpenTurn, { start, model }: CurrentTurn): Promise<void> {
    const { access, timeZone, verification } = start;
    const entitlement = { unlimited: access.unlimited, timeZone };
    const reserving = this.#ports.reserve(turn.payerId, turn.versionId, { entitlement, model });
    const admission = await awaitAdmission(reserving, verification);
    this.#report({ kind: 'admission', versionId: turn.versionId, admission });
  }

  /** Writes everything at once, so that one confirmation is enough. */
  #storeTurn(turn: OpenTurn, rows: TurnRows, now: number): void {
    this.#ports.atomically(() => {
      storeTurn(this.#stores, turn, rows, now);
      this.#stores.store.setAccess(this.#getCurrent().start.access);
      this.#ports.watch();
    });
  }

  #removeTurn(turn: OpenTurn, settlement: Settlement | null): void {
    this.#ports.atomically(() => {
      removeTurn(this.#stores, turn);
      if (settlement !== null) this.#stores.turns.addSettlement(settlement);
    });
  }

  /**
   * Asks for the current persona and the model's ratios at once, and builds the prompt later: the turn's rows are stored by
   * then.
   */
  #compose(turn: OpenTurn, current: CurrentTurn): void {
    const { model, start } = current;
    current.prompt = this.#ports
      .prepare(model)
      .then((contextRatios) =>
        this.#ports.compose(turn, { model, rating: start.access.rating, contextRatios }),
      );
    // `#callModel` handles a failure; a refused turn ignores it.
    current.prompt.catch(() => {});
  }

  /** Lets the model write the reply to its end, and stores the end. */
  async #callModel({ replyId }: OpenTurn, current: CurrentTurn): Promise<void> {
    const { start, model, base, reply, prompt } = current;
    let cause: TurnCause;
    const { signal } = reply;
    try {
      const composed = await prompt;
      const written = askAgainIfTooLong(
        composed,
        (asked) => this.#ports.ask(model, asked, { signal, sent: () => (current.keepPrompt = asked.keep) }),
        () => (current.isShortened = true),
      );
      const judge = this.#ports.judge(start.access.rating, replyId);
      const thinking = () => this.#ports.judgeThinking(start.access, replyId);
      const trimmed = trimReply(written, composed.speakers, base);
      cause = await reply.write(moderateStream(trimmed, judge, { begun: base, thinking, signal }));
    } catch (error) {
      logFailure('turn_failed', error);
      cause = { kind: 'failed', failure: 'provider_error' };
    }
    this.#report({ kind: 'ended', cause, text: reply.text, thinking: reply.thinking });
  }

  /** Stores the prompt's record with the first save of the reply: a transaction of its own would be another wait for the disk. */
  #keepPrompt(): void {
    const keep = this.#current?.keepPrompt ?? null;
    if (keep === null) return;
    saveOrLog('context_save_failed', keep);
    this.#getCurrent().keepPrompt = null;
  }

  #storeEnd({ turn, end, settlement, now }: Extract<TurnEffect, { kind: 'store_end' }>): void {
    const base = this.#current?.base ?? this.#readVersion(turn)?.content.slice(0, turn.baseLength) ?? '';
    const region = this.#current?.start.region ?? null;
    // Who stops a reply sees it.
    const isSeen = end.cause.kind === 'stopped' || this.#ports.isShown();
    this.#ports.atomically(() => {
      this.#keepPrompt();
      const head = this.#current?.reply.head ?? turn.head;
      storeEnd(this.#stores, turn, { end, settlement, base, head, region, isSeen, now });
    });
  }

  async #settle(
    { turn, end, settlement }: Extract<TurnEffect, { kind: 'settle' }>,
    { model }: CurrentTurn,
  ): Promise<void> {
    const spend = this.#counting.spend(turn.versionId, model, end);
    const points = await this.#ports.settle({ ...settlement, ...spend });
    this.#report({ kind: 'settled', points });
  }

  #publishEnd(turn: OpenTurn, { cause, outcome, text }: TurnEnd, points: PointsStatus | null): void {
    const {
      reply: { followers, head },
      isShortened,
    } = this.#getCurrent();
    const reply = this.#stores.messages.findMessage(turn.replyId);
    if (reply !== null) {
      const { contextStartId } = this.#stores.store.getMeta() as ConversationMeta;
      const { error } = outcome;
      const ended: ReplyEnd =
        error === null
          ? { kind: 'done', reply, points, contextStartId, isShortened }
          : { kind: 'error', ...toErrorFields(error), reply, rule: getRefusalRule(cause) };
      followers.publish(buildEndEvents(head + text.length, ended));
    }
    followers.close();
  }

  #record(turn: OpenTurn, end: TurnEnd, points: PointsStatus | null): void {
    const model = this.#current?.model.id ?? this.#readVersion(turn)?.model ?? null;
    if (model === null) return;
    const firstMs = this.#current?.reply.firstMs ?? null;
    const tokenizer = this.#current?.model.tokenizer ?? null;
    this.#counting.measure(turn.versionId, { ...end, points }, { model, tokenizer, firstMs });
  }

  async #sync(turn: OpenTurn, calls: readonly CallId[], model: ChosenModel): Promise<void> {
    // Read the reply as it ended: the next turn may regenerate it during the sync.
    const reply = calls.length === 0 ? null : this.#stores.messages.findMessage(turn.replyId);
    try {
      await this.#ports.ended(model);
    } finally {
      for (const call of calls) this.#answer(call, () => ({ ok: true, reply }));
    }
  }

  #readVersion({ replyId, versionId }: OpenTurn) {
    return this.#stores.messages.findVersion(replyId, versionId);
  }
}

/** Until the state machine asks for the prompt. */
const NO_PROMPT: Promise<ComposedTurn> = new Promise(() => {});

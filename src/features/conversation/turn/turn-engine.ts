import type { ChosenModel } from '../../model/choose-model.ts';
import type { Entitlement } from '../../wallet/ledger.ts';
import { isNoticeDue } from '../messages/ai-notice.ts';
import type { Message } from '../contract.ts';
import type { UserRegion } from '../moderation/crisis-help.ts';
import type { ConversationStore, ConversationMeta } from '../conversation-store.ts';
import type { MessageStore } from '../messages/message-store.ts';
import { buildEndEvents, type ReplyEnd } from './reply-log.ts';
import type { Rating } from '../character/content-rating.ts';
import { moderateStream } from '../moderation/moderate-stream.ts';
import { RunningReply } from './running-reply.ts';
import { TurnCounting } from './turn-counting.ts';
import { storeEnd } from './turn-end.ts';
import { getRefusalRule, type TurnCause } from './turn.ts';
import {
  type BegunTurn,
  type ComposedTurn,
  isPointsRefusal,
  type TurnPorts,
  type TurnRefusal,
  type TurnResult,
} from './turn-port.ts';
import type { OpenTurn, Turn, TurnStore } from './turn-store.ts';
import { TurnTelling } from './turn-telling.ts';
import { log, type LogEvent } from '../../../lib/log.ts';
import { describeError } from '../../../lib/redact.ts';

/**
 * Runs the turns of one conversation, one at a time: stores, reserves points, writes, settles. A turn continues without
 * readers and always ends in a stored state.
 */
export class TurnEngine {
  readonly #store: ConversationStore;
  readonly #messages: MessageStore;
  readonly #turns: TurnStore;
  readonly #stores: Parameters<typeof storeEnd>[0];
  readonly #ports: TurnPorts;
  readonly #telling: TurnTelling;
  readonly #counting: TurnCounting;
  #running: RunningReply | null = null;
  /** Resolves with null when the running turn was admitted, otherwise with the refusal. */
  #admission: Promise<TurnRefusal | null> = Promise.resolve(null);
  #ended: Promise<Message | null> = Promise.resolve(null);

  constructor(store: ConversationStore, messages: MessageStore, turns: TurnStore, ports: TurnPorts) {
    this.#store = store;
    this.#messages = messages;
    this.#turns = turns;
    this.#stores = { store, messages, turns };
    this.#ports = ports;
    this.#telling = new TurnTelling(messages);
    this.#counting = new TurnCounting(ports);
  }

  get busy(): boolean {
    return this.#running !== null;
  }

  /** Whether a request with this turn id would start a new turn now. */
  isNew(turnId: string): boolean {
    return !this.busy && this.#turns.get(turnId) === null;
  }

  /** Whether the reply with this id is being written. */
  isWriting(messageId: string): boolean {
    return this.#running !== null && this.#turns.get(this.#running.turnId)?.replyId === messageId;
  }

  /** Resolves when the running turn has ended, with its reply. */
  get ended(): Promise<Message | null> {
    return this.#ended;
  }

  /**
   * Starts a turn, or rejoins it when its id is known. `begin` decides and writes nothing. No await precedes the stored
   * turn, so that only one of several simultaneous requests starts it.
   */
  async beginOrRejoin(
    input: {
      turnId: string;
      userId: string;
      lastEventId: string | null;
      model: ChosenModel | null;
      entitlement: Entitlement;
      rating: Rating;
      /** The page that sent the request. */
      tab: string | null;
      region: UserRegion;
    },
    begin: (model: ChosenModel, now: number) => BegunTurn | TurnRefusal,
  ): Promise<TurnResult> {
    const known = this.#turns.get(input.turnId);
    if (known !== null) return this.#rejoin(known, input.lastEventId);
    if (this.#running !== null) return { ok: false, code: 'reply_in_progress' };
    const { model } = input;
    if (model === null) return { ok: false, code: 'model_unavailable' };
    const now = Date.now();
    const meta = this.#store.getMeta() as ConversationMeta;
    const begun = begin(model, now);
    if (!('write' in begun)) return begun;
    const open: OpenTurn = { id: input.turnId, payerId: input.userId, ...begun.turn };
    const turn: Turn = { ...open, ended: false, errorCode: null };
    // Call the wallet before writing: what an object sends after a write waits until the write is confirmed. After a crash
    // in between, the wallet releases the points by their age.
    const reserved = this.#ports.reserve(turn.payerId, turn.versionId, meta.id, {
      entitlement: input.entitlement,
      model,
    });
    reserved.catch(() => {});
    // Write everything at once, so that one confirmation is enough.
    const undo = this.#ports.atomically(() => {
      begun.write();
      const unnotice = this.#notice(turn, meta, now);
      this.#turns.add(open);
      this.#store.touch(now);
      this.#ports.watch();
      return () => {
        unnotice();
        begun.undo();
      };
    });
    const base = this.#base(turn);
    const save = (text: string) => this.#checkpoint(turn, base + text);
    const running = new RunningReply(turn.id, turn.versionId, base, save, turn.head);
    this.#running = running;
    // Build the prompt while the wallet answers.
    this.#admission = this.#admit(meta, turn, reserved, undo);
    const prompt = this.#prompt(turn, model, input.rating);
    // `#run` handles a failure to build the prompt; a refused turn ignores it.
    prompt.catch(() => {});

    const refusal = await this.#admission;
    if (refusal !== null) return refusal;
    const events = this.#telling.join(running, turn, input.lastEventId);
    this.#ended = this.#run(turn, running, model, { ...input, prompt });
    this.#ports.begun(turn.replyId, input.tab);
    return { ok: true, events };
  }

  /** Shows the AI notice before this turn's first message, if it is due. @returns a function that undoes it */
  #notice(turn: Turn, { noticedAt }: ConversationMeta, now: number): () => void {
    if (!isNoticeDue(noticedAt, now)) return () => {};
    const messageId = (turn.kind === 'send' ? turn.userMessageId : null) ?? turn.replyId;
    const hadNotice = this.#messages.findMessage(messageId)?.notice === true;
    this.#messages.setNotice(messageId, true);
    this.#store.setNoticedAt(now);
    return () => {
      this.#messages.setNotice(messageId, hadNotice);
      this.#store.setNoticedAt(noticedAt);
    };
  }

  /** Streams the reply in progress from the reader's last event on; null when there is none. */
  async follow(
    lastEventId: string | null,
  ): Promise<{ ok: true; events: ReadableStream<Uint8Array> | null } | typeof TOO_MANY_READERS> {
    const running = await this.#admitted();
    const turn = running === null ? null : this.#turns.get(running.turnId);
    if (running === null || turn === null) return { ok: true, events: null };
    return this.#joined(running, turn, lastEventId);
  }

  #joined(running: RunningReply, turn: Turn, lastEventId: string | null) {
    if (!running.followers.hasRoom) return TOO_MANY_READERS;
    return { ok: true as const, events: this.#telling.join(running, turn, lastEventId) };
  }

  /** Stops the reply in progress and waits for its end; its text so far stays. Null when there was none. */
  async stop(): Promise<Message | null> {
    const running = await this.#admitted();
    if (running === null) return null;
    running.stop();
    // Return the reply as it ended: another turn may already be regenerating it.
    return this.#ended;
  }

  /** Returns a message with only the text that the followers of a reply in progress have received. */
  asTold(message: Message): Message {
    const running = this.#running;
    if (running === null || message.selected_version_id !== running.versionId) return message;
    return withText(message, running.versionId, running.base + running.toldText);
  }

  /** Ends turns whose object was evicted while writing. Their text is kept, and they are free. */
  endOrphans(): void {
    if (this.#running !== null) return;
    const orphans = this.#turns.open();
    for (const turn of orphans) {
      const version = this.#messages.findVersion(turn.replyId, turn.versionId);
      const [base, text] = [
        version?.content.slice(0, turn.baseLength),
        version?.content.slice(turn.baseLength),
      ];
      const cause = { kind: 'lost' } as const;
      const { outcome } = this.#ports.atomically(() =>
        storeEnd(this.#stores, turn, { cause, base: base ?? '', text: text ?? '', region: null }),
      );
      if (version?.model == null) continue;
      this.#counting.measure(
        turn.versionId,
        { cause, outcome, points: null },
        { model: version.model, text: text ?? '', firstMs: null },
      );
    }
    if (orphans.length > 0) this.#ports.watch();
  }

  async #admitted(): Promise<RunningReply | null> {
    const running = this.#running;
    if (running === null || (await this.#admission) !== null) return null;
    return this.#running === running ? running : null;
  }

  /** Awaits the reservation of the turn's points; a refused turn leaves no rows. */
  async #admit(
    meta: ConversationMeta,
    turn: Turn,
    reserving: ReturnType<TurnPorts['reserve']>,
    undo: () => void,
  ): Promise<TurnRefusal | null> {
    const refuse = (refusal: TurnRefusal): TurnRefusal => {
      this.#ports.atomically(() => {
        undo();
        this.#turns.remove(turn.id);
        // Restore the last message time. This also marks the list row as stale: a rename in the meantime may have written
        // the row with this turn's time.
        this.#store.touch(meta.updatedAt);
      });
      this.#running = null;
      return refusal;
    };
    try {
      const reserved = await reserving;
      if (reserved.ok) return null;
      const { code, points } = reserved;
      if (isPointsRefusal(code)) return refuse({ ok: false, code, points });
      return refuse({ ok: false, code: 'server_error' });
    } catch (error) {
      logFailure('reserve_failed', error);
      // It is unknown whether the points are reserved, so store a release, which is retried until it is confirmed.
      this.#turns.addSettlement({
        versionId: turn.versionId,
        payerId: turn.payerId,
        replyId: null,
        outcome: 'release',
        what: 'reply',
      });
      return refuse({ ok: false, code: 'server_error' });
    }
  }

  /** Builds the prompt with the current persona. */
  async #prompt(turn: Turn, model: ChosenModel, rating: Rating): Promise<ComposedTurn> {
    await this.#ports.refreshPersona();
    return this.#ports.compose(turn, model, rating);
  }

  /** Lets the model write the reply to its end. @returns the finished reply */
  async #run(
    turn: Turn,
    running: RunningReply,
    model: ChosenModel,
    { rating, region, prompt }: { rating: Rating; region: UserRegion; prompt: Promise<ComposedTurn> },
  ): Promise<Message | null> {
    let cause: TurnCause;
    try {
      const composed = await prompt;
      const { signal, base } = running;
      const written = this.#ports.ask(model, composed, {
        signal,
        // Save the prompt only now: a pending write would delay the outgoing request (output gate).
        sent: () => this.#keep(composed),
      });
      cause = await running.write(
        moderateStream(written, this.#ports.judge(rating, turn.replyId), { begun: base, signal }),
      );
    } catch (error) {
      logFailure('turn_failed', error);
      cause = { kind: 'failed', failure: 'provider_error' };
    }
    try {
      return await this.#finish(turn, running, model, { cause, region });
    } catch (error) {
      // The end could not be stored. The conversation must not stay busy, so close the readers' streams; the alarm ends
      // the turn like one whose object was evicted.
      logFailure('turn_end_failed', error);
      // If only a later step failed, the next turn may be running already.
      if (this.#running === running) this.#running = null;
      running.followers.close();
      this.#ports.watch();
      return this.#messages.findMessage(turn.replyId);
    }
  }

  /** Saves the prompt's record. A failure must not lose the reply. */
  #keep({ keep }: ComposedTurn): void {
    try {
      keep();
    } catch (error) {
      logFailure('context_save_failed', error);
    }
  }

  /** Saves the text so far. If it fails, a crash loses more text; the next save follows. */
  #checkpoint(turn: Turn, text: string): void {
    try {
      this.#messages.saveText(turn.versionId, text);
    } catch (error) {
      logFailure('checkpoint_failed', error);
    }
  }

  /** Stores the turn's end, settles with the wallet, then sends the final events. @returns the reply in those events */
  async #finish(
    turn: Turn,
    running: RunningReply,
    model: ChosenModel,
    { cause, region }: { cause: TurnCause; region: UserRegion },
  ): Promise<Message | null> {
    const { outcome, settlement } = this.#ports.atomically(() =>
      storeEnd(this.#stores, turn, { cause, base: running.base, text: running.text, region }),
    );
    const { text } = running;
    const spend = this.#counting.spend(turn.versionId, model, { cause, text });
    const points = await this.#ports.settle({ ...settlement, ...spend });
    this.#running = null;
    const reply = this.#messages.findMessage(turn.replyId);
    if (reply !== null) {
      const end: ReplyEnd =
        outcome.error === null
          ? {
              kind: 'done',
              reply,
              points,
              contextStartId: (this.#store.getMeta() as ConversationMeta).contextStartId,
            }
          : {
              kind: 'error',
              error: outcome.error.sentence,
              code: outcome.error.code,
              reply,
              rule: getRefusalRule(cause),
            };
      running.followers.tell(buildEndEvents(running.head + running.text.length, end));
    }
    running.followers.close();
    this.#counting.measure(
      turn.versionId,
      { cause, outcome, points },
      { model: model.id, text: running.text, firstMs: running.firstMs },
    );
    await this.#ports.ended(model);
    return reply;
  }

  /** The text of the version before this turn. */
  #base(turn: Turn): string {
    if (turn.baseLength === 0) return '';
    return (this.#messages.findVersion(turn.replyId, turn.versionId)?.content ?? '').slice(
      0,
      turn.baseLength,
    );
  }

  /** Rejoins a turn that is running, or replays one that has ended. */
  async #rejoin(known: Turn, lastEventId: string | null): Promise<TurnResult> {
    const running = this.#running;
    if (running !== null && running.turnId === known.id) {
      const refusal = await this.#admission;
      if (refusal !== null) return refusal;
      if (this.#running === running) return this.#joined(running, known, lastEventId);
    }
    const events = this.#telling.after(this.#turns.get(known.id) ?? known, lastEventId);
    // The message was deleted since. Do not send it again, because the turn was answered once.
    return events === null ? { ok: false, code: 'message_deleted' } : { ok: true, events };
  }
}

const TOO_MANY_READERS = { ok: false, code: 'too_many_subscribers' } as const;

function withText(message: Message, versionId: string, content: string): Message {
  return {
    ...message,
    content,
    versions: message.versions.map((version) =>
      version.id === versionId ? { ...version, content } : version,
    ),
  };
}

/** Logs a failure without any message text. */
export function logFailure(event: LogEvent, error: unknown): void {
  log(event, { message: describeError(error) });
}

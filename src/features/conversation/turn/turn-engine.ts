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
import type { Turn, TurnStore } from './turn-store.ts';
import { TurnTelling } from './turn-telling.ts';
import { log, type LogEvent } from '../../../lib/log.ts';
import { describeError } from '../../../lib/redact.ts';

/**
 * Runs the turns of one conversation, one at a time: stored, paid for, written, settled. A turn
 * goes on whoever reads it and ends in a state that everybody can read.
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
  /** Resolves when the running turn was admitted (null), or with why it was not. */
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

  /** Whether a turn of this id, asked for now, would be a new one. */
  isNew(turnId: string): boolean {
    return !this.busy && this.#turns.get(turnId) === null;
  }

  /** Whether this very reply is being written. */
  isWriting(messageId: string): boolean {
    return this.#running !== null && this.#turns.get(this.#running.turnId)?.replyId === messageId;
  }

  /** Resolves when the turn that runs now has ended, and with how its reply ended. */
  get ended(): Promise<Message | null> {
    return this.#ended;
  }

  /**
   * Begins a turn, or rejoins it when its id is known. `begin` writes the turn's rows; it and
   * everything before the stored turn run without a pause, so that of equal sends at once one
   * begins.
   */
  async beginOrRejoin(
    input: {
      turnId: string;
      userId: string;
      lastEventId: string | null;
      model: ChosenModel | null;
      standing: Entitlement;
      rating: Rating;
      /** The page that asks. */
      tab: string | null;
      whereabouts: UserRegion;
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
    // All writes of a turn's beginning are these: what leaves the object waits until they are safe,
    // and one wait is enough.
    const written = this.#ports.atomically(() => {
      const begun = begin(model, now);
      if (!('undo' in begun)) return begun;
      const turn: Turn = {
        id: input.turnId,
        payerId: input.userId,
        ended: false,
        errorCode: null,
        ...begun.turn,
      };
      const unnotice = this.#notice(turn, meta, now);
      this.#turns.add(turn, now);
      this.#store.touch(now);
      const undo = () => {
        unnotice();
        begun.undo();
      };
      return { turn, undo };
    });
    if (!('undo' in written)) return written;
    const { turn, undo } = written;
    this.#ports.watch();
    const base = this.#base(turn);
    const save = (text: string) => this.#checkpoint(turn, base + text);
    const running = new RunningReply(turn.id, turn.versionId, base, save, turn.head);
    this.#running = running;
    // The prompt is put together while the wallet answers.
    this.#admission = this.#admit(meta, turn, { standing: input.standing, model }, undo);
    const prompt = this.#prompt(turn, model, input.rating);
    // Whoever writes the reply hears why it could not be; a turn that is refused needs none.
    prompt.catch(() => {});

    const refusal = await this.#admission;
    if (refusal !== null) return refusal;
    const events = this.#telling.join(running, turn, input.lastEventId);
    this.#ended = this.#run(turn, running, model, { ...input, prompt });
    this.#ports.begun(turn.replyId, input.tab);
    return { ok: true, events };
  }

  /** Has the notice that an AI answers stand before what is said now, where it is due. @returns what takes it back */
  #notice(turn: Turn, { noticedAt }: ConversationMeta, now: number): () => void {
    if (!isNoticeDue(noticedAt, now)) return () => {};
    const messageId = (turn.kind === 'send' ? turn.userMessageId : null) ?? turn.replyId;
    const stood = this.#messages.findMessage(messageId)?.notice === true;
    this.#messages.setNotice(messageId, true);
    this.#store.setNoticedAt(now);
    return () => {
      this.#messages.setNotice(messageId, stood);
      this.#store.setNoticedAt(noticedAt);
    };
  }

  /** The reply being written, after what the reader saw last; null when none is. */
  async follow(
    lastEventId: string | null,
  ): Promise<{ ok: true; events: ReadableStream<Uint8Array> | null } | typeof TOO_MANY_READERS> {
    const running = await this.#admitted();
    const turn = running === null ? null : this.#turns.get(running.turnId);
    if (running === null || turn === null) return { ok: true, events: null };
    return this.#joined(running, turn, lastEventId);
  }

  /** The reply being written to one more reader, if there is room for them. */
  #joined(running: RunningReply, turn: Turn, lastEventId: string | null) {
    if (!running.followers.hasRoom) return TOO_MANY_READERS;
    return { ok: true as const, events: this.#telling.join(running, turn, lastEventId) };
  }

  /** Stops the reply and waits for its end; what was written stays. Null when none was written. */
  async stop(): Promise<Message | null> {
    const running = await this.#admitted();
    if (running === null) return null;
    running.stop();
    // As it ended: by the time that others have been told, somebody may be having it written anew.
    return this.#ended;
  }

  /** A message as followers of the running reply have been told it. */
  asTold(message: Message): Message {
    const running = this.#running;
    if (running === null || message.selected_version_id !== running.versionId) return message;
    return withText(message, running.versionId, running.base + running.toldText);
  }

  /** Ends turns that have lost their writer, as after a restart: kept as they are, and free. */
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
        storeEnd(this.#stores, turn, { cause, base: base ?? '', text: text ?? '', whereabouts: null }),
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

  /** Reserves the turn's points; a turn that is refused leaves nothing behind. */
  async #admit(
    meta: ConversationMeta,
    turn: Turn,
    asked: { standing: Entitlement; model: ChosenModel },
    undo: () => void,
  ): Promise<TurnRefusal | null> {
    const refuse = (refusal: TurnRefusal): TurnRefusal => {
      undo();
      this.#turns.remove(turn.id);
      // Nothing happened after all. Whoever renamed the conversation meanwhile may have had its list row written by that.
      this.#store.touch(meta.updatedAt);
      this.#running = null;
      return refusal;
    };
    try {
      const reserved = await this.#ports.reserve(turn.payerId, turn.versionId, meta.id, asked);
      if (reserved.ok) return null;
      const { code, points } = reserved;
      if (isPointsRefusal(code)) return refuse({ ok: false, code, points });
      return refuse({ ok: false, code: 'server_error' });
    } catch (error) {
      logFailure('reserve_failed', error);
      // Whether the points are held is unknown: giving them back is repeated until it is confirmed.
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

  /** What the model is sent, with the person as they are by now. */
  async #prompt(turn: Turn, model: ChosenModel, rating: Rating): Promise<ComposedTurn> {
    await this.#ports.refreshPersona();
    return this.#ports.compose(turn, model, rating);
  }

  /** Has the model write the reply, to its end. @returns how it ended */
  async #run(
    turn: Turn,
    running: RunningReply,
    model: ChosenModel,
    {
      rating,
      whereabouts,
      prompt,
    }: { rating: Rating; whereabouts: UserRegion; prompt: Promise<ComposedTurn> },
  ): Promise<Message | null> {
    let cause: TurnCause;
    try {
      const composed = await prompt;
      const { signal, base } = running;
      const written = this.#ports.ask(model, composed, {
        signal,
        // Not before: what leaves an object waits for all that it has written.
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
      return await this.#finish(turn, running, model, { cause, whereabouts });
    } catch (error) {
      // The end could not be stored. The conversation must not stay busy for it: readers are let go,
      // and the alarm ends the turn as one that lost its writer.
      logFailure('turn_end_failed', error);
      // Another may run by now, where only telling others failed.
      if (this.#running === running) this.#running = null;
      running.followers.close();
      this.#ports.watch();
      return this.#messages.findMessage(turn.replyId);
    }
  }

  /** What the model was told, for whoever wants to look; a reply is not lost for it. */
  #keep({ keep }: ComposedTurn): void {
    try {
      keep();
    } catch (error) {
      logFailure('context_not_kept', error);
    }
  }

  /** A save that fails costs a crash some more text; the next one comes in a second. */
  #checkpoint(turn: Turn, text: string): void {
    try {
      this.#messages.saveText(turn.versionId, text);
    } catch (error) {
      logFailure('checkpoint_failed', error);
    }
  }

  /** Stores how the turn ended, then tells the wallet, then the readers. @returns the reply as they were told it */
  async #finish(
    turn: Turn,
    running: RunningReply,
    model: ChosenModel,
    { cause, whereabouts }: { cause: TurnCause; whereabouts: UserRegion },
  ): Promise<Message | null> {
    const { outcome, settlement } = this.#ports.atomically(() =>
      storeEnd(this.#stores, turn, { cause, base: running.base, text: running.text, whereabouts }),
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

  /** What stood in the version before its turn wrote on. */
  #base(turn: Turn): string {
    if (turn.baseLength === 0) return '';
    return (this.#messages.findVersion(turn.replyId, turn.versionId)?.content ?? '').slice(
      0,
      turn.baseLength,
    );
  }

  /** The same turn asked for again: what is being written, or what became of it, as it stands now. */
  async #rejoin(known: Turn, lastEventId: string | null): Promise<TurnResult> {
    const running = this.#running;
    if (running !== null && running.turnId === known.id) {
      const refusal = await this.#admission;
      if (refusal !== null) return refusal;
      if (this.#running === running) return this.#joined(running, known, lastEventId);
    }
    const events = this.#telling.after(this.#turns.get(known.id) ?? known, lastEventId);
    // Known and answered once, it is never sent again.
    return events === null ? { ok: false, code: 'message_deleted' } : { ok: true, events };
  }
}

const TOO_MANY_READERS = { ok: false, code: 'too_many_readers' } as const;

function withText(message: Message, versionId: string, content: string): Message {
  return {
    ...message,
    content,
    versions: message.versions.map((version) =>
      version.id === versionId ? { ...version, content } : version,
    ),
  };
}

/** The log gets what failed, never what was said. */
export function logFailure(event: LogEvent, error: unknown): void {
  log(event, { message: describeError(error) });
}

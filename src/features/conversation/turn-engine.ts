import type { ModelMessage, ModelPart } from '../../vendors/model.ts';
import type { ChosenModel } from '../model/choice.ts';
import type { PointsStatus } from '../wallet/contract.ts';
import type { Message } from './contract.ts';
import type { ConversationStore, Meta } from './conversation-store.ts';
import { replay } from './followers.ts';
import { buildPrompt } from './prompt.ts';
import {
  acceptedEvent,
  endEvent,
  missedEvents,
  type NumberedEvent,
  readEventId,
  type ReplyEnd,
} from './reply-log.ts';
import { RunningReply } from './running-reply.ts';
import { endTurn, sentenceFor, type TurnCause, type TurnOutcome } from './turn.ts';
import type { Settlement, Turn, TurnStore } from './turn-store.ts';

/** More than any context holds; bounds what one turn reads. */
const MAX_HISTORY_MESSAGES = 400;

/** What a turn needs of the world; the object connects it. Only `reserve` and `atomically` may throw. */
export interface TurnPorts {
  /** Writes all or, when something throws, nothing. */
  atomically<T>(write: () => T): T;
  /** Holds the points of one turn. */
  reserve(
    payerId: string,
    reservationId: string,
    conversationId: string,
  ): Promise<{ ok: true } | { ok: false; code: string; points: PointsStatus }>;
  /** Tells the wallet how a turn ended; null when it must be told later. */
  settle(settlement: Settlement): Promise<PointsStatus | null>;
  /** The model's answer, part by part. */
  ask(model: ChosenModel, messages: ModelMessage[], signal: AbortSignal): AsyncIterable<ModelPart>;
  /** Makes sure that the object wakes again, should it go away now. */
  watch(): void;
  /** Something ended: others may have to be told. */
  ended(): Promise<void>;
}

export type TurnRefusal =
  | {
      ok: false;
      code: 'not_found' | 'reply_in_progress' | 'model_unavailable' | 'not_a_reply' | 'server_error';
    }
  | { ok: false; code: 'points_exhausted' | 'daily_limit_reached'; points: PointsStatus };
export type TurnResult = { ok: true; events: ReadableStream<Uint8Array> } | TurnRefusal;

/** The rows of a turn that was just written, and how to take them back should it be refused. */
export interface BegunTurn {
  turn: Pick<Turn, 'userMessageId' | 'replyId' | 'versionId' | 'previousVersionId'>;
  undo: () => void;
}

/**
 * Runs the turns of one conversation, one at a time: stored, paid for, written, settled. A turn
 * goes on whoever reads it and ends in a state that everybody can read.
 */
export class TurnEngine {
  readonly #store: ConversationStore;
  readonly #turns: TurnStore;
  readonly #ports: TurnPorts;
  #running: RunningReply | null = null;
  /** Resolves when the running turn was admitted (null), or with why it was not. */
  #admission: Promise<TurnRefusal | null> = Promise.resolve(null);
  #ended: Promise<void> = Promise.resolve();

  constructor(store: ConversationStore, turns: TurnStore, ports: TurnPorts) {
    this.#store = store;
    this.#turns = turns;
    this.#ports = ports;
  }

  get busy(): boolean {
    return this.#running !== null;
  }

  /** Resolves when the turn that runs now has ended. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /**
   * Begins a turn, or rejoins it when its id is known. `begin` writes the turn's rows; it and
   * everything before the stored turn run without a pause, so that of equal sends at once one
   * begins.
   */
  async beginOrRejoin(
    input: { turnId: string; userId: string; lastEventId: string | null; model: ChosenModel | null },
    begin: (model: ChosenModel, now: number) => BegunTurn | TurnRefusal,
  ): Promise<TurnResult> {
    const known = this.#turns.get(input.turnId);
    if (known !== null) return this.#rejoin(known, input.lastEventId);
    if (this.#running !== null) return { ok: false, code: 'reply_in_progress' };
    const { model } = input;
    if (model === null) return { ok: false, code: 'model_unavailable' };
    const now = Date.now();
    const meta = this.#store.meta() as Meta;
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
      this.#turns.add(turn, now);
      this.#store.touch(now);
      return { turn, undo: begun.undo };
    });
    if (!('undo' in written)) return written;
    const { turn, undo } = written;
    this.#ports.watch();
    const running = new RunningReply(turn.id, turn.versionId, (text) => this.#checkpoint(turn, text));
    this.#running = running;
    this.#admission = this.#admit(meta, turn, undo);

    const refusal = await this.#admission;
    if (refusal !== null) return refusal;
    const events = this.#join(running, turn, input.lastEventId);
    this.#ended = this.#run(meta, turn, running, model);
    return { ok: true, events };
  }

  /** The reply being written, after what the reader saw last; null when none is. */
  async follow(lastEventId: string | null): Promise<ReadableStream<Uint8Array> | null> {
    const running = await this.#admitted();
    const turn = running === null ? null : this.#turns.get(running.turnId);
    return running === null || turn === null ? null : this.#join(running, turn, lastEventId);
  }

  /** Stops the reply and waits for its end; what was written stays. Null when none was written. */
  async stop(): Promise<Message | null> {
    const running = await this.#admitted();
    if (running === null) return null;
    running.stop();
    await this.#ended;
    const turn = this.#turns.get(running.turnId);
    return turn === null ? null : this.#store.message(turn.replyId);
  }

  /** A message as followers of the running reply have been told it. */
  asTold(message: Message): Message {
    const running = this.#running;
    if (running === null || message.selected_version_id !== running.versionId) return message;
    return withText(message, running.versionId, running.toldText);
  }

  /** Ends turns that have lost their writer, as after a restart: kept as they are, and free. */
  endOrphans(): void {
    if (this.#running !== null) return;
    const orphans = this.#turns.open();
    for (const turn of orphans) {
      const text =
        this.#store.versions(turn.replyId).find((version) => version.id === turn.versionId)?.content ?? '';
      this.#ports.atomically(() => this.#storeEnd(turn, { kind: 'lost' }, text));
    }
    if (orphans.length > 0) this.#ports.watch();
  }

  async #admitted(): Promise<RunningReply | null> {
    const running = this.#running;
    if (running === null || (await this.#admission) !== null) return null;
    return this.#running === running ? running : null;
  }

  /** Reserves the turn's points; a turn that is refused leaves nothing behind. */
  async #admit(meta: Meta, turn: Turn, undo: () => void): Promise<TurnRefusal | null> {
    const refuse = (refusal: TurnRefusal): TurnRefusal => {
      undo();
      this.#turns.remove(turn.id);
      this.#store.untouch(meta);
      this.#running = null;
      return refusal;
    };
    try {
      const reserved = await this.#ports.reserve(turn.payerId, turn.versionId, meta.id);
      if (reserved.ok) return null;
      if (reserved.code === 'points_exhausted' || reserved.code === 'daily_limit_reached') {
        return refuse({ ok: false, code: reserved.code, points: reserved.points });
      }
      return refuse({ ok: false, code: 'server_error' });
    } catch (error) {
      logFailure('reserve_failed', error);
      // Whether the points are held is unknown: giving them back is repeated until it is confirmed.
      this.#turns.addSettlement({
        versionId: turn.versionId,
        payerId: turn.payerId,
        replyId: null,
        outcome: 'release',
      });
      return refuse({ ok: false, code: 'server_error' });
    }
  }

  /** Has the model write the reply, to its end. */
  async #run(meta: Meta, turn: Turn, running: RunningReply, model: ChosenModel): Promise<void> {
    let cause: TurnCause;
    try {
      const { character } = meta;
      const history = this.#store.historyBefore(turn.replyId, MAX_HISTORY_MESSAGES);
      const prompt = buildPrompt({
        character: {
          name: character.name,
          oneliner: character.oneliner,
          characterTraits: character.character_traits,
          firstMessage: character.first_message,
          pointOfView: character.point_of_view,
        },
        persona: { name: meta.userName, description: '' },
        history,
        isWhole: history.length < MAX_HISTORY_MESSAGES,
        contextTokens: model.contextTokens,
      });
      cause = await running.write(this.#ports.ask(model, prompt.messages, running.signal));
    } catch (error) {
      logFailure('turn_failed', error);
      cause = { kind: 'failed', failure: 'provider_error' };
    }
    try {
      await this.#finish(turn, running, cause);
    } catch (error) {
      // The end could not be stored. The conversation must not stay busy for it: readers are let go,
      // and the alarm ends the turn as one that lost its writer.
      logFailure('turn_end_failed', error);
      this.#running = null;
      running.followers.close();
      this.#ports.watch();
    }
  }

  /** A save that fails costs a crash some more text; the next one comes in a second. */
  #checkpoint(turn: Turn, text: string): void {
    try {
      this.#store.saveText(turn.versionId, text);
    } catch (error) {
      logFailure('checkpoint_failed', error);
    }
  }

  /** Stores how the turn ended, then tells the wallet, then the readers. */
  async #finish(turn: Turn, running: RunningReply, cause: TurnCause): Promise<void> {
    const { outcome, settlement } = this.#ports.atomically(() => this.#storeEnd(turn, cause, running.text));
    const points = await this.#ports.settle(settlement);
    this.#running = null;
    const reply = this.#store.message(turn.replyId);
    if (reply !== null) {
      const end: ReplyEnd =
        outcome.error === null
          ? { kind: 'done', reply, points }
          : { kind: 'error', error: outcome.error.sentence, code: outcome.error.code, reply };
      running.followers.tell([endEvent(running.text.length, end)]);
    }
    running.followers.close();
    await this.#ports.ended();
  }

  /**
   * Written together: text, status, and what the wallet is owed. A rewriting that brought no text leaves
   * what the reply showed before in place; versions without text do not outlive one that has some.
   */
  #storeEnd(turn: Turn, cause: TurnCause, text: string): { outcome: TurnOutcome; settlement: Settlement } {
    const outcome = endTurn(cause, text);
    const settlement: Settlement = {
      versionId: turn.versionId,
      payerId: turn.payerId,
      replyId: turn.replyId,
      outcome: outcome.points,
    };
    const errorCode = outcome.error?.code ?? null;
    this.#store.endVersion(turn.versionId, text, outcome.status, errorCode);
    const others = this.#store.versions(turn.replyId).filter((version) => version.id !== turn.versionId);
    const kept = others.find((version) => version.id === turn.previousVersionId);
    if (text.trim() === '' && kept !== undefined && kept.content !== '') {
      this.#store.selectVersion(turn.replyId, kept.id);
      this.#store.removeVersion(turn.versionId);
    } else {
      for (const empty of others) if (empty.content === '') this.#store.removeVersion(empty.id);
    }
    this.#turns.setEnded(turn.id, errorCode);
    this.#turns.addSettlement(settlement);
    this.#store.touch(Date.now());
    return { outcome, settlement };
  }

  #accepted(turn: Turn, reply: Message): NumberedEvent {
    return acceptedEvent(reply, turn.userMessageId === null ? null : this.#store.message(turn.userMessageId));
  }

  #join(running: RunningReply, turn: Turn, lastEventId: string | null): ReadableStream<Uint8Array> {
    const reply = this.#store.message(turn.replyId) as Message;
    return running.followers.open(
      missedEvents({
        seen: readEventId(lastEventId, turn.id),
        text: running.toldText,
        accepted: this.#accepted(turn, reply),
        end: null,
      }),
    );
  }

  /** The same turn asked for again: what is being written, or what became of it, as it stands now. */
  async #rejoin(known: Turn, lastEventId: string | null): Promise<TurnResult> {
    const running = this.#running;
    if (running !== null && running.turnId === known.id) {
      const refusal = await this.#admission;
      if (refusal !== null) return refusal;
      if (this.#running === running) return { ok: true, events: this.#join(running, known, lastEventId) };
    }
    const reply = this.#store.message(known.replyId);
    if (reply === null) return { ok: false, code: 'not_found' };
    const ended = this.#turns.get(known.id);
    const errorCode =
      reply.selected_version_id === known.versionId || reply.content === '' ? ended?.errorCode : null;
    const end: ReplyEnd =
      errorCode == null
        ? { kind: 'done', reply, points: null }
        : { kind: 'error', error: sentenceFor(errorCode), code: errorCode, reply };
    const missed = missedEvents({
      seen: readEventId(lastEventId, known.id),
      text: reply.content,
      accepted: this.#accepted(known, reply),
      end,
    });
    return { ok: true, events: replay(known.id, missed) };
  }
}

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
export function logFailure(event: string, error: unknown): void {
  console.error(JSON.stringify({ event, message: error instanceof Error ? error.message : 'unknown' }));
}

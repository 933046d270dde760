import type { ModelMessage } from '../../../vendors/model.ts';
import type { ChosenModel } from '../../model/choose-model.ts';
import { NO_SPEND, type Spend } from '../../model/spend.ts';
import type { PointsStatus } from '../../wallet/contract.ts';
import type { Entitlement } from '../../wallet/ledger.ts';
import { type WriteBlock, type Rating, SPICY_MODE_OFF } from '../character/character-state.ts';
import type { ModeratedPart } from '../moderation/moderate-stream.ts';
import { askAgainIfTooLong, type Retryable } from './ask-again.ts';
import { isPointsRefusal, type PointsRefusal } from './turn-port.ts';
import { endTurn, toFailedCause, type TurnCause, type TurnErrorCode } from './turn.ts';
import type { Settlement, TurnStore } from './turn-store.ts';

export type AskKind = 'suggestions' | 'draft';

export type AskResult =
  | { ok: true; texts: string[]; points: PointsStatus }
  | WriteBlock
  | { ok: false; code: 'model_unavailable' | 'character_gone' | 'spicy_mode_off' | 'server_error' }
  | { ok: false; code: 'assist_failed'; reason: TurnErrorCode; sentence: string }
  | { ok: false; code: PointsRefusal; points: PointsStatus };

interface PlainAskPrompt {
  messages: ModelMessage[];
  /** The maximum answer length, in tokens. */
  replyTokens: number;
}
export type AskPrompt = PlainAskPrompt & Retryable<PlainAskPrompt>;

export interface AskPorts {
  reserve(
    payerId: string,
    reservationId: string,
    asked: { entitlement: Entitlement; model: ChosenModel },
  ): Promise<{ ok: true } | { ok: false; code: string; points: PointsStatus }>;
  /** Settles with the wallet; null when it did not confirm and has to be asked again later. */
  settle(settlement: Settlement): Promise<PointsStatus | null>;
  /** The user's current points. */
  points(payerId: string): Promise<PointsStatus>;
  compose(kind: AskKind, model: ChosenModel, rating: Rating): Promise<AskPrompt>;
  ask(
    model: ChosenModel,
    prompt: PlainAskPrompt,
    by: { rating: Rating; signal: AbortSignal; spent: (spend: Spend) => void },
  ): AsyncIterable<ModeratedPart>;
  /** Parses an answer; empty when it is unusable. */
  read(kind: AskKind, answer: string): string[];
  watch(): void;
}

/**
 * Requests to the model besides replies: suggested replies, and a draft of the user's next message. Their texts are not
 * part of the conversation. The result is stored under the request's id, so that a retry returns the same and is free.
 */
export class ModelAsks {
  readonly #turns: TurnStore;
  readonly #ports: AskPorts;
  readonly #running = new Map<string, Promise<AskResult>>();
  readonly #held = new Set<string>();
  #abort = new AbortController();

  constructor(turns: TurnStore, ports: AskPorts) {
    this.#turns = turns;
    this.#ports = ports;
  }

  /** Whether the reservation belongs to a running request: its stored settlement must not be sent yet. */
  holds(reservationId: string): boolean {
    return this.#held.has(reservationId);
  }

  /** Aborts all running requests free of charge, before the conversation is erased. */
  async stop(): Promise<void> {
    this.#abort.abort();
    await Promise.allSettled(this.#running.values());
    this.#abort = new AbortController();
  }

  /** @param input.askId created by the client; the same id and kind again is the same request */
  async ask(
    kind: AskKind,
    input: {
      askId: string;
      payerId: string;
      model: ChosenModel | null;
      entitlement: Entitlement;
      rating: Rating;
    },
  ): Promise<AskResult> {
    const key = `${kind}-${input.askId}`;
    const kept = this.#turns.asked(key);
    if (kept !== null)
      return {
        ok: true,
        texts: JSON.parse(kept) as string[],
        points: await this.#ports.points(input.payerId),
      };
    const { payerId, model, entitlement, rating } = input;
    if (rating === 'blocked') return SPICY_MODE_OFF;
    if (model === null) return { ok: false, code: 'model_unavailable' };
    const underWay = this.#running.get(key);
    if (underWay !== undefined) return underWay;
    // Each attempt needs a new reservation id, because a released reservation cannot be held again.
    const reservation = `${key}-${crypto.randomUUID()}`;
    this.#held.add(reservation);
    const run = this.#run(kind, { key, payerId, model, entitlement, rating, reservation });
    const answer = run.finally(() => {
      this.#running.delete(key);
      this.#held.delete(reservation);
    });
    this.#running.set(key, answer);
    return answer;
  }

  async #run(
    kind: AskKind,
    input: {
      key: string;
      payerId: string;
      model: ChosenModel;
      entitlement: Entitlement;
      rating: Rating;
      reservation: string;
    },
  ): Promise<AskResult> {
    const { key, payerId, model, entitlement, rating, reservation } = input;
    const owed = (outcome: Settlement['outcome']): Settlement => ({
      versionId: reservation,
      payerId,
      replyId: null,
      outcome,
      what: kind,
    });
    // Store a release until the answer is complete, so that nothing is charged if the object is evicted.
    this.#turns.addSettlement(owed('release'));
    this.#ports.watch();
    const reserved = await this.#ports
      .reserve(payerId, reservation, { entitlement, model })
      .catch(() => null);
    if (reserved === null || !reserved.ok) {
      await this.#ports.settle(owed('release'));
      if (reserved !== null && isPointsRefusal(reserved.code))
        return { ok: false, code: reserved.code, points: reserved.points };
      return { ok: false, code: 'server_error' };
    }
    const { cause, text, spend } = await this.#listen(kind, model, rating);
    const outcome = endTurn(cause, text);
    const texts = outcome.status === 'complete' ? this.#ports.read(kind, text) : [];
    if (texts.length === 0) {
      await this.#ports.settle({ ...owed('release'), spend });
      const error = outcome.error ?? endTurn({ kind: 'finished' }, '').error;
      if (error === null) return { ok: false, code: 'server_error' };
      return { ok: false, code: 'assist_failed', reason: error.code, sentence: error.sentence };
    }
    this.#turns.keepAsked(key, kind, JSON.stringify(texts), Date.now());
    this.#turns.addSettlement(owed('settle'));
    const points =
      (await this.#ports.settle({ ...owed('settle'), spend })) ?? (await this.#ports.points(payerId));
    return { ok: true, texts, points };
  }

  async #listen(
    kind: AskKind,
    model: ChosenModel,
    rating: Rating,
  ): Promise<{ cause: TurnCause; text: string; spend: Spend }> {
    let text = '';
    let spend = NO_SPEND;
    let cause: TurnCause = { kind: 'failed', failure: 'cut_off' };
    const { signal } = this.#abort;
    try {
      const prompt = await this.#ports.compose(kind, model, rating);
      const spent = (came: Spend) => void (spend = came);
      const parts = askAgainIfTooLong(prompt, (asked) =>
        this.#ports.ask(model, asked, { rating, signal, spent }),
      );
      for await (const part of parts) {
        if (part.kind === 'retracted') text = '';
        else if (part.kind === 'text') text += part.text;
        else if (part.kind === 'finish') cause = { kind: 'finished' };
        else if (part.kind === 'refused') cause = part;
        else if (part.kind === 'failure') cause = toFailedCause(part);
      }
    } catch {
      cause = { kind: 'failed', failure: 'provider_error' };
    }
    return { cause, text, spend };
  }
}

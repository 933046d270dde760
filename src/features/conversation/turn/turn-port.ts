import type { ModelMessage, ModelPart } from '../../../vendors/model.ts';
import type { ChosenModel } from '../../model/choose-model.ts';
import type { ModelChoice } from '../../model/contract.ts';
import type { ContextRatios } from '../../model/estimate-tokens.ts';
import type { PointsStatus } from '../../wallet/contract.ts';
import type { Entitlement } from '../../wallet/ledger.ts';
import type { WriteBlock, Rating } from '../character/character-state.ts';
import type { UserRegion } from '../moderation/crisis-help.ts';
import type { Access, AccessRefusal } from '../access/access.ts';
import type { FindActiveSessions } from '../access/active-sessions-store.ts';
import type { Language } from '../../../config/languages.ts';
import type { StreamModerator } from '../moderation/moderate-stream.ts';
import type { MessageSafety } from '../moderation/safety-contract.ts';
import type { Retryable } from './ask-again.ts';
import type { TurnFigures } from './turn-figures.ts';
import type { ReplySpeakers } from './reply-text.ts';
import type { TurnRows } from './turn-rows.ts';
import type { OpenTurn, Settlement } from './turn-store.ts';

/** The prompt of a turn. */
interface TurnPrompt {
  messages: ModelMessage[];
  /** Estimated. */
  tokens: number;
  /** The maximum length of the reply, in tokens. */
  replyTokens: number;
  temperature: number;
  speakers: ReplySpeakers;
  /** Saves the prompt's record, for the user to inspect. */
  keep: () => void;
}
export type ComposedTurn = TurnPrompt & Retryable<TurnPrompt>;

/** The wallet's answer to a reservation. */
export type ReserveAnswer = { ok: true } | { ok: false; code: string; points: PointsStatus };

/** Access to wallet, model and other parts of the conversation. Only `reserve`, `compose` and `atomically` may throw. */
export interface TurnPorts {
  /** Runs the writes in one transaction. */
  atomically<T>(write: () => T): T;
  /** Reserves the points of one turn. */
  reserve(
    payerId: string,
    reservationId: string,
    asked: { entitlement: Entitlement; model: ChosenModel },
  ): Promise<ReserveAnswer>;
  /** Reloads the user's persona for the prompt, and what refusals have taught about the model's window. */
  prepare(model: ChosenModel): Promise<ContextRatios>;
  /** Builds the prompt of a turn. It must not write, because the turn may still be refused. */
  compose(
    turn: OpenTurn,
    by: { model: ChosenModel; rating: Rating; contextRatios: ContextRatios },
  ): ComposedTurn;
  /** Notifies the other tabs that a reply is being written. */
  begun(replyId: string, by: string | null): void;
  /** Settles with the wallet; null when it did not confirm and has to be asked again later. */
  settle(settlement: Settlement): Promise<PointsStatus | null>;
  /**
   * Streams the model's answer.
   * @param asked.sent called once the request is on its way; must not throw
   */
  ask(
    model: ChosenModel,
    prompt: Pick<TurnPrompt, 'messages' | 'tokens' | 'replyTokens' | 'temperature'>,
    asked: { signal: AbortSignal; sent: () => void },
  ): AsyncIterable<ModelPart>;
  /** Returns the moderator of a reply. */
  judge(rating: Rating, replyId: string): StreamModerator;
  /** The same for its thinking, which only the character's creator may read with parts of the definition. */
  judgeThinking(access: Access, replyId: string): StreamModerator;
  /** Sets the alarm if it is not set yet, so that the object runs again if it is evicted. */
  watch(): void;
  /** The estimated prompt tokens of a version; 0 when unknown. */
  promptTokens(versionId: string): number;
  /** Records a turn's metrics, to be sent at the end of the sitting. */
  measured(figures: TurnFigures): void;
  /** Whether a page shows the conversation. */
  isShown(): boolean;
  /** Finds out which of the readers' sessions are still active. */
  findActive: FindActiveSessions;
  /** A turn has ended: sync the changes and update the memory. */
  ended(model: ChosenModel): Promise<void>;
  /** Keeps the object in memory until the work is done. */
  keepAlive(work: Promise<unknown>): void;
}

/** A request that may start a turn. */
export interface TurnStart extends Pick<TurnRequest, 'turnId' | 'lastEventId' | 'tab' | 'timeZone'> {
  access: Access;
  model: ChosenModel | null;
  /** Chooses the helplines, if the user needs them. */
  region: UserRegion;
  /** Why the caller may not write after all; null when they may. Null itself when the caller is verified already. */
  verification: Promise<TurnRefusal | AccessRefusal | AccessChanged | null> | null;
}

/** The parameters of a turn request. */
export interface TurnRequest {
  /** The request id, for the log. */
  requestId: string;
  conversationId: string;
  /** D1's id of the caller's session, which is not verified yet. */
  sessionId: string;
  turnId: string;
  model: ModelChoice;
  /** The time zone of the user's day; null when unknown. */
  timeZone: string | null;
  /** The caller's country, if known. */
  country: string | null;
  /** The language of the request, for accounts that have none. */
  language: Language;
  /** The `Last-Event-ID` of a retrying client. */
  lastEventId: string | null;
  /** The page that sent the request; it receives no live event for it. */
  tab: string | null;
}

export interface SendRequest extends TurnRequest {
  content: string;
}

/** The reasons for which a wallet refuses a reservation. */
export const POINTS_REFUSALS = [
  'points_exhausted',
  'daily_limit_reached',
  'daily_usage_limit',
  'too_many_replies',
] as const;
export type PointsRefusal = (typeof POINTS_REFUSALS)[number];
export const isPointsRefusal = (code: string): code is PointsRefusal =>
  (POINTS_REFUSALS as readonly string[]).includes(code);

/** `help`: crisis help for the author of the message, although it was not sent. */
export type TurnRefusal = { help?: MessageSafety } & (
  | {
      ok: false;
      code:
        | 'not_found'
        | 'message_deleted'
        | 'character_gone'
        | WriteBlock['code']
        | 'spicy_mode_off'
        | 'reply_in_progress'
        | 'too_many_subscribers'
        | 'model_unavailable'
        | 'not_a_reply'
        | 'nothing_to_continue'
        | 'nothing_to_answer'
        | 'version_limit'
        | 'length_limit'
        | 'conversation_full'
        | 'server_error';
    }
  | { ok: false; code: PointsRefusal; points: PointsStatus }
);
export type TurnResult = { ok: true; events: ReadableStream<Uint8Array> } | TurnRefusal;

/** What may have changed since the last turn, so that the turn has to begin again with the access as it is now. */
export type AccessChanged = { ok: false; code: 'access_changed' };
export const ACCESS_CHANGED: AccessChanged = { ok: false, code: 'access_changed' };

/** A turn that may begin, and what it writes. */
export interface BegunTurn {
  turn: Omit<OpenTurn, 'id' | 'characterId' | 'payerId' | 'notice' | 'isFirst' | 'updatedBefore'>;
  rows: TurnRows;
}

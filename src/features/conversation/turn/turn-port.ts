import type { ModelMessage, ModelPart } from '../../../vendors/model.ts';
import type { ChosenModel } from '../../model/choose-model.ts';
import type { ModelChoice } from '../../model/contract.ts';
import type { PointsStatus } from '../../wallet/contract.ts';
import type { Entitlement } from '../../wallet/ledger.ts';
import type { WriteBlock } from '../character/character-state.ts';
import type { UserRegion } from '../moderation/crisis-help.ts';
import type { Rating } from '../character/content-rating.ts';
import type { StreamModerator } from '../moderation/moderate-stream.ts';
import type { MessageSafety } from '../moderation/safety-contract.ts';
import type { TurnFigures } from './turn-figures.ts';
import type { Settlement, Turn } from './turn-store.ts';

/** What the model is sent for a turn. */
export interface ComposedTurn {
  messages: ModelMessage[];
  /** What the prompt costs, as estimated. */
  tokens: number;
  /** Keeps it for whoever wants to see what the model was told. */
  keep: () => void;
}

/** What a turn needs of the world; the object connects it. Only `reserve`, `compose` and `atomically` may throw. */
export interface TurnPorts {
  /** Writes all or, when something throws, nothing. */
  atomically<T>(write: () => T): T;
  /** Holds the points of one turn. */
  reserve(
    payerId: string,
    reservationId: string,
    conversationId: string,
    asked: { standing: Entitlement; model: ChosenModel },
  ): Promise<{ ok: true } | { ok: false; code: string; points: PointsStatus }>;
  /** Looks up who the person is in this story, for the prompt. */
  refreshPersona(): Promise<void>;
  /** Puts together what the model is sent for a turn. Writes nothing: whether the turn is admitted is not known yet. */
  compose(turn: Turn, model: ChosenModel, rating: Rating): ComposedTurn;
  /** Somebody else may want to follow the reply that begins to be written. */
  begun(replyId: string, by: string | null): void;
  /** Tells the wallet how a turn ended; null when it must be told later. */
  settle(settlement: Settlement): Promise<PointsStatus | null>;
  /**
   * The model's answer, part by part.
   * @param asked.sent called once the prompt is on its way; may not throw
   */
  ask(
    model: ChosenModel,
    prompt: Pick<ComposedTurn, 'messages' | 'tokens'>,
    asked: { signal: AbortSignal; sent: () => void },
  ): AsyncIterable<ModelPart>;
  /** Who looks at a reply before it is told. */
  judge(rating: Rating, replyId: string): StreamModerator;
  /** Makes sure that the object wakes again, should it go away now. */
  watch(): void;
  /** What the prompt of a version was estimated to cost, in tokens; 0 when none is known. */
  promptTokens(versionId: string): number;
  /** How a turn went, for the operator's figures: told with the next thing that others are told. */
  measured(figures: TurnFigures): void;
  /** A turn ended: others may have to be told. */
  ended(model: ChosenModel): Promise<void>;
}

/** What a client asks of a turn. */
export interface TurnCommand {
  /** Of the call, for the log of what comes of it. */
  requestId?: string;
  userId: string;
  turnId: string;
  model: ModelChoice;
  /** What the person's wallet has to know of them. */
  standing: Entitlement;
  /** What the person may be told here now. */
  rating: Rating;
  /** Why nothing may be written with the character now; null when it may. */
  barred: WriteBlock | null;
  /** What a retrying client saw last. */
  lastEventId: string | null;
  /** The page that asks; it needs no hint of its own doing. */
  tab: string | null;
  /** Whose helplines they are shown, should they need help. */
  whereabouts: UserRegion;
}

/** A message as its sender wants it to be said. */
export interface SendCommand extends TurnCommand {
  content: string;
}

/** What a wallet says no for. */
export const POINTS_REFUSALS = [
  'points_exhausted',
  'daily_limit_reached',
  'daily_cost_reached',
  'too_many_replies',
] as const;
export type PointsRefusal = (typeof POINTS_REFUSALS)[number];
export const isPointsRefusal = (code: string): code is PointsRefusal =>
  (POINTS_REFUSALS as readonly string[]).includes(code);

/** `help`: whoever wrote the message may need it, though nothing was sent. */
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
        | 'too_many_readers'
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

/** The rows of a turn that was just written, and how to take them back should it be refused. */
export interface BegunTurn {
  turn: Omit<Turn, 'id' | 'payerId' | 'ended' | 'errorCode'>;
  undo: () => void;
}

import type { PointsStatus } from '../../wallet/contract.ts';
import type { TurnRows } from './turn-rows.ts';
import { endTurn, type TurnCause, type TurnOutcome } from './turn.ts';
import type { OpenTurn, Settlement, Turn } from './turn-store.ts';
import type { AccessRefusal } from '../access/access.ts';
import { ACCESS_CHANGED, type AccessChanged, type TurnRefusal } from './turn-port.ts';

/**
 * The turns of one conversation as a state machine without side effects (docs/turns.md has the diagram). `decide` takes a
 * command and returns the next state and the effects; `TurnEngine` runs the effects in their order.
 *
 * At most one turn is in progress. Its rows are stored before the model is asked, its points are reserved once and settled
 * or released once, and every call is answered once.
 */

/** The number of a call that has not been answered yet. */
export type CallId = number;

interface WaitingCall {
  call: CallId;
  /** Its request for a reply is answered with a refusal if the turn is refused; the others then find no reply. */
  wants: 'turn' | 'follow' | 'stop';
}

export type TurnState =
  | { phase: 'idle' }
  /** The turn's rows are stored; the wallet and D1 have not answered yet. */
  | { phase: 'admitting'; turn: OpenTurn; waiting: readonly WaitingCall[] }
  /** The model writes. */
  | { phase: 'writing'; turn: OpenTurn; stopping: readonly CallId[] }
  /** The end is stored; the wallet has not answered yet. */
  | { phase: 'settling'; turn: OpenTurn; stopping: readonly CallId[]; end: TurnEnd };

export const IDLE: TurnState = { phase: 'idle' };

/** How a turn has ended. */
export interface TurnEnd {
  cause: TurnCause;
  outcome: TurnOutcome;
  /** The text that the turn added. */
  text: string;
  /** What the model thought; null when it is unknown, because the object that wrote the reply was evicted. */
  thinking: string | null;
}

/** A turn that may begin, with the rows that it starts with. */
export interface TurnPlan {
  turn: OpenTurn;
  rows: TurnRows;
}

/** Why a turn did not start. */
export type StartRefusal = TurnRefusal | AccessRefusal | AccessChanged;

/** The answer of the wallet and of D1. */
export type Admission =
  | { ok: true }
  /** `isHeld`: the turn's points are reserved, or may be, because the wallet did not answer. */
  | { ok: false; refusal: StartRefusal; isHeld: boolean };

export type TurnCommand =
  /**
   * A request for a reply. `known`: the turn with its id, if there is one; `plan`: what a new turn would write, null when it
   * is known or another one is in progress.
   */
  | { kind: 'begin'; call: CallId; known: Turn | null; plan: TurnPlan | TurnRefusal | AccessChanged | null }
  | { kind: 'admission'; versionId: string; admission: Admission }
  | { kind: 'follow'; call: CallId }
  | { kind: 'stop'; call: CallId }
  | { kind: 'ended'; cause: TurnCause; text: string; thinking: string }
  /** A step could not be stored. The alarm ends the turn like one whose object was evicted. */
  | { kind: 'failed' }
  | { kind: 'settled'; points: PointsStatus | null }
  /** A stored turn whose object was evicted while it was in progress, with the text that was saved. */
  | { kind: 'recover'; turn: OpenTurn; text: string };

export type TurnEffect =
  /** Asks the wallet, and D1 if the session is not verified yet. The answer is an `admission` command. */
  | { kind: 'request_admission'; turn: OpenTurn }
  /** Looks up the persona and then builds the prompt, while the admission is awaited. */
  | { kind: 'compose'; turn: OpenTurn }
  | { kind: 'store_turn'; turn: OpenTurn; rows: TurnRows; now: number }
  /** Removes a refused turn's rows, and stores the release of points that may be reserved. */
  | { kind: 'remove_turn'; turn: OpenTurn; settlement: Settlement | null }
  /** Lets the model write; its end is an `ended` command. */
  | { kind: 'call_model'; turn: OpenTurn }
  | { kind: 'abort_model' }
  | { kind: 'store_end'; turn: OpenTurn; end: TurnEnd; settlement: Settlement; now: number }
  /** Sends the settlement to the wallet. The answer is a `settled` command. */
  | { kind: 'settle'; turn: OpenTurn; end: TurnEnd; settlement: Settlement }
  /** Sends the final events to all readers. */
  | { kind: 'publish_end'; turn: OpenTurn; end: TurnEnd; points: PointsStatus | null }
  /** Ends the readers' streams without a final event, so that they rejoin. */
  | { kind: 'drop_readers' }
  /** Records the metrics of a turn that has ended. */
  | { kind: 'record'; turn: OpenTurn; end: TurnEnd; points: PointsStatus | null }
  /** Syncs list and search, then answers the calls that stopped the turn with its reply. */
  | { kind: 'sync'; turn: OpenTurn; calls: readonly CallId[] }
  /** Sets the alarm that resumes the work. */
  | { kind: 'watch' }
  | { kind: 'answer_stream'; call: CallId; turn: OpenTurn }
  | { kind: 'answer_replay'; call: CallId; turn: Turn }
  | { kind: 'answer_refusal'; call: CallId; refusal: StartRefusal }
  /** Answers a call that finds no reply in progress. */
  | { kind: 'answer_nothing'; call: CallId };

export interface Decision {
  state: TurnState;
  effects: readonly TurnEffect[];
}

/** @param now in ms since 1970 */
export function decide(state: TurnState, command: TurnCommand, now: number): Decision {
  switch (command.kind) {
    case 'begin':
      return begin(state, command, now);
    case 'admission':
      return admit(state, command);
    case 'follow':
      return join(state, command.call, 'follow');
    case 'stop':
      return stop(state, command.call);
    case 'ended': {
      if (state.phase !== 'writing') return stay(state);
      const { turn, stopping } = state;
      const end = toEnd(command.cause, command.text, command.thinking);
      const settlement = toSettlement(turn, end.outcome.points);
      return {
        state: { phase: 'settling', turn, stopping, end },
        effects: [
          { kind: 'store_end', turn, end, settlement, now },
          { kind: 'settle', turn, end, settlement },
        ],
      };
    }
    case 'failed':
      return fail(state);
    case 'settled': {
      if (state.phase !== 'settling') return stay(state);
      const { turn, stopping, end } = state;
      const { points } = command;
      return {
        state: IDLE,
        effects: [
          { kind: 'publish_end', turn, end, points },
          { kind: 'record', turn, end, points },
          { kind: 'sync', turn, calls: stopping },
        ],
      };
    }
    case 'recover': {
      // A turn in progress is not lost.
      if (state.phase !== 'idle') return stay(state);
      const { turn } = command;
      const end = toEnd({ kind: 'lost' }, command.text, null);
      const settlement = toSettlement(turn, end.outcome.points);
      return {
        state,
        effects: [
          { kind: 'store_end', turn, end, settlement, now },
          { kind: 'record', turn, end, points: null },
          { kind: 'watch' },
        ],
      };
    }
  }
}

function begin(
  state: TurnState,
  { call, known, plan }: Extract<TurnCommand, { kind: 'begin' }>,
  now: number,
): Decision {
  if (state.phase !== 'idle' && known?.id === state.turn.id) return join(state, call, 'turn');
  if (known !== null) return stay(state, { kind: 'answer_replay', call, turn: known });
  if (state.phase !== 'idle' || plan === null)
    return stay(state, { kind: 'answer_refusal', call, refusal: { ok: false, code: 'reply_in_progress' } });
  if ('code' in plan) return stay(state, { kind: 'answer_refusal', call, refusal: plan });
  const { turn, rows } = plan;
  return {
    state: { phase: 'admitting', turn, waiting: [{ call, wants: 'turn' }] },
    effects: [
      // Both before the rows: what an object sends after a write waits until the write is confirmed. After a crash in
      // between, the wallet releases the points by their age.
      { kind: 'request_admission', turn },
      { kind: 'compose', turn },
      { kind: 'store_turn', turn, rows, now },
    ],
  };
}

function admit(
  state: TurnState,
  { versionId, admission }: Extract<TurnCommand, { kind: 'admission' }>,
): Decision {
  if (state.phase !== 'admitting' || state.turn.versionId !== versionId) return stay(state);
  const { turn, waiting } = state;
  if (!admission.ok) {
    const { refusal, isHeld } = admission;
    // Calls that joined the turn may come from another session, so they begin again with their own access.
    const isAboutSession = refusal.code === 'unauthenticated' || refusal.code === 'account_suspended';
    return {
      state: IDLE,
      effects: [
        // The ledger must not name a reply that does not exist any more.
        {
          kind: 'remove_turn',
          turn,
          settlement: isHeld ? { ...toSettlement(turn, 'release'), replyId: null } : null,
        },
        ...refuseAll(waiting.slice(0, 1), refusal),
        ...refuseAll(waiting.slice(1), isAboutSession ? ACCESS_CHANGED : refusal),
      ],
    };
  }
  const stopping = waiting.filter(({ wants }) => wants === 'stop').map(({ call }) => call);
  return {
    state: { phase: 'writing', turn, stopping },
    effects: [
      ...waiting
        .filter(({ wants }) => wants !== 'stop')
        .map(({ call }): TurnEffect => ({ kind: 'answer_stream', call, turn })),
      { kind: 'call_model', turn },
      ...(stopping.length === 0 ? [] : [{ kind: 'abort_model' } as const]),
    ],
  };
}

function fail(state: TurnState): Decision {
  if (state.phase === 'idle') return stay(state);
  const answers: TurnEffect[] =
    state.phase === 'admitting'
      ? refuseAll(state.waiting, { ok: false, code: 'server_error' })
      : state.stopping.map((call) => ({ kind: 'answer_nothing', call }));
  return { state: IDLE, effects: [{ kind: 'drop_readers' }, ...answers, { kind: 'watch' }] };
}

/** Adds a reader to the turn in progress. */
function join(state: TurnState, call: CallId, wants: 'turn' | 'follow'): Decision {
  if (state.phase === 'idle') return stay(state, { kind: 'answer_nothing', call });
  if (state.phase === 'admitting') return stay({ ...state, waiting: [...state.waiting, { call, wants }] });
  return stay(state, { kind: 'answer_stream', call, turn: state.turn });
}

function stop(state: TurnState, call: CallId): Decision {
  if (state.phase === 'idle') return stay(state, { kind: 'answer_nothing', call });
  if (state.phase === 'admitting')
    return stay({ ...state, waiting: [...state.waiting, { call, wants: 'stop' }] });
  return stay({ ...state, stopping: [...state.stopping, call] }, { kind: 'abort_model' });
}

const stay = (state: TurnState, ...effects: TurnEffect[]): Decision => ({ state, effects });

function refuseAll(waiting: readonly WaitingCall[], refusal: StartRefusal): TurnEffect[] {
  return waiting.map(({ call, wants }) =>
    wants === 'turn' ? { kind: 'answer_refusal', call, refusal } : { kind: 'answer_nothing', call },
  );
}

const toEnd = (cause: TurnCause, text: string, thinking: string | null): TurnEnd => ({
  cause,
  outcome: endTurn(cause, text),
  text,
  thinking,
});

const toSettlement = (
  { versionId, payerId, replyId }: OpenTurn,
  outcome: Settlement['outcome'],
): Settlement => ({
  versionId,
  payerId,
  replyId,
  outcome,
  what: 'reply',
});

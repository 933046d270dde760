import { logFailure } from '../../../lib/log.ts';
import type { FindActiveSessions } from '../access/active-sessions-store.ts';
import type { RefusalRule } from '../../safety/moderation.ts';
import type { PointsStatus } from '../../wallet/contract.ts';
import type { Message } from '../contract.ts';
import { getRefusalHelp, type UserRegion } from '../moderation/crisis-help.ts';
import type { ModeratedPart } from '../moderation/moderate-stream.ts';
import {
  buildAcceptedEvent,
  buildEndEvents,
  type ReplyEnd,
  buildSafetyEvent,
  toErrorFields,
} from './reply-log.ts';
import { RunningReply } from './running-reply.ts';
import type { MessageSafety } from '../moderation/safety-contract.ts';
import { endTurn, getRefusalRule, type TurnCause } from './turn.ts';
import type { PointsRefusal } from './turn-port.ts';

/** All but `ask` may throw. */
export interface TestTurnPorts {
  /** Reserves the points of one message; `again` means that this turn has reserved them before. */
  reserve(): Promise<
    | { ok: true; again: boolean }
    | {
        ok: false;
        code: PointsRefusal | 'reservation_closed';
        points: PointsStatus;
      }
  >;
  /** Settles or releases the reservation. */
  settle(outcome: 'settle' | 'release'): Promise<PointsStatus>;
  /** Streams the model's answer. */
  ask(signal: AbortSignal): AsyncIterable<ModeratedPart>;
  /** Whether the provider refused the first prompt for its length, and a shorter one was sent. */
  isShortened(): boolean;
  /** Finds out whether the reader's session is still active. */
  findActive: FindActiveSessions;
  /** Creates the token for an appeal against the rule that ended the reply. */
  toAppeal(rule: RefusalRule, text: string): Promise<string>;
}

export type TestTurnResult =
  /** `ended` resolves once the points are settled; it never rejects. */
  | { ok: true; events: ReadableStream<Uint8Array>; ended: Promise<void> }
  | { ok: false; code: 'reply_in_progress' | 'test_turn_expired' | 'server_error' }
  | { ok: false; code: PointsRefusal; points: PointsStatus };

/** A turn of a test chat. */
export interface TestTurn {
  id: string;
  replyId: string;
  /** The id of the model. */
  model: string;
  /** UTC ISO 8601. */
  at: string;
  /** Crisis help, if the message showed that its author may need it. */
  help: MessageSafety | null;
  region: UserRegion;
  /** The public id of the reader's session. */
  session: string;
}

/**
 * Replies to a message of a test chat. It is charged and streamed like any reply, but not stored. No client can rejoin
 * it, so it ends when its reader leaves, as if the reader had stopped it: the text so far is charged. The stream ends with
 * the reader's session, and the reply is then charged whole.
 */
export async function beginTestTurn(turn: TestTurn, ports: TestTurnPorts): Promise<TestTurnResult> {
  let reserved: Awaited<ReturnType<TestTurnPorts['reserve']>>;
  try {
    reserved = await ports.reserve();
  } catch (error) {
    logFailure('test_reserve_failed', error);
    // It is unknown whether the points are reserved.
    await settled(ports, 'release');
    return { ok: false, code: 'server_error' };
  }
  if (!reserved.ok) {
    const { code, points } = reserved;
    return code === 'reservation_closed'
      ? { ok: false, code: 'test_turn_expired' }
      : { ok: false, code, points };
  }
  if (reserved.again) return { ok: false, code: 'reply_in_progress' };
  const head = turn.help === null ? 0 : 1;
  const getAccepted = () => buildAcceptedEvent(buildReply(turn, '', { status: 'streaming' }), null);
  const { findActive } = ports;
  const how = { head, save: () => {}, getAccepted, findActive };
  const running = new RunningReply(turn.id, turn.replyId, how);
  const events = running.followers.open(
    [getAccepted(), ...(turn.help === null ? [] : [buildSafetyEvent(head, turn.help)])],
    turn.session,
  );
  return { ok: true, events: noticed(events, () => running.stop()), ended: write(turn, running, ports) };
}

/**
 * Passes a stream on.
 * @param left called at once when the reader leaves; the runtime's own pipes only notice at the next write
 */
function noticed(events: ReadableStream<Uint8Array>, left: () => void): ReadableStream<Uint8Array> {
  const reader = events.getReader();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      left();
      await reader.cancel(reason);
    },
  });
}

async function write(turn: TestTurn, running: RunningReply, ports: TestTurnPorts): Promise<void> {
  let cause: TurnCause;
  try {
    cause = await running.write(ports.ask(running.signal));
  } catch (error) {
    logFailure('test_turn_failed', error);
    cause = { kind: 'failed', failure: 'provider_error' };
  }
  const { text, followers } = running;
  const { status, error, points: outcome } = endTurn(cause, text);
  const points = await settled(ports, outcome);
  const rule = getRefusalRule(cause);
  const reply = buildReply(turn, text, {
    status,
    ...(error === null ? {} : { error_code: error.code }),
    ...(cause.kind === 'finished' && cause.isCut ? { length_reached: true as const } : {}),
    ...(rule === 'urging' ? { safety: { kind: 'refused', rule, ...getRefusalHelp(rule, turn.region) } } : {}),
  });
  const canAppeal = rule !== undefined && rule !== 'unavailable' && text !== '';
  const appealToken = canAppeal ? await ports.toAppeal(rule, text).catch(() => undefined) : undefined;
  const end: ReplyEnd =
    error === null
      ? { kind: 'done', reply, points, isShortened: ports.isShortened() }
      : { kind: 'error', ...toErrorFields(error), reply, rule, appealToken };
  followers.publish(buildEndEvents(running.head + text.length, end));
  followers.close();
}

/** Settles with the wallet. If this fails, the wallet releases the reservation by itself when it expires. */
async function settled(ports: TestTurnPorts, outcome: 'settle' | 'release'): Promise<PointsStatus | null> {
  try {
    return await ports.settle(outcome);
  } catch (error) {
    logFailure('test_settle_failed', error);
    return null;
  }
}

function buildReply(
  turn: TestTurn,
  content: string,
  end: Pick<Message, 'status' | 'error_code' | 'length_reached' | 'safety'>,
): Message {
  const { replyId: id, at: created_at, model } = turn;
  return {
    id,
    role: 'character',
    content,
    created_at,
    edited: false,
    pinned: false,
    ...end,
    versions: [{ id, content, model, created_at, edited: false }],
    selected_version_id: id,
  };
}

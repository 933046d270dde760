import type { FollowedEvent } from '../../../features/conversation/messages/reply-view.ts';
import type { MessageSafety } from '../../../features/conversation/moderation/safety-contract.ts';
import type { Failure, Result } from '../../shared/api.ts';
import type { Clock } from '../../shared/clock.ts';
import type { ReplyStream } from '../../shared/sse.ts';

/** How following a reply ended. */
export type FollowResult =
  /** The reply is over and the view is up to date. */
  | { kind: 'ended' }
  /** The turn was refused, or it is unknown whether it arrived (`network`, 5xx). */
  | { kind: 'refused'; failure: Failure }
  /** The conversation no longer exists for this user. */
  | { kind: 'gone' }
  /** The session ended and was not renewed, or by a different user. */
  | { kind: 'signed-out'; failure: Failure }
  | { kind: 'left' };

export interface FollowerDeps {
  clock: Clock;
  /** Requests the reply being written, after the last event received; null when there is none. */
  rejoin(signal: AbortSignal): Promise<Result<ReplyStream | null>>;
  apply(event: FollowedEvent): void;
  /** Loads the history; returns whether a reply is being written in it. */
  reload(signal: AbortSignal): Promise<'settled' | 'streaming' | 'gone' | 'failed'>;
  /**
   * Asks the user to sign in again.
   * @returns null when they did; else the error
   */
  signIn(refusal: Failure): Promise<Failure | null>;
  /** Called when the connection is lost or restored. */
  onConnectionChange(yes: boolean): void;
}

export interface ReplyFollower {
  /**
   * Follows a reply to its end and rejoins as often as necessary.
   * @param open posts the turn; null when the server is already writing
   */
  follow(open: ((signal: AbortSignal) => Promise<Result<ReplyStream>>) | null): Promise<FollowResult>;
  /** Called when the network returns or the page becomes visible: retries now. */
  wake(): void;
  stop(): void;
}

const MIN_REJOIN_DELAY_MS = 500;
const MAX_REJOIN_DELAY_MS = 10_000;
/**
 * Milliseconds without data, longer than the interval of the server's keep-alive comments. After a sleep such a
 * connection is dead without an error.
 */
const MAX_QUIET_MS = 20_000;

/**
 * Milliseconds to wait before rejoining.
 * @param attempts number of failed attempts
 */
export function getRejoinDelayMs(attempts: number): number {
  return Math.min(MIN_REJOIN_DELAY_MS * 2 ** Math.min(attempts, 10), MAX_REJOIN_DELAY_MS);
}

export function createReplyFollower(deps: FollowerDeps): ReplyFollower {
  let abortController = new AbortController();
  let skipDelay: (() => void) | null = null;
  let connection: ReplyStream | null = null;

  function delay(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const cancelTimer = deps.clock.after(ms, () => skipDelay?.());
      skipDelay = () => {
        skipDelay = null;
        cancelTimer();
        resolve();
      };
    });
  }

  /**
   * Reads a connection until the reply ends (true), the connection is lost (false), or the turn is refused. The server
   * may need a moment for a refusal, and sends it instead of `accepted`.
   */
  async function read(stream: ReplyStream, begun: boolean, onEvent: () => void): Promise<boolean | Failure> {
    connection = stream;
    let isAccepted = begun;
    const details: Pick<Failure, 'rule' | 'appealToken' | 'helplines'> = {};
    try {
      for await (const followed of stream) {
        const { event } = followed;
        isAccepted ||= event.event !== 'safety' && event.event !== 'error';
        if (isAccepted) {
          onEvent();
          deps.apply(followed);
          if (event.event === 'done' || event.event === 'error') return true;
        } else if (event.event === 'safety') {
          Object.assign(details, getRefusalDetails(event));
        } else if (event.event === 'error') {
          return { ok: false, status: 422, code: event.code, error: event.error, ...details };
        }
      }
      return false;
    } finally {
      stream.close();
      connection = null;
    }
  }

  return {
    async follow(open) {
      abortController.abort();
      abortController = new AbortController();
      const { signal } = abortController;
      // Until the server accepts the turn, it is posted again under its id; the id prevents duplicates.
      let accepted = open === null;
      let answered = open === null;
      let tries = 0;
      for (;;) {
        const answer = accepted || !open ? await deps.rejoin(signal) : await open(signal);
        if (signal.aborted) {
          if (answer.ok) answer.data?.close();
          return { kind: 'left' };
        }
        if (answer.ok && answer.data) {
          answered = true;
          deps.onConnectionChange(true);
          const ended = await read(answer.data, accepted, () => {
            accepted = true;
            tries = 0;
          });
          if (signal.aborted) return { kind: 'left' };
          if (ended === true) return { kind: 'ended' };
          if (ended !== false) return { kind: 'refused', failure: ended };
        } else if (answer.ok) {
          const history = await deps.reload(signal);
          if (signal.aborted) return { kind: 'left' };
          if (history === 'settled') return { kind: 'ended' };
          if (history === 'gone') return { kind: 'gone' };
        } else if (!answered) {
          return { kind: 'refused', failure: answer };
        } else if (answer.status === 401) {
          const failure = await deps.signIn(answer);
          if (failure !== null) return { kind: 'signed-out', failure };
          continue;
        } else if (!accepted && isFinal(answer)) {
          // The repeated post was refused, which says nothing about the conversation.
          return { kind: 'refused', failure: answer };
        } else if (answer.status === 403 || answer.status === 404) {
          return { kind: 'gone' };
        }
        deps.onConnectionChange(false);
        await delay(getRejoinDelayMs(tries));
        tries += 1;
        if (signal.aborted) return { kind: 'left' };
      }
    },
    wake() {
      skipDelay?.();
      if (connection && connection.quietForMs() > MAX_QUIET_MS) connection.close();
    },
    stop() {
      abortController.abort();
      connection?.close();
      skipDelay?.();
    },
  };
}

/** Whether repeating the same request would be refused again. */
const isFinal = ({ status }: Failure) => status >= 400 && status < 500 && status !== 408 && status !== 429;

/** The details of a refusal, which arrive before it. */
function getRefusalDetails(event: MessageSafety): Pick<Failure, 'rule' | 'appealToken' | 'helplines'> {
  if (event.kind === 'crisis') return { helplines: event.helplines };
  const { rule, appeal_token: token } = event;
  return { rule, ...(token === undefined ? {} : { appealToken: token }) };
}

import { getRetryDelayMs } from '../../shared/outbox.ts';
import type { ChatCore, SyncResult } from './chat-core.ts';
import type { FollowResult } from './reply-follower.ts';

/** What catching up needs of the chat around it. */
export interface ResyncDeps {
  /** Fetches what is shown anew. @param whole nobody knows what was missed */
  sync(whole: boolean): Promise<SyncResult>;
  isFollowing(): boolean;
  /** Follows the reply that is shown unfinished; null when none is, or something else is under way. */
  followShown(): Promise<FollowResult> | null;
}

/** Catches up with what happened to the conversation elsewhere, now or when there is time for it. */
export interface Resync {
  /** @returns whether a reply was followed to its end */
  resume(): Promise<boolean>;
  /** A reply that is found to be written is followed. */
  followIfStreaming(syncing: Promise<SyncResult>): Promise<FollowResult | null>;
  /** What could not be had is looked for again, ever more seldom; while a reply is followed, when that has ended. */
  scheduleRetry(): void;
  /** Something happened elsewhere that is to be looked for when nothing else is under way. */
  markMissed(): void;
  hasMissed(): boolean;
  /** Nothing is missed any more: all is shown from its beginning, or the page was left. */
  reset(): void;
}

export function createResync(core: ChatCore, { sync, isFollowing, followShown }: ResyncDeps): Resync {
  let missed = false;
  let cancelRetry = () => {};
  let failedAttempts = 0;

  function reset(): void {
    missed = false;
    cancelRetry();
  }

  async function resume(): Promise<boolean> {
    const whole = missed;
    reset();
    return (await followIfStreaming(sync(whole))) !== null;
  }

  async function followIfStreaming(looking: Promise<SyncResult>): Promise<FollowResult | null> {
    const end = await looking;
    if (end === 'gone') await core.handleNotFound();
    if (end !== 'failed') failedAttempts = 0;
    return end === 'streaming' ? await followShown() : null;
  }

  return {
    resume,
    followIfStreaming,
    scheduleRetry() {
      missed = true;
      if (isFollowing()) return;
      cancelRetry();
      cancelRetry = core.deps.clock.after(getRetryDelayMs(failedAttempts), () => {
        const { phase, activity } = core.state();
        if (missed && phase === 'ready' && activity === 'idle') void resume();
      });
      failedAttempts += 1;
    },
    markMissed: () => void (missed = true),
    hasMissed: () => missed,
    reset,
  };
}

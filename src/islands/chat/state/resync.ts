import { getRetryDelayMs } from '../../shared/outbox.ts';
import type { ChatCore, SyncResult } from './chat-core.ts';
import type { FollowResult } from './reply-follower.ts';

/** What the resync needs of the chat. */
export interface ResyncDeps {
  /**
   * Loads the shown history again.
   * @param whole whether to load all shown pages, when it is unknown what was missed
   */
  sync(whole: boolean): Promise<SyncResult>;
  isFollowing(): boolean;
  /** Follows an unfinished reply that is shown; null when there is none or something else is running. */
  followShown(): Promise<FollowResult> | null;
}

/** Loads changes made elsewhere, now or later. */
export interface Resync {
  /** @returns whether a reply was followed to its end */
  resume(): Promise<boolean>;
  /** Follows a reply if the history has an unfinished one. */
  followIfStreaming(syncing: Promise<SyncResult>): Promise<FollowResult | null>;
  /** Retries a failed load with growing delays; while a reply is followed, after its end. */
  scheduleRetry(): void;
  /** Records that something was missed, to load when nothing else is running. */
  markMissed(): void;
  hasMissed(): boolean;
  /** Nothing is missed any more: the conversation was opened again, or the page was left. */
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

import { pauseAfter } from '../../shared/outbox.ts';
import type { ChatCore, SyncEnd } from './chat-core.ts';
import type { FollowEnd } from './reply-follower.ts';

/** What catching up needs of the chat around it. */
export interface CatchUpDeps {
  /** Fetches what is shown anew. @param whole nobody knows what was missed */
  sync(whole: boolean): Promise<SyncEnd>;
  isFollowing(): boolean;
  /** Follows the reply that is shown unfinished; null when none is, or something else is under way. */
  followShown(): Promise<FollowEnd> | null;
}

/** Catches up with what happened to the conversation elsewhere, now or when there is time for it. */
export interface CatchUp {
  /** @returns whether a reply was followed to its end */
  resume(): Promise<boolean>;
  /** A reply that is found to be written is followed. */
  followFound(looking: Promise<SyncEnd>): Promise<FollowEnd | null>;
  /** What could not be had is looked for again, ever more seldom; while a reply is followed, when that has ended. */
  later(): void;
  /** Something happened elsewhere that is to be looked for when nothing else is under way. */
  miss(): void;
  isBehind(): boolean;
  /** Nothing is missed any more: all is shown from its beginning, or the page was left. */
  forget(): void;
}

export function createCatchUp(core: ChatCore, { sync, isFollowing, followShown }: CatchUpDeps): CatchUp {
  let missed = false;
  let callOff = () => {};
  let inVain = 0;

  function forget(): void {
    missed = false;
    callOff();
  }

  async function resume(): Promise<boolean> {
    const whole = missed;
    forget();
    return (await followFound(sync(whole))) !== null;
  }

  async function followFound(looking: Promise<SyncEnd>): Promise<FollowEnd | null> {
    const end = await looking;
    if (end === 'gone') await core.missing();
    if (end !== 'failed') inVain = 0;
    return end === 'streaming' ? await followShown() : null;
  }

  return {
    resume,
    followFound,
    later() {
      missed = true;
      if (isFollowing()) return;
      callOff();
      callOff = core.deps.clock.after(pauseAfter(inVain), () => {
        const { phase, activity } = core.state();
        if (missed && phase === 'ready' && activity === 'idle') void resume();
      });
      inVain += 1;
    },
    miss: () => void (missed = true),
    isBehind: () => missed,
    forget,
  };
}

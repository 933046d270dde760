import { useStore } from '@nanostores/react';
import { useWords } from '../shared/i18n.tsx';
import { $session } from '../shared/session-state.ts';
import { LINK } from '../shared/styles.ts';
import { openSignIn } from '../sign-in/sign-in-state.ts';

const MEMBERSHIP = '/membership';
const WANTS_MORE: Record<string, true> = { points_exhausted: true, daily_limit_reached: true };

/** Whether there is more only by points or a new day: to try again at once would change nothing. */
export const isOutOfMore = (code: string): boolean => WANTS_MORE[code] === true;

/** How there are more messages to be had, after a refusal for want of points or of a new day; nothing after any other. */
export function WayToMore({ code }: { code: string }) {
  const { status, auth } = useStore($session, { ssr: 'initial' });
  const words = useWords('chat');
  if (!isOutOfMore(code)) return null;
  const user = auth?.user;
  if (status === 'known' && (!user || user.is_anonymous))
    return (
      <button
        type="button"
        className={`${LINK} row-link`}
        onClick={() => openSignIn({ next: MEMBERSHIP, reason: 'required' })}
      >
        {words('moreByLoggingIn')}
      </button>
    );
  return (
    <a className={`${LINK} row-link`} href={MEMBERSHIP}>
      {words('moreByMembership')}
    </a>
  );
}

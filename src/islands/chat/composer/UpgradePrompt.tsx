import { useStore } from '@nanostores/react';
import { useWords } from '../../shared/i18n.tsx';
import { $session } from '../../shared/session-state.ts';
import { sellsMemberships } from '../../shared/site.ts';
import { LINK } from '../../shared/styles.ts';
import { openSignIn } from '../../sign-in/sign-in-state.ts';
import { getWayToMore, isOutOfMore } from '../scroll/more-messages.ts';

const MEMBERSHIP = '/membership';

/** The link to more messages, after a refusal for want of points or of a new day; nothing after any other refusal. */
export function WayToMore({ code }: { code: string }) {
  const session = useStore($session, { ssr: 'initial' });
  const words = useWords('chat');
  // Refusals come in the browser only; the server has no page to ask.
  const way = isOutOfMore(code) ? getWayToMore(code, session, sellsMemberships()) : null;
  if (way === null) return null;
  if (way === 'log_in')
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

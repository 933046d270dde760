import { useStore } from '@nanostores/react';
import { useTranslate } from '../../shared/i18n.tsx';
import { $session } from '../../shared/session-state.ts';
import { hasMemberships } from '../../shared/site.ts';
import { LINK } from '../../shared/styles.ts';
import { openSignIn } from '../../sign-in/sign-in-state.ts';
import { getUpgradeAction, isQuotaExceeded } from '../scroll/quota-refusals.ts';

const MEMBERSHIP = '/membership';

/** The link to more messages, after a refusal for want of points or of a new day; nothing after any other refusal. */
export function UpgradePrompt({ code }: { code: string }) {
  const session = useStore($session, { ssr: 'initial' });
  const words = useTranslate('chat');
  // Refusals come in the browser only; the server has no page to ask.
  const action = isQuotaExceeded(code) ? getUpgradeAction(code, session, hasMemberships()) : null;
  if (action === null) return null;
  if (action === 'log_in')
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

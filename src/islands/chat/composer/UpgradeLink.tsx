import { useStore } from '@nanostores/react';
import { useTranslate } from '../../shared/i18n.tsx';
import { $session } from '../../shared/session-state.ts';
import { hasMemberships } from '../../shared/site.ts';
import { LINK } from '../../shared/styles.ts';
import { openSignIn } from '../../sign-in/sign-in-state.ts';
import { getUpgradeAction } from '../scroll/upgrade-action.ts';

const MEMBERSHIP = '/membership';

/** Links to memberships, or to logging in, after a refusal for lack of points or a daily limit. */
export function UpgradeLink({ code }: { code: string }) {
  const session = useStore($session, { ssr: 'initial' });
  const words = useTranslate('chat');
  const action = getUpgradeAction(code, session, hasMemberships());
  if (action === null) return null;
  if (action === 'log_in')
    return (
      <button
        type="button"
        className={`${LINK} row-link`}
        onClick={() => openSignIn({ next: MEMBERSHIP, reason: 'required' })}
      >
        {words('upgradeLogIn')}
      </button>
    );
  return (
    <a className={`${LINK} row-link`} href={MEMBERSHIP}>
      {words('upgradeLink')}
    </a>
  );
}

import { useRef, useState } from 'react';
import type { SessionList } from '../../features/account/contract.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { formatDate, formatDayAndTime } from '../../locales/format.ts';
import { useLang, useTranslate, type TranslateFn } from '../shared/i18n.tsx';
import { SECONDARY } from '../shared/styles.ts';
import { ConfirmDialog } from '../shared/ui/ConfirmDialog.tsx';
import { showToast } from '../shared/toasts-state.ts';
import { accountPage } from './account-state.ts';
import { RemoteContent, ExpandableList, Section, useErrorToast } from './components.tsx';
import { parseUserAgent } from './user-agent.ts';

type Session = SessionList['items'][number];

/** Names a device by its browser and operating system. */
export function formatDeviceName(userAgent: string, words: TranslateFn<'account'>): string {
  const { browser, system } = parseUserAgent(userAgent);
  if (browser !== null && system !== null) return words('sessionDevice', { browser, system });
  return browser ?? system ?? words('sessionDeviceUnknown');
}

/** The user's sessions, with buttons to log them out. */
export function SessionsSection() {
  const words = useTranslate('account');
  const reportFailure = useErrorToast();
  const section = useRef<HTMLElement>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  const end = async (session: Session) => {
    const failure = await accountPage.endSession(session.id);
    if (failure) return reportFailure(failure);
    section.current?.focus({ preventScroll: true });
    showToast({ text: words('sessionLoggedOut', { device: formatDeviceName(session.user_agent, words) }) });
  };
  const endOtherSessions = async () => {
    setIsConfirming(false);
    const failure = await accountPage.endOtherSessions();
    if (failure) return reportFailure(failure);
    section.current?.focus({ preventScroll: true });
    showToast({ text: words('loggedOutOthers') });
  };
  return (
    <Section ref={section} id="sessions" title={words('sessionsTitle')}>
      <RemoteContent remote={accountPage.sessions} room="min-h-40">
        {({ items }) => (
          <>
            <ExpandableList
              label={words('sessionsTitle')}
              items={items}
              renderRow={(session) => (
                <SessionRow key={session.id} session={session} end={() => void end(session)} />
              )}
            />
            {items.length > 1 ? (
              <button type="button" className={`${SECONDARY} mt-4`} onClick={() => setIsConfirming(true)}>
                {words('logOutOthers')}
              </button>
            ) : (
              <p className="mt-3 text-sm text-text-quiet">{words('sessionsOnlyThisDevice')}</p>
            )}
          </>
        )}
      </RemoteContent>
      <ConfirmDialog
        open={isConfirming}
        title={words('logOutOthersTitle')}
        text={words('logOutOthersText')}
        stay={words('cancel')}
        go={words('logOutOthersConfirm')}
        onStay={() => setIsConfirming(false)}
        onGo={() => void endOtherSessions()}
      />
    </Section>
  );
}

function SessionRow({ session, end }: { session: Session; end: () => void }) {
  const words = useTranslate('account');
  const lang = useLang();
  const device = formatDeviceName(session.user_agent, words);
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <span className="min-w-48 flex-1" title={sanitizeText(session.user_agent)}>
        {device}
        {session.current ? <span className="badge ms-2">{words('sessionThisDevice')}</span> : null}
        <span className="block text-sm text-text-quiet">
          {words('sessionLastUsed', { time: formatDayAndTime(session.last_seen_at, lang) })}
        </span>
        <span className="block text-sm text-text-quiet">
          {words('sessionLoggedIn', { date: formatDate(session.created_at, lang) })}
        </span>
      </span>
      {session.current ? null : (
        <button
          type="button"
          className={SECONDARY}
          aria-label={words('sessionLogOutNamed', { device })}
          onClick={end}
        >
          {words('sessionLogOut')}
        </button>
      )}
    </li>
  );
}

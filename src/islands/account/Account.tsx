import { useStore } from '@nanostores/react';
import { useEffect, type ReactNode } from 'react';
import type { OwnAccount } from '../../features/account/contract.ts';
import { useOnline } from '../shared/online.ts';
import { TranslationProvider, type Dictionary, useTranslate } from '../shared/i18n.tsx';
import { $session } from '../shared/session-state.ts';
import { SECONDARY } from '../shared/styles.ts';
import { showToast } from '../shared/toasts-state.ts';
import { accountPage, type Flag } from './account-state.ts';
import { DataSection } from './DataSection.tsx';
import { InviteSection } from './InviteSection.tsx';
import { Section, SwitchField } from './components.tsx';
import { PasskeysSection } from './PasskeysSection.tsx';
import { PointsSection } from './PointsSection.tsx';
import { ProfileSection } from './ProfileSection.tsx';
import { SafetySection } from './SafetySection.tsx';
import { SessionsSection } from './SessionsSection.tsx';
import { StorageSection } from './StorageSection.tsx';
import '../admin/admin-layout.css';

/** Sections that the page renders and passes in, so that all sections appear together and in order. */
interface PageSections {
  language?: ReactNode;
  favourites?: ReactNode;
  deletion?: ReactNode;
}

/** The account page for a logged-in user; the page itself asks everyone else to log in. */
export function Account({
  lang,
  dictionary,
  ...sections
}: {
  lang: string;
  dictionary: Dictionary<'account' | 'cases' | 'errors' | 'picture'>;
} & PageSections) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <AccountView {...sections} />
    </TranslationProvider>
  );
}

/** Fetches the current user's account, and again when the user changes. */
function useLoadAccount(): void {
  const { auth } = useStore($session, { ssr: 'initial' });
  const user = auth?.user ?? null;
  const userId = user === null || user.is_anonymous ? null : user.id;
  useEffect(() => {
    accountPage.reset();
    if (userId !== null) void accountPage.account.load();
  }, [userId]);
  useEffect(() => {
    const { account } = accountPage;
    const again = () => {
      if (account.$state.get().status === 'failed') void account.load();
    };
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);
}

/** Scrolls to the section in the address's hash; the browser could not, since sections render after the page loads. */
function useScrollToHash(isLoaded: boolean): void {
  useEffect(() => {
    if (isLoaded && location.hash.length > 1)
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [isLoaded]);
}

function AccountView({ language, favourites, deletion }: PageSections) {
  useLoadAccount();
  const { status, data } = useStore(accountPage.account.$state, { ssr: 'initial' });
  useScrollToHash(data !== null);
  const online = useOnline();
  const words = useTranslate('account');
  if (data === null && status === 'failed') {
    return (
      <>
        <div role="alert" className="flex flex-col items-start gap-3 pb-9">
          <p>{words('loadFailed')}</p>
          <button type="button" className={SECONDARY} onClick={() => void accountPage.account.load()}>
            {words('tryAgain')}
          </button>
        </div>
        {language}
        {deletion}
      </>
    );
  }
  if (data === null) {
    return (
      // As high as the window, so that the footer is out of sight and does not move in it.
      <p role="status" className="min-h-svh text-text-quiet">
        {words('loading')}
      </p>
    );
  }
  return (
    <>
      {online ? null : (
        <p role="status" className="mb-6 border-s-2 border-state ps-3">
          {words('offline')}
        </p>
      )}
      {data.suspended_at === undefined ? (
        <>
          <ProfileSection key={data.id} account={data} />
          <PointsSection plan={data.plan} />
          <InviteSection />
          {language}
          <NotificationsSection account={data} />
          {favourites}
          <StorageSection key={`storage ${data.id}`} plan={data.plan} />
          <DataSection />
          <PasskeysSection key={`passkeys ${data.id}`} />
          <SessionsSection />
          <SafetySection key={`decisions ${data.id}`} suspended={false} />
        </>
      ) : (
        // A suspended user can use nothing else, so show what they can do about it first.
        <>
          <SafetySection key={`decisions ${data.id}`} suspended />
          <DataSection />
          <SessionsSection />
          {language}
        </>
      )}
      {deletion}
    </>
  );
}

const FLAGS = [
  { flag: 'email_notifications', label: 'accountEmailsLabel', note: 'accountEmailsNote' },
  { flag: 'marketing_emails', label: 'newsEmailsLabel', note: 'newsEmailsNote' },
] as const;

function NotificationsSection({ account }: { account: OwnAccount }) {
  const words = useTranslate('account');
  const flip = async (flag: Flag, on: boolean) => {
    const failure = await accountPage.toggleFlag(flag, on);
    if (failure) showToast({ text: words('emailSettingSaveFailed'), kind: 'danger' });
  };
  return (
    <Section id="notifications" title={words('emailSettingsTitle')}>
      {FLAGS.map(({ flag, label, note }) => (
        <SwitchField
          key={flag}
          label={words(label)}
          note={words(note)}
          on={account[flag]}
          flip={() => void flip(flag, !account[flag])}
        />
      ))}
    </Section>
  );
}

import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { api } from '../shared/api.ts';
import { TranslationProvider, type Dictionary, useTranslate } from '../shared/i18n.tsx';
import { $session } from '../shared/session-state.ts';
import { SECONDARY } from '../shared/styles.ts';
import { ConfirmDialog } from '../shared/ui/ConfirmDialog.tsx';
import { showToast } from '../shared/toasts-state.ts';
import '../admin/admin-layout.css';

/**
 * Shown when the user's age is confirmed, by declaration or by a check: withdraws it from the account and the device.
 */
export function AgeDeclaration({ lang, dictionary }: { lang: string; dictionary: Dictionary<'settings'> }) {
  return (
    <TranslationProvider lang={lang} dictionary={dictionary}>
      <AgeDeclarationView />
    </TranslationProvider>
  );
}

function AgeDeclarationView() {
  const { auth } = useStore($session, { ssr: 'initial' });
  const words = useTranslate('settings');
  const [isConfirming, setIsConfirming] = useState(false);
  const [busy, setBusy] = useState(false);
  if (auth?.user?.age_confirmed !== true) return null;
  const withdrawDeclaration = async () => {
    setIsConfirming(false);
    setBusy(true);
    const answer = await api.changeAccount({ age_confirmed: false });
    setBusy(false);
    // The page may contain adult content, so reload it without.
    if (answer.ok) location.reload();
    else showToast({ text: words('ageWithdrawFailed'), kind: 'danger' });
  };
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
      <p className="flex-1 basis-60">{words('ageConfirmed')}</p>
      <button
        type="button"
        className={SECONDARY}
        disabled={busy}
        aria-busy={busy}
        onClick={() => setIsConfirming(true)}
      >
        {words('ageWithdraw')}
      </button>
      <ConfirmDialog
        open={isConfirming}
        title={words('ageWithdrawTitle')}
        text={words('ageWithdrawText')}
        stay={words('cancel')}
        go={words('ageWithdraw')}
        onStay={() => setIsConfirming(false)}
        onGo={() => void withdrawDeclaration()}
      />
    </div>
  );
}

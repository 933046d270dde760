import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTranslate } from '../../shared/i18n.tsx';
import { SECONDARY } from '../../shared/styles.ts';
import { showToast } from '../../shared/toasts-state.ts';
import { subscribeToNothing, useChat } from '../chat-context.ts';
import { dismissVersion, getDismissedVersion } from './dismissed-version.ts';
import { restoreLostFocus } from './message-focus.ts';

/** Offers a new version of the character until the user dismisses it on this device. */
export function VersionOffer({
  conversationId,
  version,
  name,
}: {
  conversationId: string;
  version: number;
  name: string;
}) {
  const chat = useChat();
  const words = useTranslate('chat');
  // The page's HTML has no offer, because the server does not know which ones this device dismissed.
  const wasDismissed = useSyncExternalStore(
    subscribeToNothing,
    () => getDismissedVersion(conversationId) >= version,
    () => true,
  );
  const [isDismissed, setDismissed] = useState(false);
  const [busy, setBusy] = useState(false);
  // The clicked button is gone afterwards: return focus to the messages.
  useEffect(() => () => restoreLostFocus(null), []);
  if (wasDismissed || isDismissed) return null;

  const update = async (): Promise<void> => {
    setBusy(true);
    const taken = await chat.takeVersion(version);
    setBusy(false);
    if (taken) showToast({ text: words('newerVersionUsed', { name }) });
  };
  const dismiss = () => {
    dismissVersion(conversationId, version);
    setDismissed(true);
    restoreLostFocus(null);
  };
  return (
    <div role="note" className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1 text-sm">
      <p className="min-w-0 flex-1 basis-60 break-words">{words('newerVersion', { name })}</p>
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          className={SECONDARY}
          aria-busy={busy}
          disabled={busy}
          onClick={() => void update()}
        >
          {words('newerVersionUse')}
        </button>
        <button type="button" className={SECONDARY} disabled={busy} onClick={dismiss}>
          {words('newerVersionKeep')}
        </button>
      </div>
    </div>
  );
}

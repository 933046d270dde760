import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { useWords } from '../../shared/i18n.tsx';
import { SECONDARY } from '../../shared/styles.ts';
import { showToast } from '../../shared/toasts-state.ts';
import { useChat } from '../chat-context.ts';
import { putAway, putAwayUpTo } from './dismissed-version.ts';
import { rescueFocus } from './message-focus.ts';

/** Says that the character was changed since the story began, and lets its person take what it is now, or not. */
export function NewerVersion() {
  const { conversation } = useStore(useChat().$chat, { ssr: 'initial' });
  const newer = conversation?.newer_version ?? null;
  if (!conversation || newer === null) return null;
  const { id, character_name: name } = conversation;
  return <Offer key={`${id} ${newer}`} conversationId={id} version={newer} name={name} />;
}

function Offer({ conversationId, version, name }: { conversationId: string; version: number; name: string }) {
  const chat = useChat();
  const words = useWords('chat');
  const [isKept, setKept] = useState(() => putAwayUpTo(conversationId) >= version);
  const [busy, setBusy] = useState(false);
  // Whoever pressed something here reads on with the messages.
  useEffect(() => {
    if (isKept) rescueFocus(null);
    return () => rescueFocus(null);
  }, [isKept]);
  if (isKept) return null;

  const take = async (): Promise<void> => {
    setBusy(true);
    const taken = await chat.takeVersion(version);
    setBusy(false);
    if (taken) showToast({ text: words('newerVersionTaken', { name }) });
  };
  const keep = () => {
    putAway(conversationId, version);
    setKept(true);
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
          onClick={() => void take()}
        >
          {words('newerVersionTake')}
        </button>
        <button type="button" className={SECONDARY} disabled={busy} onClick={keep}>
          {words('newerVersionKeep')}
        </button>
      </div>
    </div>
  );
}

import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { DialogIcon } from '../../shared/ui/DialogIcon.tsx';
import { browserClock } from '../../shared/clock.ts';
import { LazyMessages } from '../../shared/ui/LazyMessages.tsx';
import type { DictionaryUrls } from '../../shared/load-messages.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { Modal } from '../../shared/ui/Modal.tsx';
import { ICON } from '../../shared/styles.ts';
import { pageSession } from '../../sign-in/reauthenticate.ts';
import { characterForm } from '../character-form.ts';
import type { PublishCostStore } from '../cost-state.ts';
import { testChatApi } from './test-chat-api.ts';
import { createTestChat } from './test-chat-state.ts';
import { TestChatThread } from './TestChatThread.tsx';
import styles from './test-chat.css?url&no-inline';

/** From this width on, the test chat fits next to the form. */
const WIDE_SCREEN = '(width >= 64rem)';

function subscribeToWidth(changed: () => void): () => void {
  const wide = matchMedia(WIDE_SCREEN);
  wide.addEventListener('change', changed);
  return () => wide.removeEventListener('change', changed);
}

const useIsWide = () => useSyncExternalStore(subscribeToWidth, () => matchMedia(WIDE_SCREEN).matches);

/** The test chat: next to the form on wide screens, a modal on narrow ones. Messages last as long as the page. */
export function TestChat({
  open,
  onClose,
  cost,
  chatWords,
}: {
  open: boolean;
  onClose: () => void;
  cost: PublishCostStore;
  chatWords: DictionaryUrls<'chat'>;
}) {
  const lang = useLang();
  const titleId = useId();
  const wide = useIsWide();
  const [isBroken, setIsBroken] = useState(false);
  useEffect(() => {
    if (open) setIsBroken(false);
  }, [open]);
  const [chat] = useState(() =>
    createTestChat({
      api: testChatApi,
      asker: pageSession,
      clock: browserClock,
      form: () => characterForm.$form.get(),
      newId: () => crypto.randomUUID(),
      onPointsSpent: () => {
        // Only a new character costs points to save, so only then refresh the cost.
        if (characterForm.$form.get().kept === null) void cost.load();
      },
    }),
  );
  // Retry the translations when the chat is opened again.
  if (isBroken && !open) return null;
  return (
    <LazyMessages
      name="test-chat"
      lang={lang}
      files={chatWords}
      onFailure={() => {
        setIsBroken(true);
        onClose();
      }}
    >
      {/* Load the chat's styles with the chat only; the form's page is heavy enough. */}
      <link rel="stylesheet" href={styles} precedence="test-chat" />
      {wide ? (
        open ? (
          <aside aria-labelledby={titleId} className="test-chat">
            <TestChatThread chat={chat} titleId={titleId} />
          </aside>
        ) : null
      ) : (
        <Modal
          open={open}
          onClose={onClose}
          labelledBy={titleId}
          className="m-0 h-dvh max-h-none w-full max-w-none bg-bg"
        >
          <div className="test-chat">
            <TestChatThread
              chat={chat}
              titleId={titleId}
              close={<CloseButton onClose={onClose} />}
              leave={onClose}
            />
          </div>
        </Modal>
      )}
    </LazyMessages>
  );
}

function CloseButton({ onClose }: { onClose: () => void }) {
  const words = useTranslate('create');
  return (
    <button type="button" className={ICON} aria-label={words('testChatClose')} onClick={onClose}>
      <DialogIcon name="close" />
    </button>
  );
}

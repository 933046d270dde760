import { useEffect, useId, useState, useSyncExternalStore } from 'react';
import { DialogIcon } from '../../shared/ui/DialogIcon.tsx';
import { browserClock } from '../../shared/clock.ts';
import { FetchedWords } from '../../shared/ui/LazyMessages.tsx';
import type { WordFiles } from '../../shared/load-messages.ts';
import { useLang, useWords } from '../../shared/i18n.tsx';
import { Modal } from '../../shared/ui/Modal.tsx';
import { ICON } from '../../shared/styles.ts';
import { pageAsker } from '../../sign-in/reauthenticate.ts';
import { characterForm } from '../character-form.ts';
import type { Cost } from '../cost-state.ts';
import { testChatApi } from './test-chat-api.ts';
import { createTestChat } from './test-chat-state.ts';
import { TestTalk } from './TestChatThread.tsx';
import styles from './test-chat.css?url&no-inline';

/** There is room for it beside the form. */
const WIDE = '(width >= 64rem)';

function subscribe(changed: () => void): () => void {
  const wide = matchMedia(WIDE);
  wide.addEventListener('change', changed);
  return () => wide.removeEventListener('change', changed);
}

const useWide = () => useSyncExternalStore(subscribe, () => matchMedia(WIDE).matches);

/**
 * A test chat: beside the form where there is room, over the page where there is not. What was said stays for as long as
 * the page does.
 */
export function TestChat({
  open,
  onClose,
  cost,
  chatWords,
}: {
  open: boolean;
  onClose: () => void;
  cost: Cost;
  chatWords: WordFiles<'chat'>;
}) {
  const lang = useLang();
  const titleId = useId();
  const wide = useWide();
  const [broken, setBroken] = useState(false);
  useEffect(() => {
    if (open) setBroken(false);
  }, [open]);
  const [chat] = useState(() =>
    createTestChat({
      api: testChatApi,
      asker: pageAsker,
      clock: browserClock,
      form: () => characterForm.$form.get(),
      newId: () => crypto.randomUUID(),
      spent: () => {
        // Of a character that is there already, nothing is to be paid.
        if (characterForm.$form.get().kept === null) void cost.load();
      },
    }),
  );
  // Words that did not come are asked for when it is opened again.
  if (broken && !open) return null;
  return (
    <FetchedWords
      name="test-chat"
      lang={lang}
      files={chatWords}
      onFailure={() => {
        setBroken(true);
        onClose();
      }}
    >
      {/* With it and not with the form: the page that it stands in is heavy enough. */}
      <link rel="stylesheet" href={styles} precedence="test-chat" />
      {wide ? (
        open ? (
          <aside aria-labelledby={titleId} className="test-chat">
            <TestTalk chat={chat} titleId={titleId} />
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
            <TestTalk chat={chat} titleId={titleId} close={<Close onClose={onClose} />} leave={onClose} />
          </div>
        </Modal>
      )}
    </FetchedWords>
  );
}

function Close({ onClose }: { onClose: () => void }) {
  const words = useWords('create');
  return (
    <button type="button" className={ICON} aria-label={words('tryClose')} onClick={onClose}>
      <DialogIcon name="close" />
    </button>
  );
}

import { useState } from 'react';
import { createLazyDialog } from '../../chat/dialogs/LazyDialog.tsx';
import type { DictionaryUrls } from '../../shared/load-messages.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { SECONDARY } from '../../shared/styles.ts';
import type { PublishCostStore } from '../cost-state.ts';
import './test-chat-button.css';

const TestChat = createLazyDialog(async () => (await import('./TestChat.tsx')).TestChat);

/** Opens a test chat with the character as edited; loads its code on first use. */
export function TestChatButton({
  cost,
  chatWords,
}: {
  cost: PublishCostStore;
  chatWords: DictionaryUrls<'chat'>;
}) {
  const words = useTranslate('create');
  const [open, setOpen] = useState(false);
  return (
    <div className="try-it" data-open={open ? '' : undefined}>
      <button type="button" className={SECONDARY} aria-expanded={open} onClick={() => setOpen(!open)}>
        {words(open ? 'testChatClose' : 'testChatOpen')}
      </button>
      <TestChat open={open} onClose={() => setOpen(false)} cost={cost} chatWords={chatWords} />
    </div>
  );
}

import { useState } from 'react';
import { fetchedDialog } from '../../chat/dialogs/LazyDialog.tsx';
import type { WordFiles } from '../../shared/load-messages.ts';
import { useWords } from '../../shared/i18n.tsx';
import { SECONDARY } from '../../shared/styles.ts';
import type { Cost } from '../cost-state.ts';
import './test-chat-button.css';

const TestChat = fetchedDialog(async () => (await import('./TestChat.tsx')).TestChat);

/** The way to a test chat with the character as it stands in the form; it is fetched when it is first opened. */
export function TryIt({ cost, chatWords }: { cost: Cost; chatWords: WordFiles<'chat'> }) {
  const words = useWords('create');
  const [open, setOpen] = useState(false);
  return (
    <div className="try-it" data-open={open ? '' : undefined}>
      <button type="button" className={SECONDARY} aria-expanded={open} onClick={() => setOpen(!open)}>
        {words(open ? 'tryClose' : 'tryIt')}
      </button>
      <TestChat open={open} onClose={() => setOpen(false)} cost={cost} chatWords={chatWords} />
    </div>
  );
}

import { useStore } from '@nanostores/react';
import { memo, useEffect } from 'react';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { detectTextLanguage } from '../../../locales/text-language.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { ICON, QUIET, SECONDARY } from '../../shared/styles.ts';
import type { InsertedText } from '../chat.ts';
import { useChat, useChatField, useChatState } from '../chat-context.ts';
import { Menu, MenuItems, type MenuEntry } from '../Menu.tsx';
import { watchSuggestions, removeInserted } from './writing-assist.ts';
import { $selectedModel } from '../state/models-state.ts';
import { useOnline } from '../../shared/online.ts';

/** The menu of writing help next to the composer, each item with its price. */
export const AssistMenu = memo(function AssistMenu() {
  const asking = useChatField('assisting') !== null;
  const words = useTranslate('chat');
  return (
    <Menu label={words('assist')} icon="idea" place="above" busy={asking}>
      <AssistItems />
    </Menu>
  );
});

function AssistItems() {
  const chat = useChat();
  const isDisabled = useChatState(
    ({ phase, activity, assisting }) => phase !== 'ready' || activity !== 'idle' || assisting !== null,
  );
  const cost = useChatState(({ points }) => points?.message_cost);
  const online = useOnline();
  const words = useTranslate('chat');
  const note =
    cost === undefined
      ? words('assistSamePrice')
      : cost === 0
        ? words('assistFree')
        : words('assistPrice', { count: cost });
  const entries: readonly MenuEntry[] = [
    {
      icon: 'idea',
      label: words('assistSuggest'),
      note,
      disabled: isDisabled || !online,
      choose: () => void chat.suggest($selectedModel.get()),
    },
    {
      icon: 'pencil',
      label: words('assistDraft'),
      note,
      disabled: isDisabled || !online,
      choose: () => void chat.draftMessage($selectedModel.get()),
    },
  ];
  return <MenuItems entries={entries} />;
}

/** The lines that the model suggested. A chosen line goes into the composer, where it can be edited. */
export const Suggestions = memo(function Suggestions() {
  const chat = useChat();
  const suggested = useChatField('suggestions');
  const asking = useChatField('assisting');
  const hasSuggestions = suggested.length > 0;
  useEffect(() => (hasSuggestions ? watchSuggestions(chat) : undefined), [chat, hasSuggestions]);
  const words = useTranslate('chat');
  const lang = useLang();
  return (
    <>
      <p role="status" className={asking ? 'text-sm text-text-quiet' : 'sr-only'}>
        {asking === 'suggestions'
          ? words('assistSuggesting')
          : asking === 'draft'
            ? words('assistDrafting')
            : hasSuggestions
              ? words('suggestionsShown', { count: suggested.length })
              : null}
      </p>
      {hasSuggestions ? (
        <div className="flex items-start gap-1">
          <ul
            aria-label={words('suggestionsLabel')}
            className="flex max-h-[30dvh] min-w-0 flex-1 flex-wrap gap-2 overflow-y-auto overscroll-contain py-1"
          >
            {suggested.map((line) => (
              <li key={line} className="min-w-0">
                <button
                  type="button"
                  dir="auto"
                  lang={detectTextLanguage(line, lang)}
                  className={`${SECONDARY} text-start break-words`}
                  onClick={() => chat.insertIntoComposer(line)}
                >
                  {sanitizeText(line)}
                </button>
              </li>
            ))}
          </ul>
          <button
            type="button"
            className={ICON}
            aria-label={words('suggestionsHide')}
            title={words('suggestionsHide')}
            onClick={chat.dismissSuggestions}
          >
            <Icon name="close" />
          </button>
        </div>
      ) : null}
    </>
  );
});

/** Says that a line was inserted into the composer and offers to undo it, while the line is unchanged. */
export const InsertedNotice = memo(function InsertedNotice() {
  const boxed = useChatField('boxed');
  return (
    <div
      role="status"
      className="flex items-center justify-between gap-2 text-sm text-text-quiet empty:hidden"
    >
      {boxed ? <UndoInsertion inserted={boxed} /> : null}
    </div>
  );
});

function UndoInsertion({ inserted }: { inserted: InsertedText }) {
  const chat = useChat();
  const without = removeInserted(useStore(chat.$draft), inserted);
  const words = useTranslate('chat');
  if (without === null) return null;
  return (
    <>
      <p>{words(inserted.from > 0 ? 'draftAddedBelow' : 'draftInserted')}</p>
      <button
        type="button"
        className={`${QUIET} shrink-0`}
        onClick={(event) => {
          const box = event.currentTarget.closest('footer')?.querySelector('textarea');
          chat.setDraft(without);
          box?.focus();
        }}
      >
        {words('undo')}
      </button>
    </>
  );
}

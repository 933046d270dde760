import { useStore } from '@nanostores/react';
import { useEffect } from 'react';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { detectTextLanguage } from '../../../locales/text-language.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { ICON, QUIET, SECONDARY } from '../../shared/styles.ts';
import { useChat } from '../chat-context.ts';
import { Menu } from '../Menu.tsx';
import { watchSuggestions, removeInserted } from './writing-assist.ts';
import { $selectedModel } from '../state/models-state.ts';
import { useOnline } from '../../shared/online.ts';

/** The menu of writing help next to the composer, each item with its price. */
export function AssistMenu() {
  const chat = useChat();
  const { phase, activity, assisting: asking, points } = useStore(chat.$chat, { ssr: 'initial' });
  const online = useOnline();
  const words = useTranslate('chat');
  const isDisabled = phase !== 'ready' || activity !== 'idle' || asking !== null || !online;
  const cost = points?.message_cost;
  const note =
    cost === undefined
      ? words('helpPriceOfOne')
      : cost === 0
        ? words('helpFree')
        : words('helpPrice', { count: cost });
  return (
    <Menu
      label={words('help')}
      icon="idea"
      place="above"
      busy={asking !== null}
      entries={[
        {
          icon: 'idea',
          label: words('helpSuggest'),
          note,
          disabled: isDisabled,
          choose: () => void chat.suggest($selectedModel.get()),
        },
        {
          icon: 'pencil',
          label: words('helpDraft'),
          note,
          disabled: isDisabled,
          choose: () => void chat.draftMessage($selectedModel.get()),
        },
      ]}
    />
  );
}

/** The lines that the model suggested. A chosen line goes into the composer, where it can be edited. */
export function Suggestions() {
  const chat = useChat();
  const { suggestions: suggested, assisting: asking } = useStore(chat.$chat, { ssr: 'initial' });
  useEffect(() => watchSuggestions(chat), [chat]);
  const words = useTranslate('chat');
  const lang = useLang();
  return (
    <>
      <p role="status" className={asking ? 'text-sm text-text-quiet' : 'sr-only'}>
        {asking === 'suggestions'
          ? words('helpSuggesting')
          : asking === 'draft'
            ? words('helpDrafting')
            : suggested.length > 0
              ? words('suggestedHere', { count: suggested.length })
              : null}
      </p>
      {suggested.length > 0 ? (
        <div className="flex items-start gap-1">
          <ul
            aria-label={words('suggestedList')}
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
            aria-label={words('suggestedAway')}
            title={words('suggestedAway')}
            onClick={chat.dismissSuggestions}
          >
            <Icon name="close" />
          </button>
        </div>
      ) : null}
    </>
  );
}

/** Says that a line was inserted into the composer and offers to undo it, while the line is unchanged. */
export function InsertedNotice() {
  const chat = useChat();
  const { boxed } = useStore(chat.$chat, { ssr: 'initial' });
  const draft = useStore(chat.$draft, { ssr: 'initial' });
  const words = useTranslate('chat');
  const without = boxed ? removeInserted(draft, boxed) : null;
  return (
    <div
      role="status"
      className="flex items-center justify-between gap-2 text-sm text-text-quiet empty:hidden"
    >
      {boxed && without !== null ? (
        <>
          <p>{words(boxed.from > 0 ? 'boxedUnder' : 'boxedAlone')}</p>
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
      ) : null}
    </div>
  );
}

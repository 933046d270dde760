import { useStore } from '@nanostores/react';
import { Fragment, useId } from 'react';
import { useTranslate, type MessageKey, type TranslateFn } from '../../shared/i18n.tsx';
import { ChatDialog } from './ChatDialog.tsx';
import { ACTION_KEYS } from '../messages/message-keys.ts';
import { $singleKeys, setSingleKeys } from '../state/messages-state.ts';

type WordKey = MessageKey<'chat'>;
/** A key, by its label or by a translated name. */
type Key = { cap: string } | { word: WordKey };
/** Alternative keys, or keys pressed together (`isChord`). */
interface Row {
  keys: readonly Key[];
  isChord?: boolean;
  action: WordKey;
  /** Turned off with the single-key shortcuts. */
  isSingleKey?: boolean;
}

const cap = (text: string): Key => ({ cap: text });
const CTRL: Key = { word: 'keyCtrl' };
const SHIFT: Key = { word: 'keyShift' };
const ENTER: Key = { word: 'keyEnter' };
const ESCAPE: Key = { word: 'keyEscape' };

const GROUPS: readonly { title: WordKey; rows: readonly Row[] }[] = [
  {
    title: 'shortcutsInMessageBox',
    rows: [
      { keys: [ENTER], action: 'send' },
      { keys: [SHIFT, ENTER], isChord: true, action: 'shortcutNewLine' },
      { keys: [cap('↑')], action: 'shortcutEditLast' },
    ],
  },
  {
    title: 'shortcutsOnMessage',
    rows: [
      { keys: [cap('↑'), cap('↓')], action: 'shortcutPreviousNextMessage' },
      { keys: [cap('←'), cap('→')], action: 'shortcutPreviousNextVersion' },
      { keys: [cap('N')], action: 'toLatest', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.copy)], action: 'copy', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.edit)], action: 'edit', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.regenerate)], action: 'regenerate', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.continue)], action: 'continue', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.branchFrom)], action: 'branchFrom', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.pin)], action: 'shortcutPin', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.context)], action: 'contextTitle', isSingleKey: true },
      { keys: [{ word: 'keyDelete' }], action: 'deleteFrom' },
      { keys: [cap('U')], action: 'shortcutUndo', isSingleKey: true },
      { keys: [ESCAPE], action: 'shortcutToMessageBox' },
    ],
  },
  {
    title: 'shortcutsEditing',
    rows: [
      { keys: [CTRL, ENTER], isChord: true, action: 'editSave' },
      { keys: [CTRL, SHIFT, ENTER], isChord: true, action: 'editSaveAndRegenerate' },
      { keys: [ESCAPE], action: 'editCancel' },
    ],
  },
  {
    title: 'shortcutsOutsideFields',
    rows: [
      { keys: [cap('/')], action: 'shortcutToMessageBox', isSingleKey: true },
      { keys: [cap('?')], action: 'shortcutShowShortcuts', isSingleKey: true },
    ],
  },
];

/** Lists all keyboard shortcuts of the chat, with a switch for the single-key ones. */
export function KeyboardShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const words = useTranslate('chat');
  const singleKeys = useStore($singleKeys);
  const id = useId();
  return (
    <ChatDialog open={open} onClose={onClose} title={words('shortcutsTitle')}>
      <p className="text-text-quiet">{words('shortcutsIntro')}</p>
      <div className="-mx-3">
        <button
          type="button"
          role="switch"
          aria-checked={singleKeys}
          aria-labelledby={id}
          aria-describedby={`${id}-note`}
          className="switch"
          onClick={() => setSingleKeys(!singleKeys)}
        >
          <span id={id}>{words('shortcutsSwitch')}</span>
          <span className="switch-track" />
        </button>
        <p id={`${id}-note`} className="px-3 pt-1 text-sm text-text-quiet">
          {words('shortcutsSwitchNote')}
        </p>
      </div>
      {GROUPS.map(({ title, rows }) => (
        <section key={title} aria-labelledby={`${id}-${title}`}>
          <h3 id={`${id}-${title}`} className="mb-2 font-serif text-lg">
            {words(title)}
          </h3>
          <dl className="grid grid-cols-[1fr_auto] items-center gap-x-4 gap-y-2 text-sm">
            {rows.map((row) => {
              const off = row.isSingleKey && !singleKeys ? 'line-through opacity-70' : '';
              return (
                <Fragment key={row.action}>
                  <dt className={`min-w-0 break-words text-text-quiet ${off}`}>{words(row.action)}</dt>
                  <dd className={off}>
                    <Keys row={row} words={words} />
                  </dd>
                </Fragment>
              );
            })}
          </dl>
        </section>
      ))}
    </ChatDialog>
  );
}

function Keys({ row: { keys, isChord: together }, words }: { row: Row; words: TranslateFn<'chat'> }) {
  return (
    <span className="flex flex-wrap items-center justify-end gap-1">
      {keys.map((key, index) => {
        const text = 'cap' in key ? key.cap : words(key.word);
        return (
          <Fragment key={text}>
            {index > 0 && together ? <span>+</span> : null}
            <kbd className="min-w-7 rounded-sm border border-line bg-surface-2 px-1.5 py-0.5 text-center font-sans">
              {text}
            </kbd>
          </Fragment>
        );
      })}
    </span>
  );
}

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
    title: 'keysBox',
    rows: [
      { keys: [ENTER], action: 'send' },
      { keys: [SHIFT, ENTER], isChord: true, action: 'keysNewLine' },
      { keys: [cap('↑')], action: 'keysEditLast' },
    ],
  },
  {
    title: 'keysMessages',
    rows: [
      { keys: [cap('↑'), cap('↓')], action: 'keysMove' },
      { keys: [cap('←'), cap('→')], action: 'keysVersions' },
      { keys: [cap('N')], action: 'newest', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.copy)], action: 'copy', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.edit)], action: 'edit', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.regenerate)], action: 'regenerate', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.goOn)], action: 'goOn', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.fork)], action: 'fork', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.pin)], action: 'keysPin', isSingleKey: true },
      { keys: [cap(ACTION_KEYS.context)], action: 'contextTitle', isSingleKey: true },
      { keys: [{ word: 'keyDelete' }], action: 'deleteFrom' },
      { keys: [cap('U')], action: 'keysUndo', isSingleKey: true },
      { keys: [ESCAPE], action: 'keysToBox' },
    ],
  },
  {
    title: 'keysEditing',
    rows: [
      { keys: [CTRL, ENTER], isChord: true, action: 'editSave' },
      { keys: [CTRL, SHIFT, ENTER], isChord: true, action: 'editSaveAndRegenerate' },
      { keys: [ESCAPE], action: 'editCancel' },
    ],
  },
  {
    title: 'keysAnywhere',
    rows: [
      { keys: [cap('/')], action: 'keysToBox', isSingleKey: true },
      { keys: [cap('?')], action: 'keysThese', isSingleKey: true },
    ],
  },
];

/** Lists all keyboard shortcuts of the chat, with a switch for the single-key ones. */
export function KeyboardShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const words = useTranslate('chat');
  const singleKeys = useStore($singleKeys);
  const id = useId();
  return (
    <ChatDialog open={open} onClose={onClose} title={words('keysTitle')}>
      <p className="text-text-quiet">{words('keysIntro')}</p>
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
          <span id={id}>{words('keysSwitch')}</span>
          <span className="switch-track" />
        </button>
        <p id={`${id}-note`} className="px-3 pt-1 text-sm text-text-quiet">
          {words('keysSwitchNote')}
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

import { useStore } from '@nanostores/react';
import { Fragment, useId } from 'react';
import { useWords, type MessageKey, type Words } from '../../shared/i18n.tsx';
import { ChatDialog } from './ChatDialog.tsx';
import { KEY_OF_DEED } from '../messages/message-keys.ts';
import { $singleKeys, setSingleKeys } from '../state/messages-state.ts';

type WordKey = MessageKey<'chat'>;
/** A key by what stands on it, or by its word where languages name it differently. */
type Key = { cap: string } | { word: WordKey };
/** Keys, each of which does it alone, or which are pressed together. */
interface Row {
  keys: readonly Key[];
  together?: boolean;
  does: WordKey;
  /** It can be switched off with the single keys. */
  single?: boolean;
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
      { keys: [ENTER], does: 'send' },
      { keys: [SHIFT, ENTER], together: true, does: 'keysNewLine' },
      { keys: [cap('↑')], does: 'keysEditLast' },
    ],
  },
  {
    title: 'keysMessages',
    rows: [
      { keys: [cap('↑'), cap('↓')], does: 'keysMove' },
      { keys: [cap('←'), cap('→')], does: 'keysVersions' },
      { keys: [cap('N')], does: 'newest', single: true },
      { keys: [cap(KEY_OF_DEED.copy)], does: 'copy', single: true },
      { keys: [cap(KEY_OF_DEED.edit)], does: 'edit', single: true },
      { keys: [cap(KEY_OF_DEED.writeAnew)], does: 'writeAnew', single: true },
      { keys: [cap(KEY_OF_DEED.goOn)], does: 'goOn', single: true },
      { keys: [cap(KEY_OF_DEED.fork)], does: 'fork', single: true },
      { keys: [cap(KEY_OF_DEED.pin)], does: 'keysPin', single: true },
      { keys: [cap(KEY_OF_DEED.context)], does: 'contextTitle', single: true },
      { keys: [{ word: 'keyDelete' }], does: 'deleteFrom' },
      { keys: [cap('U')], does: 'keysUndo', single: true },
      { keys: [ESCAPE], does: 'keysToBox' },
    ],
  },
  {
    title: 'keysEditing',
    rows: [
      { keys: [CTRL, ENTER], together: true, does: 'editSave' },
      { keys: [ESCAPE], does: 'editCancel' },
    ],
  },
  {
    title: 'keysAnywhere',
    rows: [
      { keys: [cap('/')], does: 'keysToBox', single: true },
      { keys: [cap('?')], does: 'keysThese', single: true },
    ],
  },
];

/** Every key that does something in the chat, and the switch for the single ones. */
export function KeysDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const words = useWords('chat');
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
              const off = row.single && !singleKeys ? 'line-through opacity-70' : '';
              return (
                <Fragment key={row.does}>
                  <dt className={`min-w-0 break-words text-text-quiet ${off}`}>{words(row.does)}</dt>
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

function Keys({ row: { keys, together }, words }: { row: Row; words: Words<'chat'> }) {
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

import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState } from 'react';
import type { OmittedItem, MemoryEntryView } from '../../../features/conversation/memory/memory-contract.ts';
import { MEMORY_LIMITS } from '../../../features/conversation/memory/memory-limits.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { FIELD, PRIMARY, QUIET } from '../../shared/styles.ts';
import type { Memory } from './memory-state.ts';

/** A memory note: its text, source, warnings and actions. */
export function MemoryNote({
  entry,
  leftOut,
  memory,
  onUnsaved,
  onShow,
  onGone: onRemoved,
}: {
  entry: MemoryEntryView;
  /** Set when the note, or a part of it, does not fit into the model's context. */
  leftOut: OmittedItem | undefined;
  memory: Memory;
  onUnsaved: (key: string, isUnsaved: boolean) => void;
  onShow: (messageId: string) => void;
  /** Called when the note was removed, along with the focused element. */
  onGone: () => void;
}) {
  const { saving } = useStore(memory.$memory);
  const [isOpen, setOpen] = useState(false);
  const words = useTranslate('chat');
  const text = useId();
  const correct = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) correct.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (isOpen) {
    return (
      <li className="border-line py-3 not-first:border-t">
        <NoteEditor
          label={words('memoryEditLabel')}
          text={entry.text}
          memory={memory}
          onChange={(isUnsaved) => onUnsaved(entry.id, isUnsaved)}
          save={(changed) => memory.updateNote(entry.id, changed)}
          onEnd={() => {
            onUnsaved(entry.id, false);
            setOpen(false);
            // The edit may have been stored as another note, or be hidden with deleted messages.
            if (memory.$memory.get().entries.every(({ id }) => id !== entry.id)) onRemoved();
          }}
        />
      </li>
    );
  }
  const { changed_source_id: changed } = entry;
  const source = changed ?? entry.first_source_id;
  const apply = (change: Promise<boolean>) => void change.then((isSaved) => isSaved && onRemoved());
  return (
    <li className="flex flex-col gap-2 border-line py-3 not-first:border-t">
      <p
        id={text}
        dir="auto"
        className={`break-words whitespace-pre-wrap ${entry.stale ? 'text-text-quiet' : ''}`}
      >
        {sanitizeText(entry.text)}
      </p>
      {entry.stale ? <Remark>{words('memoryNoteUnused')}</Remark> : null}
      {changed === null ? null : <Remark>{words('memorySourceChanged')}</Remark>}
      {leftOut ? <Remark>{words(leftOut.in_part ? 'memoryPartlyRead' : 'memoryNotRead')}</Remark> : null}
      <p className="text-sm text-text-quiet">
        {words(entry.author === 'person' ? 'memoryByYou' : 'memoryByAi')}
        {entry.source_message_ids.length > 0
          ? ` · ${words('memorySourceCount', { count: entry.source_message_ids.length })}`
          : null}
      </p>
      <div className="-ms-4 flex flex-wrap text-sm">
        {entry.stale || changed !== null ? (
          <button
            type="button"
            className={`${QUIET} text-text underline underline-offset-4`}
            disabled={saving}
            aria-describedby={text}
            onClick={() => apply(memory.adoptNote(entry.id))}
          >
            {words('memoryKeepNote')}
          </button>
        ) : null}
        <button
          ref={correct}
          type="button"
          className={QUIET}
          aria-describedby={text}
          onClick={() => setOpen(true)}
        >
          {words('memoryEdit')}
        </button>
        <button
          type="button"
          className={QUIET}
          disabled={saving}
          aria-describedby={text}
          onClick={() => apply(memory.removeNote(entry.id))}
        >
          {words('memoryRemove')}
        </button>
        {source === null ? null : (
          <button type="button" className={QUIET} aria-describedby={text} onClick={() => onShow(source)}>
            {words('showMessage')}
          </button>
        )}
      </div>
    </li>
  );
}

/** A warning about a note. */
function Remark({ children }: { children: string }) {
  return <p className="border-s-2 border-line ps-3 text-sm">{children}</p>;
}

/** An editor for a note's text, which is kept until it is saved or discarded. */
export function NoteEditor({
  label,
  hint,
  text,
  memory,
  onChange,
  save,
  onEnd,
}: {
  label: string;
  hint?: string;
  text: string;
  memory: Memory;
  /** Reports whether there is unsaved text. */
  onChange: (isUnsaved: boolean) => void;
  save: (text: string) => Promise<boolean>;
  /** Called after saving or discarding. */
  onEnd: () => void;
}) {
  const { saving } = useStore(memory.$memory);
  const [value, setValue] = useState(text);
  const words = useTranslate('chat');
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(text.length, text.length);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- places the caret on mount only
  }, []);
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (value.trim() === text.trim()) onEnd();
        else if (value.trim() !== '') void save(value.trim()).then((isSaved) => isSaved && onEnd());
      }}
    >
      <label htmlFor={id}>{label}</label>
      <textarea
        ref={box}
        id={id}
        rows={4}
        dir="auto"
        className={FIELD}
        aria-describedby={hint ? `${id}-hint` : undefined}
        maxLength={Math.max(MEMORY_LIMITS.maxEntryChars, text.length)}
        value={value}
        onChange={(event) => {
          setValue(event.target.value);
          onChange(event.target.value.trim() !== text.trim());
        }}
      />
      {hint ? (
        <p id={`${id}-hint`} className="text-sm text-text-quiet">
          {hint}
        </p>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <button type="submit" className={PRIMARY} aria-busy={saving} disabled={saving || value.trim() === ''}>
          {words('save')}
        </button>
        <button type="button" className={QUIET} onClick={onEnd}>
          {words('memoryCancel')}
        </button>
      </div>
    </form>
  );
}

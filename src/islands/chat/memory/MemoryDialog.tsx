import { useStore } from '@nanostores/react';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { OmittedItem } from '../../../features/conversation/memory/memory-contract.ts';
import { MEMORY_LIMITS } from '../../../features/conversation/memory/memory-limits.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { AppealPrompt } from '../../safety/Appeal.tsx';
import { formatFailure } from '../../shared/errors.ts';
import { useLang, useTranslate, type MessageKey } from '../../shared/i18n.tsx';
import { QUIET, SECONDARY } from '../../shared/styles.ts';
import { showToast } from '../../shared/toasts-state.ts';
import { ChatDialog } from '../dialogs/ChatDialog.tsx';
import { LoadFailed } from '../dialogs/LoadFailed.tsx';
import { UnsavedWarning } from '../dialogs/UnsavedWarning.tsx';
import { $remoteChanges } from '../state/change-signal.ts';
import { createMemory, memoryApi, type Memory, type MemoryState } from './memory-state.ts';
import { MemoryNote, NoteEditor } from './MemoryNote.tsx';

const DONE: Record<NonNullable<MemoryState['outcome']>, MessageKey<'chat'>> = {
  saved: 'memorySaved',
  kept: 'memoryKept',
  removed: 'memoryRemoved',
  cleared: 'memoryAllRemoved',
  restored: 'memoryRestored',
};

/** Shows a conversation's memory notes, to read, edit, add and remove. */
export function MemoryDialog({
  open,
  onClose,
  conversationId,
  onShowMessage,
}: {
  open: boolean;
  onClose: () => void;
  conversationId: string;
  /** Scrolls to the message that a note was derived from. The dialog is closed first. */
  onShowMessage: (messageId: string) => void;
}) {
  const words = useTranslate('chat');
  // Keys of notes with unsaved text. One accidental click outside the dialog must not discard them.
  const [unsaved, setUnsaved] = useState<ReadonlySet<string>>(new Set());
  const [warned, setWarned] = useState(false);
  const memory = useRef<Memory | null>(null);
  const leave = () => {
    const left = memory.current;
    const { previousEntries: before, outcome: done } = left?.$memory.get() ?? {};
    setUnsaved(new Set());
    setWarned(false);
    onClose();
    // The dialog's undo moves to a toast, because toasts stay when the dialog has closed.
    if (left && before && done && done !== 'saved')
      showToast({
        text: words(DONE[done]),
        action: { label: words('memoryUndo'), run: () => void left.undo() },
      });
  };
  return (
    <ChatDialog
      open={open}
      onClose={() => (unsaved.size > 0 && !warned ? setWarned(true) : leave())}
      title={words('memoryTitle')}
    >
      <p className="text-text-quiet">{words('memoryIntro')}</p>
      <Notes
        key={conversationId}
        conversationId={conversationId}
        unsaved={unsaved}
        onMade={(made) => {
          memory.current = made;
        }}
        onUnsaved={(key, isUnsaved) => {
          setUnsaved((before) => {
            const now = new Set(before);
            if (isUnsaved) now.add(key);
            else now.delete(key);
            return now;
          });
          setWarned(false);
        }}
        onShow={(messageId) => {
          leave();
          onShowMessage(messageId);
        }}
      />
      {warned ? <UnsavedWarning onCancel={() => setWarned(false)} onLeave={leave} /> : null}
    </ChatDialog>
  );
}

/** The list of notes and its actions. Mounts with the dialog, so each opening loads the notes again. */
function Notes({
  conversationId,
  unsaved,
  onMade,
  onUnsaved,
  onShow,
}: {
  conversationId: string;
  unsaved: ReadonlySet<string>;
  onMade: (memory: Memory) => void;
  onUnsaved: (key: string, isUnsaved: boolean) => void;
  onShow: (messageId: string) => void;
}) {
  const [memory] = useState(() => createMemory(memoryApi, conversationId));
  const state = useStore(memory.$memory);
  const words = useTranslate('chat');
  const list = useRef<HTMLUListElement>(null);
  const title = useId();
  useEffect(() => {
    onMade(memory);
    void memory.load();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once per memory
  }, [memory]);
  const elsewhere = useStore($remoteChanges);
  useEffect(() => memory.setEditing(unsaved), [memory, unsaved]);
  const refreshMemory = useEffectEvent(() => void memory.refresh());
  useEffect(() => refreshMemory(), [elsewhere]);
  if (state.phase === 'failed')
    return (
      <LoadFailed
        text={words('memoryLoadFailed')}
        problem={state.problem}
        onRetry={() => void memory.load()}
      />
    );
  if (state.phase === 'loading') {
    return (
      <p role="status" className="text-text-quiet">
        {words('memoryLoading')}
      </p>
    );
  }
  const afterwards = () => list.current?.focus();
  return (
    <>
      <PinsLeftOut pins={state.leftOut.filter(({ kind }) => kind === 'pin')} onShow={onShow} />
      <h3 id={title} className="sr-only">
        {words('memoryNotesTitle')}
      </h3>
      <ul
        ref={list}
        tabIndex={-1}
        aria-labelledby={title}
        className="flex flex-col border-y border-line outline-none empty:hidden"
      >
        {state.entries.map((entry) => (
          <MemoryNote
            key={entry.id}
            entry={entry}
            leftOut={state.leftOut.find(({ kind, id }) => kind === 'note' && id === entry.id)}
            memory={memory}
            onUnsaved={onUnsaved}
            onShow={onShow}
            onGone={afterwards}
          />
        ))}
      </ul>
      {state.entries.length === 0 && state.setAside === 0 ? <p>{words('memoryEmpty')}</p> : null}
      {state.setAside > 0 ? <p>{words('memoryNotesInTrash', { count: state.setAside })}</p> : null}
      <Outcome memory={memory} />
      {state.problem?.refused === undefined ? null : (
        <AppealPrompt
          key={state.problem.refused.text}
          // The appeal treats a note like a message: the user wrote it in a conversation.
          refused={{ place: 'message', ...state.problem.refused }}
        />
      )}
      {state.entries.length < MEMORY_LIMITS.maxEntries ? (
        <AddNote memory={memory} onUnsaved={onUnsaved} />
      ) : (
        <p className="text-sm text-text-quiet">
          {words('memoryLimitReached', { count: MEMORY_LIMITS.maxEntries })}
        </p>
      )}
      {state.entries.length > 0 ? (
        <button
          type="button"
          className={`${QUIET} self-start`}
          disabled={state.saving}
          onClick={() => void memory.clearNotes().then(afterwards)}
        >
          {words('memoryRemoveAll')}
        </button>
      ) : null}
    </>
  );
}

/** Pinned messages that do not fit into the model's context, each with a link to it. */
function PinsLeftOut({
  pins,
  onShow,
}: {
  pins: readonly OmittedItem[];
  onShow: (messageId: string) => void;
}) {
  const words = useTranslate('chat');
  const title = useId();
  if (pins.length === 0) return null;
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <h3 id={title}>{words('memoryPinsNotReadTitle')}</h3>
      <p className="text-sm text-text-quiet">{words('memoryPinsNotReadText')}</p>
      <ul className="flex flex-col border-y border-line">
        {pins.map(({ id, excerpt }) => (
          <li key={id} className="flex flex-col border-line py-2 not-first:border-t">
            <p id={`${title}-${id}`} dir="auto" className="break-words">
              {sanitizeText(excerpt)}
            </p>
            <button
              type="button"
              className={`${QUIET} -ms-4 self-start text-sm`}
              aria-describedby={`${title}-${id}`}
              onClick={() => onShow(id)}
            >
              {words('showMessage')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The result of the last change, announced once, with an undo for removals. */
function Outcome({ memory }: { memory: Memory }) {
  const { saving, outcome: done, problem, previousEntries: before } = useStore(memory.$memory);
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  return (
    <div className="sticky bottom-0 bg-surface">
      <div className="flex flex-wrap items-center gap-x-3">
        <p role="status" className="text-sm text-state">
          {saving ? words('memorySaving') : done ? words(DONE[done]) : null}
        </p>
        {before && !saving ? (
          <button type="button" className={SECONDARY} onClick={() => void memory.undo()}>
            {words('memoryUndo')}
          </button>
        ) : null}
      </div>
      <p role="alert" className="text-danger empty:hidden">
        {problem ? `${words('saveFailed')} ${formatFailure(problem, errors, lang)}` : null}
      </p>
    </div>
  );
}

const NEW_NOTE = 'new';

function AddNote({
  memory,
  onUnsaved,
}: {
  memory: Memory;
  onUnsaved: (key: string, isUnsaved: boolean) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const words = useTranslate('chat');
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current && !isOpen) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (!isOpen) {
    return (
      <button ref={button} type="button" className={`${SECONDARY} self-start`} onClick={() => setOpen(true)}>
        {words('memoryAdd')}
      </button>
    );
  }
  return (
    <NoteEditor
      label={words('memoryAddLabel')}
      hint={words('memoryAddHint')}
      text=""
      memory={memory}
      onChange={(isUnsaved) => onUnsaved(NEW_NOTE, isUnsaved)}
      save={(text) => memory.addNote(text)}
      onEnd={() => {
        onUnsaved(NEW_NOTE, false);
        setOpen(false);
      }}
    />
  );
}

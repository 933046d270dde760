import { useStore } from '@nanostores/react';
import { useEffect, useId, useRef, useState, type RefObject } from 'react';
import { TEXT_LIMITS } from '../../../config/text-limits.ts';
import type { NamedReplyStyle, ReplyStyle } from '../../../features/reply-style/contract.ts';
import { isSameStyle } from '../../../features/reply-style/reply-style.ts';
import { MAX_STYLE_FILE_BYTES, serializeStyleFile } from '../../../features/reply-style/style-file.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { AppealPrompt } from '../../safety/Appeal.tsx';
import { formatFailure } from '../../shared/errors.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { saveFile } from '../../shared/ui/save-file.ts';
import { FIELD, QUIET, SECONDARY } from '../../shared/styles.ts';
import { FileInput } from '../../shared/ui/FileInput.tsx';
import { LoadFailed } from './LoadFailed.tsx';
import { createReplyStyles, replyStylesApi, type ReplyStyles as Styles } from './reply-styles-state.ts';

const BYTES_PER_KB = 1024;

/** Downloads a style as a file. */
function exportStyle(style: NamedReplyStyle): void {
  const name = style.name.replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, '').trim() || 'style';
  saveFile(new Blob([serializeStyleFile(style)], { type: 'application/json' }), `${name}.style.json`);
}

/**
 * The user's named styles: applies one to the form below, saves the form as one, and exports and imports them. Not in
 * that form, because its own name field must not submit it.
 */
export function ReplyStyles({
  edited,
  recommended,
  isValid,
  onApply,
}: {
  /** The settings in the form. */
  edited: ReplyStyle;
  /** What the character's creator recommends; null for nothing. */
  recommended: ReplyStyle | null;
  /** Whether the form's fields are valid; points to one that is not. */
  isValid: () => boolean;
  onApply: (style: ReplyStyle) => void;
}) {
  const lang = useLang();
  const [styles] = useState(() => createReplyStyles(replyStylesApi, new Intl.Collator(lang).compare));
  const { phase, items, limit, chosenId, busy } = useStore(styles.$styles);
  const [naming, setNaming] = useState<'new' | 'rename' | null>(null);
  const words = useTranslate('chat');
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const select = useRef<HTMLSelectElement>(null);
  useEffect(() => {
    void styles.load(edited);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once: later changes of the form are no reason to load
  }, [styles]);
  if (phase === 'failed')
    return <LoadFailed text={words('styleLoadFailed')} onRetry={() => void styles.load(edited)} />;
  if (phase === 'loading')
    return (
      <p role="status" className="text-text-quiet">
        {words('styleLoading')}
      </p>
    );
  const chosen = items.find((item) => item.id === chosenId);
  // The pressed button may be gone, and so may the list.
  const moveFocus = () => (select.current ?? section.current)?.focus();
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-labelledby={`${id}-title`}
      className="flex flex-col gap-2 border-b border-line pb-4 outline-none"
    >
      <h3 id={`${id}-title`}>{words('styleLabel')}</h3>
      {items.length === 0 ? null : (
        <select
          ref={select}
          className={FIELD}
          value={chosenId ?? ''}
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => {
            setNaming(null);
            onApply(styles.choose(target.value === '' ? null : target.value, edited));
          }}
        >
          <option value="">{words('styleNone')}</option>
          {items.map((item) => (
            <option key={item.id} value={item.id}>
              {sanitizeText(item.name)}
            </option>
          ))}
        </select>
      )}
      <p id={`${id}-hint`} className="text-sm text-text-quiet">
        {words(items.length === 0 ? 'styleEmpty' : 'styleHint')}
      </p>
      {recommended === null || isSameStyle(recommended, edited) ? null : (
        <button
          type="button"
          className={`${SECONDARY} self-start`}
          onClick={() => {
            styles.choose(null, edited);
            onApply(recommended);
            moveFocus();
          }}
        >
          {words('styleUseCreators')}
        </button>
      )}
      {naming === null ? (
        <Actions
          {...{ styles, edited, chosen, busy, isValid, onApply }}
          isFull={items.length >= limit}
          onName={setNaming}
          onDone={moveFocus}
        />
      ) : (
        <NameForm
          key={naming}
          initial={naming === 'rename' ? (chosen?.name ?? '') : ''}
          busy={busy}
          save={(name) => (naming === 'new' ? styles.saveAs(name, edited) : styles.changeChosen({ name }))}
          onClose={() => {
            setNaming(null);
            moveFocus();
          }}
        />
      )}
      <Outcome styles={styles} onDone={moveFocus} />
    </section>
  );
}

function Actions({
  styles,
  edited,
  chosen,
  busy,
  isFull,
  isValid,
  onApply,
  onName,
  onDone,
}: {
  styles: Styles;
  edited: ReplyStyle;
  chosen: NamedReplyStyle | undefined;
  busy: boolean;
  isFull: boolean;
  isValid: () => boolean;
  onApply: (style: ReplyStyle) => void;
  onName: (naming: 'new' | 'rename') => void;
  /** Moves the focus from the pressed button. */
  onDone: () => void;
}) {
  const words = useTranslate('chat');
  const input = useRef<HTMLInputElement>(null);
  const importFile = async (file: File) => {
    const style = await styles.importFile(file, edited);
    if (style !== null) onApply(style);
    onDone();
  };
  const isChanged = chosen !== undefined && !isSameStyle(chosen, edited);
  return (
    <>
      <div className="flex flex-wrap gap-1">
        {isChanged ? (
          <button
            type="button"
            className={SECONDARY}
            disabled={busy}
            onClick={() => isValid() && void styles.changeChosen(edited).then(onDone)}
          >
            {words('styleUpdate')}
          </button>
        ) : null}
        {isFull ? null : (
          <>
            <button
              type="button"
              className={SECONDARY}
              disabled={busy}
              onClick={() => isValid() && onName('new')}
            >
              {words('styleSaveAs')}
            </button>
            <ImportButton input={input} busy={busy} onChoose={(file) => void importFile(file)} />
          </>
        )}
        {chosen === undefined ? null : (
          <>
            <button type="button" className={QUIET} onClick={() => exportStyle(chosen)}>
              {words('styleExport')}
            </button>
            <button type="button" className={QUIET} disabled={busy} onClick={() => onName('rename')}>
              {words('rename')}
            </button>
            <button
              type="button"
              className={QUIET}
              disabled={busy}
              onClick={() => void styles.deleteChosen().then(onDone)}
            >
              {words('styleDelete')}
            </button>
          </>
        )}
      </div>
      {isFull ? <p className="text-sm text-text-quiet">{words('styleLimitReached')}</p> : null}
    </>
  );
}

function ImportButton({
  input,
  busy,
  onChoose,
}: {
  input: RefObject<HTMLInputElement | null>;
  busy: boolean;
  onChoose: (file: File) => void;
}) {
  const words = useTranslate('chat');
  return (
    <>
      <FileInput
        ref={input}
        accept=".json,application/json"
        label={words('styleImport')}
        onChoose={onChoose}
      />
      <button type="button" className={QUIET} disabled={busy} onClick={() => input.current?.click()}>
        {words('styleImport')}
      </button>
    </>
  );
}

/** Asks for the name of a new or renamed style. */
function NameForm({
  initial,
  busy,
  save,
  onClose,
}: {
  initial: string;
  busy: boolean;
  save: (name: string) => Promise<boolean>;
  onClose: () => void;
}) {
  const words = useTranslate('chat');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(initial);
  const isDisabled = name.trim() === '' || busy;
  useEffect(() => field.current?.select(), []);
  const submit = async () => {
    if (isDisabled) return;
    if (name.trim() === initial || (await save(name.trim()))) return onClose();
    field.current?.focus();
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label htmlFor={id}>{words('styleNameLabel')}</label>
      <input
        ref={field}
        id={id}
        type="text"
        dir="auto"
        autoComplete="off"
        maxLength={TEXT_LIMITS.styleName}
        className={FIELD}
        value={name}
        readOnly={busy}
        onChange={({ target }) => setName(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // Escape closes this form and not the dialog around it.
          event.preventDefault();
          event.stopPropagation();
          onClose();
        }}
      />
      <div className="flex flex-wrap gap-2">
        <button type="submit" className={SECONDARY} disabled={isDisabled} aria-busy={busy}>
          {words('styleSave')}
        </button>
        <button type="button" className={QUIET} onClick={onClose}>
          {words('cancel')}
        </button>
      </div>
    </form>
  );
}

/** Says what was done, with a way to undo a deletion, or why the last action failed. */
function Outcome({ styles, onDone }: { styles: Styles; onDone: () => void }) {
  const { outcome, deleted, problem, busy } = useStore(styles.$styles);
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  const formatProblem = () => {
    if (problem === null) return null;
    if (problem === 'file_wrong') return words('styleFileInvalid');
    if (problem === 'file_too_large')
      return words('styleFileTooLarge', { limit: MAX_STYLE_FILE_BYTES / BYTES_PER_KB });
    return `${words('styleFailed')} ${formatFailure(problem, errors, lang)}`;
  };
  const refused = problem !== null && typeof problem === 'object' ? problem.refused : undefined;
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3">
        <p role="status" className="min-w-0 break-words empty:hidden">
          {outcome === null ? null : words(`styleDone_${outcome.kind}`, { name: sanitizeText(outcome.name) })}
        </p>
        {deleted === null ? null : (
          <button
            type="button"
            className={QUIET}
            disabled={busy}
            onClick={() => void styles.restoreDeleted().then(onDone)}
          >
            {words('undo')}
          </button>
        )}
      </div>
      <p role="alert" className="text-danger empty:hidden">
        {formatProblem()}
      </p>
      {refused === undefined ? null : (
        <AppealPrompt key={refused.text} refused={{ place: 'message', ...refused }} />
      )}
    </>
  );
}

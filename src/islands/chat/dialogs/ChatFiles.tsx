import { useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { buildChatHref } from '../../../features/conversation/conversation-link.ts';
import { AppealPrompt } from '../../safety/Appeal.tsx';
import { formatFailure } from '../../shared/errors.ts';
import { UserText } from '../../shared/ui/UserText.tsx';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { Modal } from '../../shared/ui/Modal.tsx';
import { PRIMARY, SECONDARY } from '../../shared/styles.ts';
import { FileInput } from '../../shared/ui/FileInput.tsx';
import { StorageLink } from '../../shared/ui/StorageLink.tsx';
import {
  getImportFailureKey,
  importChatFile,
  isTooLarge,
  MAX_FILE_MB,
  type ImportResult,
} from './chat-file-upload.ts';
import { DIALOG } from '../class-names.ts';

/** Exports a conversation as a file, and imports one. */
export function ChatFiles({
  open,
  onClose,
  conversationId,
  characterId,
}: {
  open: boolean;
  onClose: () => void;
  /** Null while there is nothing to export. */
  conversationId: string | null;
  /** The character to import a conversation for; null while it is not known. */
  characterId: string | null;
}) {
  const words = useTranslate('chat');
  const titleId = useId();
  return (
    <Modal open={open} onClose={onClose} labelledBy={titleId} closeOnBackdrop className={DIALOG}>
      <div className="flex flex-col gap-4 p-6">
        <h2 id={titleId} className="font-serif text-2xl">
          {words('filesTitle')}
        </h2>
        {conversationId === null ? null : <ExportSection conversationId={conversationId} />}
        {characterId === null ? null : <ImportSection characterId={characterId} />}
        {/* Less prominent than the likely next step. */}
        <button type="button" className={`${SECONDARY} self-end`} onClick={onClose}>
          {words('done')}
        </button>
      </div>
    </Modal>
  );
}

function FileSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 border-t border-line pt-4">
      <h3 id={id} className="font-serif text-lg">
        {title}
      </h3>
      {children}
    </section>
  );
}

const FORMATS = [
  { format: 'jsonl', label: 'exportJsonl', line: 'exportJsonlNote' },
  { format: 'md', label: 'exportMarkdown', line: 'exportMarkdownNote' },
] as const;

function ExportSection({ conversationId }: { conversationId: string }) {
  const words = useTranslate('chat');
  const id = useId();
  return (
    <FileSection title={words('exportTitle')}>
      <p>{words('exportText')}</p>
      {FORMATS.map(({ format, label, line }) => (
        <div key={format} className="flex flex-col items-start gap-1">
          <a
            className={SECONDARY}
            download
            href={`/api/conversations/${encodeURIComponent(conversationId)}/export?format=${format}`}
            aria-describedby={`${id}-${format}`}
          >
            {words(label)}
          </a>
          <p id={`${id}-${format}`} className="text-sm text-text-quiet">
            {words(line)}
          </p>
        </div>
      ))}
      <p className="text-sm text-text-quiet">{words('exportAiNote')}</p>
    </FileSection>
  );
}

type ImportState =
  | { step: 'choose'; file: File | null; problem: ImportResult | 'too_large' | null }
  | { step: 'sending'; sent: number }
  | { step: 'here' };

function ImportSection({ characterId }: { characterId: string }) {
  const words = useTranslate('chat');
  const [state, setState] = useState<ImportState>({ step: 'choose', file: null, problem: null });
  const leaving = useRef(new AbortController());
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  // After a failed upload the pressed button is gone: focus the button below the error.
  const failed = state.step === 'choose' && state.problem !== null;
  useEffect(() => {
    if (failed) chooser.current?.focus();
  }, [failed]);
  useEffect(() => {
    // A closed dialog must not get results. Created in the effect because React may run it twice.
    const controller = new AbortController();
    leaving.current = controller;
    return () => controller.abort();
  }, []);

  const choose = (file: File) => {
    const problem = isTooLarge(file) ? 'too_large' : null;
    setState({ step: 'choose', file: problem === null ? file : null, problem });
  };
  const importFile = async (file: File) => {
    const { signal } = leaving.current;
    setState({ step: 'sending', sent: 0 });
    const result = await importChatFile(
      file,
      characterId,
      (sent) => setState({ step: 'sending', sent }),
      signal,
    );
    if (signal.aborted) return;
    if (!result.ok) return setState({ step: 'choose', file: null, problem: result });
    setState({ step: 'here' });
    location.assign(buildChatHref(result.conversation));
  };

  const chosen = state.step === 'choose' ? state.file : null;
  const refused = state.step === 'choose' ? getRefusedText(state.problem) : undefined;
  return (
    <FileSection title={words('importTitle')}>
      <p>{words('importText')}</p>
      <p className="text-sm text-text-quiet">{words('importKeptNote')}</p>
      {state.step === 'choose' ? (
        <>
          <FileInput
            ref={input}
            accept=".jsonl,.ndjson,.json,application/x-ndjson,application/jsonl,application/json"
            label={words('importChooseFile')}
            onChoose={choose}
          />
          {state.problem === null ? null : <ImportProblem trouble={state.problem} />}
          {refused === undefined ? null : (
            <AppealPrompt key={refused.text} refused={{ place: 'import', ...refused }} />
          )}
          {chosen === null ? null : (
            <p className="break-words" role="status">
              <UserText text={chosen.name} />
            </p>
          )}
          <div className="flex flex-wrap gap-3">
            {chosen === null ? null : (
              <button type="button" className={PRIMARY} onClick={() => void importFile(chosen)}>
                {words('importConfirm')}
              </button>
            )}
            <button ref={chooser} type="button" className={SECONDARY} onClick={() => input.current?.click()}>
              {words(chosen === null ? 'importChooseFile' : 'importChooseOtherFile')}
            </button>
          </div>
        </>
      ) : (
        <Progress state={state} />
      )}
    </FileSection>
  );
}

function Progress({ state }: { state: Extract<ImportState, { step: 'sending' | 'here' }> }) {
  const words = useTranslate('chat');
  const id = useId();
  const status = useRef<HTMLParagraphElement>(null);
  useEffect(() => status.current?.focus(), []);
  const sending = state.step === 'sending' && state.sent < 1;
  const label =
    state.step === 'here' ? words('importOpening') : words(sending ? 'importUploading' : 'importReading');
  return (
    <div className="flex flex-col gap-2">
      <p ref={status} id={id} role="status" tabIndex={-1} className="outline-none">
        {label}
      </p>
      {/* Without a value the bar is indeterminate, for the time in which the server reads the file. */}
      <progress
        aria-labelledby={id}
        className="h-2 w-full accent-accent"
        {...(sending && state.step === 'sending' ? { value: state.sent } : {})}
      />
    </div>
  );
}

/** Says why the import failed. */
function ImportProblem({
  trouble,
}: {
  trouble: Exclude<ImportResult, { ok: true }> | ImportResult | 'too_large';
}) {
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  if (trouble === 'too_large' || (!isBadLine(trouble) && !trouble.ok && trouble.code === 'too_large'))
    return <p role="alert">{words('importTooLarge', { limit: MAX_FILE_MB })}</p>;
  if (trouble.ok) return null;
  if (isBadLine(trouble)) {
    return (
      <div role="alert" className="flex flex-col gap-1">
        <p>{words('importBadLine', { line: trouble.line })}</p>
        <p className="text-text-quiet">{words(`importBad_${trouble.reason}`)}</p>
      </div>
    );
  }
  const { code } = trouble;
  return (
    <div role="alert" className="flex flex-col gap-1">
      <p>{words(getImportFailureKey(code))}</p>
      {code === 'not_found' ? null : (
        <p className="text-text-quiet">{formatFailure(trouble, errors, lang)}</p>
      )}
      <StorageLink code={code} />
    </div>
  );
}

/** The refused text of a file; undefined when the import failed for another reason. */
const getRefusedText = (trouble: ImportResult | 'too_large' | null) =>
  trouble === null || trouble === 'too_large' || trouble.ok || isBadLine(trouble)
    ? undefined
    : trouble.refused;

const isBadLine = (trouble: ImportResult): trouble is Extract<ImportResult, { line: number }> =>
  'line' in trouble && trouble.line !== undefined;

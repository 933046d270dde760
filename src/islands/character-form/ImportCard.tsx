import { type ComponentType, useEffect, useId, useRef, useState } from 'react';
import { BODY_LIMITS } from '../../config/body-limits.ts';
import type { Failure } from '../shared/api.ts';
import { AppealPrompt } from '../safety/Appeal.tsx';
import { formatFailure } from '../shared/errors.ts';
import { UserText } from '../shared/ui/UserText.tsx';
import { type MessageKey, useLang, useTranslate } from '../shared/i18n.tsx';
import { ConfirmDialog } from '../shared/ui/ConfirmDialog.tsx';
import { LINK, QUIET, SECONDARY } from '../shared/styles.ts';
import { showToast, UNDO_MS } from '../shared/toasts-state.ts';
import { FileInput } from '../shared/ui/FileInput.tsx';
import { StorageLink } from '../shared/ui/StorageLink.tsx';
import { uploadCardPortrait } from './card-portrait.ts';
import { characterForm } from './character-form.ts';
import { useFileDrop } from './use-file-drop.ts';
import { formApi } from './form-api.ts';
import { formatCardNote } from './form-messages.ts';
import { useCharacterForm } from './use-field-errors.ts';

/** Largest accepted card, in MiB. */
const MAX_CARD_MB = Math.floor(BODY_LIMITS.card / 1024 / 1024);

const ACCEPTED_TYPES =
  '.png,.apng,.json,.charx,.byaf,.yaml,.yml,image/png,image/apng,application/json,application/yaml';

/** Errors after which the accepted formats are listed. */
const FORMAT_ERRORS = new Set([
  'card_not_found',
  'card_not_json',
  'card_not_understood',
  'card_archive_unknown',
  'unsupported_media',
]);

type CardFailure = Pick<Failure, 'code' | 'error' | 'status' | 'refused' | 'storage'>;
type ImportState = { step: 'rest'; trouble: CardFailure | null } | { step: 'sending'; sent: number };

/** Imports a character card into the form and reports the result. */
export function ImportCard() {
  const words = useTranslate('create');
  const lang = useLang();
  const { importId, notes, busy } = useCharacterForm();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const running = useRef<AbortController | null>(null);
  const [state, setState] = useState<ImportState>({ step: 'rest', trouble: null });
  const [asking, setAsking] = useState<File | null>(null);

  useEffect(() => () => running.current?.abort(), []);

  const stop = () => {
    running.current?.abort();
    running.current = null;
    setState({ step: 'rest', trouble: null });
  };
  const importCard = async (file: File) => {
    stop();
    if (file.size > BODY_LIMITS.card)
      return setState({ step: 'rest', trouble: { code: 'too_large', error: '', status: 413 } });
    const request = new AbortController();
    running.current = request;
    setState({ step: 'sending', sent: 0 });
    const answer = await characterForm.uploadCard(file, {
      signal: request.signal,
      onProgress: (sent) => running.current === request && setState({ step: 'sending', sent }),
    });
    const card = answer.ok
      ? await uploadCardPortrait(answer.data, file, {
          sendPicture: formApi.sendPicture,
          signal: request.signal,
        })
      : null;
    if (request.signal.aborted) return;
    running.current = null;
    setState({ step: 'rest', trouble: answer.ok ? null : answer });
    chooser.current?.focus();
    if (card === null) return;
    const undoImport = characterForm.importCard(card);
    const { name } = card.draft;
    showToast({
      text: name === '' ? words('importedUnnamed') : words('imported', { name }),
      durationMs: UNDO_MS,
      action: {
        label: words('undo'),
        run: () => {
          undoImport();
          showToast({ text: words('importUndone') });
        },
      },
    });
  };
  const take = (file: File) => {
    if (busy) return;
    if (characterForm.isUnsaved()) setAsking(file);
    else void importCard(file);
  };
  useFileDrop(take);

  return (
    <section className="form-import" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{words('importTitle')}</h2>
      <p className="form-note">{words('importText')}</p>
      <FileInput ref={input} accept={ACCEPTED_TYPES} label={words('importChooseCard')} onChoose={take} />
      <div className="actions">
        <button ref={chooser} type="button" className={SECONDARY} onClick={() => input.current?.click()}>
          {words('importChooseCard')}
        </button>
        <a className={`${LINK} row-link`} href={`/${lang}/move-in`}>
          {words('importBackupLink')}
        </a>
      </div>
      {state.step === 'sending' ? <UploadProgress sent={state.sent} stop={stop} /> : null}
      {state.step === 'rest' && state.trouble !== null ? <ImportError failure={state.trouble} /> : null}
      {importId === null || state.step === 'sending' ? null : (
        <div className="form-notes">
          <p>{words('importedCardNote')}</p>
          <LazyCardParts />
          {notes.length === 0 ? null : (
            <>
              <h3>{words('importNotesTitle')}</h3>
              <ul>
                {notes.map((note) => (
                  <li key={`${note.code}-${note.field ?? ''}`}>
                    <UserText text={formatCardNote(note, words)} />
                    {note.texts === undefined ? null : (
                      <ul>
                        {/* Plain text: do not link to addresses from a stranger's file. */}
                        {[...new Set(note.texts)].map((text) => (
                          <li key={text}>
                            <UserText text={text} />
                          </li>
                        ))}
                      </ul>
                    )}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
      <ConfirmDialog
        open={asking !== null}
        title={words('importReplaceTitle')}
        text={words('importReplaceText')}
        stay={words('importReplaceCancel')}
        go={words('importReplaceConfirm')}
        onStay={() => setAsking(null)}
        onGo={() => {
          if (asking !== null) void importCard(asking);
          setAsking(null);
        }}
      />
    </section>
  );
}

/** The list needs the rules of prompts, so it is loaded after the import; without it, the editor below has the same. */
function LazyCardParts() {
  const [List, setList] = useState<ComponentType | null>(null);
  useEffect(() => {
    let isHere = true;
    import('./CardParts.tsx').then(
      ({ CardParts }) => isHere && setList(() => CardParts),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, []);
  return List === null ? null : <List />;
}

function UploadProgress({ sent, stop }: { sent: number; stop: () => void }) {
  const words = useTranslate('create');
  const id = useId();
  const sending = sent < 1;
  return (
    <div className="form-notes">
      <p id={id} role="status">
        {words(sending ? 'importUploading' : 'importReading')}
      </p>
      {/* Without a value the bar is indeterminate, which fits the time that reading takes. */}
      <progress
        aria-labelledby={id}
        className="h-2 w-full accent-accent"
        {...(sending ? { value: sent } : {})}
      />
      <button type="button" className={QUIET} onClick={stop}>
        {words('importStop')}
      </button>
    </div>
  );
}

/** Explains why an import failed and that the form is unchanged. */
function ImportError({ failure }: { failure: CardFailure }) {
  const { refused } = failure;
  const words = useTranslate('create');
  const errors = useTranslate('errors');
  const lang = useLang();
  const key = `importProblem_${failure.code}` as MessageKey<'create'>;
  const said = words(key, { limit: MAX_CARD_MB });
  return (
    <div className="form-notes">
      <div role="alert" className="flex flex-col gap-2">
        <p className="text-danger">{said === key ? formatFailure(failure, errors, lang) : said}</p>
        <StorageLink code={failure.code} />
        {FORMAT_ERRORS.has(failure.code) ? <p>{words('importAcceptedFiles')}</p> : null}
        <p className="form-note">{words('importNothingChanged')}</p>
      </div>
      {refused === undefined ? null : (
        <AppealPrompt key={refused.text} refused={{ place: 'import', ...refused }} />
      )}
    </div>
  );
}

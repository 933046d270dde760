import { useEffect, useRef, useState } from 'react';
import { CARD } from '../../../features/character/limits.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { SECONDARY } from '../../shared/styles.ts';
import { showToast, UNDO_MS } from '../../shared/toasts-state.ts';
import { FileInput } from '../../shared/ui/FileInput.tsx';
import { type LorebookFileResult, readChosenLorebook } from './lorebook-file-reader.ts';
import type { LorebookImport } from './lorebook-state.ts';
import { lorebookStore } from './lorebook-store.ts';

/** SillyTavern and Chub write .json, NovelAI .lorebook. */
const ACCEPTED_TYPES = '.json,.lorebook,application/json';
const BYTES_PER_MB = 1024 * 1024;
const BYTES_PER_KB = 1024;

type Refusal = Extract<LorebookFileResult | LorebookImport, { ok: false }>['code'];
type ImportState = { step: 'rest'; refused: Refusal | null } | { step: 'reading' };

/** Adds the entries of a lorebook file to the form's lorebook. */
export function ImportLorebook() {
  const words = useTranslate('create');
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef<File | null>(null);
  const [state, setState] = useState<ImportState>({ step: 'rest', refused: null });
  useEffect(() => () => void (latest.current = null), []);

  const importFile = async (file: File) => {
    latest.current = file;
    setState({ step: 'reading' });
    const read = await readChosenLorebook(file);
    // Another file was chosen since, or the form was closed.
    if (latest.current !== file) return;
    const result = read.ok ? lorebookStore.importLorebook(read.book) : read;
    setState({ step: 'rest', refused: result.ok ? null : result.code });
    if (!result.ok || !read.ok) return;
    showToast({
      text: words('loreImported', { number: read.book.entries.length }),
      durationMs: UNDO_MS,
      action: { label: words('undo'), run: result.undo },
    });
  };
  return (
    <div className="form-field">
      <FileInput
        ref={input}
        accept={ACCEPTED_TYPES}
        label={words('loreImport')}
        onChoose={(file) => void importFile(file)}
      />
      <button type="button" className={SECONDARY} onClick={() => input.current?.click()}>
        <Icon name="file" />
        {words('loreImport')}
      </button>
      <p className="form-note">{words('loreImportNote')}</p>
      {state.step === 'reading' ? <p role="status">{words('loreImporting')}</p> : null}
      {state.step === 'rest' && state.refused !== null ? <ImportRefusal code={state.refused} /> : null}
    </div>
  );
}

/** Explains why a file was not imported and that the lorebook is unchanged. */
function ImportRefusal({ code }: { code: Refusal }) {
  const words = useTranslate('create');
  const { maxEntries, maxBytes } = CARD.lorebook;
  const said =
    code === 'entries'
      ? words('lorebook_entries', { limit: maxEntries })
      : code === 'bytes'
        ? words('lorebook_bytes', { limit: maxBytes / BYTES_PER_KB })
        : code === 'size'
          ? words('importProblem_too_large', { limit: CARD.maxJsonBytes / BYTES_PER_MB })
          : words(`loreImport_${code}`);
  return (
    <div role="alert" className="flex flex-col gap-2">
      <p className="text-danger">{said}</p>
      <p className="form-note">{words('importNothingChanged')}</p>
    </div>
  );
}

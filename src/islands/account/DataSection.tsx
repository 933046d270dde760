import { useEffect, useRef, useState } from 'react';
import { formatMegabytes } from '../../locales/format-amounts.ts';
import { formatTime } from '../../locales/format.ts';
import type { Failure } from '../shared/api.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';
import { LINK, QUIET, SECONDARY } from '../shared/styles.ts';
import { downloadExport, type ExportFormat } from './download.ts';
import { Section, useErrorMessage } from './components.tsx';

type DownloadState =
  | { step: 'idle' | 'done' }
  | { step: 'under-way'; bytes: number }
  | { step: 'failed'; failure: Failure; at: number };

const FORMATS = ['zip', 'json'] as const;

const toEndedState = (failure: Failure | null): DownloadState =>
  failure === null ? { step: 'done' } : { step: 'failed', failure, at: Date.now() };

/** Download of all of the user's data. */
export function DataSection() {
  const words = useTranslate('account');
  const lang = useLang();
  const [state, setState] = useState<DownloadState>({ step: 'idle' });
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);

  const download = async (format: ExportFormat) => {
    const controller = new AbortController();
    stop.current = controller;
    setState({ step: 'under-way', bytes: 0 });
    const failure = await downloadExport(
      format,
      (bytes) => setState({ step: 'under-way', bytes }),
      controller.signal,
    );
    setState(controller.signal.aborted ? { step: 'idle' } : toEndedState(failure));
  };

  return (
    <Section id="data" title={words('downloadTitle')}>
      <p>{words('downloadText')}</p>
      <a className={`${LINK} row-link self-start`} href={`/${lang}/move-in`}>
        {words('importBackupLink')}
      </a>
      {state.step === 'under-way' ? (
        <DownloadProgress bytes={state.bytes} stop={() => stop.current.abort()} />
      ) : (
        <>
          <div className="flex flex-wrap gap-3">
            {FORMATS.map((format) => (
              <button key={format} type="button" className={SECONDARY} onClick={() => void download(format)}>
                {words(`download_${format}`)}
              </button>
            ))}
          </div>
          <p role="status" className="empty:hidden">
            {state.step === 'done' ? words('downloadComplete') : null}
          </p>
          <p role="alert" className="text-danger empty:hidden">
            {state.step === 'failed' ? <DownloadError failure={state.failure} at={state.at} /> : null}
          </p>
        </>
      )}
    </Section>
  );
}

function DownloadProgress({ bytes, stop }: { bytes: number; stop: () => void }) {
  const words = useTranslate('account');
  const lang = useLang();
  const line = useRef<HTMLParagraphElement>(null);
  // The pressed button has been removed, so move the focus here.
  useEffect(() => line.current?.focus(), []);
  return (
    <div className="flex flex-col items-start gap-3">
      <p ref={line} role="status" tabIndex={-1} className="outline-none">
        {words('downloading')}
      </p>
      <progress aria-label={words('downloading')} className="h-2 w-full accent-accent" />
      <div className="flex flex-wrap items-center gap-4">
        <button type="button" className={QUIET} onClick={stop}>
          {words('downloadStop')}
        </button>
        {bytes === 0 ? null : (
          <span className="text-sm text-text-quiet tabular-nums">
            {words('downloadProgress', { size: formatMegabytes(bytes, lang) })}
          </span>
        )}
      </div>
    </div>
  );
}

function DownloadError({ failure, at }: { failure: Failure; at: number }) {
  const words = useTranslate('account');
  const sentence = useErrorMessage();
  const lang = useLang();
  if (failure.status === 429 && failure.retryAfter !== undefined) {
    return words('downloadTooSoon', { time: formatTime(at + failure.retryAfter * 1000, lang) });
  }
  if (failure.code === 'network' || failure.status >= 500) return words('downloadFailed');
  return sentence(failure);
}

import { useEffect, useRef, useState } from 'react';
import { formatMegabytes } from '../../locales/format-amounts.ts';
import { formatTime } from '../../locales/format.ts';
import type { Failure } from '../shared/api.ts';
import { useLang, useWords } from '../shared/i18n.tsx';
import { QUIET, SECONDARY } from '../shared/styles.ts';
import { downloadEverything, type ExportFormat } from './download.ts';
import { Section, useFailureSentence } from './components.tsx';

type Download =
  | { step: 'idle' | 'done' }
  | { step: 'under-way'; bytes: number }
  | { step: 'failed'; failure: Failure; at: number };

const FORMATS = ['zip', 'json'] as const;

const ended = (failure: Failure | null): Download =>
  failure === null ? { step: 'done' } : { step: 'failed', failure, at: Date.now() };

/** Everything that is one's own, as a file to keep. */
export function DataSection() {
  const words = useWords('account');
  const [state, setState] = useState<Download>({ step: 'idle' });
  const stop = useRef(new AbortController());
  useEffect(() => () => stop.current.abort(), []);

  const download = async (format: ExportFormat) => {
    const mine = new AbortController();
    stop.current = mine;
    setState({ step: 'under-way', bytes: 0 });
    const failure = await downloadEverything(
      format,
      (bytes) => setState({ step: 'under-way', bytes }),
      mine.signal,
    );
    setState(mine.signal.aborted ? { step: 'idle' } : ended(failure));
  };

  return (
    <Section id="data" title={words('data')}>
      <p>{words('dataText')}</p>
      {state.step === 'under-way' ? (
        <UnderWay bytes={state.bytes} stop={() => stop.current.abort()} />
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
            {state.step === 'done' ? words('downloaded') : null}
          </p>
          <p role="alert" className="text-harm empty:hidden">
            {state.step === 'failed' ? <WhyNot failure={state.failure} at={state.at} /> : null}
          </p>
        </>
      )}
    </Section>
  );
}

function UnderWay({ bytes, stop }: { bytes: number; stop: () => void }) {
  const words = useWords('account');
  const lang = useLang();
  const line = useRef<HTMLParagraphElement>(null);
  // What was pressed is gone: reading goes on here.
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
            {words('downloadSoFar', { size: formatMegabytes(bytes, lang) })}
          </span>
        )}
      </div>
    </div>
  );
}

function WhyNot({ failure, at }: { failure: Failure; at: number }) {
  const words = useWords('account');
  const sentence = useFailureSentence();
  const lang = useLang();
  if (failure.status === 429 && failure.retryAfter !== undefined) {
    return words('downloadWait', { time: formatTime(at + failure.retryAfter * 1000, lang) });
  }
  if (failure.code === 'network' || failure.status >= 500) return words('downloadFailed');
  return sentence(failure);
}

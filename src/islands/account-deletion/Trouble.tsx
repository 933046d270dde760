import type { Failure } from '../shared/api.ts';
import { failureSentence } from '../shared/errors.ts';
import { useLang, useWords } from '../shared/i18n.tsx';

/** Why the last call did not succeed, and that nothing is lost. */
export function Trouble({ failure, common }: { failure: Failure | null; common?: string }) {
  const errors = useWords('errors');
  const lang = useLang();
  const text =
    failure === null
      ? ''
      : failure.status >= 500 && failure.code === 'server_error' && common !== undefined
        ? common
        : failureSentence(failure, errors, lang);
  return (
    <p role="alert" className={text === '' ? 'sr-only' : 'border-s-2 border-harm ps-3'}>
      {text}
    </p>
  );
}

import type { Failure } from '../shared/api.ts';
import { formatFailure } from '../shared/errors.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';

/** Explains why the last call failed and that nothing is lost. */
export function DeletionError({ failure, common }: { failure: Failure | null; common?: string }) {
  const errors = useTranslate('errors');
  const lang = useLang();
  const text =
    failure === null
      ? ''
      : failure.status >= 500 && failure.code === 'server_error' && common !== undefined
        ? common
        : formatFailure(failure, errors, lang);
  return (
    <p role="alert" className={text === '' ? 'sr-only' : 'border-s-2 border-danger ps-3'}>
      {text}
    </p>
  );
}

import type { Failure } from '../shared/api.ts';
import { formatFailure } from '../shared/errors.ts';
import { useLang, useTranslate } from '../shared/i18n.tsx';

/** Codes of failures that the user can only retry or report. */
const COMMON_CODES: ReadonlySet<string> = new Set(['server_error', 'mail_failed']);

/** Explains why the last call failed and that nothing is lost. */
export function DeletionError({ failure, common }: { failure: Failure | null; common?: string }) {
  const errors = useTranslate('errors');
  const lang = useLang();
  const text =
    failure === null
      ? ''
      : common !== undefined && COMMON_CODES.has(failure.code)
        ? common
        : formatFailure(failure, errors, lang);
  return (
    <p role="alert" className={text === '' ? 'sr-only' : 'border-s-2 border-danger ps-3'}>
      {text}
    </p>
  );
}

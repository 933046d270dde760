import type { Failure } from '../../shared/api.ts';
import { formatFailure } from '../../shared/errors.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { SECONDARY } from '../../shared/styles.ts';

/** Says that the contents of a dialog could not be loaded, and why, if that is known; offers to try again. */
export function LoadFailed({
  text,
  problem = null,
  onRetry,
}: {
  text: string;
  problem?: Failure | null;
  onRetry: () => void;
}) {
  const words = useTranslate('chat');
  const errors = useTranslate('errors');
  const lang = useLang();
  return (
    <div role="alert" className="flex flex-col items-start gap-3">
      <p>{text}</p>
      {problem ? <p className="text-text-quiet">{formatFailure(problem, errors, lang)}</p> : null}
      <button type="button" className={SECONDARY} onClick={onRetry}>
        {words('tryAgain')}
      </button>
    </div>
  );
}

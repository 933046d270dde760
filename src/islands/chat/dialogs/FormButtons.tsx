import { useTranslate } from '../../shared/i18n.tsx';
import { PRIMARY, QUIET } from '../../shared/styles.ts';

/** The buttons at the end of a dialog's form: Cancel, and the one that sends it. */
export function FormButtons({
  label,
  busy,
  disabled,
  onCancel,
}: {
  /** The label of the button that sends the form. */
  label: string;
  busy: boolean;
  disabled: boolean;
  onCancel: () => void;
}) {
  const words = useTranslate('chat');
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <button type="button" className={QUIET} onClick={onCancel}>
        {words('cancel')}
      </button>
      <button type="submit" className={PRIMARY} disabled={disabled} aria-busy={busy}>
        {label}
      </button>
    </div>
  );
}

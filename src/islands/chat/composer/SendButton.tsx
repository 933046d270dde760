import { useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { ICON_PRIMARY } from '../../shared/styles.ts';

/**
 * Sends the composer's text.
 * @param disabled there is nothing to send, or it cannot be sent now
 */
export function SendButton({ disabled }: { disabled: boolean }) {
  const words = useTranslate('chat');
  return (
    <button
      type="submit"
      className={ICON_PRIMARY}
      aria-label={words('send')}
      title={words('send')}
      disabled={disabled}
    >
      <Icon name="send" />
    </button>
  );
}

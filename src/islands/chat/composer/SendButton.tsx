import { useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { ICON_PRIMARY } from '../../shared/styles.ts';

/** Sends what is in the box. @param rests there is nothing to send, or it cannot go out now */
export function SendButton({ rests: disabled }: { rests: boolean }) {
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

import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';

/**
 * What a model thought before a reply, closed until the user opens it.
 * @param text undefined while it is fetched, null when that failed
 * @param isThinking whether the model has not begun the reply yet
 */
export function ThinkingDetails({
  text,
  isThinking,
  onOpen,
}: {
  text: string | null | undefined;
  isThinking: boolean;
  onOpen?: () => void;
}) {
  const words = useTranslate('chat');
  return (
    <details
      className="group mb-2 text-sm text-text-quiet"
      onToggle={({ currentTarget }) => {
        if (currentTarget.open) onOpen?.();
      }}
    >
      <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 underline-offset-4 hover:text-text hover:underline focus-visible:outline-2 focus-visible:outline-accent">
        {words(isThinking ? 'thinking' : 'thinkingTitle')}
        <span className="group-open:-scale-y-100">
          <Icon name="chevron" size={16} />
        </span>
      </summary>
      {text == null ? (
        <p role="status">{words(text === null ? 'thinkingLoadFailed' : 'thinkingLoading')}</p>
      ) : (
        <p dir="auto" className="border-s-2 border-line ps-4 whitespace-pre-wrap wrap-anywhere">
          {sanitizeText(text)}
        </p>
      )}
    </details>
  );
}

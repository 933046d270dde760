import { useTranslate } from '../shared/i18n.tsx';
import { sanitizeNoticeName } from './messages/ai-notice-name.ts';

/** Marks the position of the name in the translated text. */
const NAME_PLACEHOLDER = '\uFFFC';

/**
 * Shows the AI disclosure, in the wording and type size that the strictest law requires. It is a static note, not a live
 * region: screen readers read it in place and are not interrupted by it.
 */
export function AiNotice({ name }: { name: string }) {
  const [before, after] = useTranslate('chat')('aiNotice', { name: NAME_PLACEHOLDER }).split(
    NAME_PLACEHOLDER,
  );
  return (
    <p role="note" className="chat-notice">
      <strong>
        {before}
        <bdi>{sanitizeNoticeName(name)}</bdi>
        {after}
      </strong>
    </p>
  );
}

import { useTranslate } from '../shared/i18n.tsx';
import { sanitizeNoticeName } from './messages/ai-notice-name.ts';

/** Stands where the name comes. */
const NAME_PLACEHOLDER = '\uFFFC';

/**
 * Says that an AI answers, in the words and at the size that the strictest law asks for. It stands in its place and is read
 * there: nobody is interrupted by it.
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

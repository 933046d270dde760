import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { detectTextLanguage } from '../../../locales/text-language.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { SECONDARY } from '../../shared/styles.ts';

/**
 * Conversation starters written by the character's creator.
 * @param disabled none can be sent now
 */
export function SuggestedReplies({
  replies,
  disabled,
  send: onSend,
}: {
  replies: readonly string[];
  disabled: boolean;
  send: (reply: string) => void;
}) {
  const words = useTranslate('chat');
  const lang = useLang();
  if (replies.length === 0) return null;
  return (
    <ul aria-label={words('starters')} className="flex flex-wrap justify-end gap-2">
      {replies.map((reply) => (
        <li key={reply}>
          <button
            type="button"
            dir="auto"
            lang={detectTextLanguage(reply, lang)}
            className={`${SECONDARY} text-start`}
            disabled={disabled}
            onClick={() => onSend(reply)}
          >
            {sanitizeText(reply)}
          </button>
        </li>
      ))}
    </ul>
  );
}

import type { AiNoticeForm } from '../../../features/conversation/messages/ai-notice-form.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { useTranslate } from '../../shared/i18n.tsx';

/** All characters used as quotation marks in any language. */
const QUOTES =
  /["\u00AB\u00BB\u201C-\u201F\u2039\u203A\u300C-\u300F\u301D-\u301F\uFE41-\uFE44\uFF02\uFF62\uFF63]/g;

/**
 * Removes quotation marks from a name, so that it cannot end the quotation in the AI notice and add words of its own to
 * it.
 */
export const sanitizeNoticeName = (name: string): string => sanitizeText(name).replaceAll(QUOTES, '').trim();

/** Marks the position of the name in the translated text. */
const NAME_PLACEHOLDER = '\uFFFC';

/**
 * Shows the AI disclosure: in the type that the strictest law requires, or as calm text. It is a static note, not a live
 * region: screen readers read it in place and are not interrupted by it.
 */
export function AiNotice({ name, form }: { name: string; form: AiNoticeForm }) {
  const [before, after] = useTranslate('chat')('aiNotice', { name: NAME_PLACEHOLDER }).split(
    NAME_PLACEHOLDER,
  );
  const sentence = (
    <>
      {before}
      <bdi>{sanitizeNoticeName(name)}</bdi>
      {after}
    </>
  );
  return form === 'bold' ? (
    <p role="note" className="chat-notice">
      <strong>{sentence}</strong>
    </p>
  ) : (
    <p role="note" className="py-3 wrap-anywhere text-text-quiet">
      {sentence}
    </p>
  );
}

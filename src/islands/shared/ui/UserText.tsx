import { sanitizeText } from '../../../lib/sanitize-text.ts';

/**
 * Text by a user, a model or a file inside a line of the interface: sanitised, and isolated so that its direction does
 * not affect the line.
 */
export function UserText({ text }: { text: string }) {
  return <bdi>{sanitizeText(text)}</bdi>;
}

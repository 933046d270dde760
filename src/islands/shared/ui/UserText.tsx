import { sanitizeText } from '../../../lib/sanitize-text.ts';

/**
 * What a person, a model or a file wrote, drawn in a line of ours: whatever it holds, it keeps to its own place and its
 * own direction.
 */
export function UserText({ text }: { text: string }) {
  return <bdi>{sanitizeText(text)}</bdi>;
}

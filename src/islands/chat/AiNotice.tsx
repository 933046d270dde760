import { drawable } from '../../features/visible-text.ts';
import { useWords } from '../shared/i18n.tsx';

/**
 * Says that an AI answers, in the words and at the size that the strictest law asks for. It stands in its place and is read
 * there: nobody is interrupted by it.
 */
export function AiNotice({ name }: { name: string }) {
  const words = useWords('chat');
  return (
    <p role="note" className="chat-notice">
      <strong>{words('aiNotice', { name: drawable(name) })}</strong>
    </p>
  );
}

import { useWords } from '../shared/i18n.tsx';
import { noticedName } from './messages/noticed-name.ts';

/** Stands where the name comes. */
const HERE = '\uFFFC';

/**
 * Says that an AI answers, in the words and at the size that the strictest law asks for. It stands in its place and is read
 * there: nobody is interrupted by it.
 */
export function AiNotice({ name }: { name: string }) {
  const [before, after] = useWords('chat')('aiNotice', { name: HERE }).split(HERE);
  return (
    <p role="note" className="chat-notice">
      <strong>
        {before}
        <bdi>{noticedName(name)}</bdi>
        {after}
      </strong>
    </p>
  );
}

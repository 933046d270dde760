import type { ReactNode, Ref } from 'react';
import { buildChatLink } from '../../features/conversation/conversation-link.ts';
import type { FoundMessage } from '../../features/search/contract.ts';
import { sanitizeText } from '../../lib/sanitize-text.ts';
import { formatDate, formatSpeakerLabel } from '../../locales/format.ts';
import { detectTextLanguage } from '../../locales/text-language.ts';
import { Icon } from '../shared/ui/Icon.tsx';
import { UserText } from '../shared/ui/UserText.tsx';
import { useLang, useTranslate } from '../shared/i18n.tsx';

/** The address of a chat at one of its messages. */
function getMessageHref(found: FoundMessage): string {
  const chat = buildChatLink({ ...found, id: found.conversation_id });
  return `${chat}&${new URLSearchParams({ message: found.message_id })}`;
}

/** A snippet with its matches marked; always plain text. */
function renderSnippet({ snippet, marks }: Pick<FoundMessage, 'snippet' | 'marks'>): ReactNode[] {
  const parts: ReactNode[] = [];
  let done = 0;
  for (const [from, to] of marks) {
    parts.push(
      sanitizeText(snippet.slice(done, from)),
      <mark key={from}>{sanitizeText(snippet.slice(from, to))}</mark>,
    );
    done = to;
  }
  parts.push(sanitizeText(snippet.slice(done)));
  return parts;
}

/** Matching messages, newest first, each linking to its place in the chat. */
export function SearchResults({
  ref,
  items,
  waiting,
}: {
  ref: Ref<HTMLOListElement>;
  items: readonly FoundMessage[];
  waiting: boolean;
}) {
  const words = useTranslate('search');
  const lang = useLang();
  return (
    <ol ref={ref} className="chat-search-results" aria-label={words('resultsLabel')} aria-busy={waiting}>
      {items.map((found) => (
        <li key={`${found.conversation_id} ${found.message_id}`}>
          <a href={getMessageHref(found)}>
            <img src={found.avatar_url} alt="" width="48" height="64" loading="lazy" decoding="async" />
            <strong>
              <UserText text={found.character_name} />
            </strong>
            <time dateTime={found.created_at}>{formatDate(found.created_at, lang, { length: 'short' })}</time>
            {found.title === null && found.branch_of === null ? null : (
              <span className="result-chat">
                {found.title === null ? null : <UserText text={found.title} />}
                {found.branch_of === null ? null : (
                  <span className="result-branch">
                    <Icon name="branch" size={14} />
                    {words('branchBadge')}
                  </span>
                )}
              </span>
            )}
            <span className="result-excerpt">
              {found.role === 'user' ? (
                <span className="result-speaker">{formatSpeakerLabel(words('you'), lang)}</span>
              ) : null}
              <bdi lang={detectTextLanguage(found.snippet, lang)}>{renderSnippet(found)}</bdi>
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}

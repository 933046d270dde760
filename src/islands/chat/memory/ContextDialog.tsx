import { useStore } from '@nanostores/react';
import { useEffect, useId, useState } from 'react';
import type {
  ContextRecord,
  ContextSection,
  OmittedItem,
} from '../../../features/conversation/memory/memory-contract.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { formatList } from '../../../locales/format.ts';
import type { Result } from '../../shared/api.ts';
import { useLang, useTranslate } from '../../shared/i18n.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { ChatDialog } from '../dialogs/ChatDialog.tsx';
import { LoadFailed } from '../dialogs/LoadFailed.tsx';
import { ContextMessages } from './ContextMessages.tsx';
import { memoryApi } from './memory-state.ts';
import { $models } from '../state/models-state.ts';

/** Shows what the model received when it wrote a reply. Open while there is a message id. */
export function ContextDialog({
  messageId,
  onClose,
  conversationId,
}: {
  messageId: string | null;
  onClose: () => void;
  conversationId: string;
}) {
  const words = useTranslate('chat');
  return (
    <ChatDialog open={messageId !== null} onClose={onClose} title={words('contextTitle')}>
      {messageId === null ? null : (
        <ContextView
          key={messageId}
          conversationId={conversationId}
          messageId={messageId}
          onClose={onClose}
        />
      )}
    </ChatDialog>
  );
}

/** The reply whose context is shown. */
interface Reply {
  conversationId: string;
  messageId: string;
  onClose: () => void;
}

function ContextView(reply: Reply) {
  const { conversationId, messageId } = reply;
  const [answer, setAnswer] = useState<Result<ContextRecord> | null>(null);
  const [tries, setTries] = useState(0);
  const words = useTranslate('chat');
  useEffect(() => {
    let isHere = true;
    setAnswer(null);
    void memoryApi.context(conversationId, messageId).then((given) => {
      if (isHere) setAnswer(given);
    });
    return () => {
      isHere = false;
    };
  }, [conversationId, messageId, tries]);
  if (answer === null) {
    return (
      <p role="status" className="text-text-quiet">
        {words('contextLoading')}
      </p>
    );
  }
  if (answer.ok) return <Sections record={answer.data} reply={reply} />;
  if (answer.status === 404) return <p>{words('contextUnavailable')}</p>;
  return (
    <LoadFailed text={words('contextLoadFailed')} problem={answer} onRetry={() => setTries(tries + 1)} />
  );
}

function Sections({ record, reply }: { record: ContextRecord; reply: Reply }) {
  const models = useStore($models);
  const words = useTranslate('chat');
  const label = models.find(({ id }) => id === record.model)?.label ?? record.model;
  return (
    <>
      <p>
        {words('contextIntro', {
          used: record.estimated_tokens,
          total: record.context_tokens,
          reply: record.reply_tokens,
        })}
      </p>
      {record.shortened === true ? <p>{words('contextShortened')}</p> : null}
      <Bar record={record} />
      <ul className="flex flex-col border-y border-line">
        {record.sections.map((section, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a record never changes, and can contain lore twice
          <li key={`${section.kind}-${index}`} className="border-line not-first:border-t">
            <ContextSectionItem section={section} sawAll={record.first_history_id === null} reply={reply} />
          </li>
        ))}
      </ul>
      <LeftOutList leftOut={record.left_out} />
      <p className="text-sm text-text-quiet">
        {words('modelCurrent', { label })} · {words('contextTokensNote')}
      </p>
    </>
  );
}

/** Pins and notes that did not fit into the context: how each begins, and why it was left out. */
function LeftOutList({ leftOut }: { leftOut: readonly OmittedItem[] }) {
  const words = useTranslate('chat');
  const title = useId();
  if (leftOut.length === 0) return null;
  return (
    <section aria-labelledby={title} className="flex flex-col gap-2">
      <h3 id={title}>{words('contextLeftOutTitle')}</h3>
      <p className="text-sm text-text-quiet">{words('contextLeftOutText')}</p>
      <ul className="flex flex-col border-y border-line">
        {leftOut.map(({ kind, id, excerpt, tokens, in_part: inPart }) => (
          <li key={id} className="flex flex-col gap-1 border-line py-2 not-first:border-t">
            <p className="flex items-center justify-between gap-4 text-sm text-text-quiet">
              <span>
                {words(
                  kind === 'pin'
                    ? 'contextLeftOutPin'
                    : inPart
                      ? 'contextLeftOutNotePart'
                      : 'contextLeftOutNote',
                )}
              </span>
              <span className="shrink-0">{words('contextTokens', { count: tokens })}</span>
            </p>
            <p dir="auto" className="text-sm break-words">
              {sanitizeText(excerpt)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The bar's length and the gap between its parts, in SVG units. */
const BAR = 1000;
const GAP = 2;

/** Computes the start and width of each part of the bar, in SVG units. */
function computeBarSegments({ sections, context_tokens, estimated_tokens, reply_tokens }: ContextRecord) {
  const total = Math.max(context_tokens, estimated_tokens + reply_tokens, 1);
  return sections.map(({ kind, tokens }, index) => ({
    kind,
    x: (sections.slice(0, index).reduce((sum, part) => sum + part.tokens, 0) / total) * BAR,
    width: Math.max(0, (tokens / total) * BAR - GAP),
  }));
}

/** Shows the parts by size. Hidden from screen readers: the list below has the same content. */
function Bar({ record }: { record: ContextRecord }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${BAR} 12`}
      preserveAspectRatio="none"
      className="h-3 w-full rounded-sm bg-surface-2"
    >
      {computeBarSegments(record).map(({ kind, x, width }) => (
        <rect key={`${kind}-${x}`} x={x} width={width} height="12" className={FILLS[kind]} />
      ))}
    </svg>
  );
}

/**
 * Colours: messages in the state colour, summaries and pins of the conversation in the accent, instructions in quiet
 * text.
 */
const FILLS: Record<ContextSection['kind'], string> = {
  lore: 'fill-text-quiet',
  character: 'fill-text-quiet',
  definition: 'fill-text-quiet',
  point_of_view: 'fill-text-quiet',
  person: 'fill-text-quiet',
  style: 'fill-text-quiet',
  safety: 'fill-text-quiet',
  opening: 'fill-accent',
  memory: 'fill-accent',
  pinned: 'fill-accent',
  history: 'fill-state',
  author_note: 'fill-accent',
  reply_length: 'fill-text-quiet',
  regenerate_note: 'fill-accent',
  task: 'fill-text-quiet',
};

/** What the model saw of each part of the character's definition. */
function DefinitionList({ parts }: Pick<Extract<ContextSection, { kind: 'definition' }>, 'parts'>) {
  const words = useTranslate('chat');
  return (
    <ul className="flex flex-col gap-1 pb-3 text-sm text-text-quiet">
      {parts.map(({ part, state, tokens }) => (
        <li key={part} className="flex items-center justify-between gap-4">
          <span>{words(`definitionPart_${part}`)}</span>
          <span className="shrink-0">
            {words(`definitionPartState_${state}`)} · {words('contextTokens', { count: tokens })}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The names of lorebook entries, without the unnamed ones. */
const listNames = (entries: readonly string[]) => entries.filter((name) => name !== '').map(sanitizeText);

function ContextSectionItem({
  section,
  sawAll,
  reply,
}: {
  section: ContextSection;
  sawAll: boolean;
  reply: Reply;
}) {
  const [wasOpen, setWasOpen] = useState(false);
  const lang = useLang();
  const names = section.kind === 'lore' ? listNames(section.entries) : [];
  const words = useTranslate('chat');
  const name = (
    <span className="flex min-w-0 items-center gap-2">
      <svg aria-hidden="true" viewBox="0 0 8 8" width="8" height="8" className="shrink-0">
        <rect width="8" height="8" className={FILLS[section.kind]} />
      </svg>
      {words(`contextKind_${section.kind}`)}
    </span>
  );
  // The text of deleted messages was removed from the record, so there is nothing to expand.
  if ('text' in section && section.text === '') {
    return (
      <p className="flex min-h-11 items-center justify-between gap-4 py-2">
        {name}
        <span className="shrink-0 text-sm text-text-quiet">
          {words('contextTokens', { count: section.tokens })}
        </span>
      </p>
    );
  }
  return (
    <details className="group" onToggle={() => setWasOpen(true)}>
      <summary className="flex min-h-11 cursor-pointer items-center justify-between gap-4 py-2">
        {name}
        <span className="flex shrink-0 items-center gap-2 text-sm text-text-quiet">
          {words('contextTokens', { count: section.tokens })}
          <span className="group-open:-scale-y-100">
            <Icon name="chevron" size={16} />
          </span>
        </span>
      </summary>
      {names.length > 0 ? (
        <p dir="auto" className="pb-2 text-sm break-words">
          {words('contextLoreEntries', { entries: formatList(names, lang) })}
        </p>
      ) : null}
      {section.kind === 'definition' ? (
        <DefinitionList parts={section.parts} />
      ) : 'text' in section ? (
        <p dir="auto" className="pb-3 text-sm break-words whitespace-pre-wrap text-text-quiet">
          {sanitizeText(section.text)}
        </p>
      ) : (
        <div className="flex flex-col gap-1 pb-3 text-sm text-text-quiet">
          <p>{words('contextMessages', { count: section.messages.length })}</p>
          <p>{words(sawAll ? 'contextWholeChat' : 'contextShortenedNote')}</p>
          {wasOpen ? (
            <ContextMessages
              told={section.messages}
              conversationId={reply.conversationId}
              replyId={reply.messageId}
              onClose={reply.onClose}
            />
          ) : null}
        </div>
      )}
    </details>
  );
}

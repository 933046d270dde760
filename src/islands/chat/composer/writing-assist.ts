import type { ModelChoice } from '../../../features/model/contract.ts';
import type { Result } from '../../shared/api.ts';
import type { TurnBody } from '../../shared/chat-api.ts';
import type { PointsStatus } from '../../../features/wallet/contract.ts';
import type { InsertedText, Chat, ChatState } from '../chat.ts';
import { showFailureNotice, type ChatCore } from '../state/chat-core.ts';
import { isUnavailableCode } from '../messages/available-actions.ts';

const FAILURE_CODES = { suggestions: 'suggestions_failed', draft: 'draft_failed' } as const;
const LOST_CODES = { suggestions: 'suggestions_lost', draft: 'draft_lost' } as const;

/** Creates the writing help: three suggested next lines, and a draft for the composer. */
export function createWritingAssist(
  core: ChatCore,
  insertIntoComposer: (text: string) => void,
): { suggest(model: ModelChoice): Promise<void>; draftMessage(model: ModelChoice): Promise<void> } {
  // One id per request, kept until an answer arrives: a retry after a lost answer gets the same result and is not charged
  // twice.
  const ids: Partial<Record<'suggestions' | 'draft', string>> = {};

  async function requestAssist<T extends { points: PointsStatus }>(
    kind: 'suggestions' | 'draft',
    call: (conversationId: string, body: TurnBody) => Promise<Result<T>>,
    model: ModelChoice,
    take: (answer: T, isCurrent: boolean) => Partial<ChatState>,
  ): Promise<void> {
    const id = core.getConversationId();
    const { assisting: asking, activity, phase } = core.state();
    if (id === null || phase !== 'ready' || asking !== null || activity !== 'idle') return;
    const answered = getAnsweredVersion(core.state());
    const askId = (ids[kind] ??= core.deps.createId());
    core.change({ assisting: kind, notice: null });
    const answer = await call(id, { client_message_id: askId, model });
    if (answer.ok || answer.status !== 0) delete ids[kind];
    if (core.getConversationId() !== id) return core.change({ assisting: null });
    if (answer.ok) {
      const isCurrent = answered === null || answered === getAnsweredVersion(core.state());
      return core.change({ assisting: null, points: answer.data.points, ...take(answer.data, isCurrent) });
    }
    core.change({ assisting: null });
    // Without an answer the server may have written one. It is stored under the request's id and charged once.
    if (answer.status === 0) core.change({ notice: { code: LOST_CODES[kind], error: '' } });
    else showFailureNotice(core, answer, FAILURE_CODES[kind]);
    if (isUnavailableCode(answer.code)) await core.syncHistory();
  }

  return {
    suggest: (model) =>
      requestAssist('suggestions', core.deps.api.suggest, model, ({ items }, isCurrent) => ({
        suggestions: isCurrent ? items : [],
      })),
    draftMessage: (model) =>
      requestAssist('draft', core.deps.api.draft, model, ({ draft }) => {
        insertIntoComposer(draft);
        return {};
      }),
  };
}

/**
 * Identifies what a next line would reply to: the newest message and its selected version. Null when the newest messages
 * are not loaded.
 */
function getAnsweredVersion({ view, laterCursor }: ChatState): string | null {
  if (laterCursor !== null) return null;
  const newest = view.messages.findLast(({ delivery }) => delivery === 'stored');
  return newest ? `${newest.id} ${newest.selected_version_id}` : '';
}

/**
 * Dismisses suggestions when the message they reply to is removed or shows another version.
 * @returns a function that stops watching
 */
export function watchSuggestions({
  $chat,
  dismissSuggestions,
}: Pick<Chat, '$chat' | 'dismissSuggestions'>): () => void {
  let lines: readonly string[] | null = null;
  let suggestedFor: string | null = null;
  return $chat.subscribe((state) => {
    const now = getAnsweredVersion(state);
    if (lines !== state.suggestions) {
      lines = state.suggestions;
      suggestedFor = now;
      return;
    }
    if (now === null || lines.length === 0) return;
    suggestedFor ??= now;
    if (suggestedFor !== now) dismissSuggestions();
  });
}

/** The composer's text without the line inserted last; null once that line was changed. */
export function removeInserted(draft: string, { before, after, from }: InsertedText): string | null {
  if (draft === after) return before;
  const line = after.slice(Math.max(0, from - 1));
  return draft.endsWith(line) ? draft.slice(0, -line.length) : null;
}

import type { ModelChoice } from '../../../features/model/contract.ts';
import type { Result } from '../../shared/api.ts';
import type { TurnBody } from '../../shared/chat-api.ts';
import type { PointsStatus } from '../../../features/wallet/contract.ts';
import type { Boxed, Chat, ChatState } from '../chat.ts';
import { noticeOf, type ChatCore } from '../state/chat-core.ts';
import { saysNobodyAnswers } from '../character-availability.ts';

const FAILED = { suggestions: 'suggestions_failed', draft: 'draft_failed' } as const;
const LOST = { suggestions: 'suggestions_lost', draft: 'draft_lost' } as const;

/** What the model helps with beside replies: three next lines to choose from, and a draft for the box. */
export function createHelp(
  core: ChatCore,
  putInBox: (text: string) => void,
): { suggest(model: ModelChoice): Promise<void>; draftForMe(model: ModelChoice): Promise<void> } {
  // One id an ask, kept until an answer came: a lost answer is fetched again and costs nothing twice.
  const ids: Partial<Record<'suggestions' | 'draft', string>> = {};

  async function ask<T extends { points: PointsStatus }>(
    kind: 'suggestions' | 'draft',
    call: (conversationId: string, body: TurnBody) => Promise<Result<T>>,
    model: ModelChoice,
    take: (answer: T, stands: boolean) => Partial<ChatState>,
  ): Promise<void> {
    const id = core.currentId();
    const { asking, activity, phase } = core.state();
    if (id === null || phase !== 'ready' || asking !== null || activity !== 'idle') return;
    const answered = answeredBy(core.state());
    const askId = (ids[kind] ??= core.deps.newId());
    core.change({ asking: kind, notice: null });
    const answer = await call(id, { client_message_id: askId, model });
    if (answer.ok || answer.status !== 0) delete ids[kind];
    if (core.currentId() !== id) return core.change({ asking: null });
    if (answer.ok) {
      const stands = answered === null || answered === answeredBy(core.state());
      return core.change({ asking: null, points: answer.data.points, ...take(answer.data, stands) });
    }
    core.change({ asking: null });
    // Without an answer nobody knows whether one was written; it is kept under its id, and paid for once.
    if (answer.status === 0) core.change({ notice: { code: LOST[kind], error: '' } });
    else noticeOf(core, answer, FAILED[kind]);
    if (saysNobodyAnswers(answer.code)) await core.syncHistory();
  }

  return {
    suggest: (model) =>
      ask('suggestions', core.deps.api.suggest, model, ({ items }, stands) => ({
        suggested: stands ? items : [],
      })),
    draftForMe: (model) =>
      ask('draft', core.deps.api.draft, model, ({ draft }) => {
        putInBox(draft);
        return {};
      }),
  };
}

/** What a next line would answer: the newest message as it shows now; null where another part of the history is shown. */
function answeredBy({ view, laterCursor }: ChatState): string | null {
  if (laterCursor !== null) return null;
  const newest = view.messages.findLast(({ delivery }) => delivery === 'stored');
  return newest ? `${newest.id} ${newest.selected_version_id}` : '';
}

/** Has suggested lines go when what they answer goes, or shows otherwise. The answer ends that. */
export function watchSuggested({
  $chat,
  dismissSuggestions,
}: Pick<Chat, '$chat' | 'dismissSuggestions'>): () => void {
  let lines: readonly string[] | null = null;
  let about: string | null = null;
  return $chat.subscribe((state) => {
    const now = answeredBy(state);
    if (lines !== state.suggested) {
      lines = state.suggested;
      about = now;
      return;
    }
    if (now === null || lines.length === 0) return;
    about ??= now;
    if (about !== now) dismissSuggestions();
  });
}

/** What stands in the box without the line that was put there last; null once somebody has changed that line. */
export function withoutBoxed(draft: string, { before, after, from }: Boxed): string | null {
  if (draft === after) return before;
  const line = after.slice(Math.max(0, from - 1));
  return draft.endsWith(line) ? draft.slice(0, -line.length) : null;
}

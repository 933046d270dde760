import { atom, type ReadableAtom } from 'nanostores';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { ReportBody, ReportReason } from '../../features/moderation/report-contract.ts';
import { client, readJson, encodePathPart, type Failure, type Result } from '../shared/api.ts';
import { retryAfterSignIn, type SessionAccess, pageSession } from '../sign-in/reauthenticate.ts';
import type { ReportTarget } from './report-target.ts';

/** The reported character or creator, as the form shows it. */
export interface ReportedTarget {
  id: string;
  name: string;
  avatar_url: string | null;
}

export interface ReportState {
  /** `looking`: fetching the character, because the cached page does not have it. */
  status: 'looking' | 'lookFailed' | 'missing' | 'writing' | 'sending' | 'sent';
  character: ReportedTarget | null;
  reason: ReportReason | null;
  details: string;
  /** True after the first attempt to send: a missing reason is reported only then, long details at once. */
  isSubmitted: boolean;
  failure: Failure | null;
}

export interface ReportStore {
  $report: ReadableAtom<ReportState>;
  /** Fetches the character as the current user may see it. */
  loadTarget(): Promise<void>;
  write(part: Partial<Pick<ReportState, 'reason' | 'details'>>): void;
  send(): Promise<void>;
}

export interface ReportDeps extends SessionAccess {
  character(id: string): Promise<Result<ReportedTarget>>;
  report(id: string, body: ReportBody): Promise<Result<{ id: string }>>;
}

/** The field whose error prevents sending, or null. */
export function validateReport({
  reason,
  details,
  isSubmitted,
}: Pick<ReportState, 'reason' | 'details' | 'isSubmitted'>): 'reason' | 'details' | null {
  if (details.length > TEXT_LIMITS.reportDetails) return 'details';
  return isSubmitted && reason === null ? 'reason' : null;
}

/**
 * State of a report form.
 * @param known the reported character or creator, if the page has it
 */
export function createReportStore(id: string, known: ReportedTarget | null, deps: ReportDeps): ReportStore {
  const $report = atom<ReportState>({
    status: known === null ? 'looking' : 'writing',
    character: known,
    reason: null,
    details: '',
    isSubmitted: false,
    failure: null,
  });
  let writer: string | null = null;
  const set = (part: Partial<ReportState>) => $report.set({ ...$report.get(), ...part });
  return {
    $report,
    async loadTarget() {
      set({ status: 'looking' });
      const answer = await deps.character(id);
      if (answer.ok) set({ status: 'writing', character: answer.data });
      else set({ status: answer.status === 404 ? 'missing' : 'lookFailed' });
    },
    write(part) {
      writer ??= deps.getUserId();
      set({ ...part, failure: null });
    },
    async send() {
      if ($report.get().status !== 'writing') return;
      set({ isSubmitted: true, failure: null });
      const { reason, details } = $report.get();
      if (reason === null || validateReport($report.get()) !== null) return;
      set({ status: 'sending' });
      const answer = await retryAfterSignIn(() => deps.report(id, { reason, details }), deps, writer);
      if (answer.ok) return set({ status: 'sent' });
      set(answer.status === 404 ? { status: 'missing' } : { status: 'writing', failure: answer });
    },
  };
}

export const characterReportDeps: ReportDeps = {
  character: (id) => readJson(client.characters[':id'].$get({ param: { id: encodePathPart(id) } })),
  report: (id, body) =>
    readJson(client.characters[':id'].reports.$post({ param: { id: encodePathPart(id) }, json: body })),
  ...pageSession,
};

/** The calls for the target's kind. */
export function getReportDeps(target: ReportTarget): ReportDeps {
  if (target.kind === 'character') return characterReportDeps;
  if (target.kind === 'creator') {
    return {
      ...characterReportDeps,
      character: (id) =>
        readJson<ReportedTarget>(
          client.creators[':id'].$get({ param: { id: encodePathPart(id) }, query: { limit: '1' } }),
        ),
      report: (id, body) =>
        readJson(client.creators[':id'].reports.$post({ param: { id: encodePathPart(id) }, json: body })),
    };
  }
  const param = { id: encodePathPart(target.conversationId), mid: encodePathPart(target.messageId) };
  return {
    ...characterReportDeps,
    // The conversation has the character's name, even if the character was deleted since.
    async character(id) {
      const answer = await readJson(
        client.conversations[':id'].$get({ param: { id: param.id }, query: { limit: '1' } }),
      );
      if (!answer.ok) return answer;
      const { character_name: name, avatar_url } = answer.data.conversation;
      return { ok: true, data: { id, name, avatar_url } };
    },
    report: (_, body) =>
      readJson(client.conversations[':id'].messages[':mid'].reports.$post({ param, json: body })),
  };
}

import { atom, type ReadableAtom } from 'nanostores';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { ReportBody, ReportReason } from '../../features/character/contract.ts';
import { client, dataOf, inPath, type Failure, type Result } from '../shared/api.ts';
import { askAgain, type Asker, pageAsker } from '../sign-in/reauthenticate.ts';
import type { ReportTarget } from './report-target.ts';

/** Who is reported, or who said it, as the form shows them. */
export interface Reported {
  id: string;
  name: string;
  avatar_url: string | null;
}

export interface ReportState {
  /** `looking`: whether there is such a character, when the page that is everybody's could not say. */
  status: 'looking' | 'lookFailed' | 'missing' | 'writing' | 'sending' | 'sent';
  character: Reported | null;
  reason: ReportReason | null;
  details: string;
  /** Whether it was tried to send: what is missing is said only then, what is too long at once. */
  tried: boolean;
  failure: Failure | null;
}

export interface Report {
  $report: ReadableAtom<ReportState>;
  /** Looks the character up, as whoever is here may see it. */
  look(): Promise<void>;
  write(part: Partial<Pick<ReportState, 'reason' | 'details'>>): void;
  send(): Promise<void>;
}

export interface ReportDeps extends Asker {
  character(id: string): Promise<Result<Reported>>;
  report(id: string, body: ReportBody): Promise<Result<{ id: string }>>;
}

/** What keeps a report from being sent, and where. */
export function reportTrouble({
  reason,
  details,
  tried,
}: Pick<ReportState, 'reason' | 'details' | 'tried'>): 'reason' | 'details' | null {
  if (details.length > TEXT_LIMITS.reportDetails) return 'details';
  return tried && reason === null ? 'reason' : null;
}

/**
 * A report as a state machine. It knows no React; the API comes in.
 * @param known who is reported, when the page could say
 */
export function createReport(id: string, known: Reported | null, deps: ReportDeps): Report {
  const $report = atom<ReportState>({
    status: known === null ? 'looking' : 'writing',
    character: known,
    reason: null,
    details: '',
    tried: false,
    failure: null,
  });
  let writer: string | null = null;
  const set = (part: Partial<ReportState>) => $report.set({ ...$report.get(), ...part });
  return {
    $report,
    async look() {
      set({ status: 'looking' });
      const answer = await deps.character(id);
      if (answer.ok) set({ status: 'writing', character: answer.data });
      else set({ status: answer.status === 404 ? 'missing' : 'lookFailed' });
    },
    write(part) {
      writer ??= deps.who();
      set({ ...part, failure: null });
    },
    async send() {
      if ($report.get().status !== 'writing') return;
      set({ tried: true, failure: null });
      const { reason, details } = $report.get();
      if (reason === null || reportTrouble($report.get()) !== null) return;
      set({ status: 'sending' });
      const answer = await askAgain(() => deps.report(id, { reason, details }), deps, writer);
      if (answer.ok) return set({ status: 'sent' });
      set(answer.status === 404 ? { status: 'missing' } : { status: 'writing', failure: answer });
    },
  };
}

/** What a page's report calls. */
export const reportCalls: ReportDeps = {
  character: (id) => dataOf(client.characters[':id'].$get({ param: { id: inPath(id) } })),
  report: (id, body) =>
    dataOf(client.characters[':id'].reports.$post({ param: { id: inPath(id) }, json: body })),
  ...pageAsker,
};

/** The same where something else is reported than a character. */
export function callsFor(target: ReportTarget): ReportDeps {
  if (target.kind === 'character') return reportCalls;
  if (target.kind === 'creator') {
    return {
      ...reportCalls,
      character: (id) =>
        dataOf<Reported>(client.creators[':id'].$get({ param: { id: inPath(id) }, query: { limit: '1' } })),
      report: (id, body) =>
        dataOf(client.creators[':id'].reports.$post({ param: { id: inPath(id) }, json: body })),
    };
  }
  const param = { id: inPath(target.conversationId), mid: inPath(target.messageId) };
  return {
    ...reportCalls,
    // Whoever has a chat may know who speaks in it, whatever became of the character since.
    async character(id) {
      const answer = await dataOf(
        client.conversations[':id'].$get({ param: { id: param.id }, query: { limit: '1' } }),
      );
      if (!answer.ok) return answer;
      const { character_name: name, avatar_url } = answer.data.conversation;
      return { ok: true, data: { id, name, avatar_url } };
    },
    report: (_, body) =>
      dataOf(client.conversations[':id'].messages[':mid'].reports.$post({ param, json: body })),
  };
}

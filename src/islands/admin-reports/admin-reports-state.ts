import { atom, type ReadableAtom } from 'nanostores';
import type {
  AppealCase,
  AppealDecision,
  AppealQueue,
  AppealStatus,
  QueuedAppeal,
} from '../../features/moderation/appeal-contract.ts';
import type {
  AccountCase,
  ModerationActionBody,
} from '../../features/moderation/moderation-action-contract.ts';
import type {
  CaseLorebook,
  QueuedReport,
  ReportCase,
  ReportDecision,
  ReportQueue,
  ReportStatus,
  ReportSubject,
} from '../../features/moderation/report-contract.ts';
import { recentLoginClient } from '../sign-in/recent-login.ts';
import { readJson, checkOk, encodePathPart, type Failure, type Result } from '../shared/api.ts';

/** Which queue is shown, and in which status. */
export type Filter =
  | { queue: 'reports'; status: ReportStatus; subject: ReportSubject | null }
  | { queue: 'appeals'; status: AppealStatus };

export type QueueRow = { queue: 'reports'; row: QueuedReport } | { queue: 'appeals'; row: QueuedAppeal };
export type OpenCase = { queue: 'reports'; case: ReportCase } | { queue: 'appeals'; case: AppealCase };

export interface QueueState {
  filter: Filter;
  status: 'loading' | 'ready' | 'failed';
  rows: readonly QueueRow[];
  nextCursor: string | null;
  /** The open row and its case; one at a time. */
  open: { id: string; status: 'loading' | 'ready' | 'failed'; case: OpenCase | null } | null;
  /** The open account; one at a time. `missing`: it does not exist, or the admin may not see it. */
  account: OpenAccount | null;
  /** The lorebook pages loaded so far, for one character at a time. */
  lore: OpenLorebook | null;
  /** An action on the open case is running. */
  busy: boolean;
}

export interface OpenAccount {
  id: string;
  status: 'loading' | 'ready' | 'failed' | 'missing';
  account: AccountCase | null;
}

export interface OpenLorebook {
  /** Id of the character. */
  id: string;
  status: 'loading' | 'ready' | 'failed';
  texts: readonly string[];
  /** Offset of the next page; null after the last one. */
  next: number | null;
}

export interface AdminQueues {
  $state: ReadableAtom<QueueState>;
  show(filter: Filter): Promise<void>;
  showMore(): Promise<void>;
  /** Opens a case, or closes it if it is open. */
  toggleCase(id: string): Promise<void>;
  /** Fetches the open case again. */
  reloadOpen(): Promise<void>;
  /** Opens the account of a user in the open case, or closes it if it is open. */
  toggleAccount(id: string): Promise<void>;
  reloadAccount(): Promise<void>;
  /** Loads the next page of a character's lorebook. */
  loadMoreLore(characterId: string): Promise<void>;
  decideReport(decision: ReportDecision): Promise<Failure | null>;
  decideAppeal(decision: AppealDecision): Promise<Failure | null>;
  applyAction(measure: Omit<ModerationActionBody, 'report_id'>): Promise<Failure | null>;
  revokeAction(measureId: string): Promise<Failure | null>;
}

export interface AdminQueuesApi {
  reports(query: {
    status: ReportStatus;
    subject?: ReportSubject;
    cursor?: string;
  }): Promise<Result<ReportQueue>>;
  report(id: string): Promise<Result<ReportCase>>;
  decideReport(id: string, decision: ReportDecision): Promise<Result<QueuedReport>>;
  appeals(query: { status: AppealStatus; cursor?: string }): Promise<Result<AppealQueue>>;
  appeal(id: string): Promise<Result<AppealCase>>;
  decideAppeal(id: string, decision: AppealDecision): Promise<Result<QueuedAppeal>>;
  applyAction(measure: ModerationActionBody): Promise<Result<unknown>>;
  revokeAction(id: string): Promise<Result<unknown>>;
  account(id: string): Promise<Result<AccountCase>>;
  lorebook(characterId: string, from: number): Promise<Result<CaseLorebook>>;
}

/** Statuses of an account that is not available; retrying would not help. */
const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([401, 403, 404]);

const INITIAL_FILTER: Filter = { queue: 'reports', status: 'open', subject: null };

/**
 * State of the report and appeal queues. Opened cases are never cached: each view is logged for the content's owner.
 */
export function createAdminQueues(api: AdminQueuesApi): AdminQueues {
  const $state = atom<QueueState>({
    filter: INITIAL_FILTER,
    status: 'loading',
    rows: [],
    nextCursor: null,
    open: null,
    account: null,
    lore: null,
    busy: false,
  });
  const set = (part: Partial<QueueState>) => $state.set({ ...$state.get(), ...part });
  /** Counters of requests; only the answer to the latest request counts. */
  let listRequest = 0;
  let openRequest = 0;
  let accountRequest = 0;

  async function page(
    filter: Filter,
    cursor?: string,
  ): Promise<Result<{ rows: QueueRow[]; next: string | null }>> {
    const at = cursor === undefined ? {} : { cursor };
    if (filter.queue === 'appeals') {
      const answer = await api.appeals({ status: filter.status, ...at });
      if (!answer.ok) return answer;
      const rows = answer.data.items.map((row): QueueRow => ({ queue: 'appeals', row }));
      return { ok: true, data: { rows, next: answer.data.next_cursor } };
    }
    const { status, subject } = filter;
    const answer = await api.reports({ status, ...(subject === null ? {} : { subject }), ...at });
    if (!answer.ok) return answer;
    const rows = answer.data.items.map((row): QueueRow => ({ queue: 'reports', row }));
    return { ok: true, data: { rows, next: answer.data.next_cursor } };
  }

  async function load(): Promise<void> {
    const { filter, rows, nextCursor } = $state.get();
    const asked = ++listRequest;
    set({ status: 'loading' });
    const answer = await page(filter, nextCursor ?? undefined);
    if (asked !== listRequest) return;
    if (!answer.ok) return set({ status: 'failed' });
    set({ status: 'ready', rows: [...rows, ...answer.data.rows], nextCursor: answer.data.next });
  }

  async function read(id: string): Promise<void> {
    const asked = ++openRequest;
    const { queue } = $state.get().filter;
    const answer: Result<OpenCase> =
      queue === 'reports'
        ? await toOpenCase(api.report(id), (found) => ({ queue, case: found }))
        : await toOpenCase(api.appeal(id), (found) => ({ queue, case: found }));
    const { open } = $state.get();
    if (asked !== openRequest || open?.id !== id) return;
    set({
      open: answer.ok
        ? { id, status: 'ready', case: answer.data }
        : { ...open, status: open.case === null ? 'failed' : 'ready' },
    });
  }

  async function readAccount(id: string): Promise<void> {
    const asked = ++accountRequest;
    const answer = await api.account(id);
    const { account } = $state.get();
    if (asked !== accountRequest || account?.id !== id) return;
    if (answer.ok) return set({ account: { id, status: 'ready', account: answer.data } });
    const status = UNAVAILABLE_STATUSES.has(answer.status) ? 'missing' : 'failed';
    set({ account: { id, status, account: null } });
  }

  /** Runs an action, then reloads the open account, whose history includes the action. */
  async function runAction(act: (id: string) => Promise<Result<unknown>>): Promise<Failure | null> {
    const failure = await runExclusive(act);
    const { account } = $state.get();
    if (failure === null && account?.status === 'ready') await readAccount(account.id);
    return failure;
  }

  /** Runs an action on the open case, one at a time, then reloads the case. */
  async function runExclusive(act: (id: string) => Promise<Result<unknown>>): Promise<Failure | null> {
    const { open, busy } = $state.get();
    if (open === null || busy) return null;
    set({ busy: true });
    const answer = await act(open.id);
    set({ busy: false });
    if (!answer.ok) return answer;
    await read(open.id);
    const known = $state.get().open?.case;
    if (known?.case.id === open.id) replaceRow(known);
    return null;
  }

  /** Updates the row of the open case in place; it leaves the list only when the queue is loaded again. */
  function replaceRow(known: OpenCase): void {
    set({
      rows: $state
        .get()
        .rows.map((one) =>
          one.row.id === known.case.id ? ({ queue: known.queue, row: known.case } as QueueRow) : one,
        ),
    });
  }

  return {
    $state,
    async show(filter) {
      set({ filter, rows: [], nextCursor: null, open: null, account: null, lore: null });
      await load();
    },
    async showMore() {
      await load();
    },
    async toggleCase(id) {
      if ($state.get().open?.id === id) return set({ open: null, account: null, lore: null });
      set({ open: { id, status: 'loading', case: null }, account: null, lore: null });
      await read(id);
    },
    async reloadOpen() {
      const { open } = $state.get();
      if (open === null) return;
      set({ open: { ...open, status: 'loading' } });
      await read(open.id);
    },
    async toggleAccount(id) {
      if ($state.get().account?.id === id) return set({ account: null });
      set({ account: { id, status: 'loading', account: null } });
      await readAccount(id);
    },
    async reloadAccount() {
      const { account } = $state.get();
      if (account === null) return;
      set({ account: { ...account, status: 'loading' } });
      await readAccount(account.id);
    },
    async loadMoreLore(id) {
      const known = $state.get().lore;
      const before = known?.id === id ? known : { texts: [], next: 0 };
      if (before.next === null || (known?.id === id && known.status === 'loading')) return;
      const { texts, next } = before;
      set({ lore: { id, status: 'loading', texts, next } });
      const answer = await api.lorebook(id, next);
      // The admin may have opened another lorebook since.
      if ($state.get().lore?.id !== id) return;
      set({
        lore: answer.ok
          ? { id, status: 'ready', texts: [...texts, ...answer.data.texts], next: answer.data.next }
          : { id, status: 'failed', texts, next },
      });
    },
    decideReport: (decision) => runExclusive((id) => api.decideReport(id, decision)),
    decideAppeal: (decision) => runExclusive((id) => api.decideAppeal(id, decision)),
    applyAction: (measure) => runAction((id) => api.applyAction({ ...measure, report_id: id })),
    revokeAction: (measureId) => runAction(() => api.revokeAction(measureId)),
  };
}

async function toOpenCase<T>(
  call: Promise<Result<T>>,
  as: (found: T) => OpenCase,
): Promise<Result<OpenCase>> {
  const answer = await call;
  return answer.ok ? { ok: true, data: as(answer.data) } : answer;
}

/** Open cases oldest first, so that none waits forever; decided ones newest first. */
const getSortOrder = ({ status }: { status: string }) => (status === 'open' ? 'oldest' : 'newest');

const { reports, appeals, measures, accounts, characters } = recentLoginClient.admin;

export const adminQueues: AdminQueues = createAdminQueues({
  reports: (query) => readJson(reports.$get({ query: { ...query, order: getSortOrder(query) } })),
  report: (id) => readJson(reports[':id'].$get({ param: { id: encodePathPart(id) } })),
  decideReport: (id, json) => readJson(reports[':id'].$patch({ param: { id: encodePathPart(id) }, json })),
  appeals: (query) => readJson(appeals.$get({ query: { ...query, order: getSortOrder(query) } })),
  appeal: (id) => readJson(appeals[':id'].$get({ param: { id: encodePathPart(id) } })),
  decideAppeal: (id, json) => readJson(appeals[':id'].$patch({ param: { id: encodePathPart(id) }, json })),
  applyAction: (json) => checkOk(measures.$post({ json })),
  revokeAction: (id) => checkOk(measures[':id'].$delete({ param: { id: encodePathPart(id) } })),
  account: (id) => readJson(accounts[':id'].$get({ param: { id: encodePathPart(id) } })),
  lorebook: (id, from) =>
    readJson(
      characters[':id'].lorebook.$get({
        param: { id: encodePathPart(id) },
        query: from === 0 ? {} : { skip: String(from) },
      }),
    ),
});

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
import { client, readJson, checkOk, encodePathPart, type Failure, type Result } from '../shared/api.ts';

/** What is looked through: one queue, in one state. */
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
  /** The one that is open, and what is known of it; one at a time. */
  open: { id: string; status: 'loading' | 'ready' | 'failed'; case: OpenCase | null } | null;
  /** An account that was opened out of it; one at a time. `missing`: there is none for whoever asks. */
  account: OpenAccount | null;
  /** The lorebook of a character in what is open, as far as it was read; one at a time. */
  lore: OpenLorebook | null;
  /** Something is being done with what is open. */
  busy: boolean;
}

export interface OpenAccount {
  id: string;
  status: 'loading' | 'ready' | 'failed' | 'missing';
  account: AccountCase | null;
}

export interface OpenLorebook {
  /** The character's. */
  id: string;
  status: 'loading' | 'ready' | 'failed';
  texts: readonly string[];
  /** Where the next page begins; null behind the last. */
  next: number | null;
}

export interface AdminQueues {
  $state: ReadableAtom<QueueState>;
  show(filter: Filter): Promise<void>;
  showMore(): Promise<void>;
  /** Opens one, or closes it where it is open. */
  toggleCase(id: string): Promise<void>;
  /** Fetches what is open again. */
  reloadOpen(): Promise<void>;
  /** Opens the account of somebody in what is open, or closes it where it is open. */
  toggleAccount(id: string): Promise<void>;
  reloadAccount(): Promise<void>;
  /** Reads on in the lorebook of a character in what is open, from its beginning. */
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

/** By these one is told that there is nothing: asking again would not help. */
const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([401, 403, 404]);

const INITIAL_FILTER: Filter = { queue: 'reports', status: 'open', subject: null };

/** The queues of reports and appeals as a state machine. What is opened is fetched anew: its owner reads of it each time. */
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
  /** Of several that were asked for, the last one counts. */
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

  /** What is done against somebody is among what was decided about their account. */
  async function runAction(act: (id: string) => Promise<Result<unknown>>): Promise<Failure | null> {
    const failure = await runExclusive(act);
    const { account } = $state.get();
    if (failure === null && account?.status === 'ready') await readAccount(account.id);
    return failure;
  }

  /** Does something with what is open, and looks at what came of it. */
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

  /** The row of what is open says what became of it, and stays where it is until the queue is shown anew. */
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
      // Another one may have been opened meanwhile.
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

/** What is open waits its turn: none for ever. Of the rest, one looks for what was decided last. */
const getSortOrder = ({ status }: { status: string }) => (status === 'open' ? 'oldest' : 'newest');

const { reports, appeals, measures, accounts, characters } = client.admin;

/** The queues of this page. */
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

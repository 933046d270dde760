import { atom, type ReadableAtom } from 'nanostores';
import type {
  AppealCase,
  AppealDecision,
  AppealQueue,
  AppealStatus,
  QueuedAppeal,
} from '../../features/moderation/appeal-contract.ts';
import type { AccountCase, MeasureBody } from '../../features/moderation/moderation-action-contract.ts';
import type {
  LorebookOfCase,
  QueuedReport,
  ReportCase,
  ReportDecision,
  ReportQueue,
  ReportStatus,
  ReportSubject,
} from '../../features/moderation/report-contract.ts';
import { client, dataOf, doneOf, inPath, type Failure, type Result } from '../shared/api.ts';

/** What is looked through: one queue, in one state. */
export type Filter =
  | { queue: 'reports'; status: ReportStatus; subject: ReportSubject | null }
  | { queue: 'appeals'; status: AppealStatus };

export type Row = { queue: 'reports'; row: QueuedReport } | { queue: 'appeals'; row: QueuedAppeal };
export type Case = { queue: 'reports'; case: ReportCase } | { queue: 'appeals'; case: AppealCase };

export interface QueueState {
  filter: Filter;
  status: 'loading' | 'ready' | 'failed';
  rows: readonly Row[];
  nextCursor: string | null;
  /** The one that is open, and what is known of it; one at a time. */
  open: { id: string; status: 'loading' | 'ready' | 'failed'; case: Case | null } | null;
  /** An account that was opened out of it; one at a time. `missing`: there is none for whoever asks. */
  account: OpenAccount | null;
  /** The lorebook of a character in what is open, as far as it was read; one at a time. */
  lore: OpenLore | null;
  /** Something is being done with what is open. */
  busy: boolean;
}

export interface OpenAccount {
  id: string;
  status: 'loading' | 'ready' | 'failed' | 'missing';
  account: AccountCase | null;
}

export interface OpenLore {
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
  more(): Promise<void>;
  /** Opens one, or closes it where it is open. */
  toggle(id: string): Promise<void>;
  /** Fetches what is open again. */
  again(): Promise<void>;
  /** Opens the account of somebody in what is open, or closes it where it is open. */
  toggleAccount(id: string): Promise<void>;
  accountAgain(): Promise<void>;
  /** Reads on in the lorebook of a character in what is open, from its beginning. */
  moreLore(characterId: string): Promise<void>;
  decideReport(decision: ReportDecision): Promise<Failure | null>;
  decideAppeal(decision: AppealDecision): Promise<Failure | null>;
  take(measure: Omit<MeasureBody, 'report_id'>): Promise<Failure | null>;
  takeBack(measureId: string): Promise<Failure | null>;
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
  take(measure: MeasureBody): Promise<Result<unknown>>;
  takeBack(id: string): Promise<Result<unknown>>;
  account(id: string): Promise<Result<AccountCase>>;
  lorebook(characterId: string, from: number): Promise<Result<LorebookOfCase>>;
}

/** By these one is told that there is nothing: asking again would not help. */
const NOTHING_HERE: ReadonlySet<number> = new Set([401, 403, 404]);

const FIRST: Filter = { queue: 'reports', status: 'open', subject: null };

/** The queues of reports and appeals as a state machine. What is opened is fetched anew: its owner reads of it each time. */
export function createAdminQueues(api: AdminQueuesApi): AdminQueues {
  const $state = atom<QueueState>({
    filter: FIRST,
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
  let listing = 0;
  let opening = 0;
  let looking = 0;

  async function page(
    filter: Filter,
    cursor?: string,
  ): Promise<Result<{ rows: Row[]; next: string | null }>> {
    const at = cursor === undefined ? {} : { cursor };
    if (filter.queue === 'appeals') {
      const answer = await api.appeals({ status: filter.status, ...at });
      if (!answer.ok) return answer;
      const rows = answer.data.items.map((row): Row => ({ queue: 'appeals', row }));
      return { ok: true, data: { rows, next: answer.data.next_cursor } };
    }
    const { status, subject } = filter;
    const answer = await api.reports({ status, ...(subject === null ? {} : { subject }), ...at });
    if (!answer.ok) return answer;
    const rows = answer.data.items.map((row): Row => ({ queue: 'reports', row }));
    return { ok: true, data: { rows, next: answer.data.next_cursor } };
  }

  async function load(): Promise<void> {
    const { filter, rows, nextCursor } = $state.get();
    const asked = ++listing;
    set({ status: 'loading' });
    const answer = await page(filter, nextCursor ?? undefined);
    if (asked !== listing) return;
    if (!answer.ok) return set({ status: 'failed' });
    set({ status: 'ready', rows: [...rows, ...answer.data.rows], nextCursor: answer.data.next });
  }

  async function read(id: string): Promise<void> {
    const asked = ++opening;
    const { queue } = $state.get().filter;
    const answer: Result<Case> =
      queue === 'reports'
        ? await asCase(api.report(id), (found) => ({ queue, case: found }))
        : await asCase(api.appeal(id), (found) => ({ queue, case: found }));
    const { open } = $state.get();
    if (asked !== opening || open?.id !== id) return;
    set({
      open: answer.ok
        ? { id, status: 'ready', case: answer.data }
        : { ...open, status: open.case === null ? 'failed' : 'ready' },
    });
  }

  async function readAccount(id: string): Promise<void> {
    const asked = ++looking;
    const answer = await api.account(id);
    const { account } = $state.get();
    if (asked !== looking || account?.id !== id) return;
    if (answer.ok) return set({ account: { id, status: 'ready', account: answer.data } });
    const status = NOTHING_HERE.has(answer.status) ? 'missing' : 'failed';
    set({ account: { id, status, account: null } });
  }

  /** What is done against somebody is among what was decided about their account. */
  async function measuring(act: (id: string) => Promise<Result<unknown>>): Promise<Failure | null> {
    const failure = await doing(act);
    const { account } = $state.get();
    if (failure === null && account?.status === 'ready') await readAccount(account.id);
    return failure;
  }

  /** Does something with what is open, and looks at what came of it. */
  async function doing(act: (id: string) => Promise<Result<unknown>>): Promise<Failure | null> {
    const { open, busy } = $state.get();
    if (open === null || busy) return null;
    set({ busy: true });
    const answer = await act(open.id);
    set({ busy: false });
    if (!answer.ok) return answer;
    await read(open.id);
    const known = $state.get().open?.case;
    if (known?.case.id === open.id) replace(known);
    return null;
  }

  /** The row of what is open says what became of it, and stays where it is until the queue is shown anew. */
  function replace(known: Case): void {
    set({
      rows: $state
        .get()
        .rows.map((one) =>
          one.row.id === known.case.id ? ({ queue: known.queue, row: known.case } as Row) : one,
        ),
    });
  }

  return {
    $state,
    async show(filter) {
      set({ filter, rows: [], nextCursor: null, open: null, account: null, lore: null });
      await load();
    },
    async more() {
      await load();
    },
    async toggle(id) {
      if ($state.get().open?.id === id) return set({ open: null, account: null, lore: null });
      set({ open: { id, status: 'loading', case: null }, account: null, lore: null });
      await read(id);
    },
    async again() {
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
    async accountAgain() {
      const { account } = $state.get();
      if (account === null) return;
      set({ account: { ...account, status: 'loading' } });
      await readAccount(account.id);
    },
    async moreLore(id) {
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
    decideReport: (decision) => doing((id) => api.decideReport(id, decision)),
    decideAppeal: (decision) => doing((id) => api.decideAppeal(id, decision)),
    take: (measure) => measuring((id) => api.take({ ...measure, report_id: id })),
    takeBack: (measureId) => measuring(() => api.takeBack(measureId)),
  };
}

async function asCase<T>(call: Promise<Result<T>>, as: (found: T) => Case): Promise<Result<Case>> {
  const answer = await call;
  return answer.ok ? { ok: true, data: as(answer.data) } : answer;
}

/** What is open waits its turn: none for ever. Of the rest, one looks for what was decided last. */
const orderOf = ({ status }: { status: string }) => (status === 'open' ? 'oldest' : 'newest');

const { reports, appeals, measures, accounts, characters } = client.admin;

/** The queues of this page. */
export const adminQueues: AdminQueues = createAdminQueues({
  reports: (query) => dataOf(reports.$get({ query: { ...query, order: orderOf(query) } })),
  report: (id) => dataOf(reports[':id'].$get({ param: { id: inPath(id) } })),
  decideReport: (id, json) => dataOf(reports[':id'].$patch({ param: { id: inPath(id) }, json })),
  appeals: (query) => dataOf(appeals.$get({ query: { ...query, order: orderOf(query) } })),
  appeal: (id) => dataOf(appeals[':id'].$get({ param: { id: inPath(id) } })),
  decideAppeal: (id, json) => dataOf(appeals[':id'].$patch({ param: { id: inPath(id) }, json })),
  take: (json) => doneOf(measures.$post({ json })),
  takeBack: (id) => doneOf(measures[':id'].$delete({ param: { id: inPath(id) } })),
  account: (id) => dataOf(accounts[':id'].$get({ param: { id: inPath(id) } })),
  lorebook: (id, from) =>
    dataOf(
      characters[':id'].lorebook.$get({
        param: { id: inPath(id) },
        query: from === 0 ? {} : { skip: String(from) },
      }),
    ),
});

import type { OwnAppeal } from '../../features/moderation/appeal-contract.ts';
import type { OwnModerationAction } from '../../features/moderation/moderation-action-contract.ts';
import type { OwnReport } from '../../features/moderation/report-contract.ts';
import type { StaffView } from '../../features/moderation/staff-contract.ts';
import { client, readJson, type Result } from '../shared/api.ts';
import { createPagedList, type PagedList } from '../shared/paged-list.ts';

const getId = ({ id }: { id: string }): string => id;
const toQuery = (cursor?: string) => ({ query: cursor === undefined ? {} : { cursor } });

/** Moderation actions against the user, their appeals and reports, and staff views, as lists for the account page. */
export interface EnforcementHistory {
  moderationActions: PagedList<OwnModerationAction>;
  appeals: PagedList<OwnAppeal>;
  reports: PagedList<OwnReport>;
  views: PagedList<StaffView>;
  submitAppeal(measureId: string, message: string): Promise<Result<{ id: string }>>;
}

export function createEnforcementHistory(): EnforcementHistory {
  const { me, appeals } = client;
  return {
    moderationActions: createPagedList({
      fetchPage: (cursor) => readJson(me.measures.$get(toQuery(cursor))),
      getId,
    }),
    appeals: createPagedList({
      fetchPage: (cursor) => readJson(me.appeals.$get(toQuery(cursor))),
      getId,
    }),
    reports: createPagedList({
      fetchPage: (cursor) => readJson(me.reports.$get(toQuery(cursor))),
      getId,
    }),
    views: createPagedList({
      fetchPage: (cursor) => readJson(me['staff-views'].$get(toQuery(cursor))),
      getId,
    }),
    submitAppeal: (measure_id, message) => readJson(appeals.$post({ json: { measure_id, message } })),
  };
}

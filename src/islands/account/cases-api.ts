import type { OwnAppeal } from '../../features/safety/appeal-contract.ts';
import type { OwnMeasure } from '../../features/safety/measure-contract.ts';
import type { OwnReport } from '../../features/safety/report-contract.ts';
import type { StaffView } from '../../features/safety/staff-contract.ts';
import { client, dataOf, type Result } from '../shared/api.ts';
import { createPages, type Pages } from './pages-state.ts';

const at = (cursor?: string) => ({ query: cursor === undefined ? {} : { cursor } });

/** What staff decided about one's own and looked at, and what one reported and appealed against: asked for by the page. */
export interface Cases {
  measures: Pages<OwnMeasure>;
  appeals: Pages<OwnAppeal>;
  reports: Pages<OwnReport>;
  views: Pages<StaffView>;
  appeal(measureId: string, message: string): Promise<Result<{ id: string }>>;
}

export function createCases(): Cases {
  const { me, appeals } = client;
  return {
    measures: createPages((cursor) => dataOf(me.measures.$get(at(cursor)))),
    appeals: createPages((cursor) => dataOf(me.appeals.$get(at(cursor)))),
    reports: createPages((cursor) => dataOf(me.reports.$get(at(cursor)))),
    views: createPages((cursor) => dataOf(me['staff-views'].$get(at(cursor)))),
    appeal: (measure_id, message) => dataOf(appeals.$post({ json: { measure_id, message } })),
  };
}

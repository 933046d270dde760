import type { OwnAppeal } from '../../features/moderation/appeal-contract.ts';
import type { OwnMeasure } from '../../features/moderation/moderation-action-contract.ts';
import type { OwnReport } from '../../features/moderation/report-contract.ts';
import type { StaffView } from '../../features/moderation/staff-contract.ts';
import { client, dataOf, type Result } from '../shared/api.ts';
import { createPaged, type PagedList } from '../shared/paged.ts';

const idOf = ({ id }: { id: string }): string => id;
const at = (cursor?: string) => ({ query: cursor === undefined ? {} : { cursor } });

/** What staff decided about one's own and looked at, and what one reported and appealed against: asked for by the page. */
export interface Cases {
  measures: PagedList<OwnMeasure>;
  appeals: PagedList<OwnAppeal>;
  reports: PagedList<OwnReport>;
  views: PagedList<StaffView>;
  appeal(measureId: string, message: string): Promise<Result<{ id: string }>>;
}

export function createCases(): Cases {
  const { me, appeals } = client;
  return {
    measures: createPaged({ fetchPage: (cursor) => dataOf(me.measures.$get(at(cursor))), idOf }),
    appeals: createPaged({ fetchPage: (cursor) => dataOf(me.appeals.$get(at(cursor))), idOf }),
    reports: createPaged({ fetchPage: (cursor) => dataOf(me.reports.$get(at(cursor))), idOf }),
    views: createPaged({ fetchPage: (cursor) => dataOf(me['staff-views'].$get(at(cursor))), idOf }),
    appeal: (measure_id, message) => dataOf(appeals.$post({ json: { measure_id, message } })),
  };
}

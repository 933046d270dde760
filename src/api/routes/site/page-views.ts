import { Hono } from 'hono';
import { pageViewBody } from '../../../features/page-view/contract.ts';
import { hasDoNotTrack, toPageView } from '../../../features/page-view/page-view.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { describeResponses } from '../../openapi/openapi-route.ts';
import { validateRequest } from '../../middleware/validate.ts';

/**
 * Counts page views anonymously: no session is read, no cookie is set, and neither IP address nor user agent is stored.
 * Counts nothing without the binding.
 */
export const pageViews = new Hono<ApiEnv>().post(
  '/',
  describeResponses(
    'Count a page view; stores only the kinds of page, device and referrer, and the language',
    {
      204: null,
    },
  ),
  validateRequest('json', pageViewBody),
  (c) => {
    const header = (name: string) => c.req.header(name) ?? null;
    if (!hasDoNotTrack({ dnt: header('dnt'), gpc: header('sec-gpc') })) {
      const { page, language, device, referrer } = toPageView(c.req.valid('json'), {
        mobile: header('sec-ch-ua-mobile'),
        ownOrigin: new URL(c.req.url).origin,
      });
      c.env.ANALYTICS?.writeDataPoint({
        blobs: [page, language, device, referrer],
        doubles: [1],
        indexes: [page],
      });
    }
    return c.body(null, 204);
  },
);

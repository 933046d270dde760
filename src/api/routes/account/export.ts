import { type Context, Hono } from 'hono';
import { describeRoute } from 'hono-openapi';
import { z } from 'zod';
import { BRAND } from '../../../config/brand.ts';
import { DOWNLOADS } from '../../../features/wallet/limits.ts';
import { buildContentDisposition } from '../../../features/conversation/files/chat-file-name.ts';
import { getAccountData } from '../../../features/export/export-store.ts';
import { streamZip } from '../../../features/export/zip.ts';
import { toByteStream } from '../../../lib/text-stream.ts';
import { isId, createId } from '../../../lib/ids.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { ERROR_RESPONSES } from '../../openapi/openapi-route.ts';
import { streamArchiveFiles } from '../../../services/data-export/export-archive.ts';
import { exportDocument } from '../../../services/data-export/export-document.ts';
import type { Download } from '../../../services/data-export/export-sources.ts';
import { loadArchiveLabels } from '../../../services/data-export/export-labels.ts';
import { requireCaller } from '../../middleware/guards.ts';
import { getWalletStub } from '../../middleware/wallet.ts';
import { logError, Problem, computeSecondsUntil } from '../../middleware/problems.ts';
import { validateRequest } from '../../middleware/validate.ts';
import { getRequestLanguage } from '../../middleware/language.ts';

const MAX_PARTS = 10_000;

const exportQuery = z.object({
  format: z.enum(['zip', 'json']).default('zip'),
  /** Cursor of the previous part, as given in it; absent for the first. */
  after: z.string().refine(isId, 'Not an id').optional(),
  /** Number of the part, for the file name only. */
  part: z.coerce.number().int().min(1).max(MAX_PARTS).default(1),
});

const TYPES = { zip: 'application/zip', json: 'application/json; charset=utf-8' } as const;

/** Exports all data held about the caller. */
export const dataExport = new Hono<ApiEnv>().get(
  '/',
  describeRoute({
    summary: 'Export all data held about the user as a file',
    responses: {
      200: {
        description: 'A ZIP archive or a JSON document; it lists any data that could not be read',
        content: {
          'application/zip': { schema: { type: 'string', format: 'binary' } },
          'application/json': { schema: { type: 'object' } },
        },
      },
      ...ERROR_RESPONSES,
    },
  }),
  validateRequest('query', exportQuery),
  async (c) => {
    const { user } = await requireCaller(c);
    const { format, after, part } = c.req.valid('query');
    const now = Date.now();
    const name = `${BRAND.modelValue}-${new Date(now).toISOString().slice(0, 10)}${part === 1 ? '' : `-${part}`}.${format}`;
    const headers = { 'content-type': TYPES[format], 'content-disposition': buildContentDisposition(name) };
    // A HEAD request starts no download and counts as none.
    if (c.req.method === 'HEAD') return c.body(null, 200, headers);
    const db = c.get('db');
    const account = await getAccountData(db, user.id);
    if (account === null) throw new Problem('unauthenticated');
    const download: Download = {
      env: c.env,
      db,
      account,
      after: after ?? null,
      part,
      now,
      chatBytes: 0,
      missing: [],
      next: null,
    };
    const nextUrl = (last: string): string => {
      const url = new URL(c.req.url);
      url.search = new URLSearchParams({ format, after: last, part: String(part + 1) }).toString();
      return url.href;
    };
    const pieces =
      format === 'zip'
        ? streamZip(streamArchiveFiles(download, await loadArchiveLabels(getRequestLanguage(c)), nextUrl))
        : exportDocument(download, nextUrl);
    return c.body(toByteStream(await startDownload(c, user.id, pieces)), 200, headers);
  },
);

/**
 * Registers a download while it runs: one at a time per user, and a few per hour.
 * @throws Problem `too_many_requests` when it may not start now
 */
async function startDownload(
  c: Context<ApiEnv>,
  userId: string,
  pieces: AsyncGenerator<Uint8Array>,
): Promise<AsyncGenerator<Uint8Array>> {
  const wallet = getWalletStub(c, userId);
  const id = createId(Date.now());
  const started = await wallet.startDownload(id);
  if (!started.ok)
    throw new Problem('too_many_requests', {}, computeSecondsUntil(started.retryAt, Date.now()));
  // A failed report is harmless: without reports the wallet ends the download after a while.
  const reportProgress = (ended: boolean) =>
    wallet.updateDownload(id, ended).catch((error: unknown) => logError(error, c));
  const countedPieces = (async function* () {
    let reportedAt = Date.now();
    try {
      yield new Uint8Array(0);
      for await (const piece of pieces) {
        yield piece;
        if (Date.now() - reportedAt < DOWNLOADS.heartbeatMs) continue;
        reportedAt = Date.now();
        await reportProgress(false);
      }
    } finally {
      await reportProgress(true);
    }
  })();
  // Start the generator now, or a client that leaves before the first piece would not run its `finally`.
  await countedPieces.next();
  return countedPieces;
}

import { type Context, Hono } from 'hono';
import { describeRoute, resolver } from 'hono-openapi';
import { BODY_LIMITS } from '../../../config/body-limits.ts';
import { PICTURE } from '../../../features/picture/limits.ts';
import { joined } from '../../../features/picture/bytes.ts';
import { uploadedPicture } from '../../../features/picture/contract.ts';
import {
  type CleanPicture,
  cleanPicture,
  PICTURE_TYPES,
  pictureKey,
} from '../../../features/picture/picture.ts';
import { removeGoing } from '../../../services/purge-pictures.ts';
import { isKept, keepPicture } from '../../../features/picture/picture-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { REFUSALS } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { boundaryOf, readForm } from '../../middleware/multipart.ts';
import { Problem, secondsUntil } from '../../middleware/problems.ts';

/** Files that belong to nothing yet: whoever brings one names it in another call. */
export const uploads = new Hono<ApiEnv>().post(
  '/avatar',
  describeRoute({
    summary: 'Bring a picture: PNG, JPEG, WebP, GIF or AVIF, kept without what it tells beside itself',
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: {
            type: 'object',
            required: ['file'],
            properties: { file: { type: 'string', format: 'binary' } },
          },
        },
      },
    },
    responses: {
      201: {
        description: 'What the picture is named by, and where it is shown from',
        content: { 'application/json': { schema: resolver(uploadedPicture) } },
      },
      ...REFUSALS,
    },
  }),
  async (c) => {
    const { user } = await requireAccount(c);
    const picture = cleanPicture(await readFile(c));
    if (!picture.ok) throw refused(picture.reason);
    const key = await keepForOwner(c, user.id, picture);
    return c.json({ avatar_id: key, url: `/media/${key}` }, 201);
  },
);

async function readFile(c: Context<ApiEnv>): Promise<Uint8Array> {
  const { body } = c.req.raw;
  const boundary = boundaryOf(c.req.header('content-type') ?? '');
  if (body === null) throw fileProblem('invalid_input', 'Please upload an avatar');
  if (boundary === null) throw new Problem('invalid_input');
  const read = await readForm(body, boundary, {
    fileField: 'file',
    maxFileBytes: BODY_LIMITS.avatar,
    maxFrameBytes: BODY_LIMITS.formFrame,
  });
  if (!read.ok) throw new Problem(read.code);
  const file = joined(read.form.file ?? []);
  // A browser sends an empty file where none was chosen.
  if (file.length === 0) throw fileProblem('invalid_input', 'Please upload an avatar');
  return file;
}

function fileProblem(code: 'invalid_input' | 'unsupported_media', sentence: string): Problem {
  return new Problem(code, { error: sentence, fields: { file: [sentence] } });
}

function refused(reason: (CleanPicture & { ok: false })['reason']): Problem {
  if (reason === 'unknown') {
    return fileProblem('unsupported_media', 'Send a picture as PNG, JPEG, WebP, GIF or AVIF.');
  }
  return reason === 'damaged'
    ? new Problem('picture_damaged')
    : new Problem('picture_dimensions', { max_side_px: PICTURE.maxSidePx });
}

/** Keeps a picture: its row first, so that no bytes lie anywhere that nobody knows of. @returns its key */
export async function keepForOwner(
  c: Context<ApiEnv>,
  ownerId: string,
  picture: CleanPicture & { ok: true },
): Promise<string> {
  const { MEDIA } = c.env;
  const db = c.get('db');
  const now = Date.now();
  const key = await pictureKey(ownerId, picture);
  const outcome = await keepPicture(db, { key, ownerId, bytes: picture.bytes.length, now });
  if (!outcome.kept) throw new Problem('too_many_requests', {}, secondsUntil(outcome.retryAt, now));
  c.executionCtx.waitUntil(removeGoing(c.env, db, outcome.going));
  if ((await MEDIA.head(key)) === null) {
    await MEDIA.put(key, picture.bytes, { httpMetadata: { contentType: PICTURE_TYPES[picture.kind] } });
  }
  // The account may have been deleted meanwhile, and all that it had with it.
  if (!(await isKept(db, key))) {
    await MEDIA.delete(key);
    throw new Problem('unauthenticated');
  }
  return key;
}

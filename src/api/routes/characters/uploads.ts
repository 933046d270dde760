import { type Context, Hono } from 'hono';
import { describeRoute, resolver } from 'hono-openapi';
import { BODY_LIMITS } from '../../../config/body-limits.ts';
import { PICTURE } from '../../../features/picture/limits.ts';
import { joinBytes } from '../../../features/picture/bytes.ts';
import { uploadedPicture } from '../../../features/picture/contract.ts';
import {
  type SanitizedPicture,
  sanitizePicture,
  PICTURE_TYPES,
  computePictureKey,
} from '../../../features/picture/picture.ts';
import { deleteAbandonedPictures } from '../../../services/purge-pictures.ts';
import { isPictureRecorded, savePicture } from '../../../features/picture/picture-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { ERROR_RESPONSES } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { parseBoundary, readForm } from '../../middleware/multipart.ts';
import { limitDailyImports } from '../../middleware/import-quota.ts';
import { Problem } from '../../middleware/problems.ts';

/** Uploads that belong to nothing yet; a later call refers to them by id. */
export const uploads = new Hono<ApiEnv>().post(
  '/avatar',
  describeRoute({
    summary: 'Upload a picture (PNG, JPEG, WebP, GIF or AVIF); its metadata is removed',
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
        description: 'The id and URL of the picture',
        content: { 'application/json': { schema: resolver(uploadedPicture) } },
      },
      ...ERROR_RESPONSES,
    },
  }),
  async (c) => {
    const { user } = await requireAccount(c);
    await limitDailyImports(c, user.id, 'picture');
    const picture = sanitizePicture(await readAvatarUpload(c));
    if (!picture.ok) throw toPictureProblem(picture.reason);
    const key = await storeUploadedPicture(c, user.id, picture);
    return c.json({ avatar_id: key, url: `/media/${key}` }, 201);
  },
);

async function readAvatarUpload(c: Context<ApiEnv>): Promise<Uint8Array> {
  const { body } = c.req.raw;
  const boundary = parseBoundary(c.req.header('content-type') ?? '');
  if (body === null) throw createFileProblem('invalid_input', 'Please upload an avatar');
  if (boundary === null) throw new Problem('invalid_input');
  const read = await readForm(body, boundary, {
    fileField: 'file',
    maxFileBytes: BODY_LIMITS.avatar,
    maxFrameBytes: BODY_LIMITS.formFrame,
  });
  if (!read.ok) throw new Problem(read.code);
  const file = joinBytes(read.form.file ?? []);
  // Browsers send an empty file when none was chosen.
  if (file.length === 0) throw createFileProblem('invalid_input', 'Please upload an avatar');
  return file;
}

function createFileProblem(code: 'invalid_input' | 'unsupported_media', sentence: string): Problem {
  return new Problem(code, { error: sentence, fields: { file: [sentence] } });
}

function toPictureProblem(reason: (SanitizedPicture & { ok: false })['reason']): Problem {
  if (reason === 'unknown') {
    return createFileProblem('unsupported_media', 'Send a picture as PNG, JPEG, WebP, GIF or AVIF.');
  }
  return reason === 'damaged'
    ? new Problem('picture_damaged')
    : new Problem('picture_dimensions', { max_side_px: PICTURE.maxSidePx });
}

/** Stores a picture. The row comes first, so that R2 never holds bytes without a row. @returns its key */
export async function storeUploadedPicture(
  c: Context<ApiEnv>,
  ownerId: string,
  picture: SanitizedPicture & { ok: true },
): Promise<string> {
  const { MEDIA } = c.env;
  const db = c.get('db');
  const now = Date.now();
  const key = await computePictureKey(ownerId, picture);
  const going = await savePicture(db, { key, ownerId, bytes: picture.bytes.length, now });
  c.executionCtx.waitUntil(deleteAbandonedPictures(c.env, db, going));
  if ((await MEDIA.head(key)) === null) {
    await MEDIA.put(key, picture.bytes, { httpMetadata: { contentType: PICTURE_TYPES[picture.kind] } });
  }
  // The account and its rows may have been deleted during the upload.
  if (!(await isPictureRecorded(db, key))) {
    await MEDIA.delete(key);
    throw new Problem('unauthenticated');
  }
  return key;
}

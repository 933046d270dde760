import { type Context, Hono } from 'hono';
import { describeRoute, resolver } from 'hono-openapi';
import { BODY_LIMITS } from '../../../config/body-limits.ts';
import { PICTURE } from '../../../features/picture/limits.ts';
import { joinBytes } from '../../../features/picture/bytes.ts';
import {
  getAllPictureKeys,
  getListPictureKey,
  parseListPicture,
} from '../../../features/picture/list-picture.ts';
import { uploadedPicture } from '../../../features/picture/contract.ts';
import {
  type SanitizedPicture,
  sanitizePicture,
  PICTURE_TYPES,
  type PictureKind,
  computePictureKey,
} from '../../../features/picture/picture.ts';
import { deleteAbandonedPictures } from '../../../services/purge-pictures.ts';
import { isPictureRecorded, savePicture } from '../../../features/picture/picture-store.ts';
import type { ApiEnv } from '../../middleware/context.ts';
import { ERROR_RESPONSES } from '../../openapi/openapi-route.ts';
import { requireAccount } from '../../middleware/guards.ts';
import { limitDailyImports } from '../../middleware/import-quota.ts';
import { Problem, toProblem } from '../../middleware/problems.ts';
import { type ReceivedForm, receiveForm } from '../../middleware/upload.ts';
import type { SessionUser } from '../../../features/account/contract.ts';
import { getStorageLimit } from '../../../features/storage/storage.ts';
import { createStorageRefusal } from '../../../services/storage/reserve-storage.ts';

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
            properties: {
              file: { type: 'string', format: 'binary' },
              list: {
                type: 'string',
                description:
                  'The same picture as JPEG or WebP of at most 480 × 640 pixels, in base64, for lists; they show the whole picture without it',
              },
            },
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
    const form = {
      fileField: 'file',
      maxFileBytes: BODY_LIMITS.avatar,
      maxFrameBytes: BODY_LIMITS.formFrame,
      createMissingProblem: () => createFileProblem('invalid_input', 'Please upload an avatar'),
    };
    const key = await receiveForm(c, user, form, async (received) => {
      const { file, list } = await readAvatarForm(received);
      const picture = sanitizePicture(file);
      if (!picture.ok) throw toPictureProblem(picture.reason);
      const forLists = list === undefined ? null : parseListPicture(list, picture.bytes);
      return storeUploadedPicture(c, user, picture, forLists);
    });
    return c.json({ avatar_id: key, url: `/media/${key}` }, 201);
  },
);

async function readAvatarForm({
  file: sent,
  fields,
}: ReceivedForm): Promise<{ file: Uint8Array; list: string | undefined }> {
  const file = joinBytes((await sent?.readAll()) ?? []);
  // Browsers send an empty file when none was chosen.
  if (file.length === 0) throw createFileProblem('invalid_input', 'Please upload an avatar');
  return { file, list: fields['list'] };
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

/**
 * Stores a picture. The row comes first, so that R2 never holds bytes without a row.
 * @param forLists the picture at list size; kept only with a new picture, because a later one could show something else
 * @returns its key
 * @throws Problem `storage_full` when there is no room for it
 */
export async function storeUploadedPicture(
  c: Context<ApiEnv>,
  owner: SessionUser,
  picture: SanitizedPicture & { ok: true },
  forLists: { kind: PictureKind; bytes: Uint8Array } | null = null,
): Promise<string> {
  const { MEDIA } = c.env;
  const db = c.get('db');
  const now = Date.now();
  const key = await computePictureKey(owner.id, picture);
  const bytes = picture.bytes.length + (forLists?.bytes.length ?? 0);
  const maxBytes = getStorageLimit(owner).bytes;
  const going = await savePicture(db, { key, ownerId: owner.id, bytes, maxBytes, now });
  if (going === null) throw toProblem(await createStorageRefusal(db, owner));
  c.executionCtx.waitUntil(deleteAbandonedPictures(c.env, db, going));
  if ((await MEDIA.head(key)) === null) {
    // First, so that a stored picture never gets another one for lists.
    if (forLists !== null) {
      await MEDIA.put(getListPictureKey(key), forLists.bytes, {
        httpMetadata: { contentType: PICTURE_TYPES[forLists.kind] },
      });
    }
    await MEDIA.put(key, picture.bytes, { httpMetadata: { contentType: PICTURE_TYPES[picture.kind] } });
  }
  // The account and its rows may have been deleted during the upload.
  if (!(await isPictureRecorded(db, key))) {
    await MEDIA.delete(getAllPictureKeys(key));
    throw new Problem('unauthenticated');
  }
  return key;
}

import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { BODY_LIMITS } from '../../../../src/config/body-limits.ts';
import { PICTURE } from '../../../../src/features/picture/limits.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import type { ConversationCreated } from '../../../../src/features/conversation/contract.ts';
import { purgeUnusedPictures } from '../../../../src/services/purge-pictures.ts';
import { savePicture } from '../../../../src/features/picture/picture-store.ts';
import { createOwnCharacter, editCharacter } from '../../../support/character-actions.ts';
import {
  type CallOptions,
  addCharacter,
  signInGuest,
  createAccount,
  Visitor,
} from '../../../support/factories.ts';
import { createUniquePicture, PICTURES, METADATA_TEXT } from '../../../support/pictures.ts';

const HOUR_MS = 3_600_000;
const PATH = '/api/uploads/avatar';
const db = openDatabase(env.DB);

function form(
  file: BlobPart | null,
  { name = 'me.png', type = 'image/png', field = 'file' } = {},
): CallOptions {
  const body = new FormData();
  if (file !== null) body.set(field, new Blob([file], { type }), name);
  return { method: 'POST', body };
}

interface Uploaded {
  avatar_id: string;
  url: string;
}

const upload = (me: Visitor, file: BlobPart): Promise<Uploaded> =>
  me.ask<Uploaded>(PATH, { ...form(file), status: 201 });

async function refusal(me: Visitor, options: CallOptions) {
  const answer = await me.call(PATH, options);
  const { code, fields } = await answer.json<{ code: string; fields?: Record<string, string[]> }>();
  return { status: answer.status, code, fields, retryAfter: answer.headers.get('retry-after') };
}

const isStored = async (key: string): Promise<boolean> => (await env.MEDIA.head(key)) !== null;
const listKeys = async (me: Visitor): Promise<string[]> => {
  const { results } = await env.DB.prepare('select key from pictures where owner_id = ? order by key')
    .bind(me.id)
    .all<{ key: string }>();
  return results.map(({ key }) => key);
};
const setProfilePicture = async (me: Visitor, avatar_id: string): Promise<number> =>
  (await me.call('/api/account', { method: 'PATCH', json: { avatar_id } })).status;
/** Moves the uploads of a user into the past. */
const backdatePictures = (me: Visitor, ms: number) =>
  env.DB.prepare('update pictures set created_at = created_at - ? where owner_id = ?').bind(ms, me.id).run();
/** Runs 24 hours of housekeeping that end now; each hour covers another part of the pictures. */
async function runDayOfHousekeeping(storage: Pick<Env, 'MEDIA'> = env): Promise<void> {
  const now = Date.now();
  for (let hour = 0; hour < 24; hour += 1) {
    await purgeUnusedPictures(storage, db, now - hour * HOUR_MS).catch(() => undefined);
  }
}

/** A still picture of the same size as the test pictures, which could be any other. */
const LIST_PICTURE = btoa(String.fromCharCode(...PICTURES.webp));

/** Uploads a picture with one for lists. */
function uploadWithList(visitor: Visitor, file: BlobPart, list: string): Promise<Uploaded> {
  const options = form(file);
  (options.body as FormData).set('list', list);
  return visitor.ask<Uploaded>(PATH, { ...options, status: 201 });
}

let me: Visitor;
beforeEach(async () => {
  me = await createAccount();
});

describe('Uploaded pictures', () => {
  test.each([
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['gif', 'image/gif'],
    ['avif', 'image/avif'],
  ] as const)(
    'an uploaded %s picture is served with its type and without its metadata',
    async (kind, type) => {
      const { avatar_id, url } = await upload(me, PICTURES[kind]);
      expect(avatar_id).toMatch(new RegExp(`^[0-9a-f]{32}\\.${kind}$`));
      expect(url).toBe(`/media/${avatar_id}`);
      const shown = await new Visitor().call(url);
      expect(Object.fromEntries(shown.headers)).toMatchObject({
        'content-type': type,
        'cache-control': expect.stringContaining('immutable'),
        'content-security-policy': expect.stringContaining('sandbox'),
        'x-content-type-options': 'nosniff',
      });
      const bytes = new Uint8Array(await shown.arrayBuffer());
      const text = new TextDecoder('latin1').decode(bytes);
      if (kind !== 'gif') expect(new TextDecoder('latin1').decode(PICTURES[kind])).toContain(METADATA_TEXT);
      expect(text).not.toContain(METADATA_TEXT);
      const row = await env.DB.prepare('select owner_id, bytes from pictures where key = ?')
        .bind(avatar_id)
        .first();
      expect(row).toEqual({ owner_id: me.id, bytes: bytes.length });
    },
  );

  test('uploading the same picture twice stores it once, also with different metadata', async () => {
    const first = await upload(me, PICTURES.gif);
    expect(await upload(me, new Blob([PICTURES.gif, 'and something behind its end']))).toEqual(first);
    expect(await listKeys(me)).toEqual([first.avatar_id]);
  });

  test('the same picture of two users has two keys, and each can be used by its owner only', async () => {
    const other = await createAccount();
    const [mine, foreign] = [await upload(me, PICTURES.png), await upload(other, PICTURES.png)];
    expect(mine.avatar_id).not.toBe(foreign.avatar_id);
    expect([
      await setProfilePicture(me, mine.avatar_id),
      await setProfilePicture(me, foreign.avatar_id),
    ]).toEqual([200, 400]);
  });

  test('the type of a picture is taken from its content and not from its name', async () => {
    const { avatar_id } = await me.ask<Uploaded>(PATH, {
      ...form(PICTURES.jpg, { name: '../../evil.svg', type: 'image/svg+xml' }),
      status: 201,
    });
    expect(avatar_id).toMatch(/\.jpg$/);
  });

  test('a picture may have at most two mebibytes', async () => {
    const filled = (bytes: number) => new Blob([PICTURES.png, new Uint8Array(bytes - PICTURES.png.length)]);
    await upload(me, filled(BODY_LIMITS.avatar));
    expect(await refusal(me, form(filled(BODY_LIMITS.avatar + 1)))).toMatchObject({
      status: 413,
      code: 'too_large',
    });
    expect(await listKeys(me)).toHaveLength(1);
  });
});

describe('Refused uploads', () => {
  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['text', 'Hello'],
    ['a film', '\0\0\0\u0014ftypmp42\0\0\0\0isom'],
  ])('%s is refused as a picture, even if it is called a PNG', async (_, file) => {
    expect(await refusal(me, form(file))).toMatchObject({
      status: 415,
      code: 'unsupported_media',
      fields: { file: [expect.any(String)] },
    });
    expect(await listKeys(me)).toEqual([]);
  });

  test('an upload without a file is refused with a field error', async () => {
    const expectedError = {
      status: 400,
      code: 'invalid_input',
      fields: { file: ['Please upload an avatar'] },
    };
    for (const options of [form(null), form(''), form(PICTURES.png, { field: 'avatar' })]) {
      expect(await refusal(me, options)).toMatchObject(expectedError);
    }
  });

  test('an upload that is no form or has two files is refused', async () => {
    const two = new FormData();
    two.append('file', new Blob([PICTURES.png]));
    two.append('file', new Blob([PICTURES.gif]));
    expect(await refusal(me, { method: 'POST', body: two })).toMatchObject({ status: 400 });
    expect(await refusal(me, { json: { file: 'x' } })).toMatchObject({ status: 415 });
    const headers = { 'content-type': 'image/png' };
    expect(await refusal(me, { method: 'POST', body: PICTURES.png, headers })).toMatchObject({ status: 415 });
    expect(await listKeys(me)).toEqual([]);
  });

  test('a truncated or impossibly large picture is refused', async () => {
    for (const picture of Object.values(PICTURES)) {
      expect(await refusal(me, form(picture.slice(0, -30)))).toMatchObject({
        status: 422,
        code: 'picture_damaged',
      });
    }
    for (const side of [0, PICTURE.maxSidePx + 1, 0xffffffff]) {
      const png = PICTURES.png.slice();
      new DataView(png.buffer).setUint32(16, side);
      expect(await refusal(me, form(png))).toMatchObject({ status: 422, code: 'picture_dimensions' });
    }
    expect(await listKeys(me)).toEqual([]);
  });

  test('an upload requires an account and the product’s own origin', async () => {
    expect(await refusal(new Visitor(), form(PICTURES.png))).toMatchObject({
      status: 401,
      code: 'unauthenticated',
    });
    expect(await refusal(await signInGuest(), form(PICTURES.png))).toMatchObject({
      status: 403,
      code: 'account_required',
    });
    const foreign = { ...form(PICTURES.png), headers: { origin: 'https://evil.example' } };
    expect(await refusal(me, foreign)).toMatchObject({ status: 403, code: 'cross_origin' });
    expect(await listKeys(me)).toEqual([]);
  });
});

describe('Upload limits', () => {
  test('unused pictures are limited, and the oldest is removed for a new one', async () => {
    const shown = await upload(me, createUniquePicture(0));
    expect(await setProfilePicture(me, shown.avatar_id)).toBe(200);
    const oldest = await upload(me, createUniquePicture(1));
    await backdatePictures(me, 5 * HOUR_MS);
    for (let number = 1; number < PICTURE.maxUnused; number += 1) {
      const at = Date.now() - 4 * HOUR_MS + number * 1000;
      await env.DB.prepare('insert into pictures (key, owner_id, bytes, created_at) values (?, ?, 1, ?)')
        .bind(`${me.id}-${number}.png`, me.id, at)
        .run();
    }
    expect(await listKeys(me)).toHaveLength(PICTURE.maxUnused + 1);
    const newest = await upload(me, createUniquePicture(2));
    await expect.poll(() => isStored(oldest.avatar_id)).toBe(false);
    await expect.poll(() => listKeys(me)).toHaveLength(PICTURE.maxUnused + 1);
    const remaining = await listKeys(me);
    expect(remaining).toEqual(expect.arrayContaining([shown.avatar_id, newest.avatar_id]));
    expect(remaining).not.toContain(oldest.avatar_id);
    expect(await Promise.all([shown, newest].map(({ avatar_id }) => isStored(avatar_id)))).toEqual([
      true,
      true,
    ]);
  });
});

describe('Picture housekeeping', () => {
  test('housekeeping removes pictures that were unused for a day and keeps used ones', async () => {
    const [profilePicture, characterPicture, unused] = [
      await upload(me, createUniquePicture(1)),
      await upload(me, createUniquePicture(2)),
      await upload(me, createUniquePicture(3)),
    ];
    expect(await setProfilePicture(me, profilePicture.avatar_id)).toBe(200);
    await addCharacter({ creatorId: me.id, avatarKey: characterPicture.avatar_id });
    await backdatePictures(me, 23 * HOUR_MS);
    await runDayOfHousekeeping();
    expect(await listKeys(me)).toHaveLength(3);
    await backdatePictures(me, 26 * HOUR_MS);
    const fresh = await upload(me, createUniquePicture(4));
    await runDayOfHousekeeping();
    expect(await isStored(unused.avatar_id)).toBe(false);
    expect(await listKeys(me)).toEqual(
      [profilePicture, characterPicture, fresh].map(({ avatar_id }) => avatar_id).toSorted(),
    );
    await env.DB.prepare('update users set avatar_key = null where id = ?').bind(me.id).run();
    await runDayOfHousekeeping();
    expect(await listKeys(me)).toEqual(
      [characterPicture, fresh].map(({ avatar_id }) => avatar_id).toSorted(),
    );
    expect(
      await Promise.all(
        [profilePicture, characterPicture, fresh].map(({ avatar_id }) => isStored(avatar_id)),
      ),
    ).toEqual([false, true, true]);
  });

  test('housekeeping keeps a character’s old picture for the conversations that use it', async () => {
    const [reader, first, second] = [
      await signInGuest(),
      await upload(me, PICTURES.png),
      await upload(me, PICTURES.gif),
    ];
    const { id } = await createOwnCharacter(me, { avatar_id: first.avatar_id });
    const { conversation } = await reader.ask<ConversationCreated>('/api/conversations', {
      json: { character_id: id },
      status: 201,
    });
    expect(conversation.avatar_url).toBe(first.url);
    await editCharacter(me, id, { avatar_id: second.avatar_id });
    await backdatePictures(me, 3 * PICTURE.unusedRetentionMs);
    await runDayOfHousekeeping();
    expect([await isStored(first.avatar_id), await isStored(second.avatar_id)]).toEqual([true, true]);
    await reader.call(`/api/conversations/${conversation.id}?forever=true`, { method: 'DELETE' });
    await runDayOfHousekeeping();
    expect([await isStored(first.avatar_id), await isStored(second.avatar_id)]).toEqual([false, true]);
  });

  test('housekeeping during a picture’s choice leaves it either used and stored or refused', async () => {
    for (let number = 0; number < 5; number += 1) {
      const { avatar_id } = await upload(me, createUniquePicture(number));
      await backdatePictures(me, 3 * PICTURE.unusedRetentionMs);
      const [status] = await Promise.all([setProfilePicture(me, avatar_id), runDayOfHousekeeping()]);
      expect([200, 400]).toContain(status);
      expect(await isStored(avatar_id)).toBe(status === 200);
    }
  });

  test('housekeeping that cannot reach the storage tries again, and its picture can no longer be used', async () => {
    const { avatar_id } = await upload(me, createUniquePicture(1));
    const broken = {
      MEDIA: { delete: () => Promise.reject(new Error('unreachable')) } as unknown as R2Bucket,
    };
    await backdatePictures(me, 3 * PICTURE.unusedRetentionMs);
    await runDayOfHousekeeping(broken);
    expect(await listKeys(me)).toEqual([avatar_id]);
    expect(await setProfilePicture(me, avatar_id)).toBe(400);
    await runDayOfHousekeeping();
    expect(await listKeys(me)).toEqual([]);
    expect(await isStored(avatar_id)).toBe(false);
  });

  test('housekeeping keeps a picture that is uploaded again', async () => {
    const { avatar_id } = await upload(me, createUniquePicture(1));
    await backdatePictures(me, 3 * PICTURE.unusedRetentionMs);
    await savePicture(db, { key: avatar_id, ownerId: me.id, bytes: 1, maxBytes: 1e9, now: Date.now() });
    await runDayOfHousekeeping();
    expect(await listKeys(me)).toEqual([avatar_id]);
  });
});

describe('Pictures at list size', () => {
  const readList = async (key: string) => {
    const answer = await new Visitor().call(`/media/list/${key}`);
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      size: (await answer.bytes()).length,
    };
  };

  test('lists get their own picture, and the whole one where there is no other', async () => {
    const { avatar_id: key } = await uploadWithList(me, PICTURES.png, LIST_PICTURE);
    const { avatar_id: whole } = await upload(me, PICTURES.jpg);
    expect(await readList(key)).toMatchObject({ status: 200, type: 'image/webp' });
    expect(await readList(whole)).toMatchObject({ status: 200, type: 'image/jpeg' });
    expect((await new Visitor().call(`/media/${key}`)).headers.get('content-type')).toBe('image/png');
  });

  test('a later upload of the same picture does not exchange the one for lists', async () => {
    const { avatar_id: key } = await upload(me, PICTURES.png);
    expect((await uploadWithList(me, PICTURES.png, LIST_PICTURE)).avatar_id).toBe(key);
    expect(await readList(key)).toMatchObject({ type: 'image/png' });
  });

  test.each([
    ['no base64', '%%%'],
    ['nothing', ''],
    ['a moving picture', btoa(String.fromCharCode(...PICTURES.gif))],
    ['no picture', btoa('<script>')],
  ])('%s is not kept as a picture for lists', async (_, list) => {
    const { avatar_id: key } = await uploadWithList(me, PICTURES.png, list);
    expect(await isStored(`list/${key}`)).toBe(false);
  });

  test('a picture for lists is deleted with the whole one, and as private as it', async () => {
    const { avatar_id: key } = await uploadWithList(me, PICTURES.png, LIST_PICTURE);
    await backdatePictures(me, 2 * HOUR_MS);
    expect(await readList(key)).toMatchObject({ status: 404 });
    expect((await me.call(`/media/list/${key}`)).status).toBe(200);
    await backdatePictures(me, 2 * PICTURE.unusedRetentionMs);
    await runDayOfHousekeeping();
    expect([await isStored(key), await isStored(`list/${key}`)]).toEqual([false, false]);
  });
});

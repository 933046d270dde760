import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, test } from 'vitest';
import { BODY_LIMITS } from '../../src/config/body-limits.ts';
import { PICTURE } from '../../src/features/picture/limits.ts';
import { openDatabase } from '../../src/db/open.ts';
import type { ConversationCreated } from '../../src/features/conversation/contract.ts';
import { purgeUnusedPictures } from '../../src/services/purge-pictures.ts';
import { savePicture } from '../../src/features/picture/picture-store.ts';
import { createOwnCharacter, editCharacter } from '../support/character-actions.ts';
import { type CallOptions, addCharacter, signInGuest, createAccount, Visitor } from '../support/factories.ts';
import { createUniquePicture, PICTURES, METADATA_TEXT } from '../support/pictures.ts';

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
const rowsOf = async (me: Visitor): Promise<string[]> => {
  const { results } = await env.DB.prepare('select key from pictures where owner_id = ? order by key')
    .bind(me.id)
    .all<{ key: string }>();
  return results.map(({ key }) => key);
};
const wear = async (me: Visitor, avatar_id: string): Promise<number> =>
  (await me.call('/api/account', { method: 'PATCH', json: { avatar_id } })).status;
/** As if all that somebody brought had come so much earlier. */
const aged = (me: Visitor, ms: number) =>
  env.DB.prepare('update pictures set created_at = created_at - ? where owner_id = ?').bind(ms, me.id).run();
/** A day of housekeeping that ends now: each hour looks at its own part. */
async function aDayOfHousekeeping(storage: Pick<Env, 'MEDIA'> = env): Promise<void> {
  const now = Date.now();
  for (let hour = 0; hour < 24; hour += 1) {
    await purgeUnusedPictures(storage, db, now - hour * HOUR_MS).catch(() => undefined);
  }
}

let me: Visitor;
beforeEach(async () => {
  me = await createAccount();
});

describe('A picture that I upload', () => {
  test.each([
    ['png', 'image/png'],
    ['jpg', 'image/jpeg'],
    ['webp', 'image/webp'],
    ['gif', 'image/gif'],
    ['avif', 'image/avif'],
  ] as const)('is shown as what it is, for good, without what it told beside: %s', async (kind, type) => {
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
  });

  test('twice is one picture, also when it told something else the second time', async () => {
    const first = await upload(me, PICTURES.gif);
    expect(await upload(me, new Blob([PICTURES.gif, 'and something behind its end']))).toEqual(first);
    expect(await rowsOf(me)).toEqual([first.avatar_id]);
  });

  test('is mine: the same one of somebody else is another, and neither can be shown as the other’s', async () => {
    const other = await createAccount();
    const [mine, theirs] = [await upload(me, PICTURES.png), await upload(other, PICTURES.png)];
    expect(mine.avatar_id).not.toBe(theirs.avatar_id);
    expect([await wear(me, mine.avatar_id), await wear(me, theirs.avatar_id)]).toEqual([200, 400]);
  });

  test('is taken by what is in it, whatever its name and its sender call it', async () => {
    const { avatar_id } = await me.ask<Uploaded>(PATH, {
      ...form(PICTURES.jpg, { name: '../../evil.svg', type: 'image/svg+xml' }),
      status: 201,
    });
    expect(avatar_id).toMatch(/\.jpg$/);
  });

  test('may have two mebibytes, and not a byte more', async () => {
    const filled = (bytes: number) => new Blob([PICTURES.png, new Uint8Array(bytes - PICTURES.png.length)]);
    await upload(me, filled(BODY_LIMITS.avatar));
    expect(await refusal(me, form(filled(BODY_LIMITS.avatar + 1)))).toMatchObject({
      status: 413,
      code: 'too_large',
    });
    expect(await rowsOf(me)).toHaveLength(1);
  });
});

describe('What is no picture of mine is refused, and nothing is kept of it', () => {
  test.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['text', 'Hello'],
    ['a film', '\0\0\0\u0014ftypmp42\0\0\0\0isom'],
  ])('such as %s, even if it is called a PNG', async (_, file) => {
    expect(await refusal(me, form(file))).toMatchObject({
      status: 415,
      code: 'unsupported_media',
      fields: { file: [expect.any(String)] },
    });
    expect(await rowsOf(me)).toEqual([]);
  });

  test('a form without it is told to bring one', async () => {
    const asked = { status: 400, code: 'invalid_input', fields: { file: ['Please upload an avatar'] } };
    for (const options of [form(null), form(''), form(PICTURES.png, { field: 'avatar' })]) {
      expect(await refusal(me, options)).toMatchObject(asked);
    }
  });

  test('a body that is no form, or holds two files, is refused', async () => {
    const two = new FormData();
    two.append('file', new Blob([PICTURES.png]));
    two.append('file', new Blob([PICTURES.gif]));
    expect(await refusal(me, { method: 'POST', body: two })).toMatchObject({ status: 400 });
    expect(await refusal(me, { json: { file: 'x' } })).toMatchObject({ status: 415 });
    const headers = { 'content-type': 'image/png' };
    expect(await refusal(me, { method: 'POST', body: PICTURES.png, headers })).toMatchObject({ status: 415 });
    expect(await rowsOf(me)).toEqual([]);
  });

  test('cut off or impossibly large, it is told so', async () => {
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
    expect(await rowsOf(me)).toEqual([]);
  });

  test('nobody and guests bring none, and no other site’s page does it for me', async () => {
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
    expect(await rowsOf(me)).toEqual([]);
  });
});

describe('How many', () => {
  test('in an hour is limited, even of many at once; the ones that are there may come again', async () => {
    const answers = await Promise.all(
      Array.from({ length: PICTURE.maxPerHour + 5 }, (_, number) =>
        me.call(PATH, form(createUniquePicture(number))),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(PICTURE.maxPerHour);
    const late = await refusal(me, form(createUniquePicture(99)));
    expect(late).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(Number(late.retryAfter)).toBeGreaterThan(3500);
    expect(Number(late.retryAfter)).toBeLessThanOrEqual(3600);
    const { avatar_id } = (await answers.find(({ status }) => status === 201)?.json<Uploaded>()) ?? {
      avatar_id: '',
    };
    const again = new Uint8Array(
      (await (await env.MEDIA.get(avatar_id))?.arrayBuffer()) ?? new ArrayBuffer(0),
    );
    expect(await upload(me, again)).toMatchObject({ avatar_id });
    await upload(await createAccount(), createUniquePicture(99));
    await aged(me, HOUR_MS);
    await upload(me, createUniquePicture(99));
  });

  test('that nothing shows may lie there is limited: the oldest make room, and those that are shown stay', async () => {
    const shown = await upload(me, createUniquePicture(0));
    expect(await wear(me, shown.avatar_id)).toBe(200);
    const oldest = await upload(me, createUniquePicture(1));
    await aged(me, 5 * HOUR_MS);
    for (let number = 1; number < PICTURE.maxUnused; number += 1) {
      const at = Date.now() - 4 * HOUR_MS + number * 1000;
      await env.DB.prepare('insert into pictures (key, owner_id, bytes, created_at) values (?, ?, 1, ?)')
        .bind(`${me.id}-${number}.png`, me.id, at)
        .run();
    }
    expect(await rowsOf(me)).toHaveLength(PICTURE.maxUnused + 1);
    const newest = await upload(me, createUniquePicture(2));
    await expect.poll(() => isStored(oldest.avatar_id)).toBe(false);
    await expect.poll(() => rowsOf(me)).toHaveLength(PICTURE.maxUnused + 1);
    const left = await rowsOf(me);
    expect(left).toEqual(expect.arrayContaining([shown.avatar_id, newest.avatar_id]));
    expect(left).not.toContain(oldest.avatar_id);
    expect(await Promise.all([shown, newest].map(({ avatar_id }) => isStored(avatar_id)))).toEqual([
      true,
      true,
    ]);
  });
});

describe('Housekeeping', () => {
  test('takes away what nothing has shown for a day, and leaves what somebody sees', async () => {
    const [face, story, forgotten] = [
      await upload(me, createUniquePicture(1)),
      await upload(me, createUniquePicture(2)),
      await upload(me, createUniquePicture(3)),
    ];
    expect(await wear(me, face.avatar_id)).toBe(200);
    await addCharacter({ creatorId: me.id, avatarKey: story.avatar_id });
    await aged(me, 23 * HOUR_MS);
    await aDayOfHousekeeping();
    expect(await rowsOf(me)).toHaveLength(3);
    await aged(me, 26 * HOUR_MS);
    const fresh = await upload(me, createUniquePicture(4));
    await aDayOfHousekeeping();
    expect(await isStored(forgotten.avatar_id)).toBe(false);
    expect(await rowsOf(me)).toEqual([face, story, fresh].map(({ avatar_id }) => avatar_id).toSorted());
    await env.DB.prepare('update users set avatar_key = null where id = ?').bind(me.id).run();
    await aDayOfHousekeeping();
    expect(await rowsOf(me)).toEqual([story, fresh].map(({ avatar_id }) => avatar_id).toSorted());
    expect(await Promise.all([face, story, fresh].map(({ avatar_id }) => isStored(avatar_id)))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test('leaves a character’s picture to the stories that began with it, and to no others', async () => {
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
    await aged(me, 3 * PICTURE.unusedRetentionMs);
    await aDayOfHousekeeping();
    expect([await isStored(first.avatar_id), await isStored(second.avatar_id)]).toEqual([true, true]);
    await reader.call(`/api/conversations/${conversation.id}?forever=true`, { method: 'DELETE' });
    await aDayOfHousekeeping();
    expect([await isStored(first.avatar_id), await isStored(second.avatar_id)]).toEqual([false, true]);
  });

  test('does not come between choosing a picture and showing it: I have it, or am told to bring it again', async () => {
    for (let number = 0; number < 5; number += 1) {
      const { avatar_id } = await upload(me, createUniquePicture(number));
      await aged(me, 3 * PICTURE.unusedRetentionMs);
      const [status] = await Promise.all([wear(me, avatar_id), aDayOfHousekeeping()]);
      expect([200, 400]).toContain(status);
      expect(await isStored(avatar_id)).toBe(status === 200);
    }
  });

  test('that could not reach the pictures tries again, and meanwhile nobody may use what is going', async () => {
    const { avatar_id } = await upload(me, createUniquePicture(1));
    const broken = {
      MEDIA: { delete: () => Promise.reject(new Error('unreachable')) } as unknown as R2Bucket,
    };
    await aged(me, 3 * PICTURE.unusedRetentionMs);
    await aDayOfHousekeeping(broken);
    expect(await rowsOf(me)).toEqual([avatar_id]);
    expect(await wear(me, avatar_id)).toBe(400);
    await aDayOfHousekeeping();
    expect(await rowsOf(me)).toEqual([]);
    expect(await isStored(avatar_id)).toBe(false);
  });

  test('leaves one that I bring again', async () => {
    const { avatar_id } = await upload(me, createUniquePicture(1));
    await aged(me, 3 * PICTURE.unusedRetentionMs);
    await savePicture(db, { key: avatar_id, ownerId: me.id, bytes: 1, now: Date.now() });
    await aDayOfHousekeeping();
    expect(await rowsOf(me)).toEqual([avatar_id]);
  });
});

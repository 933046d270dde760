import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { PICTURE } from '../../../../src/features/picture/limits.ts';
import { media } from '../../../../src/api/routes/characters/media.ts';
import { openDatabase } from '../../../../src/db/open.ts';
import { characters } from '../../../../src/db/schema/core.ts';
import { startConversationClient } from '../../../support/conversation-client.ts';
import { uploadTestPicture, createOwnCharacter, editCharacter } from '../../../support/character-actions.ts';
import { addCharacter, signInGuest, ORIGIN, createAccount, Visitor } from '../../../support/factories.ts';
import { createUniquePicture } from '../../../support/pictures.ts';

const db = openDatabase(env.DB);
const PUBLIC = 'public, max-age=31536000, s-maxage=3600, immutable';
const PRIVATE = 'private, max-age=86400, immutable';

/** The answer to a request for a picture, without its bytes. */
async function fetchPicture(visitor: Visitor, key: string, headers: Record<string, string> = {}) {
  const answer = await visitor.call(`/media/${key}`, { headers });
  await answer.arrayBuffer();
  const header = (name: string) => answer.headers.get(name);
  return {
    status: answer.status,
    caching: header('cache-control'),
    tags: header('cache-tag'),
    etag: header('etag'),
  };
}

/** The cache-control header of a picture, or the status of a refusal. */
async function readAccess(visitor: Visitor, key: string): Promise<string | number | null> {
  const { status, caching } = await fetchPicture(visitor, key);
  return status === 200 ? caching : status;
}
const readAccesses = (visitors: readonly Visitor[], key: string) =>
  Promise.all(visitors.map((visitor) => readAccess(visitor, key)));

/** Uploads a picture and makes it too old for the preview that its address allows. */
async function uploadOldPicture(me: Visitor, number = 1): Promise<string> {
  const key = await uploadTestPicture(me, createUniquePicture(number));
  await env.DB.prepare('update pictures set created_at = created_at - ? where key = ?')
    .bind(PICTURE.previewTtlMs + 1000, key)
    .run();
  return key;
}
const updateCharacter = (id: string, row: Partial<typeof characters.$inferSelect>) =>
  db.update(characters).set(row).where(eq(characters.id, id));

async function createAdultUser(): Promise<Visitor> {
  const me = await createAccount();
  await me.ask('/api/account', { method: 'PATCH', json: { spicy_mode: true, age_confirmed: true } });
  return me;
}

let [creator, stranger, adultUser, anonymous]: Visitor[] = [];
const all = () => [anonymous, stranger, adultUser, creator] as Visitor[];
beforeEach(async () => {
  [creator, stranger, adultUser, anonymous] = [
    await createAccount(),
    await createAccount(),
    await createAdultUser(),
    new Visitor(),
  ];
});

describe('Access to character pictures', () => {
  test('a picture’s address with a query is not found, so that no cache stores it twice', async () => {
    const key = await uploadOldPicture(creator as Visitor);
    await addCharacter({ creatorId: (creator as Visitor).id, avatarKey: key });
    expect(await readAccess(anonymous as Visitor, key)).toBe(PUBLIC);
    expect(await readAccess(anonymous as Visitor, `${key}?x=1`)).toBe(404);
  });

  test.each<[string, Partial<typeof characters.$inferSelect>, (string | number)[]]>([
    ['public', { visibility: 'public' }, [PUBLIC, PUBLIC, PUBLIC, PUBLIC]],
    ['unlisted', { visibility: 'unlisted' }, [PRIVATE, PRIVATE, PRIVATE, PRIVATE]],
    ['private', { visibility: 'private' }, [404, 404, 404, PRIVATE]],
    ['for adults', { nsfwAllowed: true }, [404, 404, PRIVATE, PRIVATE]],
    ['unlisted, for adults', { nsfwAllowed: true, visibility: 'unlisted' }, [404, 404, PRIVATE, PRIVATE]],
    ['private, for adults', { nsfwAllowed: true, visibility: 'private' }, [404, 404, 404, PRIVATE]],
    ['hidden by moderation', { moderation: 'hidden' }, [404, 404, 404, PRIVATE]],
    ['removed by moderation', { moderation: 'removed' }, [404, 404, 404, PRIVATE]],
    ['in the trash', { deletedAt: 1 }, [404, 404, 404, PRIVATE]],
  ])('a character picture is visible to the same users as the character: %s', async (_, row, expected) => {
    const key = await uploadOldPicture(creator as Visitor);
    const { id } = await createOwnCharacter(creator as Visitor, { avatar_id: key });
    // Anyone who saw the character while it was public knows the address.
    expect(await readAccess(anonymous as Visitor, key)).toBe(PUBLIC);
    await updateCharacter(id, row);
    expect(await readAccesses(all(), key)).toEqual(expected);
  });

  test('a public picture has a cache tag for each public character that shows it', async () => {
    const key = await uploadOldPicture(creator as Visitor);
    const { id } = await createOwnCharacter(creator as Visitor, { avatar_id: key });
    const hidden = await createOwnCharacter(creator as Visitor, { avatar_id: key, visibility: 'private' });
    const tags = async () => (await fetchPicture(new Visitor(), key)).tags;
    expect(await tags()).toBe(`character:${id}`);
    await updateCharacter(hidden.id, { visibility: 'public' });
    expect((await tags())?.split(',').toSorted()).toEqual(
      [`character:${id}`, `character:${hidden.id}`].toSorted(),
    );
  });

  test('a picture on a public page is public, even if hidden characters of its creator use it too', async () => {
    const key = await uploadOldPicture(creator as Visitor);
    const creatorId = creator?.id ?? '';
    for (const row of [{ nsfwAllowed: true }, { deletedAt: 1 }])
      for (let count = 0; count < 11; count += 1) await addCharacter({ creatorId, avatarKey: key, ...row });
    const { id } = await createOwnCharacter(creator as Visitor, { avatar_id: key });
    expect(await fetchPicture(new Visitor(), key)).toMatchObject({
      caching: PUBLIC,
      tags: `character:${id}`,
    });
  });

  test('a hidden picture causes the same database queries as an unknown one', async () => {
    const key = await uploadOldPicture(creator as Visitor);
    const { id } = await createOwnCharacter(creator as Visitor, { avatar_id: key });
    await updateCharacter(id, { visibility: 'private' });
    const recordQueries = async (cookie: string, of: string): Promise<string[]> => {
      const statements: string[] = [];
      const recordingDb = new Proxy(env.DB, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          return (...values: unknown[]) => {
            if (name === 'prepare') statements.push(String(values[0]));
            return value.apply(target, values);
          };
        },
      });
      const pending = createExecutionContext();
      const request = new Request(`${ORIGIN}/${of}`, { headers: { cookie } });
      const answer = await media.fetch(request, { ...env, DB: recordingDb }, pending);
      await waitOnExecutionContext(pending);
      expect(answer.ok).toBe(false);
      return statements;
    };
    const unknown = `${'0'.repeat(31)}f.webp`;
    for (const { cookie } of [stranger, adultUser, anonymous] as Visitor[]) {
      const closed = await recordQueries(cookie, key);
      expect(closed).toHaveLength(cookie === '' ? 1 : 3);
      expect(await recordQueries(cookie, unknown)).toEqual(closed);
    }
  });

  test('a conditional request for a hidden picture is answered with 404 and not with 304', async () => {
    const key = await uploadOldPicture(creator as Visitor);
    const { id } = await createOwnCharacter(creator as Visitor, { avatar_id: key });
    const { etag } = await fetchPicture(new Visitor(), key);
    const again = () => fetchPicture(new Visitor(), key, { 'if-none-match': etag ?? '' });
    expect(await again()).toMatchObject({ status: 304 });
    await updateCharacter(id, { visibility: 'private' });
    expect(await again()).toMatchObject({ status: 404, tags: null, etag: null });
  });
});

describe('Pictures in conversations', () => {
  test('a conversation keeps its picture when the character becomes private or changes its picture', async () => {
    const reader = await signInGuest();
    const [first, second] = [
      await uploadOldPicture(creator as Visitor, 1),
      await uploadOldPicture(creator as Visitor, 2),
    ];
    const { id } = await createOwnCharacter(creator as Visitor, { avatar_id: first });
    const chat = await startConversationClient(reader, id);
    await editCharacter(creator as Visitor, id, { visibility: 'private' });
    expect(await readAccesses([...all(), reader], first)).toEqual([404, 404, 404, PRIVATE, PRIVATE]);
    await editCharacter(creator as Visitor, id, { avatar_id: second });
    expect(await readAccesses([...all(), reader], first)).toEqual([404, 404, 404, PRIVATE, PRIVATE]);
    expect(await readAccesses([...all(), reader], second)).toEqual([404, 404, 404, PRIVATE, 404]);
    await chat.call('', { method: 'DELETE' });
    expect(await readAccess(reader, first)).toBe(PRIVATE);
    await chat.call('?forever=true', { method: 'DELETE' });
    expect(await readAccess(reader, first)).toBe(404);
  });

  test('a conversation’s picture stays hidden without spicy mode if it is adult, and if it is moderated', async () => {
    const key = await uploadOldPicture(creator as Visitor);
    const { id } = await createOwnCharacter(creator as Visitor, { avatar_id: key });
    for (const reader of [stranger, adultUser] as Visitor[]) await startConversationClient(reader, id);
    await updateCharacter(id, { visibility: 'private', nsfwAllowed: true });
    expect(await readAccesses(all(), key)).toEqual([404, 404, PRIVATE, PRIVATE]);
    await updateCharacter(id, { visibility: 'private', nsfwAllowed: false });
    expect(await readAccesses(all(), key)).toEqual([404, PRIVATE, PRIVATE, PRIVATE]);
    await updateCharacter(id, { visibility: 'public', moderation: 'hidden' });
    expect(await readAccesses(all(), key)).toEqual([404, 404, 404, PRIVATE]);
  });
});

describe('Other pictures', () => {
  test('a new picture opens for everyone by its address for an hour, and then for its owner only', async () => {
    const key = await uploadTestPicture(creator as Visitor);
    expect(await readAccesses(all(), key)).toEqual([PRIVATE, PRIVATE, PRIVATE, PRIVATE]);
    await uploadOldPicture(creator as Visitor);
    expect(await readAccesses(all(), key)).toEqual([404, 404, 404, PRIVATE]);
  });

  test('a new picture of a private character opens for its owner only', async () => {
    const key = await uploadTestPicture(creator as Visitor);
    await createOwnCharacter(creator as Visitor, { avatar_id: key, visibility: 'private' });
    expect(await readAccesses(all(), key)).toEqual([404, 404, 404, PRIVATE]);
  });

  test('a user’s profile picture is public, whatever else it is used for', async () => {
    const key = await uploadOldPicture(creator as Visitor);
    await createOwnCharacter(creator as Visitor, { avatar_id: key, visibility: 'private' });
    await creator?.ask('/api/account', { method: 'PATCH', json: { avatar_id: key } });
    expect(await fetchPicture(new Visitor(), key)).toMatchObject({
      caching: PUBLIC,
      tags: `creator:${creator?.id}`,
    });
    await creator?.ask('/api/account', { method: 'PATCH', json: { avatar_id: null } });
    expect(await readAccess(new Visitor(), key)).toBe(404);
  });

  test('a picture without a database row is not found, even if its bytes are still stored', async () => {
    const key = await uploadOldPicture(creator as Visitor);
    await env.DB.prepare('delete from pictures where key = ?').bind(key).run();
    expect(await readAccesses(all(), key)).toEqual([404, 404, 404, 404]);
  });
});

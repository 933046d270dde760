import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { PICTURE } from '../../src/features/picture/limits.ts';
import { media } from '../../src/api/routes/characters/media.ts';
import { openDatabase } from '../../src/db/open.ts';
import { characters } from '../../src/db/schema/core.ts';
import { startConversationClient } from '../support/conversation-client.ts';
import { uploadTestPicture, createOwnCharacter, editCharacter } from '../support/character-actions.ts';
import { addCharacter, signInGuest, ORIGIN, createAccount, Visitor } from '../support/factories.ts';
import { createUniquePicture } from '../support/pictures.ts';

const db = openDatabase(env.DB);
const PUBLIC = 'public, max-age=31536000, s-maxage=3600, immutable';
const PRIVATE = 'private, max-age=86400, immutable';

/** What comes of asking for a picture, without its bytes. */
async function asked(visitor: Visitor, key: string, headers: Record<string, string> = {}) {
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

/** As whoever holds its address gets a picture: its caching, or the status of a refusal. */
async function seen(visitor: Visitor, key: string): Promise<string | number | null> {
  const { status, caching } = await asked(visitor, key);
  return status === 200 ? caching : status;
}
const seenBy = (visitors: readonly Visitor[], key: string) =>
  Promise.all(visitors.map((visitor) => seen(visitor, key)));

/** A picture that was brought long enough ago to be no preview any more. */
async function oldPicture(me: Visitor, number = 1): Promise<string> {
  const key = await uploadTestPicture(me, createUniquePicture(number));
  await env.DB.prepare('update pictures set created_at = created_at - ? where key = ?')
    .bind(PICTURE.previewTtlMs + 1000, key)
    .run();
  return key;
}
const become = (id: string, row: Partial<typeof characters.$inferSelect>) =>
  db.update(characters).set(row).where(eq(characters.id, id));

async function grownUp(): Promise<Visitor> {
  const me = await createAccount();
  await me.ask('/api/account', { method: 'PATCH', json: { spicy_mode: true, age_confirmed: true } });
  return me;
}

let [maker, stranger, grown, nobody]: Visitor[] = [];
const all = () => [nobody, stranger, grown, maker] as Visitor[];
beforeEach(async () => {
  [maker, stranger, grown, nobody] = [
    await createAccount(),
    await createAccount(),
    await grownUp(),
    new Visitor(),
  ];
});

describe('The address of a character’s picture', () => {
  test('is one: with a query behind it there is nothing, so that no cache keeps it twice', async () => {
    const key = await oldPicture(maker as Visitor);
    await addCharacter({ creatorId: (maker as Visitor).id, avatarKey: key });
    expect(await seen(nobody as Visitor, key)).toBe(PUBLIC);
    expect(await seen(nobody as Visitor, `${key}?x=1`)).toBe(404);
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
  ])('opens to nobody else than the character does: %s', async (_, row, expected) => {
    const key = await oldPicture(maker as Visitor);
    const { id } = await createOwnCharacter(maker as Visitor, { avatar_id: key });
    // Whoever saw it while it was public has its address.
    expect(await seen(nobody as Visitor, key)).toBe(PUBLIC);
    await become(id, row);
    expect(await seenBy(all(), key)).toEqual(expected);
  });

  test('names the pages that it is on, so that shared caches can be told', async () => {
    const key = await oldPicture(maker as Visitor);
    const { id } = await createOwnCharacter(maker as Visitor, { avatar_id: key });
    const hidden = await createOwnCharacter(maker as Visitor, { avatar_id: key, visibility: 'private' });
    const tags = async () => (await asked(new Visitor(), key)).tags;
    expect(await tags()).toBe(`character:${id}`);
    await become(hidden.id, { visibility: 'public' });
    expect((await tags())?.split(',').toSorted()).toEqual(
      [`character:${id}`, `character:${hidden.id}`].toSorted(),
    );
  });

  test('is open on a public page, however many of its maker’s other characters have the same and are not', async () => {
    const key = await oldPicture(maker as Visitor);
    const creatorId = maker?.id ?? '';
    for (const row of [{ nsfwAllowed: true }, { deletedAt: 1 }])
      for (let count = 0; count < 11; count += 1) await addCharacter({ creatorId, avatarKey: key, ...row });
    const { id } = await createOwnCharacter(maker as Visitor, { avatar_id: key });
    expect(await asked(new Visitor(), key)).toMatchObject({ caching: PUBLIC, tags: `character:${id}` });
  });

  test('asks as much of the database where it opens to nobody as where there is no picture', async () => {
    const key = await oldPicture(maker as Visitor);
    const { id } = await createOwnCharacter(maker as Visitor, { avatar_id: key });
    await become(id, { visibility: 'private' });
    const questions = async (cookie: string, of: string): Promise<string[]> => {
      const asked: string[] = [];
      const listening = new Proxy(env.DB, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          return (...values: unknown[]) => {
            if (name === 'prepare') asked.push(String(values[0]));
            return value.apply(target, values);
          };
        },
      });
      const pending = createExecutionContext();
      const request = new Request(`${ORIGIN}/${of}`, { headers: { cookie } });
      const answer = await media.fetch(request, { ...env, DB: listening }, pending);
      await waitOnExecutionContext(pending);
      expect(answer.ok).toBe(false);
      return asked;
    };
    const unknown = `${'0'.repeat(31)}f.webp`;
    for (const { cookie } of [stranger, grown, nobody] as Visitor[]) {
      const closed = await questions(cookie, key);
      expect(closed).toHaveLength(cookie === '' ? 1 : 3);
      expect(await questions(cookie, unknown)).toEqual(closed);
    }
  });

  test('is not answered out of what somebody has: who may not see it gets no “unchanged”', async () => {
    const key = await oldPicture(maker as Visitor);
    const { id } = await createOwnCharacter(maker as Visitor, { avatar_id: key });
    const { etag } = await asked(new Visitor(), key);
    const again = () => asked(new Visitor(), key, { 'if-none-match': etag ?? '' });
    expect(await again()).toMatchObject({ status: 304 });
    await become(id, { visibility: 'private' });
    expect(await again()).toMatchObject({ status: 404, tags: null, etag: null });
  });
});

describe('My story keeps its picture', () => {
  test('when its maker keeps the character to themself, or gives it another face', async () => {
    const reader = await signInGuest();
    const [first, second] = [await oldPicture(maker as Visitor, 1), await oldPicture(maker as Visitor, 2)];
    const { id } = await createOwnCharacter(maker as Visitor, { avatar_id: first });
    const chat = await startConversationClient(reader, id);
    await editCharacter(maker as Visitor, id, { visibility: 'private' });
    expect(await seenBy([...all(), reader], first)).toEqual([404, 404, 404, PRIVATE, PRIVATE]);
    await editCharacter(maker as Visitor, id, { avatar_id: second });
    expect(await seenBy([...all(), reader], first)).toEqual([404, 404, 404, PRIVATE, PRIVATE]);
    expect(await seenBy([...all(), reader], second)).toEqual([404, 404, 404, PRIVATE, 404]);
    await chat.call('', { method: 'DELETE' });
    expect(await seen(reader, first)).toBe(PRIVATE);
    await chat.call('?forever=true', { method: 'DELETE' });
    expect(await seen(reader, first)).toBe(404);
  });

  test('for adults as long as I have the mode on, and of what moderation does not show not at all', async () => {
    const key = await oldPicture(maker as Visitor);
    const { id } = await createOwnCharacter(maker as Visitor, { avatar_id: key });
    for (const reader of [stranger, grown] as Visitor[]) await startConversationClient(reader, id);
    await become(id, { visibility: 'private', nsfwAllowed: true });
    expect(await seenBy(all(), key)).toEqual([404, 404, PRIVATE, PRIVATE]);
    await become(id, { visibility: 'private', nsfwAllowed: false });
    expect(await seenBy(all(), key)).toEqual([404, PRIVATE, PRIVATE, PRIVATE]);
    await become(id, { visibility: 'public', moderation: 'hidden' });
    expect(await seenBy(all(), key)).toEqual([404, 404, 404, PRIVATE]);
  });
});

describe('Of other pictures', () => {
  test('one that I brought just now opens by its address, and to me alone when nothing shows it an hour later', async () => {
    const key = await uploadTestPicture(maker as Visitor);
    expect(await seenBy(all(), key)).toEqual([PRIVATE, PRIVATE, PRIVATE, PRIVATE]);
    await oldPicture(maker as Visitor);
    expect(await seenBy(all(), key)).toEqual([404, 404, 404, PRIVATE]);
  });

  test('one that a private character has is none that was brought just now', async () => {
    const key = await uploadTestPicture(maker as Visitor);
    await createOwnCharacter(maker as Visitor, { avatar_id: key, visibility: 'private' });
    expect(await seenBy(all(), key)).toEqual([404, 404, 404, PRIVATE]);
  });

  test('my own face is everybody’s to see, whatever else it is', async () => {
    const key = await oldPicture(maker as Visitor);
    await createOwnCharacter(maker as Visitor, { avatar_id: key, visibility: 'private' });
    await maker?.ask('/api/account', { method: 'PATCH', json: { avatar_id: key } });
    expect(await asked(new Visitor(), key)).toMatchObject({
      caching: PUBLIC,
      tags: `creator:${maker?.id}`,
    });
    await maker?.ask('/api/account', { method: 'PATCH', json: { avatar_id: null } });
    expect(await seen(new Visitor(), key)).toBe(404);
  });

  test('one whose bytes lie there still, though it is nobody’s any more, is not found', async () => {
    const key = await oldPicture(maker as Visitor);
    await env.DB.prepare('delete from pictures where key = ?').bind(key).run();
    expect(await seenBy(all(), key)).toEqual([404, 404, 404, 404]);
  });
});

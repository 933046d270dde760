import { env } from 'cloudflare:workers';
import { describe, expect, inject, test } from 'vitest';
import { writeSummaries } from '../../../src/services/character-summaries.ts';
import { SUMMARY } from '../../../src/features/character/limits.ts';
import { openDatabase } from '../../../src/db/open.ts';
import { updateCharacter } from '../../../src/features/character/character-change-store.ts';
import type {
  CharacterDetail,
  CharacterList,
  OwnCharacter,
} from '../../../src/features/character/contract.ts';
import { saveSummary } from '../../../src/features/character/discovery/summary-store.ts';
import { createId } from '../../../src/lib/ids.ts';
import { startConversationClient } from '../../support/conversation-client.ts';
import { createOwnCharacter, editCharacter } from '../../support/character-actions.ts';
import { ConfiguredVisitor } from '../../support/configured-visitor.ts';
import { deleteAccount } from '../../support/account-deletion.ts';
import { signInGuest, createAccount, Visitor } from '../../support/factories.ts';
import { buildReplyScript } from '../../support/reply-script.ts';
import { createScene } from '../../support/scripted-model.ts';

const db = openDatabase(env.DB);
/** The text that the scripted model writes for the marker in WRITES. */
const INTRODUCTION = 'Somebody who waits where the road ends, and is glad of company.';
const WRITES = 'Patient. [[introduction:introduction]]';

const readSummary = (id: string) =>
  env.DB.prepare(
    'select summary, summary_generated as generated, summary_retry_at as retryAt, summary_tries as tries from characters where id = ?',
  )
    .bind(id)
    .first<{ summary: string | null; generated: number; retryAt: number | null; tries: number }>();
const expectSummary = (id: string) => expect.poll(() => readSummary(id), { timeout: 10_000 });
const fetchCharacter = (id: string) => new Visitor().ask<CharacterDetail>(`/api/characters/${id}`);
const GENERATED = { summary: INTRODUCTION, generated: 1, retryAt: null, tries: 0 };

describe('Character summary', () => {
  test('publishing a character generates a summary, which is labelled and searchable', async () => {
    const name = `Orla${createId(Date.now())}`;
    const { id, summary } = await createOwnCharacter(await createAccount(), {
      name,
      character_traits: WRITES,
    });
    expect(summary).toBeNull();
    await expectSummary(id).toEqual(GENERATED);
    expect(await fetchCharacter(id)).toMatchObject({ summary: INTRODUCTION, summary_generated: true });
    const found = await new Visitor().ask<CharacterList>(`/api/characters?q=${name} glad company`);
    expect(found.items.map((item) => item.id)).toEqual([id]);
  });

  test('a generated summary that breaks a rule is not published', async () => {
    const writes = (text: string) => buildReplyScript(text, 200).replace('scenario:', 'introduction:');
    const sexual = 'Lena is 14 years old and waits where the road ends. They have sex all night long.';
    const { id } = await createOwnCharacter(await createAccount(), {
      character_traits: `Kind. ${writes(sexual)}`,
    });
    await expectSummary(id).toMatchObject({ summary: null, tries: 1, retryAt: expect.any(Number) });
    // Together with the creator’s own text, a sexual act is enough.
    const young = {
      oneliner: 'Age: 14',
      character_traits: `Kind. ${writes('Lena waits where the road ends. They have sex all night long.')}`,
    };
    const other = await createOwnCharacter(await createAccount(), young);
    await expectSummary(other.id).toMatchObject({ summary: null, tries: 1 });
  });

  test('a summary is generated again when the texts it describes change, and only then', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, { character_traits: WRITES });
    await expectSummary(id).toEqual(GENERATED);
    await editCharacter(me, id, { tags: ['rpg'], suggested_replies: ['Who are you then?'] });
    expect(await readSummary(id)).toEqual(GENERATED);
    await editCharacter(me, id, { character_traits: 'Impatient. [[introduction:json]]' });
    await expectSummary(id).toMatchObject({ summary: expect.stringMatching(/^w0/), tries: 0, retryAt: null });
  });

  test('changing a character’s texts removes the old summary, also from search', async () => {
    const me = await createAccount();
    const name = `Orla${createId(Date.now())}`;
    const { id } = await createOwnCharacter(me, { name, character_traits: WRITES });
    await expectSummary(id).toEqual(GENERATED);
    await editCharacter(me, id, { character_traits: 'Quiet. [[introduction:no-text]]' });
    expect(await fetchCharacter(id)).toMatchObject({ summary: null, summary_generated: false });
    const found = async (words: string) =>
      (await new Visitor().ask<CharacterList>(`/api/characters?q=${words}`)).items.map((item) => item.id);
    expect(await found(name)).toEqual([id]);
    expect(await found(`${name} glad company`)).toEqual([]);
  });

  test('no summary is generated for a private character until it is shown', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, { character_traits: WRITES, visibility: 'private' });
    await writeSummaries(env, db, { now: Date.now(), only: id });
    const none = { summary: null, generated: 0, retryAt: null, tries: 0 };
    expect(await readSummary(id)).toEqual(none);
    await editCharacter(me, id, { visibility: 'unlisted' });
    await expectSummary(id).toEqual(GENERATED);
    // The old summary is removed.
    await editCharacter(me, id, { visibility: 'private', oneliner: 'Nobody knows' });
    expect(await readSummary(id)).toEqual(none);
  });

  test('no summary is due for a character that becomes private during another change', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, { character_traits: WRITES });
    await expectSummary(id).toEqual(GENERATED);
    const now = Date.now();
    const change = (fields: object) =>
      updateCharacter(db, { id, creatorId: me.id, change: fields, spicy: false, now });
    await Promise.all([change({ visibility: 'private' }), change({ oneliner: 'Nobody knows' })]);
    expect(await readSummary(id)).toMatchObject({ retryAt: null });
  });

  test('a failed summary is retried at intervals and then given up', async () => {
    const { id } = await createOwnCharacter(await createAccount(), {
      character_traits: 'Quiet. [[introduction:no-text]]',
    });
    await expectSummary(id).toMatchObject({ summary: null, tries: 1 });
    let tries = 1;
    for (const pause of SUMMARY.retryDelaysMs) {
      const { retryAt } = (await readSummary(id)) as { retryAt: number };
      expect(retryAt).toBeGreaterThan(Date.now());
      await writeSummaries(env, db, { now: retryAt - 1, only: id });
      expect(await readSummary(id)).toMatchObject({ tries });
      await writeSummaries(env, db, { now: retryAt, only: id });
      tries += 1;
      if (tries <= SUMMARY.retryDelaysMs.length) expect(await readSummary(id)).toMatchObject({ tries });
      expect(pause).toBeGreaterThan(0);
    }
    expect(await readSummary(id)).toEqual({ summary: null, generated: 0, retryAt: null, tries: 0 });
    expect((await fetchCharacter(id)).summary).toBeNull();
  });

  test('a summary is discarded when its character’s texts changed while it was written', async () => {
    const me = await createAccount();
    const late = createScene('gate n=5');
    const traits = `Slow. ${late.marker.replace('scenario', 'introduction')}`;
    const { id } = await createOwnCharacter(me, { character_traits: traits });
    await late.reached();
    await editCharacter(me, id, { character_traits: WRITES });
    await expectSummary(id).toEqual(GENERATED);
    await late.open();
    await late.ended();
    await expect.poll(() => readSummary(id)).toEqual(GENERATED);
  });

  test('a summary is discarded if its character became private or its creator deleted the account', async () => {
    const createWaiting = async () => {
      const me = await createAccount();
      const { id } = await createOwnCharacter(me, { character_traits: 'Quiet. [[introduction:no-text]]' });
      await expectSummary(id).toMatchObject({ tries: 1, retryAt: expect.any(Number) });
      return {
        me,
        id,
        save: () => saveSummary(db, { id, version: 1, summary: INTRODUCTION, now: Date.now() }),
      };
    };
    const [hidden, ofDeletedUser, unchanged] = [
      await createWaiting(),
      await createWaiting(),
      await createWaiting(),
    ];
    await editCharacter(hidden.me, hidden.id, { visibility: 'private' });
    // A conversation with the character keeps its row and name.
    await startConversationClient(await signInGuest(), ofDeletedUser.id);
    await deleteAccount(ofDeletedUser.me);
    for (const { id, save } of [hidden, ofDeletedUser]) {
      expect(await save()).toBe(false);
      expect(await readSummary(id)).toMatchObject({ summary: null, generated: 0 });
    }
    expect(await unchanged.save()).toBe(true);
  });

  test('a summary is generated once, however many runs start at the same time', async () => {
    const { id } = await createOwnCharacter(await createAccount(), {
      character_traits: 'Quiet. [[introduction:no-text]]',
    });
    await expectSummary(id).toMatchObject({ tries: 1 });
    const { retryAt: now } = (await readSummary(id)) as { retryAt: number };
    await Promise.all(Array.from({ length: 4 }, () => writeSummaries(env, db, { now, only: id })));
    expect(await readSummary(id)).toMatchObject({ tries: 2 });
  });

  test('no summary is generated for a character in the trash', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, { character_traits: 'Quiet. [[introduction:no-text]]' });
    await expectSummary(id).toMatchObject({ tries: 1 });
    const { retryAt: now } = (await readSummary(id)) as { retryAt: number };
    expect((await me.call(`/api/characters/${id}`, { method: 'DELETE' })).status).toBe(204);
    await writeSummaries(env, db, { now, only: id });
    expect(await readSummary(id)).toMatchObject({ tries: 1 });
    await me.ask<OwnCharacter>(`/api/characters/${id}/restore`, { method: 'POST' });
    await writeSummaries(env, db, { now, only: id });
    expect(await readSummary(id)).toMatchObject({ tries: 2 });
  });
});

describe('Moderated summaries', () => {
  const configureSite = (url: string) => ({ ...env, MODERATION_BASE_URL: url }) as unknown as Env;
  const answering = () => inject('moderationUrl');
  /** A character that is public now and whose summary is due. */
  async function createWaiting(traits: string): Promise<string> {
    const { id } = await createOwnCharacter(await createAccount(), {
      character_traits: traits,
      visibility: 'private',
    });
    await env.DB.prepare("update characters set visibility = 'public', summary_retry_at = 1 where id = ?")
      .bind(id)
      .run();
    return id;
  }
  const retrySummary = (id: string, tries: number) =>
    env.DB.prepare('update characters set summary_retry_at = 1, summary_tries = ? where id = ?')
      .bind(tries, id)
      .run();

  test('a generated summary that the moderation model refuses is not published', async () => {
    const writes = buildReplyScript('Lena waits where the road ends. [[finds:hate]] She is kind.', 200);
    const id = await createWaiting(`Kind. ${writes.replace('scenario:', 'introduction:')}`);
    await writeSummaries(configureSite(answering()), db, { now: Date.now(), only: id });
    expect(await readSummary(id)).toMatchObject({ summary: null, tries: 1, retryAt: expect.any(Number) });
  });

  test('a generated summary waits while the moderation model gives no answer and is published later', async () => {
    const id = await createWaiting(WRITES);
    const silent = configureSite(env.MODEL_DEEPSEEK_BASE_URL as string);
    await writeSummaries(silent, db, { now: Date.now(), only: id });
    expect(await readSummary(id)).toMatchObject({ summary: null, retryAt: expect.any(Number) });
    await retrySummary(id, SUMMARY.retryDelaysMs.length);
    await writeSummaries(silent, db, { now: Date.now(), only: id });
    expect(await readSummary(id)).toMatchObject({ summary: null, retryAt: expect.any(Number) });
    await retrySummary(id, SUMMARY.retryDelaysMs.length);
    await writeSummaries(configureSite(answering()), db, { now: Date.now(), only: id });
    expect(await readSummary(id)).toEqual(GENERATED);
  });

  test('making a character public moderates its summary too', async () => {
    const me = await createAccount();
    const { id } = await createOwnCharacter(me, { character_traits: WRITES, visibility: 'private' });
    await env.DB.prepare('update characters set summary = ?, summary_generated = 1 where id = ?')
      .bind('Somebody who waits. [[finds:hate]]', id)
      .run();
    const moderated = new ConfiguredVisitor({ MODERATION_BASE_URL: answering() }, me);
    const show = (json: object) => moderated.call(`/api/characters/${id}`, { method: 'PATCH', json });
    const refused = await show({ visibility: 'public' });
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { code: 'text_refused', rule: 'hate', fields: { summary: [expect.any(String)] } },
    ]);
    // With other texts the old summary is removed and a new one generated.
    expect((await show({ visibility: 'public', oneliner: 'Glad of company' })).status).toBe(200);
  });
});

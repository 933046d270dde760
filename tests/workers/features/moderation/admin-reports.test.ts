// Over 400 lines: these tests of a report and its moderation actions share the same users and helpers.
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../../../src/db/open.ts';
import { RESTRICTED_PORTRAIT } from '../../../../src/features/character/portrait.ts';
import type { OwnModerationActionList } from '../../../../src/features/moderation/moderation-action-contract.ts';
import type { AppealCase } from '../../../../src/features/moderation/appeal-contract.ts';
import type {
  CaseLorebook,
  OwnReportList,
  ReportCase,
  ReportQueue,
} from '../../../../src/features/moderation/report-contract.ts';
import { listReportQueue } from '../../../../src/features/moderation/report-store.ts';
import { createId } from '../../../../src/lib/ids.ts';
import { startConversationClient } from '../../../support/conversation-client.ts';
import { uploadTestPicture, createOwnCharacter } from '../../../support/character-actions.ts';
import { signInGuest, createAccount, Visitor } from '../../../support/factories.ts';
import { createUniquePicture } from '../../../support/pictures.ts';
import { explainQueries, countRowsRead } from '../../../support/query-stats.ts';
import {
  createCreator,
  applyModerationAction,
  reportCharacter,
  createStaffUser,
} from '../../../support/staff.ts';

const openReport = (operator: Visitor, id: string) => operator.ask<ReportCase>(`/api/admin/reports/${id}`);
const decide = (operator: Visitor, id: string, json: object) =>
  operator.ask<ReportCase>(`/api/admin/reports/${id}`, { method: 'PATCH', json });

/** Reads every page of a queue. */
async function readWholeQueue(operator: Visitor, query = '') {
  const items: ReportQueue['items'] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: ReportQueue = await operator.ask(`/api/admin/reports?limit=20&cursor=${cursor}${query}`);
    items.push(...page.items);
    cursor = page.next_cursor;
  }
  return items;
}

describe('Report queue', () => {
  test('the report queue lists open reports in the requested order, page by page, and filters them by subject', async () => {
    const [operator, reporter] = [await createStaffUser(), await createAccount()];
    const { maker: creator, id } = await createCreator({ name: 'Vesper' });
    const first = await reportCharacter(reporter, id);
    const second = (
      await reporter.ask<{ id: string }>(`/api/creators/${creator.id}/reports`, {
        json: { reason: 'impersonation' },
        status: 201,
      })
    ).id;
    const filterOwn = (items: ReportQueue['items']) =>
      items.filter((one) => [first, second].includes(one.id));
    const listed = filterOwn(await readWholeQueue(operator, '&order=oldest'));
    expect(listed).toMatchObject([
      { id: first, subject: 'character', subject_id: id, name: 'Vesper', status: 'open', reason: 'spam' },
      { id: second, subject: 'creator', subject_id: creator.id, character_id: null, status: 'open' },
    ]);
    const newestFirst = filterOwn(await readWholeQueue(operator)).map((one) => one.id);
    expect(newestFirst).toEqual([second, first]);
    const creatorReports = await readWholeQueue(operator, '&subject=creator');
    expect(new Set(creatorReports.map(({ subject }) => subject))).toEqual(new Set(['creator']));
    expect(creatorReports.map((one) => one.id)).toContain(second);
  });

  test('the report queue counts duplicate reports and hides the name of a private character', async () => {
    const [operator, one, other] = [await createStaffUser(), await createAccount(), await createAccount()];
    const { maker: creator, id } = await createCreator({ name: 'Secretive' });
    const report = await reportCharacter(one, id);
    await reportCharacter(other, id);
    const findListed = async () => (await readWholeQueue(operator)).find((row) => row.id === report);
    expect(await findListed()).toMatchObject({ name: 'Secretive', open_beside: 1 });
    await creator.call(`/api/characters/${id}`, { method: 'PATCH', json: { visibility: 'private' } });
    expect(await findListed()).toMatchObject({ name: null });
  });

  test('the report queue reads its rows from an index', async () => {
    const plan = await env.DB.prepare(
      'explain query plan select * from reports where status = ? order by created_at, id limit 20',
    )
      .bind('open')
      .all();
    expect(JSON.stringify(plan.results)).toContain('USING INDEX reports_status');
    expect(JSON.stringify(plan.results)).not.toContain('TEMP B-TREE');
  });

  test('filtering a long report queue by subject uses an index and reads only the matching rows', async () => {
    const { id: reporterId } = await createAccount();
    const { id: owner } = await createAccount();
    const many = 2100;
    await env.DB.prepare(
      `insert into reports (id, subject, subject_id, owner_id, reporter_id, reason, details, status, created_at)
       with recursive n (value) as (select 1 union all select value + 1 from n where value <= ?1)
       select ?2 || '-' || value, iif(value > ?1, 'creator', 'character'), ?3 || '-' || value, ?3, ?2, 'spam', '',
         'dismissed', value from n`,
    )
      .bind(many, reporterId, owner)
      .run();
    for (const order of ['oldest', 'newest'] as const)
      for (const [subject, index] of [
        ['creator', 'reports_status_subject'],
        [undefined, 'reports_status'],
      ] as const)
        for (const cursor of [undefined, '5.x']) {
          const query = { status: 'dismissed', subject, order, cursor, limit: 20 } as const;
          const [plan = ''] = await explainQueries((db) => listReportQueue(db, query));
          expect(plan).toMatch(new RegExp(`SEARCH reports USING INDEX ${index} `));
          expect(plan).not.toMatch(/SCAN reports|TEMP B-TREE/);
        }
    const query = { status: 'dismissed', subject: 'creator', order: 'oldest', limit: 20 } as const;
    expect(await countRowsRead((observedDb) => listReportQueue(observedDb, query))).toBeLessThan(300);
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page: ReportQueue = await listReportQueue(openDatabase(env.DB), { ...query, cursor });
      found.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(found).toContain(`${reporterId}-${many + 1}`);
  });
});

describe('Report', () => {
  test('a report shows its subject, stores the answer and the note, and records each step', async () => {
    const [operator, reporter] = [await createStaffUser(), await createAccount()];
    const { maker: creator, id } = await createCreator({ name: 'Vesper', characterTraits: 'Cruel.' });
    const report = await reportCharacter(reporter, id, { reason: 'illegal', details: 'Look at the traits.' });
    expect(await openReport(operator, report)).toMatchObject({
      details: 'Look at the traits.',
      excerpt: '',
      reporter: { id: reporter.id, suspended_at: null },
      owner: { id: creator.id },
      character: { id, name: 'Vesper', character_traits: 'Cruel.', moderation: 'shown' },
      measures: [],
      history: [],
    });
    const upheld = { status: 'upheld', answer: 'You were right.', note: 'Second time.' };
    expect(await decide(operator, report, upheld)).toMatchObject({
      id: report,
      status: 'upheld',
      answer: 'You were right.',
      resolved_at: expect.stringMatching(/Z$/),
    });
    expect((await readWholeQueue(operator)).map((one) => one.id)).not.toContain(report);
    // The reporter reads the answer but not the note.
    const ownReports = await reporter.ask<OwnReportList>('/api/me/reports');
    expect(ownReports.items).toMatchObject([{ id: report, status: 'upheld', answer: 'You were right.' }]);
    expect(JSON.stringify(ownReports)).not.toContain('Second time.');

    await decide(operator, report, { status: 'open' });
    expect(await openReport(operator, report)).toMatchObject({
      status: 'open',
      answer: 'You were right.',
      resolved_at: null,
      history: [
        { step: 'open', note: '', admin: { id: operator.id } },
        { step: 'upheld', note: 'Second time.' },
      ],
    });
  });

  test('reporting a subject again reopens the decided report without the old answer', async () => {
    const [operator, reporter] = [await createStaffUser(), await createAccount()];
    const { id } = await createCreator();
    const report = await reportCharacter(reporter, id);
    await decide(operator, report, { status: 'dismissed', answer: 'It may stay.' });
    expect(await reportCharacter(reporter, id, { reason: 'other' })).toBe(report);
    expect(await openReport(operator, report)).toMatchObject({
      status: 'open',
      answer: null,
      reason: 'other',
    });
  });

  test('a report made again keeps its earlier details and the earlier answer in the history', async () => {
    const [operator, reporter] = [await createStaffUser(), await createAccount()];
    const { id } = await createCreator();
    const report = await reportCharacter(reporter, id, {
      reason: 'illegal',
      details: 'It threatens my sister.',
    });
    await decide(operator, report, { status: 'upheld', answer: 'It is gone.', note: 'Clear.' });
    await reportCharacter(reporter, id, { reason: 'other', details: 'Never mind.' });
    const { details, history } = await openReport(operator, report);
    expect(details).toBe('Never mind.');
    const steps = history.map(({ step, note, admin }) => [step, note, admin.id]);
    expect(steps).toHaveLength(3);
    expect(steps).toEqual(
      expect.arrayContaining([
        ['told', 'illegal: It threatens my sister.', reporter.id],
        ['upheld', 'Clear.', operator.id],
        ['answered', 'It is gone.', operator.id],
      ]),
    );
    // The reporter sees nothing that staff wrote.
    const own = await reporter.ask<OwnReportList>('/api/me/reports');
    expect(own.items).toMatchObject([{ details: 'Never mind.', status: 'open', answer: null }]);
  });

  test('opening or changing an unknown report answers 404', async () => {
    const operator = await createStaffUser();
    for (const id of ['unknown', createId(Date.now())]) {
      const change = { method: 'PATCH', json: { status: 'upheld' } };
      expect((await operator.call(`/api/admin/reports/${id}`)).status).toBe(404);
      expect((await operator.call(`/api/admin/reports/${id}`, change)).status).toBe(404);
    }
  });
});

describe('Moderation action', () => {
  test('hiding a character gives its creator the reason, and ending the action shows the character again', async () => {
    const [operator, reporter, stranger] = [
      await createStaffUser(),
      await createAccount(),
      await signInGuest(),
    ];
    const { maker: creator, id } = await createCreator({ name: 'Vesper' });
    const chat = await startConversationClient(stranger, id);
    const report = await reportCharacter(reporter, id);
    const reason = 'The picture shows a real person.';
    const { id: measure } = await applyModerationAction(operator, {
      kind: 'character_hidden',
      subject_id: id,
      reason,
      report_id: report,
    });
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(404);
    expect((await chat.page()).conversation).toMatchObject({
      character_state: 'hidden',
      avatar_url: RESTRICTED_PORTRAIT,
    });
    const own = await creator.ask<OwnModerationActionList>(`/api/me/measures?subject_id=${id}`);
    expect(own.items).toMatchObject([
      { id: measure, kind: 'character_hidden', subject_name: 'Vesper', reason, ended_at: null, appeal: null },
    ]);
    expect((await openReport(operator, report)).history).toMatchObject([
      { step: 'character_hidden', note: reason },
    ]);
    expect((await reporter.ask<OwnModerationActionList>('/api/me/measures')).items).toEqual([]);

    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(200);
    expect((await creator.ask<OwnModerationActionList>('/api/me/measures')).items).toMatchObject([
      { id: measure, ended_at: expect.stringMatching(/Z$/) },
    ]);
    // Ending it a second time changes nothing.
    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect((await openReport(operator, report)).history).toHaveLength(2);
  });

  test('the moderation route creates actions too: one is active at a time, and showing the character ends it', async () => {
    const operator = await createStaffUser();
    const { maker: creator, id } = await createCreator();
    const moderate = (json: object) =>
      operator.ask(`/api/admin/characters/${id}/moderation`, { method: 'PUT', json });
    await moderate({ moderation: 'hidden', reason: 'Somebody looks into it.' });
    await moderate({ moderation: 'removed', reason: 'It copies a book.' });
    const listActions = async () =>
      (await creator.ask<OwnModerationActionList>('/api/me/measures')).items.map(
        ({ kind, reason, ended_at }) => [kind, reason, ended_at === null],
      );
    expect(await listActions()).toEqual([
      ['character_removed', 'It copies a book.', true],
      ['character_hidden', 'Somebody looks into it.', false],
    ]);
    expect(await moderate({ moderation: 'shown' })).toMatchObject({ moderation: 'shown' });
    expect((await listActions()).map(([, , holds]) => holds)).toEqual([false, false]);
  });

  test('a removed picture opens only for its owner, cannot be reused, and returns when the action ends', async () => {
    const operator = await createStaffUser();
    const [creator, reader] = [await createAccount(), await signInGuest()];
    const key = await uploadTestPicture(creator, createUniquePicture(41));
    const { id, avatar_url } = await createOwnCharacter(creator, { avatar_id: key });
    await startConversationClient(reader, id);
    const getStatus = async (visitor: Visitor) => {
      const answer = await visitor.call(avatar_url);
      await answer.arrayBuffer();
      return answer.status;
    };
    expect(await getStatus(new Visitor())).toBe(200);
    const { id: measure } = await applyModerationAction(operator, {
      kind: 'picture_removed',
      subject_id: id,
    });
    const now = await new Visitor().ask<{ avatar_url: string }>(`/api/characters/${id}`);
    expect(now.avatar_url).toBe('/icons/nobody.svg');
    expect([await getStatus(new Visitor()), await getStatus(reader), await getStatus(creator)]).toEqual([
      404, 404, 200,
    ]);
    // Uploading the same picture again gives the same key.
    await uploadTestPicture(creator, createUniquePicture(41));
    const again = await creator.call(`/api/characters/${id}`, { method: 'PATCH', json: { avatar_id: key } });
    expect(again.status).toBe(400);
    const asAvatar = await creator.call('/api/account', { method: 'PATCH', json: { avatar_id: key } });
    expect(asAvatar.status).toBe(400);
    expect(
      (
        await operator.call('/api/admin/measures', {
          json: { kind: 'picture_removed', subject_id: id, reason: 'x' },
        })
      ).status,
    ).toBe(409);

    await operator.ask(`/api/admin/measures/${measure}`, { method: 'DELETE' });
    expect(await new Visitor().ask(`/api/characters/${id}`)).toMatchObject({ avatar_url });
    expect([await getStatus(new Visitor()), await getStatus(reader)]).toEqual([200, 200]);
  });

  test('clearing the name of a character or account is undone unless the name was changed since', async () => {
    const operator = await createStaffUser();
    const { maker: creator, id } = await createCreator({ name: 'Offensive' });
    await creator.ask('/api/account', { method: 'PATCH', json: { username: 'rude-one', nickname: 'Rude' } });
    const readNames = async () => {
      const character = await new Visitor().ask<{ name: string; creator: { name: string } }>(
        `/api/characters/${id}`,
      );
      return [character.name, character.creator.name];
    };
    const characterAction = await applyModerationAction(operator, { kind: 'name_cleared', subject_id: id });
    const accountAction = await applyModerationAction(operator, {
      kind: 'name_cleared',
      subject_id: creator.id,
    });
    expect(await readNames()).toEqual([`character-${id.slice(-6)}`, `reader-${creator.id.slice(-6)}`]);
    const found = await new Visitor().ask<{ items: object[] }>('/api/characters?q=Offensive');
    expect(found.items).toEqual([]);
    await operator.ask(`/api/admin/measures/${accountAction.id}`, { method: 'DELETE' });
    expect((await readNames())[1]).toBe('Rude');
    await creator.ask(`/api/characters/${id}`, { method: 'PATCH', json: { name: 'Gentle' } });
    await operator.ask(`/api/admin/measures/${characterAction.id}`, { method: 'DELETE' });
    expect((await readNames())[0]).toBe('Gentle');
  });

  test('a cleared name cannot be set again by its owner until the action ends', async () => {
    const operator = await createStaffUser();
    const { maker: creator, id } = await createCreator({ name: 'Offensive' });
    await creator.ask('/api/account', { method: 'PATCH', json: { username: 'rude-one', nickname: 'Rude' } });
    const characterAction = await applyModerationAction(operator, { kind: 'name_cleared', subject_id: id });
    const accountAction = await applyModerationAction(operator, {
      kind: 'name_cleared',
      subject_id: creator.id,
    });
    const change = async (path: string, json: object, method = 'PATCH') => {
      const answer = await creator.call(path, { method, json });
      return [answer.status, (await answer.json<{ code?: string }>()).code];
    };
    const refused = [409, 'name_cleared'];
    for (const name of ['Offensive', 'OFFENSIVE', ' Offen-sive '])
      expect(await change(`/api/characters/${id}`, { name, oneliner: 'Kind.' })).toEqual(refused);
    for (const json of [{ nickname: 'Rude' }, { username: 'rude-one' }, { nickname: 'rude-one' }])
      expect(await change('/api/account', json)).toEqual(refused);
    expect(await change('/api/onboarding', { nickname: 'Rude' }, 'POST')).toEqual(refused);
    const readPublic = () =>
      new Visitor().ask<{ name: string; creator: { name: string } }>(`/api/characters/${id}`);
    expect(await readPublic()).toMatchObject({
      name: `character-${id.slice(-6)}`,
      oneliner: 'Keeper of the last lighthouse',
      creator: { name: `reader-${creator.id.slice(-6)}` },
    });
    // Other changes are accepted, and so is the placeholder name.
    const placeholder = `reader-${creator.id.slice(-6)}`;
    expect(await change('/api/account', { username: placeholder, language: 'de' })).toEqual([200, undefined]);
    expect(await change(`/api/characters/${id}`, { name: 'Gentle' })).toEqual([200, undefined]);
    for (const measure of [characterAction, accountAction])
      await operator.ask(`/api/admin/measures/${measure.id}`, { method: 'DELETE' });
    expect(await change(`/api/characters/${id}`, { name: 'Offensive' })).toEqual([200, undefined]);
    expect(await change('/api/account', { nickname: 'Rude' })).toEqual([200, undefined]);
  });

  test('a moderation action needs a reason, an existing subject and a report about that subject', async () => {
    const [operator, reporter] = [await createStaffUser(), await createAccount()];
    const { id } = await createCreator();
    const { id: other } = await createCreator();
    const report = await reportCharacter(reporter, other);
    const getStatus = async (json: object) => (await operator.call('/api/admin/measures', { json })).status;
    const good = { kind: 'character_hidden', subject_id: id, reason: 'Because.' };
    expect(await getStatus({ ...good, reason: ' ' })).toBe(400);
    expect(await getStatus({ ...good, kind: 'character_eaten' })).toBe(400);
    expect(await getStatus({ ...good, subject_id: createId(Date.now()) })).toBe(404);
    expect(await getStatus({ ...good, kind: 'account_suspended' })).toBe(404);
    expect(await getStatus({ ...good, report_id: report })).toBe(404);
    expect((await new Visitor().call(`/api/characters/${id}`)).status).toBe(200);
    // Staff accounts cannot be suspended.
    const own = { kind: 'account_suspended', subject_id: operator.id, reason: 'A joke.' };
    expect(await getStatus(own)).toBe(403);
    expect(
      (await operator.call(`/api/admin/measures/${createId(Date.now())}`, { method: 'DELETE' })).status,
    ).toBe(404);
  });
});

describe('Character in a moderation case', () => {
  const texts = {
    alternate_greetings: ['The gate is open.', 'The gate is shut.'],
    suggested_replies: ['Who goes there?'],
    nickname: 'Wrenna',
  };
  const definition = { scenario: 'At the gate.', creator_notes: 'For long evenings.' };
  const entries = Array.from({ length: 45 }, (_, index) => ({
    keys: [`key ${index}`],
    content: `Entry ${index} of the book.`,
    enabled: true,
    insertion_order: index,
  }));

  test('a report and an appeal show every text of the character', async () => {
    const [operator, me, reporter] = [await createStaffUser(), await createAccount(), await createAccount()];
    const { id } = await createOwnCharacter(me, {
      ...texts,
      definition: {
        scenario: { text: definition.scenario },
        creator_notes: { text: definition.creator_notes },
      },
      lorebook: { name: 'The road', entries },
    } as never);
    await env.DB.prepare("update characters set summary = 'She waits.' where id = ?").bind(id).run();
    const everyText = { ...texts, definition, summary: 'She waits.', lorebook_texts: 46 };
    const report = await reportCharacter(reporter, id);
    expect((await openReport(operator, report)).character).toMatchObject(everyText);
    const measure = await applyModerationAction(operator, {
      kind: 'character_hidden',
      subject_id: id,
      report_id: report,
    });
    const appeal = await me.ask<{ id: string }>('/api/appeals', {
      json: { measure_id: measure.id, message: 'She is harmless.' },
      status: 201,
    });
    const shown = await operator.ask<AppealCase>(`/api/admin/appeals/${appeal.id}`);
    expect(shown.character).toMatchObject({ id, ...everyText, moderation: 'hidden' });
  });

  test('staff read the whole lorebook page by page, each entry with its keys', async () => {
    const [operator, me] = [await createStaffUser(), await createAccount()];
    const long = Array.from({ length: 4 }, (_, index) => ({
      keys: [`long ${index}`],
      content: 'The rain falls.'.repeat(1300),
      enabled: true,
    }));
    const book = { name: 'The road', entries: [...entries.slice(0, 2), ...long, ...entries.slice(2)] };
    const { id } = await createOwnCharacter(me, { lorebook: book } as never);
    const pages: string[][] = [];
    for (let from: number | null = 0; from !== null;) {
      const page: CaseLorebook = await operator.ask(
        `/api/admin/characters/${id}/lorebook${from === 0 ? '' : `?skip=${from}`}`,
      );
      expect(page.texts.length).toBeGreaterThan(0);
      pages.push(page.texts);
      from = page.next;
    }
    expect(pages.flat()).toEqual([
      'The road',
      ...book.entries.map(({ keys, content }) => `${keys[0]}\n${content}`),
    ]);
    expect(pages.map(({ length }) => length)).toEqual([6, 20, 20, 4]);
    expect((await me.call(`/api/admin/characters/${id}/lorebook`)).status).toBe(404);
    expect((await operator.call(`/api/admin/characters/${createId(1)}/lorebook`)).status).toBe(404);
  });
});

import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { StaffViewList } from '../../src/features/safety/staff-contract.ts';
import { newChat } from '../support/chat.ts';
import { broughtPicture, created } from '../support/character-form.ts';
import { addressOf, documentedOperations } from '../support/documented.ts';
import { word } from '../support/everywhere.ts';
import { signedIn, Visitor } from '../support/makers.ts';
import { pictureNumber } from '../support/pictures.ts';
import { measured, reported, staff } from '../support/staff.ts';

const views = async (me: Visitor) => (await me.ask<StaffViewList>('/api/me/staff-views?limit=100')).items;

/** Somebody of whom there is something that is not public, in everything that staff can open. */
async function world() {
  const said = {
    traits: word('traits'),
    message: word('said'),
    appeal: word('appeal'),
    details: word('details'),
  };
  const [operator, maker, reporter] = [await staff(), await signedIn(), await signedIn()];
  const key = await broughtPicture(maker, pictureNumber(77));
  const { id: character } = await created(maker, { avatar_id: key, character_traits: said.traits });
  const report = await reported(reporter, character, { reason: 'other', details: said.details });
  const chat = await newChat(reporter, character);
  await chat.send('Hello.');
  const reply = (await chat.messages()).at(-1);
  await chat.edit(reply?.id as string, said.message);
  const { id: messageReport } = await chat.ask<{ id: string }>(`/messages/${reply?.id}/reports`, {
    json: { reason: 'illegal' },
    status: 201,
  });
  // Since it was reported, it is nobody else's to see.
  await maker.call(`/api/characters/${character}`, { method: 'PATCH', json: { visibility: 'private' } });
  const { id: measure } = await measured(operator, { kind: 'character_hidden', subject_id: character });
  const { id: appeal } = await maker.ask<{ id: string }>('/api/appeals', {
    json: { measure_id: measure, message: said.appeal },
    status: 201,
  });
  const secrets = [...Object.values(said), maker.email, reporter.email];
  return { operator, maker, reporter, character, report, messageReport, reply, appeal, measure, secrets };
}

describe('What staff looks at', () => {
  test('is in my account, each time: a report, a message, a private character, its picture, an appeal, an account', async () => {
    const { operator, maker, reporter, character, report, messageReport, reply, appeal } = await world();
    expect([await views(maker), await views(reporter)]).toEqual([[], []]);
    await operator.ask(`/api/admin/reports/${report}`);
    await operator.ask(`/api/admin/reports/${messageReport}`);
    await (await operator.call(`/api/admin/characters/${character}/picture`)).arrayBuffer();
    await operator.ask(`/api/admin/appeals/${appeal}`);
    await operator.ask(`/api/admin/accounts/${maker.id}`);
    await operator.ask(`/api/admin/accounts/${maker.id}`);
    const told = (items: StaffViewList['items']) => items.map(({ what, subject_id }) => [what, subject_id]);
    expect(told(await views(maker))).toEqual([
      ['account', maker.id],
      ['account', maker.id],
      ['appeal', appeal],
      ['character', character],
      ['character', character],
      ['character', character],
    ]);
    expect(told(await views(reporter)).toSorted()).toEqual(
      [
        ['message', reply?.id],
        ['report', messageReport],
        ['report', report],
      ].toSorted(),
    );
    // Who of the staff it was stays with the operator; the log itself has it.
    expect(JSON.stringify(await views(maker))).not.toContain(operator.id);
    const admins = await env.DB.prepare('select distinct admin_id from staff_views where owner_id = ?')
      .bind(maker.id)
      .all();
    expect(admins.results).toEqual([{ admin_id: operator.id }]);
  });

  test('of what is public is nobody’s secret: only the report itself is told of', async () => {
    const [operator, maker, reporter] = [await staff(), await signedIn(), await signedIn()];
    const { id } = await created(maker);
    const report = await reported(reporter, id);
    await operator.ask(`/api/admin/reports/${report}`);
    expect(await views(maker)).toEqual([]);
    expect(await views(reporter)).toMatchObject([{ what: 'report', subject_id: report }]);
  });

  test('by whatever route of theirs: none shows words of mine without a line in my account', async () => {
    const { operator, maker, reporter, character, report, messageReport, appeal, measure, secrets } =
      await world();
    const ids: Record<string, string[]> = {
      '/admin/reports/{id}': [report, messageReport],
      '/admin/appeals/{id}': [appeal],
      '/admin/accounts/{id}': [maker.id, reporter.id],
      '/admin/characters/{id}/picture': [character],
      '/admin/measures/{id}': [measure],
    };
    const shown = new Set<string>();
    const reads = (await documentedOperations()).filter(
      ({ method, path }) => method === 'GET' && path.startsWith('/admin/'),
    );
    for (const operation of reads) {
      for (const id of ids[operation.path] ?? ['']) {
        const before = [...(await views(maker)), ...(await views(reporter))].length;
        const answer = await operator.call(addressOf(operation, { id }));
        const isPicture = answer.headers.get('content-type')?.startsWith('image/') === true;
        const text = await answer.text();
        const after = [...(await views(maker)), ...(await views(reporter))].length;
        if (!isPicture && !secrets.some((secret) => text.includes(secret))) continue;
        shown.add(operation.path);
        expect({ path: operation.path, told: after > before }).toEqual({ path: operation.path, told: true });
      }
    }
    expect([...shown].toSorted()).toEqual(
      [
        '/admin/accounts/{id}',
        '/admin/appeals/{id}',
        '/admin/characters/{id}/picture',
        '/admin/reports/{id}',
      ].toSorted(),
    );
  });

  test('is a list of pages, mine alone', async () => {
    const [operator, me] = [await staff(), await signedIn()];
    for (let index = 0; index < 3; index += 1) await operator.ask(`/api/admin/accounts/${me.id}`);
    const first = await me.ask<StaffViewList>('/api/me/staff-views?limit=2');
    const rest = await me.ask<StaffViewList>(`/api/me/staff-views?limit=2&cursor=${first.next_cursor}`);
    expect([first.items.length, rest.items.length, rest.next_cursor]).toEqual([2, 1, null]);
    expect(await views(await signedIn())).toEqual([]);
  });
});

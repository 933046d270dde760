import { describe, expect, test } from 'vitest';
import { addressOf, documentedOperations } from '../support/documented.ts';
import { guest, signedIn, Visitor } from '../support/makers.ts';
import { subscribed } from '../support/paypal.ts';
import { goodBody, nameOf } from '../support/nonsense.ts';
import { maker, measured, reported, staff } from '../support/staff.ts';

const operations = (await documentedOperations()).filter(({ path }) => path.startsWith('/admin/'));

describe('Every route of the operator’s own people', () => {
  test('is among these tests: there are some', () => {
    const paths = new Set(operations.map(({ path }) => path.split('/')[2]));
    for (const part of ['accounts', 'appeals', 'business', 'characters', 'measures', 'payouts', 'reports'])
      expect(paths).toContain(part);
  });

  test.each(operations.map((operation) => [nameOf(operation), operation] as const))(
    'asks nobody to log in, is not there for anybody else, and opens to an admin: %s',
    async (name, operation) => {
      const [member, reporter, operator] = [await signedIn(), await signedIn(), await staff()];
      await subscribed(member);
      const suspended = await signedIn();
      await measured(operator, { kind: 'account_suspended', subject_id: suspended.id });
      const { maker: creator, id: character } = await maker();
      const report = await reported(reporter, character);
      const { id: measure } = await measured(operator, { kind: 'name_cleared', subject_id: character });
      const { id: appeal } = await creator.ask<{ id: string }>('/api/appeals', {
        json: { measure_id: measure, message: 'Why?' },
        status: 201,
      });
      const ids: Record<string, string> = {
        reports: report,
        appeals: appeal,
        measures: measure,
        accounts: creator.id,
        characters: character,
      };
      const id = ids[operation.path.split('/')[2] ?? ''] ?? 'unknown';
      const call = (visitor: Visitor, json: object) =>
        visitor.call(addressOf(operation, { id, character_id: character }), {
          method: operation.method,
          ...(operation.body === null ? {} : { json }),
        });
      // Whatever they send: what makes no sense tells them no more than what does.
      for (const json of [goodBody(operation), {}, { nonsense: true }]) {
        const roles = { guest: await guest(), user: reporter, member, suspended };
        for (const [role, visitor] of Object.entries(roles)) {
          const answer = await call(visitor, json);
          expect({ name, role, status: answer.status, body: await answer.json() }).toEqual({
            name,
            role,
            status: 404,
            body: { error: 'The requested resource was not found.', code: 'not_found' },
          });
        }
        expect((await call(new Visitor(), json)).status).toBe(401);
      }
      const answer = await call(operator, {});
      await answer.arrayBuffer();
      // The made character has no picture in storage, and no prize of a season is known by this name.
      const unknown = /\/picture$|\{(?!id\}|character_id\})\w+\}/.test(operation.path);
      if (!unknown) expect([401, 404]).not.toContain(answer.status);
      expect({ name, status: answer.status }).toSatisfy(({ status }) => status < 500);
    },
  );
});

import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import {
  RUNTIME_CONFIG_KV_KEY,
  clearRuntimeConfigCache,
} from '../../../../src/features/runtime-config/runtime-config-gateway.ts';
import { ADMIN_REQUESTS, createAdminFixture } from '../../../support/admin-requests.ts';
import { createOwnCharacter } from '../../../support/character-actions.ts';
import { buildOperationPath, listOperations } from '../../../support/openapi-operations.ts';
import { ConfiguredVisitor } from '../../../support/configured-visitor.ts';
import { signInGuest, createAccount, Visitor } from '../../../support/factories.ts';
import { formatOperation } from '../../../support/fuzz-bodies.ts';
import { createActiveSubscription } from '../../../support/paypal.ts';
import { applyModerationAction, createStaffUser } from '../../../support/staff.ts';

const operations = (await listOperations()).filter(({ path }) => path.startsWith('/admin/'));

afterEach(async () => {
  await env.KV.delete(RUNTIME_CONFIG_KV_KEY);
  clearRuntimeConfigCache(env);
});

describe('Admin routes', () => {
  test('the request table covers every admin route and no other route', () => {
    expect(operations.map(formatOperation).toSorted()).toEqual(Object.keys(ADMIN_REQUESTS).toSorted());
  });

  test.each(operations.map((operation) => [formatOperation(operation), operation] as const))(
    'an admin route works for an admin, is hidden from other roles and answers 401 without a session: %s',
    async (name, operation) => {
      const about = await createAdminFixture(await createStaffUser());
      const { operator, maker, reporter } = about;
      const { ids = {}, json, query = '', status = 200 } = await (ADMIN_REQUESTS[name]?.(about) ?? {});
      const [paying, suspended, shutOperator] = [
        await createAccount(),
        await createAccount(),
        await createAccount(),
      ];
      await createActiveSubscription(paying);
      for (const { id } of [suspended, shutOperator])
        await applyModerationAction(operator, { kind: 'account_suspended', subject_id: id });
      const call = (visitor: Visitor, body: object | undefined) =>
        visitor.call(`${buildOperationPath(operation, ids)}${query}`, {
          method: operation.method,
          ...(operation.body === null || body === undefined ? {} : { json: body }),
        });

      const roles = { guest: await signInGuest(), reporter, member: paying, maker, suspended };
      // An invalid body must not reveal more than a valid one.
      for (const body of [json, {}, { nonsense: true }]) {
        for (const [role, visitor] of Object.entries(roles)) {
          const answer = await call(visitor, body);
          expect({ name, role, status: answer.status, body: await answer.json() }).toEqual({
            name,
            role,
            status: 404,
            body: { error: 'The requested resource was not found.', code: 'not_found' },
          });
        }
        const unauthenticated = await call(new Visitor(), body);
        expect({ name, status: unauthenticated.status, body: await unauthenticated.json() }).toMatchObject({
          name,
          status: 401,
          body: { code: 'unauthenticated' },
        });
      }

      // The refused requests changed nothing, so the admin's request still succeeds. A suspended admin can still
      // use it.
      const admins = name.startsWith('GET ')
        ? [operator, new ConfiguredVisitor({ ADMIN_EMAILS: shutOperator.email }, shutOperator)]
        : [operator];
      for (const visitor of admins) {
        const answer = await call(visitor, json);
        expect({
          name,
          status: answer.status,
          said: status === answer.status ? '' : await answer.text(),
        }).toEqual({
          name,
          status,
          said: '',
        });
        await answer.arrayBuffer().catch(() => null);
      }
    },
  );

  test('a suspended admin can still moderate characters', async () => {
    const me = await createAccount();
    await applyModerationAction(await createStaffUser(), { kind: 'account_suspended', subject_id: me.id });
    const { id: character } = await createOwnCharacter(await createAccount());
    const json = { moderation: 'hidden', reason: 'Somebody looks into it.' };
    const put = { method: 'PUT', json };
    const path = `/api/admin/characters/${character}/moderation`;
    expect((await me.call(path, put)).status).toBe(404);
    const again = new ConfiguredVisitor({ ADMIN_EMAILS: me.email }, me);
    expect(await again.ask(path, put)).toMatchObject({ id: character, moderation: 'hidden' });
  });
});

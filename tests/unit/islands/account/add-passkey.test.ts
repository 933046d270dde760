import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { addPasskey } from '../../../../src/islands/account/add-passkey.ts';
import type { Failure } from '../../../../src/islands/shared/api.ts';

const add = vi.hoisted(() => vi.fn());
vi.mock(
  import('../../../../src/islands/account/passkeys-api.ts'),
  () => ({ passkeysApi: { options: async () => ({ ok: true, data: {} }), add } }) as never,
);

const createFailure = (status: number, code: string): Failure => ({ ok: false, status, code, error: '' });

beforeEach(() => {
  vi.stubGlobal('PublicKeyCredential', { parseCreationOptionsFromJSON: () => ({}) });
  vi.stubGlobal('navigator', { credentials: { create: async () => ({ toJSON: () => ({}) }) } });
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ['invalid_passkey', 'passkey_failed'],
  ['passkey_limit', 'passkey_limit'],
])('the failure %s is shown as %s, which does not tell the user to log in', async (code, shown) => {
  add.mockResolvedValue(createFailure(400, code));
  expect(await addPasskey('Phone')).toMatchObject({ ok: false, code: shown });
});

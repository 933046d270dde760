import { expect, test } from 'vitest';
import type { AuthStatus } from '../../../../../src/features/account/contract.ts';
import { ConfiguredVisitor } from '../../../../support/configured-visitor.ts';
import { signInGuest, startConversation } from '../../../../support/factories.ts';

/** Calls from a place that Cloudflare reports with the request. */
class PlacedVisitor extends ConfiguredVisitor {
  region: string | null = null;

  protected override async fetch(request: Request): Promise<Response> {
    return super.fetch(new Request(request, { cf: { regionCode: this.region } } as unknown as RequestInit));
  }
}

async function readForms(mode: string, country: string | null, region: string | null) {
  const me = await signInGuest();
  const id = await startConversation(me);
  const placed = new PlacedVisitor({ AI_NOTICE: mode }, me);
  placed.region = region;
  const headers: Record<string, string> = country === null ? {} : { 'cf-ipcountry': country };
  const read = async <T>(path: string) => (await placed.call(path, { headers })).json<T>();
  const page = await read<{ conversation: { ai_notice: string }; messages: { notice?: true }[] }>(
    `/api/conversations/${id}`,
  );
  const session = await read<AuthStatus>('/api/auth/status');
  // The moments do not depend on the place.
  expect(page.messages.map(({ notice }) => notice)).toEqual([true]);
  expect(session.ai_notice).toBe(page.conversation.ai_notice);
  return page.conversation.ai_notice;
}

test.each([
  ['everywhere', 'US', 'TX', 'bold'],
  ['by_region', 'US', 'NY', 'bold'],
  ['by_region', 'US', 'TX', 'calm'],
  ['by_region', 'US', null, 'bold'],
  ['by_region', 'DE', 'BE', 'calm'],
  ['by_region', null, 'TX', 'bold'],
])(
  'with AI_NOTICE=%s, a conversation read from %s-%s has the %s notice',
  async (mode, country, region, form) => {
    expect(await readForms(mode, country, region)).toBe(form);
  },
);

test('the AI notice of a new and of a renamed conversation has a form', async () => {
  const me = await signInGuest();
  const id = await startConversation(me);
  const renamed = await me.call(`/api/conversations/${id}`, { method: 'PATCH', json: { title: 'Rain' } });
  expect(await renamed.json()).toMatchObject({ ai_notice: 'bold' });
});

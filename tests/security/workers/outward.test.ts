import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { documentedOperations, type Operation } from '../../support/documented.ts';
import { V3 } from '../../support/cards.ts';
import { conversation, newTurnId, send, type Visitor } from '../../support/makers.ts';
import { goodBody, nameOf } from '../../support/nonsense.ts';
import { callAs, formOf, newWorld, type Use, USES, type World } from '../world.ts';

/** Addresses that nobody outside is to have anything fetched from, in the ways in which they are written. */
const PRIVATE = [
  'http://127.0.0.1:9/hook',
  'http://localhost:9/hook',
  'http://[::1]:9/hook',
  'http://[::ffff:127.0.0.1]:9/hook',
  'http://2130706433:9/hook',
  'http://0x7f.1:9/hook',
  'http://0177.0.0.1:9/hook',
  'http://127.1:9/hook',
  'http://0:9/hook',
  'http://169.254.169.254/latest/meta-data/',
  'http://metadata.google.internal/computeMetadata/v1/',
  'http://[fd00:ec2::254]/latest/',
  'http://10.0.0.1/hook',
  'http://192.168.0.1/hook',
  'http://172.16.0.1/hook',
  'https://user:password@hook.example/',
  'https://hook.example#@127.0.0.1/',
  'https://127.0.0.1.nip.io/hook',
  '//hook.example/hook',
  'file:///etc/passwd',
  'gopher://127.0.0.1:9/_x',
  'ftp://127.0.0.1/x',
  'data:text/html,<script>1</script>',
  'blob:https://hook.example/x',
] as const;

const operations = await documentedOperations();

/** Whom the operator set up: everything that the product asks goes there. */
const KNOWN = new Set(
  [
    'MODEL_ROLEPLAY_BASE_URL',
    'MODEL_CHATGPT_BASE_URL',
    'MODEL_DEEPSEEK_BASE_URL',
    'GOOGLE_API_BASE',
    'PAYPAL_API_BASE',
  ].map((name) => new URL((env as unknown as Record<string, string>)[name] as string).origin),
);

let world: World;
beforeAll(async () => {
  world = await newWorld();
});

/** Every address that is asked for while something goes on. */
function watched(): string[] {
  const asked: string[] = [];
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    asked.push(input instanceof Request ? input.url : String(input));
    return real(input, init);
  });
  return asked;
}

afterEach(() => void vi.restoreAllMocks());

const behind = () => (globalThis as { behindAnswers?: number }).behindAnswers ?? 0;

/** The origins outside of what the operator set up. */
const foreign = (asked: readonly string[]): string[] =>
  asked.filter((url) => !KNOWN.has(new URL(url).origin));

/** The same body with an address in the place of one text after the other, and one with it in all of them. */
function withAddress(json: unknown, address: string): unknown[] {
  if (typeof json !== 'object' || json === null) return [];
  const texts = Object.entries(json).filter(([, value]) => typeof value === 'string');
  const all = Object.fromEntries(texts.map(([name]) => [name, address]));
  return [{ ...json, ...all }, ...texts.map(([name]) => ({ ...json, [name]: address }))];
}

async function useOf(operation: Operation): Promise<Use> {
  return (
    (await USES[nameOf(operation)]?.(world)) ?? {
      json: operation.body === null ? undefined : goodBody(operation),
    }
  );
}

const withBody = operations.filter((operation) => operation.body !== null);

describe('Nothing that a person writes has the product ask at an address of theirs', () => {
  test.each(withBody.map((operation) => [nameOf(operation), operation] as const))(
    'in a field: %s',
    async (name, operation) => {
      const visitor = name.includes(' /admin/') ? world.operator : world.owner;
      const use = await useOf(operation);
      const asked = watched();
      for (const [index, address] of PRIVATE.entries()) {
        const bodies = withAddress(use.json, address);
        // All of them for the first address; after that each address in one place after the other.
        const some =
          index === 0
            ? bodies
            : bodies.slice(
                1 + (index % Math.max(1, bodies.length - 1)),
                2 + (index % Math.max(1, bodies.length - 1)),
              );
        for (const json of some) await (await callAs(visitor, operation, { ...use, json })).body?.cancel();
      }
      await vi.waitFor(() => expect(behind()).toBe(0), { timeout: 20_000 });
      expect(foreign(asked)).toEqual([]);
    },
  );

  test('in a query or a header of any route', async () => {
    const asked = watched();
    for (const operation of operations) {
      const use = await useOf(operation).catch((): Use => ({}));
      for (const [index, { name }] of [...operation.query, { name: 'url' }, { name: 'callback' }].entries()) {
        const address = PRIVATE[(index * 7) % PRIVATE.length] as string;
        const headers = {
          referer: 'http://127.0.0.1:9/',
          'x-forwarded-host': '127.0.0.1:9',
          'x-original-url': address,
          'x-callback': address,
        };
        const answer = await callAs(world.roles.account, operation, {
          ids: use.ids ?? {},
          query: `?${name}=${encodeURIComponent(address)}`,
          headers,
        });
        answer.webSocket?.accept();
        answer.webSocket?.close();
        await answer.body?.cancel();
      }
    }
    expect(foreign(asked)).toEqual([]);
  });

  test('in a card: its pictures, its sources and what it wants to be updated from', async () => {
    const asked = watched();
    for (const uri of PRIVATE) {
      const data = {
        ...V3.data,
        avatar: uri,
        source: [uri],
        creator_notes: `![x](${uri})`,
        extensions: { update_url: uri, world: uri },
        assets: [{ type: 'icon', uri, name: 'main', ext: 'png' }],
      };
      const form = formOf(JSON.stringify({ ...V3, avatar: uri, data }), {}, 'card.json');
      await (await world.owner.call('/api/characters/import', { body: form })).body?.cancel();
    }
    expect(foreign(asked)).toEqual([]);
  });

  test('in a chat: a picture or a link in what is said is never looked at by us', async () => {
    const { owner }: { owner: Visitor } = world;
    const id = await conversation(owner, world.character);
    const asked = watched();
    const text = PRIVATE.map((address) => `![x](${address}) <img src="${address}"> ${address}`).join(' ');
    await send(owner, id, text);
    const lines = [
      { user_name: 'x', character_name: 'y', chat_metadata: { avatar: PRIVATE[0] } },
      { name: 'x', is_user: true, mes: text, force_avatar: PRIVATE[1], extra: { image: PRIVATE[2] } },
    ];
    const form = formOf(
      lines.map((line) => JSON.stringify(line)).join('\n'),
      { character_id: world.character },
      'chat.jsonl',
    );
    expect((await owner.call('/api/conversations/import', { body: form })).status).toBe(201);
    await (await owner.call('/api/account/export')).arrayBuffer();
    await owner.call(`/api/conversations/${id}/messages`, {
      json: { content: 'x', client_message_id: newTurnId(), model: 'http://127.0.0.1:9/' },
    });
    await vi.waitFor(() => expect(behind()).toBe(0), { timeout: 20_000 });
    expect(foreign(asked)).toEqual([]);
    // And it was watched: the model was asked.
    expect(asked.length).toBeGreaterThan(0);
  });
});

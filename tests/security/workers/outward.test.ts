import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { listOperations, type Operation, type Schema } from '../../support/openapi-operations.ts';
import { V3 } from '../../support/card-files.ts';
import {
  startConversation,
  createTurnId,
  sendMessage,
  createAccount,
  type Visitor,
} from '../../support/factories.ts';
import { formatOperation } from '../../support/fuzz-bodies.ts';
import { ENDS_SESSIONS, NO_WAY_IN } from '../access.ts';
import { wentIn } from '../refusals.ts';
import { useOf } from '../uses.ts';
import { callAs, formOf, newWorld, type World } from '../world.ts';

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

const operations = await listOperations();

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

type Path = readonly (string | number)[];

/** Where there is a text in a body, however deep. */
function textsIn(json: unknown, path: Path = []): Path[] {
  if (typeof json === 'string') return [path];
  if (typeof json !== 'object' || json === null) return [];
  if (Array.isArray(json)) return json.flatMap((inner, index) => textsIn(inner, [...path, index]));
  return Object.entries(json).flatMap(([name, inner]) => textsIn(inner, [...path, name]));
}

/** The same body with something else at some of its places. */
function withText(json: unknown, places: readonly Path[], text: string): unknown {
  const changed = structuredClone(json) as Record<string | number, unknown>;
  for (const place of places) {
    const inner = place.slice(0, -1).reduce<unknown>((at, name) => (at as typeof changed)[name], changed);
    (inner as typeof changed)[place.at(-1) as string | number] = text;
  }
  return changed;
}

/** Fields that a body may have and this one has not. */
function leftOut({ body }: Operation, json: object): Path[] {
  const isText = (schema: Schema & { anyOf?: Schema[] }): boolean =>
    schema.type === 'string' || (schema.anyOf ?? []).some(isText);
  const known = Object.entries(body?.properties ?? {}).filter(([name]) => !(name in json));
  return known.filter(([, schema]) => isText(schema)).map(([name]) => [name]);
}

/**
 * A body with an address in the place of every text at once, then each address in one place after the other, and at last
 * as it is meant, which shows that the others were sent to where it is read.
 */
function withAddresses(operation: Operation, json: unknown): unknown[] {
  if (typeof json !== 'object' || json === null) return [];
  const given = textsIn(json);
  const places = [...given, ...leftOut(operation, json)];
  const each = Array.from({ length: Math.max(places.length, PRIVATE.length - 1) }, (_, index) =>
    withText(
      json,
      places.slice(index % places.length).slice(0, 1),
      PRIVATE[(index + 1) % PRIVATE.length] ?? '',
    ),
  );
  return [...(places.length === 0 ? [] : [withText(json, given, PRIVATE[0]), ...each]), json];
}

/** Whose a route is: what they own is what it is about. */
const callerOf = ({ path }: Operation): Visitor =>
  path.startsWith('/admin/') ? world.operator : world.owner;

/** What came of a call: a refusal's code, or the status. */
async function met(answer: Response): Promise<string> {
  if (answer.webSocket) {
    answer.webSocket.accept();
    answer.webSocket.close();
    return String(answer.status);
  }
  const text = await answer.text();
  return answer.status < 400 ? String(answer.status) : (JSON.parse(text) as { code: string }).code;
}

const withBody = operations.filter((operation) => operation.body !== null);

describe('Nothing that a person writes has the product ask at an address of theirs', () => {
  test.each(withBody.map((operation) => [formatOperation(operation), operation] as const))(
    'in a field: %s',
    async (name, operation) => {
      const use = await useOf(operation, world);
      const bodies = withAddresses(operation, use.json);
      const asked = watched();
      const codes: string[] = [];
      for (const json of bodies)
        codes.push(await met(await callAs(callerOf(operation), operation, { ...use, json })));
      await vi.waitFor(() => expect(behind()).toBe(0), { timeout: 20_000 });
      expect(foreign(asked)).toEqual([]);
      // They were read: nobody was sent away before that.
      if (!(name in NO_WAY_IN)) expect(codes).toSatisfy((all: string[]) => all.some(wentIn));
    },
  );

  test('in a query or a header of any route', async () => {
    const asked = watched();
    const codes: Record<string, string[]> = {};
    for (const operation of operations) {
      const name = formatOperation(operation);
      const use = await useOf(operation, world);
      // Whoever is let out by it comes in again for the next.
      const caller = ENDS_SESSIONS.has(name) ? await createAccount() : callerOf(operation);
      codes[name] = [];
      for (const [index, query] of [...operation.query, { name: 'url' }, { name: 'callback' }].entries()) {
        const address = PRIVATE[(index * 7) % PRIVATE.length] as string;
        const headers = {
          ...use.headers,
          referer: 'http://127.0.0.1:9/',
          'x-forwarded-host': '127.0.0.1:9',
          'x-original-url': address,
          'x-callback': address,
        };
        const given = use.query === undefined ? '?' : `${use.query}&`;
        const asking = { ...use, query: `${given}${query.name}=${encodeURIComponent(address)}`, headers };
        codes[name].push(await met(await callAs(caller, operation, asking)));
      }
    }
    expect(foreign(asked)).toEqual([]);
    // Hardly any call came back from the door, and of each route at least one did not.
    const all = Object.values(codes).flat();
    expect(all.filter((code) => code === 'unauthenticated').length).toBeLessThan(all.length / 20);
    const shut = Object.entries(codes).filter(([name, some]) => !(name in NO_WAY_IN) && !some.some(wentIn));
    expect(shut).toEqual([]);
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
    const id = await startConversation(owner, world.character);
    const asked = watched();
    const text = PRIVATE.map((address) => `![x](${address}) <img src="${address}"> ${address}`).join(' ');
    await sendMessage(owner, id, text);
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
      json: { content: 'x', client_message_id: createTurnId(), model: 'http://127.0.0.1:9/' },
    });
    await vi.waitFor(() => expect(behind()).toBe(0), { timeout: 20_000 });
    expect(foreign(asked)).toEqual([]);
    // And it was watched: the model was asked.
    expect(asked.length).toBeGreaterThan(0);
  });
});

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
import { createExample } from '../examples.ts';
import { callAs, buildFileForm, createFixture, type Fixture } from '../fixture.ts';

/** Addresses of private networks in every notation; the product must not fetch any of them. */
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

/** The services that the operator configured, which are the only ones that the product calls. */
const KNOWN = new Set(
  [
    'MODEL_ROLEPLAY_BASE_URL',
    'MODEL_CHATGPT_BASE_URL',
    'MODEL_DEEPSEEK_BASE_URL',
    'GOOGLE_API_BASE',
    'PAYPAL_API_BASE',
  ].map((name) => new URL((env as unknown as Record<string, string>)[name] as string).origin),
);

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture();
});

/** Records every address that is fetched from now on. */
function recordFetches(): string[] {
  const fetched: string[] = [];
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    fetched.push(input instanceof Request ? input.url : String(input));
    return real(input, init);
  });
  return fetched;
}

afterEach(() => void vi.restoreAllMocks());

const countBackgroundTasks = () => (globalThis as { behindAnswers?: number }).behindAnswers ?? 0;

/** Returns the addresses outside the configured services. */
const findForeign = (fetched: readonly string[]): string[] =>
  fetched.filter((url) => !KNOWN.has(new URL(url).origin));

type Path = readonly (string | number)[];

/** Lists the paths of all texts in a body, at any depth. */
function listTextPaths(json: unknown, path: Path = []): Path[] {
  if (typeof json === 'string') return [path];
  if (typeof json !== 'object' || json === null) return [];
  if (Array.isArray(json)) return json.flatMap((inner, index) => listTextPaths(inner, [...path, index]));
  return Object.entries(json).flatMap(([name, inner]) => listTextPaths(inner, [...path, name]));
}

/** Returns the body with the text at these paths. */
function replaceTexts(json: unknown, places: readonly Path[], text: string): unknown {
  const changed = structuredClone(json) as Record<string | number, unknown>;
  for (const place of places) {
    const inner = place.slice(0, -1).reduce<unknown>((at, name) => (at as typeof changed)[name], changed);
    (inner as typeof changed)[place.at(-1) as string | number] = text;
  }
  return changed;
}

/** Lists the text fields that the body may have and does not have. */
function listMissingFields({ body }: Operation, json: object): Path[] {
  const isText = (schema: Schema & { anyOf?: Schema[] }): boolean =>
    schema.type === 'string' || (schema.anyOf ?? []).some(isText);
  const known = Object.entries(body?.properties ?? {}).filter(([name]) => !(name in json));
  return known.filter(([, schema]) => isText(schema)).map(([name]) => [name]);
}

/**
 * Returns a body with an address in every text, then bodies with each address in one text, and at last the valid
 * body, whose acceptance shows that the others reached the handler.
 */
function buildBodies(operation: Operation, json: unknown): unknown[] {
  if (typeof json !== 'object' || json === null) return [];
  const given = listTextPaths(json);
  const places = [...given, ...listMissingFields(operation, json)];
  const each = Array.from({ length: Math.max(places.length, PRIVATE.length - 1) }, (_, index) =>
    replaceTexts(
      json,
      places.slice(index % places.length).slice(0, 1),
      PRIVATE[(index + 1) % PRIVATE.length] ?? '',
    ),
  );
  return [...(places.length === 0 ? [] : [replaceTexts(json, given, PRIVATE[0]), ...each]), json];
}

/** Returns a user who owns the data that the route needs. */
const selectCaller = ({ path }: Operation): Visitor =>
  path.startsWith('/admin/') ? fixture.operator : fixture.owner;

/** Returns the error code of an answer, or its status. */
async function readOutcome(answer: Response): Promise<string> {
  if (answer.webSocket) {
    answer.webSocket.accept();
    answer.webSocket.close();
    return String(answer.status);
  }
  const text = await answer.text();
  return answer.status < 400 ? String(answer.status) : (JSON.parse(text) as { code: string }).code;
}

const withBody = operations.filter((operation) => operation.body !== null);

describe('Requests to addresses from users', () => {
  test.each(withBody.map((operation) => [formatOperation(operation), operation] as const))(
    'an address in a body field is never fetched: %s',
    async (name, operation) => {
      const example = await createExample(operation, fixture);
      const bodies = buildBodies(operation, example.json);
      const fetched = recordFetches();
      const codes: string[] = [];
      for (const json of bodies)
        codes.push(await readOutcome(await callAs(selectCaller(operation), operation, { ...example, json })));
      await vi.waitFor(() => expect(countBackgroundTasks()).toBe(0), { timeout: 20_000 });
      expect(findForeign(fetched)).toEqual([]);
      // The bodies were read, not refused before.
      if (!(name in NO_WAY_IN)) expect(codes).toSatisfy((all: string[]) => all.some(wentIn));
    },
  );

  test('an address in a query or header of any route is never fetched', async () => {
    const fetched = recordFetches();
    const codes: Record<string, string[]> = {};
    for (const operation of operations) {
      const name = formatOperation(operation);
      const example = await createExample(operation, fixture);
      // A user whom the call logs out cannot be used for the next one.
      const caller = ENDS_SESSIONS.has(name) ? await createAccount() : selectCaller(operation);
      codes[name] = [];
      for (const [index, query] of [...operation.query, { name: 'url' }, { name: 'callback' }].entries()) {
        const address = PRIVATE[(index * 7) % PRIVATE.length] as string;
        const headers = {
          ...example.headers,
          referer: 'http://127.0.0.1:9/',
          'x-forwarded-host': '127.0.0.1:9',
          'x-original-url': address,
          'x-callback': address,
        };
        const given = example.query === undefined ? '?' : `${example.query}&`;
        const request = {
          ...example,
          query: `${given}${query.name}=${encodeURIComponent(address)}`,
          headers,
        };
        codes[name].push(await readOutcome(await callAs(caller, operation, request)));
      }
    }
    expect(findForeign(fetched)).toEqual([]);
    // Hardly any call was refused as unauthenticated, and each route accepted at least one.
    const all = Object.values(codes).flat();
    expect(all.filter((code) => code === 'unauthenticated').length).toBeLessThan(all.length / 20);
    const refusedRoutes = Object.entries(codes).filter(
      ([name, some]) => !(name in NO_WAY_IN) && !some.some(wentIn),
    );
    expect(refusedRoutes).toEqual([]);
  });

  test('addresses in an imported card are never fetched', async () => {
    const fetched = recordFetches();
    for (const uri of PRIVATE) {
      const data = {
        ...V3.data,
        avatar: uri,
        source: [uri],
        creator_notes: `![x](${uri})`,
        extensions: { update_url: uri, world: uri },
        assets: [{ type: 'icon', uri, name: 'main', ext: 'png' }],
      };
      const form = buildFileForm(JSON.stringify({ ...V3, avatar: uri, data }), {}, 'card.json');
      await (await fixture.owner.call('/api/characters/import', { body: form })).body?.cancel();
    }
    expect(findForeign(fetched)).toEqual([]);
  });

  test('pictures and links in a conversation or imported chat are never fetched by the product', async () => {
    const { owner }: { owner: Visitor } = fixture;
    const id = await startConversation(owner, fixture.character);
    const fetched = recordFetches();
    const text = PRIVATE.map((address) => `![x](${address}) <img src="${address}"> ${address}`).join(' ');
    await sendMessage(owner, id, text);
    const lines = [
      { user_name: 'x', character_name: 'y', chat_metadata: { avatar: PRIVATE[0] } },
      { name: 'x', is_user: true, mes: text, force_avatar: PRIVATE[1], extra: { image: PRIVATE[2] } },
    ];
    const form = buildFileForm(
      lines.map((line) => JSON.stringify(line)).join('\n'),
      { character_id: fixture.character },
      'chat.jsonl',
    );
    expect((await owner.call('/api/conversations/import', { body: form })).status).toBe(201);
    await (await owner.call('/api/account/export')).arrayBuffer();
    await owner.call(`/api/conversations/${id}/messages`, {
      json: { content: 'x', client_message_id: createTurnId(), model: 'http://127.0.0.1:9/' },
    });
    await vi.waitFor(() => expect(countBackgroundTasks()).toBe(0), { timeout: 20_000 });
    expect(findForeign(fetched)).toEqual([]);
    // The recorder worked: the call to the model was recorded.
    expect(fetched.length).toBeGreaterThan(0);
  });
});

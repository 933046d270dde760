import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

/** Everything that the product keeps, in every store, to be looked through for what must not be there any more. */

/** A value out of a table as text in which words can be found: also the bytes of an index. */
function toText(value: unknown): string {
  if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value);
  if (Array.isArray(value) && value.every((byte) => typeof byte === 'number'))
    return new TextDecoder('latin1').decode(new Uint8Array(value));
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

const toRowText = (row: Record<string, unknown>): string => Object.values(row).map(toText).join('\n');

/** The runtime's own tables are closed to everybody. */
const isProductTable = (table: string): boolean => !/^(?:_cf_|sqlite_)/.test(table);

/** But for an index that keeps no text of its own: it cannot be read as a table, and the tables that it lies in can. */
const TABLES =
  "select name from sqlite_master where type = 'table' and not (sql like 'create virtual table%' and sql like '%content=''''%')";

/** A place, as `store table`, with all that it holds as one text. */
type StoredPlace = [name: string, text: string];

async function readDatabase(): Promise<StoredPlace[]> {
  const { results } = await env.DB.prepare(TABLES).all<{ name: string }>();
  const places: StoredPlace[] = [];
  for (const { name } of results.filter((table) => isProductTable(table.name))) {
    const rows = await env.DB.prepare(`select * from "${name}"`).all<Record<string, unknown>>();
    places.push([`D1 ${name}`, rows.results.map(toRowText).join('\n')]);
  }
  return places;
}

const NAMESPACES = ['CONVERSATIONS', 'WALLETS', 'SEARCHES'] as const;

/** All objects that hold anything, as `namespace id`. */
export async function listObjects(): Promise<Set<string>> {
  const known = await Promise.all(
    NAMESPACES.map(async (name) => {
      const found = await listDurableObjectIds(env[name] as unknown as DurableObjectNamespace);
      return found.map((id) => `${name} ${String(id)}`);
    }),
  );
  return new Set(known.flat());
}

function readStorageText(storage: DurableObjectStorage): string {
  const { sql } = storage;
  return sql
    .exec<{ name: string }>(TABLES)
    .toArray()
    .filter(({ name }) => isProductTable(name))
    .flatMap(({ name }) => sql.exec(`select * from "${name}"`).toArray().map(toRowText))
    .join('\n');
}

async function readObjects(except: ReadonlySet<string>): Promise<StoredPlace[]> {
  const places: StoredPlace[] = [];
  for (const name of await listObjects()) {
    if (except.has(name)) continue;
    const [namespace, id] = name.split(' ') as [(typeof NAMESPACES)[number], string];
    const binding = env[namespace] as unknown as DurableObjectNamespace;
    const stub = binding.get(binding.idFromString(id));
    places.push([name, await runInDurableObject(stub, (_, { storage }) => readStorageText(storage))]);
  }
  return places;
}

async function readPictures(): Promise<StoredPlace[]> {
  const places: StoredPlace[] = [];
  let cursor: string | undefined;
  do {
    const listed = await env.MEDIA.list({
      include: ['httpMetadata', 'customMetadata'],
      ...(cursor && { cursor }),
    });
    for (const { key, httpMetadata, customMetadata } of listed.objects) {
      const bytes = await (await env.MEDIA.get(key))?.arrayBuffer();
      places.push(['R2', [key, JSON.stringify([httpMetadata, customMetadata]), toText(bytes)].join('\n')]);
    }
    cursor = listed.truncated ? listed.cursor : undefined;
  } while (cursor !== undefined);
  return places;
}

async function readKeyValues(): Promise<StoredPlace[]> {
  const places: StoredPlace[] = [];
  let cursor: string | undefined;
  do {
    const listed = await env.KV.list(cursor === undefined ? {} : { cursor });
    for (const { name, metadata } of listed.keys)
      places.push(['KV', [name, JSON.stringify(metadata), await env.KV.get(name)].join('\n')]);
    cursor = listed.list_complete ? undefined : listed.cursor;
  } while (cursor !== undefined);
  return places;
}

/** The classes of what can keep something, and the bindings of each that are looked through here. */
const SCANNED_BINDINGS: Record<string, readonly string[]> = {
  D1Database: ['DB'],
  DurableObjectNamespace: NAMESPACES,
  KvNamespace: ['KV'],
  R2Bucket: ['MEDIA'],
};
/** The classes of what keeps nothing that could be read again. */
const STATELESS_CLASSES = new Set(['Fetcher', 'SendEmail', 'Ratelimit', 'AnalyticsEngineDataset']);

/** Bindings that keep something, or may, and are not looked through: as `class name`. */
export function listUnscannedStores(): string[] {
  return (
    Object.entries(env)
      // The runner of tests has some of its own.
      .filter(([name, binding]) => typeof binding === 'object' && !/^(?:TEST_|__VITEST_)/.test(name))
      .map(([name, binding]) => [(binding as object).constructor.name, name] as const)
      .filter(
        ([kind, name]) => !STATELESS_CLASSES.has(kind) && SCANNED_BINDINGS[kind]?.includes(name) !== true,
      )
      .map(([kind, name]) => `${kind} ${name}`)
  );
}

/**
 * Where any of some words stand, in any case.
 * @param except objects of other people, which need not be looked through
 * @returns `word: place`, sorted
 */
export async function findTraces(words: readonly string[], except: ReadonlySet<string>): Promise<string[]> {
  const places = [
    ...(await readDatabase()),
    ...(await readObjects(except)),
    ...(await readPictures()),
    ...(await readKeyValues()),
  ].map(([name, text]): StoredPlace => [name, text.toLowerCase()]);
  return places
    .flatMap(([name, text]) =>
      words.filter((word) => text.includes(word.toLowerCase())).map((word) => `${word}: ${name}`),
    )
    .toSorted();
}

/** Whether an object keeps nothing at all. */
export function isObjectEmpty(stub: DurableObjectStub): Promise<boolean> {
  return runInDurableObject(stub, (_, { storage }) => {
    const tables = storage.sql.exec<{ name: string }>(TABLES).toArray();
    return tables.every(({ name }) => !isProductTable(name));
  });
}

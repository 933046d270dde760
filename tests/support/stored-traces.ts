import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';

/** Searches every store of the product for data that must have been erased. */

/** A stored value as searchable text, including the bytes of an index. */
function toText(value: unknown): string {
  if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value);
  if (Array.isArray(value) && value.every((byte) => typeof byte === 'number'))
    return new TextDecoder('latin1').decode(new Uint8Array(value));
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

const toRowText = (row: Record<string, unknown>): string => Object.values(row).map(toText).join('\n');

/** The runtime's own tables cannot be read. */
const isProductTable = (table: string): boolean => !/^(?:_cf_|sqlite_)/.test(table);

/** All tables except a full-text index without its own text, whose underlying tables are read instead. */
const TABLES =
  "select name from sqlite_master where type = 'table' and not (sql like 'create virtual table%' and sql like '%content=''''%')";

/** A store and table with all of its contents as one text. */
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

/** All objects that store anything, as `namespace id`. */
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

/** The classes of bindings that store data, with the bindings that are searched. */
const SCANNED_BINDINGS: Record<string, readonly string[]> = {
  D1Database: ['DB'],
  DurableObjectNamespace: NAMESPACES,
  KvNamespace: ['KV'],
  R2Bucket: ['MEDIA'],
};
/** The classes of bindings that store nothing readable. */
const STATELESS_CLASSES = new Set(['Fetcher', 'SendEmail', 'Ratelimit', 'AnalyticsEngineDataset']);

/** Bindings that may store data and are not searched, as `class name`. */
export function listUnscannedStores(): string[] {
  return (
    Object.entries(env)
      // The test runner adds bindings of its own.
      .filter(([name, binding]) => typeof binding === 'object' && !/^(?:TEST_|__VITEST_)/.test(name))
      .map(([name, binding]) => [(binding as object).constructor.name, name] as const)
      .filter(
        ([kind, name]) => !STATELESS_CLASSES.has(kind) && SCANNED_BINDINGS[kind]?.includes(name) !== true,
      )
      .map(([kind, name]) => `${kind} ${name}`)
  );
}

/**
 * Finds words in every store, ignoring case.
 * @param except objects of other users, which are skipped
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

/** Whether an object stores nothing. */
export function isObjectEmpty(stub: DurableObjectStub): Promise<boolean> {
  return runInDurableObject(stub, (_, { storage }) => {
    const tables = storage.sql.exec<{ name: string }>(TABLES).toArray();
    return tables.every(({ name }) => !isProductTable(name));
  });
}

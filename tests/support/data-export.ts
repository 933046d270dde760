import { env } from 'cloudflare:workers';
import { strFromU8, unzipSync } from 'fflate';
import { expect } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { commissions } from '../../src/db/schema/billing.ts';
import { deletionRequests, feedback, googleAccounts, mails, pictures } from '../../src/db/schema/core.ts';
import { createId } from '../../src/lib/ids.ts';
import { addCharacter, createAccount, type Visitor } from './factories.ts';

export const EXPORT_PATH = '/api/account/export';

/** A downloaded archive with its files by path. */
export class Archive {
  readonly files: Record<string, Uint8Array>;

  constructor(bytes: Uint8Array) {
    this.files = unzipSync(bytes);
  }

  get paths(): string[] {
    return Object.keys(this.files).toSorted();
  }

  text(path: string): string {
    const file = this.files[path];
    expect({ path, there: file !== undefined, paths: this.paths }).toMatchObject({ there: true });
    return strFromU8(file as Uint8Array);
  }

  json<T = Record<string, unknown>>(path: string): T {
    return JSON.parse(this.text(path)) as T;
  }

  /** The only path with this ending. */
  path(ending: string | RegExp): string {
    const found = this.paths.filter((path) =>
      typeof ending === 'string' ? path.endsWith(ending) : ending.test(path),
    );
    expect(found).toHaveLength(1);
    return found[0] as string;
  }

  /** All readable text of the archive. */
  readAllText(): string {
    return this.paths.map((path) => `${path}\n${this.text(path)}`).join('\n');
  }
}

/** Downloads the data export as an archive. @param query such as `?part=2&after=…` */
export async function downloadArchive(me: Visitor, query = ''): Promise<Archive> {
  const answer = await me.call(EXPORT_PATH + query);
  expect(answer.status).toBe(200);
  return new Archive(new Uint8Array(await answer.arrayBuffer()));
}

/** A conversation of the JSON export. */
export interface ExportedChat {
  id: string;
  title?: string | null;
  persona?: { name: string } | null;
  deleted_at?: string | null;
  memory?: { text: string }[];
  messages?: {
    versions: { content: string; ai_generated: boolean }[];
    deleted_at?: string;
    pinned: boolean;
  }[];
  missing?: true;
  incomplete?: true;
}

export interface ExportDocument {
  account?: { profile: { id: string } };
  points?: { ledger: unknown[] };
  characters?: { card: { spec: string } }[];
  conversations: ExportedChat[];
  missing: { path: string; begun: boolean }[];
  next: string | null;
}

/** Downloads the data export as JSON. @param query such as `&after=…` */
export const downloadDocument = (me: Visitor, query = ''): Promise<ExportDocument> =>
  me.ask(`${EXPORT_PATH}?format=json${query}`);

/** Creates a user with every kind of personal data, each containing a unique word. */
export async function createUserWithData(word: string) {
  const me = await createAccount();
  const now = Date.now();
  const db = openDatabase(env.DB);
  await me.ask('/api/account', { method: 'PATCH', json: { nickname: `N${word}`.slice(0, 20) } });
  await me.ask('/api/personas', { json: { name: 'Wren', description: `Maps ${word} coasts.` }, status: 201 });
  await me.ask('/api/invites', { method: 'POST' });
  const key = `${createId(now)}abcdef`.replaceAll(/[^0-9a-f]/g, '0').slice(0, 32) + '.webp';
  await env.MEDIA.put(key, new Uint8Array([1, 2, 3, 4]));
  const own = await addCharacter({
    creatorId: me.id,
    name: 'Own',
    oneliner: `Oneliner ${word}`,
    characterTraits: `Traits ${word}`,
    avatarKey: key,
    tags: ['fantasy'],
  });
  await db.batch([
    db.insert(pictures).values({ key, ownerId: me.id, bytes: 4, createdAt: now }),
    db.insert(googleAccounts).values({ subject: `sub-${word}`, userId: me.id, createdAt: now }),
    db
      .insert(feedback)
      .values({ id: createId(now), userId: me.id, message: `Told ${word}`, language: 'en', createdAt: now }),
    db
      .insert(deletionRequests)
      .values({ userId: me.id, tokenHash: `hash-${word}`, requestedAt: now, expiresAt: now + 1000 }),
    db.insert(mails).values({
      id: createId(now),
      userId: me.id,
      address: me.email,
      language: 'en',
      kind: 'deletion_link',
      variables: { site: 'https://loreloom.test', token: `secret-${word}` },
      dedupeKey: 'x',
      createdAt: now,
      retryAt: now + 1e9,
    }),
    db.insert(commissions).values({
      id: createId(now),
      inviterId: me.id,
      paymentId: `pay-${word}`,
      amountCents: 105,
      currency: 'USD',
      status: 'due',
      createdAt: now,
    }),
  ]);
  return { me, own, key };
}

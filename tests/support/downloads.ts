import { env } from 'cloudflare:workers';
import { strFromU8, unzipSync } from 'fflate';
import { expect } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { commissions } from '../../src/db/schema/billing.ts';
import { deletionRequests, feedback, googleAccounts, mails, pictures } from '../../src/db/schema/core.ts';
import { newId } from '../../src/lib/ids.ts';
import { character, signedIn, type Visitor } from './makers.ts';

export const EXPORT = '/api/account/export';

/** An archive that was downloaded: its files by their paths. */
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

  /** The one path with this ending. */
  path(ending: string): string {
    const found = this.paths.filter((path) => path.endsWith(ending));
    expect(found).toHaveLength(1);
    return found[0] as string;
  }

  /** Everything that can be read in it, as one text. */
  all(): string {
    return this.paths.map((path) => `${path}\n${this.text(path)}`).join('\n');
  }
}

/** Downloads everything as an archive. @param query such as `?part=2&after=…` */
export async function archiveOf(me: Visitor, query = ''): Promise<Archive> {
  const answer = await me.call(EXPORT + query);
  expect(answer.status).toBe(200);
  return new Archive(new Uint8Array(await answer.arrayBuffer()));
}

/** A chat of the JSON document. */
export interface Told {
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

export interface Document {
  account?: { profile: { id: string } };
  points?: { ledger: unknown[] };
  characters?: { card: { spec: string } }[];
  conversations: Told[];
  missing: { path: string; begun: boolean }[];
  next: string | null;
}

/** Downloads everything as JSON. @param query such as `&after=…` */
export const documentOf = (me: Visitor, query = ''): Promise<Document> =>
  me.ask(`${EXPORT}?format=json${query}`);

/** Somebody with something of everything that is held about a person, and the words that only they have. */
export async function somebody(word: string) {
  const me = await signedIn();
  const now = Date.now();
  const db = openDatabase(env.DB);
  await me.ask('/api/account', { method: 'PATCH', json: { nickname: `N${word}`.slice(0, 20) } });
  await me.ask('/api/personas', { json: { name: 'Wren', description: `Maps ${word} coasts.` }, status: 201 });
  await me.ask('/api/invites', { method: 'POST' });
  const key = `${newId(now)}abcdef`.replaceAll(/[^0-9a-f]/g, '0').slice(0, 32) + '.webp';
  await env.MEDIA.put(key, new Uint8Array([1, 2, 3, 4]));
  const own = await character({
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
      .values({ id: newId(now), userId: me.id, message: `Told ${word}`, language: 'en', createdAt: now }),
    db
      .insert(deletionRequests)
      .values({ userId: me.id, tokenHash: `hash-${word}`, requestedAt: now, expiresAt: now + 1000 }),
    db.insert(mails).values({
      id: newId(now),
      userId: me.id,
      address: me.email,
      language: 'en',
      kind: 'deletion_link',
      details: { site: 'https://loreloom.test', token: `secret-${word}` },
      about: 'x',
      createdAt: now,
      tryAt: now + 1e9,
    }),
    db.insert(commissions).values({
      id: newId(now),
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

import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readWholeBody } from '../../../../src/api/middleware/json-body.ts';
import { Problem } from '../../../../src/api/middleware/problems.ts';
import { UPLOAD } from '../../../../src/features/storage/limits.ts';
import { removeAbandonedUploads, UploadParts } from '../../../../src/services/storage/upload-parts.ts';
import { addCharacter, createAccount, listMessages, type Visitor } from '../../../support/factories.ts';

const IMPORT = '/api/conversations/import';
const encoder = new TextEncoder();

let me: Visitor;
let characterId: string;
beforeEach(async () => {
  [me, characterId] = [await createAccount(), await addCharacter()];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const listParts = async () => (await env.MEDIA.list({ prefix: 'uploads/' })).objects.map(({ key }) => key);

const HEAD = () =>
  `--B\r\nContent-Disposition: form-data; name="character_id"\r\n\r\n${characterId}\r\n--B\r\nContent-Disposition: form-data; name="file"; filename="a.jsonl"\r\n\r\n`;
const CHAT = [
  '{"user_name":"Wren","character_name":"Orla"}',
  '{"name":"Wren","is_user":true,"mes":"I did."}',
];

/** An upload that a test continues and ends. */
function startUpload(user: Visitor) {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const answer = user.call(IMPORT, {
    method: 'POST',
    body: readable,
    headers: { 'content-type': 'multipart/form-data; boundary=B' },
  });
  const send = (text: string) => writer.write(encoder.encode(text));
  const sent = send(HEAD()).catch(() => {});
  const finish = async () => {
    await sent;
    await send(`${CHAT.join('\n')}\r\n--B--\r\n`);
    await writer.close();
    return answer;
  };
  return { answer, sent, send, finish };
}

describe('Uploads at once', () => {
  test('two uploads of a person are received, and a third is refused', async () => {
    const [one, other] = [startUpload(me), startUpload(me)];
    await Promise.all([one.sent, other.sent]);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const third = startUpload(me);
    // It waits now.
    await vi.waitFor(() => expect(timers).toHaveBeenCalledWith(expect.any(Function), UPLOAD.pollMs));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + UPLOAD.maxWaitMs + 1000 });
    const refused = await third.answer;
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.json()).toMatchObject({ code: 'too_many_uploads', limit: 2 });
    vi.useRealTimers();
    expect((await one.finish()).status).toBe(201);
    expect((await other.finish()).status).toBe(201);
  });

  test('a third upload waits for its turn', async () => {
    const [one, other] = [startUpload(me), startUpload(me)];
    await Promise.all([one.sent, other.sent]);
    const third = startUpload(me);
    expect((await one.finish()).status).toBe(201);
    expect((await third.finish()).status).toBe(201);
    expect((await other.finish()).status).toBe(201);
  });

  test('other people are not affected by the uploads of one', async () => {
    const [one, other] = [startUpload(me), startUpload(me)];
    await Promise.all([one.sent, other.sent]);
    expect((await startUpload(await createAccount()).finish()).status).toBe(201);
    await Promise.all([one.finish(), other.finish()]);
  });
});

describe('A large file', () => {
  const line = (text: string) => JSON.stringify({ name: 'Orla', is_user: false, mes: text });
  const texts = Array.from({ length: 90 }, (_, index) => `${index} ${'The lamp turns. '.repeat(6000)}`);

  const upload = async (content: string) => {
    const body = new FormData();
    body.set('file', new Blob([content]), 'a.jsonl');
    body.set('character_id', characterId);
    return me.call(IMPORT, { method: 'POST', body });
  };

  test('a large file is stored in parts while it arrives, and imported whole', async () => {
    const answer = await upload([...CHAT, ...texts.map(line)].join('\n'));
    expect(answer.status).toBe(201);
    const { conversation } = await answer.json<{ conversation: { id: string; message_count: number } }>();
    expect(conversation.message_count).toBe(91);
    // A page has as much as fits into one answer.
    const newest = (await listMessages(me, conversation.id)).map(({ content }) => content);
    expect(newest.length).toBeGreaterThan(10);
    expect(newest.every((text, index) => text === texts.at(index - newest.length))).toBe(true);
    expect(await listParts()).toEqual([]);
    const reserved = await env.DB.prepare('select count(*) as count from storage_reservations').first();
    expect(reserved).toEqual({ count: 0 });
  });

  test('a large file that does not compress waits in R2, and is read whole', async () => {
    const stored: string[] = [];
    const parts = new UploadParts(
      env.MEDIA,
      (number) => `uploads/test/${number}`,
      async () => {
        stored.push('part');
      },
    );
    const blocks = Array.from({ length: 40 }, () => {
      const block = new Uint8Array(256 * 1024);
      for (let at = 0; at < block.length; at += 65_536)
        crypto.getRandomValues(block.subarray(at, at + 65_536));
      return block;
    });
    for (const block of blocks) await parts.add([block]);
    const file = await parts.close([encoder.encode('the end')]);
    expect(stored).toEqual(['part', 'part']);
    expect(await listParts()).toEqual(['uploads/test/0', 'uploads/test/1']);
    for (let time = 0; time < 2; time += 1) {
      const whole = new Uint8Array(
        await new Blob((await file.readAll()) as Uint8Array<ArrayBuffer>[]).arrayBuffer(),
      );
      expect(whole).toEqual(new Uint8Array(await new Blob([...blocks, 'the end']).arrayBuffer()));
    }
    await parts.remove();
    expect(await listParts()).toEqual([]);
  });

  test('a part without room ends the upload', async () => {
    const parts = new UploadParts(
      env.MEDIA,
      (number) => `uploads/test/${number}`,
      () => Promise.reject(new Problem('storage_full')),
    );
    const block = new Uint8Array(65_536);
    const adding = (async () => {
      for (;;) await parts.add([crypto.getRandomValues(block)]);
    })();
    await expect(adding).rejects.toMatchObject({ code: 'storage_full' });
    await parts.remove();
    expect(await listParts()).toEqual([]);
  });

  test('a large file that cannot be used leaves no parts', async () => {
    const answer = await upload([...CHAT, ...texts.map(line), 'no JSON'].join('\n'));
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ code: 'import_line_invalid', line: 93 });
    expect(await listParts()).toEqual([]);
  });

  test('the clean-up removes the parts that a dead Worker left', async () => {
    await env.MEDIA.put('uploads/left/0', 'x');
    await removeAbandonedUploads(env, Date.now());
    expect(await listParts()).toEqual(['uploads/left/0']);
    await removeAbandonedUploads(env, Date.now() + 2 * 60 * 60_000);
    expect(await listParts()).toEqual([]);
  });
});

describe('A body', () => {
  const silent = () => new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
  const getCode = (reading: Promise<unknown>) =>
    reading.then(
      () => null,
      (error: unknown) => (error instanceof Problem ? error.code : error),
    );

  test('a body that stops coming is refused', async () => {
    expect(await getCode(readWholeBody(silent(), 10, { idleMs: 1, totalMs: 1000 }))).toBe('request_timeout');
    expect(await getCode(readWholeBody(silent(), 10, { idleMs: 1000, totalMs: 1 }))).toBe('request_timeout');
  });

  test('a body larger than its limit is refused without its length being declared', async () => {
    const stream = () => new Response('x'.repeat(11)).body as ReadableStream<Uint8Array>;
    expect(await getCode(readWholeBody(stream(), 10))).toBe('too_large');
    expect(new TextDecoder().decode(await readWholeBody(stream(), 11))).toBe('x'.repeat(11));
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseBoundary,
  readForm,
  type FormReceiver,
  type FormResult,
} from '../../../../src/api/middleware/multipart.ts';

const LIMITS = { fileField: 'file', maxFileBytes: 2000, maxFrameBytes: 1000 };
/** Holds the whole file. */
const HELD: FormReceiver = {
  deadline: { idleMs: 60_000, totalMs: 60_000 },
  onPiece: () => {},
  maxHeldBytes: Number.POSITIVE_INFINITY,
  store: () => Promise.reject(new Error('nothing has to be stored')),
};
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Reads a body that arrives in pieces of the given size. */
function read(body: Uint8Array, boundary: string, pieceBytes = 7, limits = LIMITS): Promise<FormResult> {
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < body.length; at += pieceBytes)
        controller.enqueue(body.slice(at, at + pieceBytes));
      controller.close();
    },
  });
  return readForm(stream, boundary, limits, HELD);
}

/** A form as the platform itself serializes it. */
async function serialize(form: FormData): Promise<{ body: Uint8Array; boundary: string }> {
  const response = new Response(form);
  const boundary = parseBoundary(response.headers.get('content-type') ?? '');
  if (boundary === null) throw new Error('the platform’s own form has no boundary');
  return { body: new Uint8Array(await response.arrayBuffer()), boundary };
}

const text = (read: FormResult): string =>
  read.ok ? Buffer.concat(read.form.file ?? []).toString('utf8') : read.code;

describe('Multipart form', () => {
  test('a form is read as it was sent, however it is split', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.string({ unit: 'grapheme', maxLength: 30 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 400 }),
        async (content, id, fileFirst, pieceBytes) => {
          const form = new FormData();
          if (!fileFirst) form.set('character_id', id);
          form.set('file', new Blob([content as Uint8Array<ArrayBuffer>]), 'a "b"\r\n.jsonl');
          if (fileFirst) form.set('character_id', id);
          const { body, boundary } = await serialize(form);
          const result = await read(body, boundary, pieceBytes);
          expect(result.ok).toBe(true);
          if (!result.ok) return;
          expect(new Uint8Array(Buffer.concat(result.form.file ?? []))).toEqual(content);
          // Forms send line endings in fields as CRLF.
          expect(result.form.fields).toEqual({ character_id: id.replaceAll(/\r\n|\r|\n/g, '\r\n') });
        },
      ),
    );
  });

  test("a file may contain text that looks like the form's boundary", async () => {
    const content = '\r\n--X\r\n--XYZ\r\n\r\n--XY\r\n--';
    const body = `--XYZW\r\nContent-Disposition: form-data; filename="name=\\"x"; name="file"\r\n\r\n${content}\r\n--XYZW--\r\n`;
    expect(text(await read(bytesOf(body), 'XYZW', 1))).toBe(content);
  });

  test('a form without a file is read with no file', async () => {
    const form = new FormData();
    form.set('character_id', 'x');
    const { body, boundary } = await serialize(form);
    expect(await read(body, boundary)).toEqual({
      ok: true,
      form: { fields: { character_id: 'x' }, file: null },
    });
  });

  test('a form whose file is too large is refused, by one byte or by far', async () => {
    for (const [size, expected] of [
      [LIMITS.maxFileBytes, true],
      [LIMITS.maxFileBytes + 1, false],
      [LIMITS.maxFileBytes * 20, false],
    ] as const) {
      const form = new FormData();
      form.set('file', new Blob(['x'.repeat(size)]));
      const { body, boundary } = await serialize(form);
      const result = await read(body, boundary);
      expect({ size, ok: result.ok }).toEqual({ size, ok: expected });
      if (!result.ok) expect(result.code).toBe('too_large');
    }
  });

  test('a form whose other parts are too large is refused', async () => {
    const form = new FormData();
    form.set('character_id', 'x'.repeat(LIMITS.maxFrameBytes));
    const { body, boundary } = await serialize(form);
    expect(await read(body, boundary)).toEqual({ ok: false, code: 'too_large' });
  });

  test.each([
    ['that breaks off', '--B\r\nContent-Disposition: form-data; name="file"\r\n\r\nhalf'],
    ['that is empty', ''],
    ['of another boundary', '--C\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--C--'],
    ['with a part that has no name', '--B\r\nContent-Type: text/plain\r\n\r\nx\r\n--B--'],
    ['with a head without end', `--B\r\n${'x'.repeat(9000)}`],
    [
      'with two files',
      '--B\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--B\r\nContent-Disposition: form-data; name="file"\r\n\r\ny\r\n--B--',
    ],
    [
      'with a field twice',
      '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--B\r\nContent-Disposition: form-data; name="a"\r\n\r\ny\r\n--B--',
    ],
    [
      'with something after a separator',
      '--Bx\r\nContent-Disposition: form-data; name="a"\r\n\r\nx\r\n--B--',
    ],
  ])('a form %s is refused', async (_, body) => {
    expect(await read(bytesOf(body), 'B', 5, { ...LIMITS, maxFrameBytes: 20_000 })).toEqual({
      ok: false,
      code: 'invalid_input',
    });
  });

  test('any bytes lead to a result', async () => {
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 30 }),
      fc
        .constantFrom(
          '--B',
          '\r\n--B',
          '--',
          '\r\n',
          'Content-Disposition: form-data; name="file"',
          '\r\n\r\n',
        )
        .map(bytesOf),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 15 }),
        fc.integer({ min: 1, max: 20 }),
        async (pieces, size) => {
          const result = await read(new Uint8Array(pieces.flatMap((one) => [...one])), 'B', size);
          expect(typeof result.ok).toBe('boolean');
        },
      ),
    );
  });
});

test('the boundary of a form is read from its content type', () => {
  expect(parseBoundary('multipart/form-data; boundary=abc')).toBe('abc');
  expect(parseBoundary('Multipart/Form-Data; charset=utf-8; Boundary="a b"')).toBe('a b');
  for (const none of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'application/json',
    'x; boundary=a',
  ])
    expect(parseBoundary(none)).toBeNull();
});

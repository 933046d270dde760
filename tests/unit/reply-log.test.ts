import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../src/features/conversation/contract.ts';
import {
  buildAcceptedEvent,
  toAcceptedReply,
  buildDeltaEvents,
  encodeEvent,
  buildEndEvents,
  formatEventId,
  getMissedEvents,
  type NumberedEvent,
  readEventId,
  buildRefusalEvents,
  buildSafetyEvent,
} from '../../src/features/conversation/turn/reply-log.ts';

const TURN = 'turn-0001';
/** Any UTF-16 text, halves of characters, line ends and control characters included. */
const anyText = fc.string({ unit: 'binary', maxLength: 200 });

const reply = (content: string): Message => ({
  id: 'reply',
  role: 'character',
  content,
  created_at: '2026-05-04T06:00:00.000Z',
  edited: false,
  pinned: false,
  status: 'complete',
  versions: [
    {
      id: 'old',
      content: 'An older text',
      model: 'loreloom',
      created_at: '2026-05-04T06:00:00.000Z',
      edited: false,
    },
    { id: 'new', content, model: 'loreloom', created_at: '2026-05-04T06:00:00.000Z', edited: false },
  ],
  selected_version_id: 'new',
});

const joined = (events: readonly NumberedEvent[]): string =>
  events.map(({ event }) => (event.event === 'delta' ? event.text : '')).join('');

/** The bursts of a text that is cut at random places, as live followers get them. */
function bursts(text: string, cuts: readonly number[]): NumberedEvent[] {
  const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  let told = 0;
  return [...ends, text.length].flatMap((end) => {
    const events = buildDeltaEvents(text.slice(0, end), told);
    told = end;
    return events;
  });
}

describe('A reply as a log', () => {
  test('gives every reader the rest of the same text, whatever bursts it came in and wherever they left', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(500)), fc.nat(500), (text, cuts, left) => {
        const live = bursts(text, cuts);
        expect(joined(live)).toBe(text);
        const seen = live.slice(0, left % (live.length + 1));
        const rest = getMissedEvents({
          seen: seen.at(-1)?.number ?? 0,
          text,
          accepted: buildAcceptedEvent(reply(text), null),
          end: null,
        });
        expect(joined(seen) + joined(rest)).toBe(text);
      }),
    );
  });

  test('numbers its events upwards, the beginning 0 and the end one above the text', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(500)), (text, cuts) => {
        const events = [
          buildAcceptedEvent(reply(text), null),
          ...bursts(text, cuts),
          ...buildEndEvents(text.length, { kind: 'done', reply: reply(text), points: null }),
        ];
        const numbers = events.map(({ number }) => number);
        expect(numbers[0]).toBe(0);
        expect(numbers.at(-1)).toBe(text.length + 1);
        for (const [index, number] of numbers.slice(1).entries())
          expect(number).toBeGreaterThan(numbers[index] as number);
      }),
    );
  });

  test('is told from the beginning to who has seen nothing, and without it to who has seen something', () => {
    const accepted = buildAcceptedEvent(reply('abc'), null);
    const end = { kind: 'done', reply: reply('abc'), points: null } as const;
    const kinds = (seen: number | null) =>
      getMissedEvents({ seen, text: 'abc', accepted, end }).map(({ event }) => event.event);
    expect(kinds(null)).toEqual(['accepted', 'delta', 'done']);
    expect(kinds(0)).toEqual(['delta', 'done']);
    expect(kinds(2)).toEqual(['delta', 'done']);
    expect(kinds(3)).toEqual(['done']);
    expect(kinds(4)).toEqual(['done']);
    expect(kinds(999_999_999)).toEqual(['done']);
  });

  test('begins without a text, and keeps what other versions say', () => {
    const begun = toAcceptedReply({ ...reply('abc'), error_code: 'model_failed' }, '');
    expect(begun).toMatchObject({
      content: '',
      status: 'streaming',
      versions: [{ content: 'An older text' }, { content: '' }],
    });
    expect(JSON.stringify(begun)).not.toContain('error_code');
  });

  test('ends with why, when it did not end well', () => {
    expect(
      buildEndEvents(3, { kind: 'error', error: 'It broke.', code: 'model_failed', reply: reply('abc') }),
    ).toEqual([
      {
        number: 4,
        event: { event: 'error', error: 'It broke.', code: 'model_failed', reply: reply('abc') },
      },
    ]);
  });

  test('that a rule ended says which one before it says that it ended', () => {
    const told = { error: 'A rule ended it.', code: 'reply_refused', reply: reply('abc') };
    expect(buildEndEvents(3, { kind: 'error', ...told, rule: 'minors' })).toEqual([
      { number: 4, event: { event: 'safety', kind: 'refused', rule: 'minors' } },
      { number: 5, event: { event: 'error', ...told } },
    ]);
  });

  test('with something to tell before its text gives every reader that and the same text, each number once', () => {
    const help = buildSafetyEvent(1, { kind: 'crisis', helplines: [] });
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(500)), fc.nat(500), (text, cuts, left) => {
        const accepted = buildAcceptedEvent(reply(text), null);
        const deltas = bursts(text, cuts).map(({ number, event }) => ({ number: number + 1, event }));
        const end = { kind: 'done', reply: reply(text), points: null } as const;
        const live = [accepted, help, ...deltas, ...buildEndEvents(1 + text.length, end)];
        expect(live.map(({ number }) => number)).toEqual(
          [...new Set(live.map(({ number }) => number))].toSorted((a, b) => a - b),
        );
        const seen = live.slice(0, left % live.length);
        const rest = getMissedEvents({
          seen: seen.at(-1)?.number ?? null,
          text,
          accepted,
          before: [help],
          head: 1,
          end,
        });
        const told = [...seen, ...rest];
        expect(joined(told)).toBe(text);
        expect(told.filter(({ event }) => event.event === 'safety')).toEqual([help]);
        expect(told.filter(({ event }) => event.event === 'accepted')).toEqual([accepted]);
      }),
    );
  });

  test('of a text that was refused is nothing but where help is, the rule, and that it was refused', () => {
    const events = buildRefusalEvents(
      [
        { kind: 'crisis', helplines: [] },
        { kind: 'refused', rule: 'minors' },
      ],
      { error: 'It cannot be sent.', code: 'text_refused' },
    );
    expect(events.map(({ number, event }) => [number, event.event])).toEqual([
      [0, 'safety'],
      [1, 'safety'],
      [2, 'error'],
    ]);
    expect(events.at(-1)?.event).not.toHaveProperty('reply');
  });
});

describe('An event on the wire', () => {
  test('is read back as it was, whatever the text: line ends, colons, and halves of characters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(anyText, fc.constantFrom('\n\ndata: x', '\r', '\u2028', 'id: 1', ': c')), {
          minLength: 1,
          maxLength: 5,
        }),
        (texts) => {
          const wire = texts
            .map((text, index) => encodeEvent(TURN, { number: index + 1, event: { event: 'delta', text } }))
            .join('');
          const read: { id?: string | undefined; event?: string | undefined; data: string }[] = [];
          const parser = createParser({
            onEvent: (event) => read.push(event),
            onError: (error) => expect.fail(error.message),
          });
          // As UTF-8 and back, which is what a network does to it.
          parser.feed(new TextDecoder().decode(new TextEncoder().encode(wire)));
          expect(read).toEqual(
            texts.map((text, index) => ({
              id: `${TURN}:${index + 1}`,
              event: 'delta',
              data: JSON.stringify({ text }),
            })),
          );
          expect(read.map(({ data }) => (JSON.parse(data) as { text: string }).text)).toEqual(texts);
        },
      ),
    );
  });

  test('has an id that is read back, by its own turn alone', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{8,64}$/), fc.nat(999_999_999), (turn, number) => {
        expect(readEventId(formatEventId(turn, number), turn)).toBe(number);
        expect(readEventId(formatEventId(turn, number), `${turn.slice(0, 63)}x`)).toBe(
          `${turn.slice(0, 63)}x` === turn ? number : null,
        );
      }),
    );
  });

  test('has an id; anything else that a client may send in its place counts as nothing seen', () => {
    for (const header of [
      null,
      undefined,
      '',
      '3',
      ':3',
      `${TURN}:`,
      `${TURN}:-1`,
      `${TURN}:1.5`,
      `${TURN}:9999999999`,
      `${TURN}: 1`,
      `${TURN}:1:1`,
      `x${TURN}:1`,
      'NaN',
      '\n',
    ]) {
      expect(readEventId(header, TURN)).toBeNull();
    }
  });
});

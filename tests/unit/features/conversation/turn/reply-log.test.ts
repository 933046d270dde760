import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message } from '../../../../../src/features/conversation/contract.ts';
import {
  buildAcceptedEvent,
  toAcceptedReply,
  buildDeltaEvents,
  encodeEvent,
  buildEndEvents,
  formatEventId,
  getMissedEvents,
  getRestartNumber,
  type NumberedEvent,
  readEventId,
  buildRefusalEvents,
  buildSafetyEvent,
} from '../../../../../src/features/conversation/turn/reply-log.ts';

const TURN = 'turn-0001';
/** Any UTF-16 text, including lone surrogates, line endings and control characters. */
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

const joinText = (events: readonly NumberedEvent[]): string =>
  events.map(({ event }) => (event.event === 'delta' ? event.text : '')).join('');

/** The events of a text that is split at random places, as live followers receive them. */
function createBursts(text: string, cuts: readonly number[]): NumberedEvent[] {
  const ends = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b);
  let sentLength = 0;
  return [...ends, text.length].flatMap((end) => {
    const events = buildDeltaEvents(text.slice(0, end), sentLength);
    sentLength = end;
    return events;
  });
}

describe('Reply events', () => {
  test('a reader who rejoins anywhere receives the rest of the same text', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(500)), fc.nat(500), (text, cuts, left) => {
        const live = createBursts(text, cuts);
        expect(joinText(live)).toBe(text);
        const seen = live.slice(0, left % (live.length + 1));
        const rest = getMissedEvents({
          seen: seen.at(-1)?.number ?? 0,
          text,
          accepted: buildAcceptedEvent(reply(text), null),
          end: null,
        });
        expect(joinText(seen) + joinText(rest)).toBe(text);
      }),
    );
  });

  test('events are numbered upwards from 0 to one above the length of the text', () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(500)), (text, cuts) => {
        const events = [
          buildAcceptedEvent(reply(text), null),
          ...createBursts(text, cuts),
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

  test('a new reader receives the accepted event, and a rejoining reader does not', () => {
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

  test('the accepted event has an empty text and keeps the other versions', () => {
    const begun = toAcceptedReply({ ...reply('abc'), error_code: 'model_failed' }, '');
    expect(begun).toMatchObject({
      content: '',
      status: 'streaming',
      versions: [{ content: 'An older text' }, { content: '' }],
    });
    expect(JSON.stringify(begun)).not.toContain('error_code');
  });

  test('a failed reply ends with its error', () => {
    expect(
      buildEndEvents(3, { kind: 'error', error: 'It broke.', code: 'model_failed', reply: reply('abc') }),
    ).toEqual([
      {
        number: 4,
        event: { event: 'error', error: 'It broke.', code: 'model_failed', reply: reply('abc') },
      },
    ]);
  });

  test('a reply ended by a rule sends the rule before the error', () => {
    const failure = { error: 'A rule ended it.', code: 'reply_refused', reply: reply('abc') };
    expect(buildEndEvents(3, { kind: 'error', ...failure, rule: 'minors' })).toEqual([
      { number: 4, event: { event: 'safety', kind: 'refused', rule: 'minors' } },
      { number: 5, event: { event: 'error', ...failure } },
    ]);
  });

  test('a reply with a safety event before its text delivers both once to every reader', () => {
    const help = buildSafetyEvent(1, { kind: 'crisis', helplines: [] });
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(500)), fc.nat(500), (text, cuts, left) => {
        const accepted = buildAcceptedEvent(reply(text), null);
        const deltas = createBursts(text, cuts).map(({ number, event }) => ({ number: number + 1, event }));
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
        const received = [...seen, ...rest];
        expect(joinText(received)).toBe(text);
        expect(received.filter(({ event }) => event.event === 'safety')).toEqual([help]);
        expect(received.filter(({ event }) => event.event === 'accepted')).toEqual([accepted]);
      }),
    );
  });

  test('thinking precedes the text, and a reader who has no text yet begins again', () => {
    const accepted = buildAcceptedEvent(reply('abc'), null);
    const read = (seen: number | null) =>
      getMissedEvents({ seen, text: 'abc', thinking: 'hm', accepted, end: null }).map(({ number, event }) => [
        number,
        event.event,
      ]);
    const whole = [
      [0, 'accepted'],
      [0, 'thinking'],
      [3, 'delta'],
    ];
    expect(read(null)).toEqual(whole);
    expect(read(0)).toEqual(whole);
    expect(read(1)).toEqual([[3, 'delta']]);
    expect(read(3)).toEqual([]);
  });

  test('a reader who saw a text that was thinking begins again, wherever it left', () => {
    const accepted = buildAcceptedEvent(reply('abc'), null);
    fc.assert(
      fc.property(fc.nat(1), fc.integer({ min: 1, max: 50 }), anyText, (head, sent, thinking) => {
        const next = getRestartNumber(head, sent);
        const kinds = (seen: number) =>
          getMissedEvents({ seen, text: 'abc', thinking, accepted, head: next, end: null }).map(
            ({ event }) => event.event,
          );
        for (let seen = head + 1; seen <= head + sent; seen += 1)
          expect(kinds(seen)).toEqual(['accepted', ...(thinking === '' ? [] : ['thinking']), 'delta']);
        expect(kinds(next + 1)).toEqual(['delta']);
        expect(kinds(next + 3)).toEqual([]);
      }),
    );
  });

  test('an error says how long to wait', () => {
    const failure = { error: 'Busy.', code: 'model_busy', reply: reply('') };
    const [event] = buildEndEvents(0, { kind: 'error', ...failure, retryAfter: 7 });
    expect(event?.event).toEqual({ event: 'error', ...failure, retry_after: 7 });
  });

  test('a refused text sends helplines, the rule and the error and no reply', () => {
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

describe('Event stream encoding', () => {
  test('any text is read back unchanged, including line endings, colons and lone surrogates', () => {
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
          // Encode and decode as UTF-8, as the network does.
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

  test('an event id is read back by its own turn only', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{8,64}$/), fc.nat(999_999_999), (turn, number) => {
        expect(readEventId(formatEventId(turn, number), turn)).toBe(number);
        expect(readEventId(formatEventId(turn, number), `${turn.slice(0, 63)}x`)).toBe(
          `${turn.slice(0, 63)}x` === turn ? number : null,
        );
      }),
    );
  });

  test('an invalid event id counts as nothing seen', () => {
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

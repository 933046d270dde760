import { EventSourceParserStream } from 'eventsource-parser/stream';
import { expect } from 'vitest';
import type { Message } from '../../src/features/conversation/contract.ts';
import type { Helpline } from '../../src/features/safety/helplines.ts';
import type { PointsStatus } from '../../src/features/wallet/contract.ts';

/** One received event of a reply. */
export interface ReceivedEvent {
  id: string;
  event: string;
  data: {
    text?: string;
    error?: string;
    code?: string;
    user_message?: Message;
    reply?: Message;
    newest?: boolean;
    points?: PointsStatus | null;
    kind?: string;
    rule?: string;
    helplines?: Helpline[];
  };
}

/** Reads a reply's events one by one, as a browser's EventSource would understand them. */
export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<{
    id?: string | undefined;
    event?: string | undefined;
    data: string;
  }>;
  readonly receivedEvents: ReceivedEvent[] = [];

  private constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body
      .pipeThrough(
        new TextDecoderStream('utf-8', { fatal: true }) as ReadableWritablePair<string, Uint8Array>,
      )
      .pipeThrough(new EventSourceParserStream({ onError: 'terminate' }))
      .getReader();
  }

  /** Reads a response that must be an event stream. */
  static async fromResponse(response: Response): Promise<EventReader> {
    if (response.status !== 200)
      expect({ status: response.status, text: await response.text() }).toMatchObject({ status: 200 });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    return new EventReader(response.body as ReadableStream<Uint8Array>);
  }

  /** The next event, or null when the stream is over. */
  async next(): Promise<ReceivedEvent | null> {
    const { done, value } = await this.#reader.read();
    if (done) return null;
    const event = {
      id: value.id ?? '',
      event: value.event ?? 'message',
      data: JSON.parse(value.data) as ReceivedEvent['data'],
    };
    this.receivedEvents.push(event);
    return event;
  }

  /** Reads until the text is long enough, and returns all events so far. */
  async readUntilText(isEnough: (text: string) => boolean): Promise<ReceivedEvent[]> {
    while (!isEnough(joinDeltas(this.receivedEvents))) {
      if ((await this.next()) === null)
        throw new Error(`the stream ended at «${joinDeltas(this.receivedEvents)}»`);
    }
    return this.receivedEvents;
  }

  /** Reads to the end of the stream, and returns all its events. */
  async readRest(): Promise<ReceivedEvent[]> {
    while ((await this.next()) !== null);
    return this.receivedEvents;
  }

  /** Disconnects as a closed tab does. */
  async disconnect(): Promise<void> {
    await this.#reader.cancel();
  }
}

/** The deltas since the newest `accepted`, joined. */
export function joinDeltas(events: readonly ReceivedEvent[]): string {
  return events
    .slice(events.findLastIndex((event) => event.event === 'accepted') + 1)
    .map((event) => (event.event === 'delta' ? (event.data.text ?? '') : ''))
    .join('');
}

/** Joins what the model thought, in all events. */
export const joinThinking = (events: readonly ReceivedEvent[]): string =>
  events.map(({ event, data }) => (event === 'thinking' ? (data.text ?? '') : '')).join('');

/** The event types in order, with repeated ones counted once. */
export function summarizeKinds(events: readonly ReceivedEvent[]): string[] {
  return events.map((event) => event.event).filter((kind, index, kinds) => kind !== kinds[index - 1]);
}

/** The last event of a reply. */
export function getLastEvent(events: readonly ReceivedEvent[]): ReceivedEvent {
  return events.at(-1) as ReceivedEvent;
}

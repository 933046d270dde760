import { randomUUID } from 'node:crypto';
import { createParser } from 'eventsource-parser';
import { SOMEBODY } from './journey.ts';
import type {
  ConversationCreated,
  ConversationPage,
  ReplyEvent,
} from '../../src/features/conversation/contract.ts';
import type { LedgerPage, PointsStatus } from '../../src/features/wallet/contract.ts';

/** An API client without a browser, with the session of one user. */
export class ApiClient {
  readonly #origin: string;
  readonly #cookie: string;

  private constructor(origin: string, cookie: string) {
    this.#origin = origin;
    this.#cookie = cookie;
  }

  /** Starts a guest session. */
  static async guest(origin: string): Promise<ApiClient> {
    const answer = await fetch(`${origin}/api/auth/anonymous`, { method: 'POST' });
    const cookie = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    return new ApiClient(origin, cookie.join('; '));
  }

  request(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.#origin}${path}`, {
      method,
      headers: {
        cookie: this.#cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.request(method, path, body);
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Starts a conversation with the first character of the catalogue. */
  async begin(): Promise<string> {
    const { items } = await this.json<{ items: { id: string }[] }>('GET', SOMEBODY);
    const created = await this.json<ConversationCreated>('POST', '/api/conversations', {
      character_id: items[0]?.id,
    });
    return created.conversation.id;
  }

  send(conversation: string, content: string): Promise<Response> {
    return this.request('POST', `/api/conversations/${conversation}/messages`, {
      content,
      client_message_id: randomUUID(),
    });
  }

  page(conversation: string): Promise<ConversationPage> {
    return this.json('GET', `/api/conversations/${conversation}`);
  }

  points(): Promise<PointsStatus> {
    return this.json('GET', '/api/points');
  }

  ledger(): Promise<LedgerPage> {
    return this.json('GET', '/api/points/ledger');
  }
}

/** Reads a turn's events until `enough` returns true or the stream ends. */
export async function readEvents(
  answer: Response,
  enough: (events: ReplyEvent[]) => boolean = () => false,
): Promise<ReplyEvent[]> {
  const events: ReplyEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ event, ...JSON.parse(data) } as ReplyEvent),
  });
  const decoder = new TextDecoder();
  const reader = answer.body?.getReader();
  while (reader !== undefined) {
    const { done, value } = await reader.read();
    if (done) break;
    parser.feed(decoder.decode(value, { stream: true }));
    if (enough(events)) {
      await reader.cancel();
      break;
    }
  }
  return events;
}

/** Returns the text of all `delta` events. */
export function textOf(events: readonly ReplyEvent[]): string {
  return events.map((event) => (event.event === 'delta' ? event.text : '')).join('');
}

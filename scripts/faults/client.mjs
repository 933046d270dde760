// A user's browser without a screen: sends requests, reads event streams, leaves in the middle.
import { EventSourceParserStream } from 'eventsource-parser/stream';

export class Client {
  /**
   * @param {() => string} getOrigin where the runtime listens now
   * @param {() => void} onEvent called for every event that is received
   */
  constructor(getOrigin, onEvent) {
    this.getOrigin = getOrigin;
    this.onEvent = onEvent;
    this.cookie = '';
    this.userId = null;
  }

  async logIn() {
    const response = await this.request('POST', '/api/auth/anonymous');
    if (!response.ok) throw new Error(`no guest: ${response.status}`);
    this.cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    this.userId = (await response.json()).user_id;
    return this;
  }

  request(method, path, { body, headers = {}, signal = AbortSignal.timeout(15_000) } = {}) {
    const isJson = body !== undefined;
    return fetch(`${this.getOrigin()}${path}`, {
      ...{ method, signal },
      headers: { cookie: this.cookie, ...(isJson ? { 'content-type': 'application/json' } : {}), ...headers },
      ...(isJson ? { body: JSON.stringify(body) } : {}),
    });
  }

  /** Sends a request. The outcome is `acked` with the answer, `refused` with a code, or `unknown` if it may have been done. */
  async act(method, path, body) {
    try {
      const response = await this.request(method, path, { body });
      const answer = response.status === 204 ? null : await response.json();
      if (response.ok) return { outcome: 'acked', answer };
      return { outcome: response.status >= 500 ? 'unknown' : 'refused', code: answer?.code };
    } catch (error) {
      return { outcome: 'unknown', code: error.name };
    }
  }

  /**
   * Reads the events of a turn, with the time of each.
   * @param {{ body?: object, lastEventId?: string | null, leaveAfter?: number, tab?: string }} options `leaveAfter`: the number of deltas after which the client disconnects
   * @returns what was received: the beginning, the text by position, the end
   */
  async follow(method, path, { body, lastEventId, leaveAfter = Infinity, tab }) {
    const seen = { outcome: 'unknown', accepted: null, parts: [], lastEventId: null };
    Object.assign(seen, { end: null, code: null, reply: null });
    const leave = new AbortController();
    const timeout = setTimeout(() => leave.abort(), 20_000);
    try {
      const headers = {
        ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
        ...(tab ? { 'x-tab': tab } : {}),
      };
      const response = await this.request(method, path, { body, headers, signal: leave.signal });
      if (response.status === 204) return { ...seen, outcome: 'nothing' };
      if (!response.ok) {
        const { code } = await response.json();
        return { ...seen, outcome: response.status >= 500 ? 'unknown' : 'refused', code };
      }
      const events = response.body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream());
      for await (const event of events) {
        this.onEvent();
        readEvent(seen, event);
        if (seen.parts.length >= leaveAfter && seen.end === null) {
          leave.abort();
          return seen;
        }
      }
    } catch {
      // The stream broke off: what was received counts.
    } finally {
      clearTimeout(timeout);
    }
    return seen;
  }
}

/** Adds an event to what a client has received. */
function readEvent(seen, { id, event, data: json }) {
  const data = JSON.parse(json);
  seen.lastEventId = id;
  if (event === 'accepted') {
    seen.outcome = 'acked';
    seen.accepted = {
      replyId: data.reply.id,
      versionId: data.reply.selected_version_id,
      userMessageId: data.user_message?.id ?? null,
    };
  } else if (event === 'delta') {
    const to = Number(id.split(':').at(-1));
    seen.parts.push({ from: to - data.text.length, text: data.text, at: Date.now() });
  } else if (event === 'done' || event === 'error') {
    seen.end = event;
    seen.code = data.code ?? null;
    seen.reply = data.reply === undefined ? null : readReply(data.reply);
  }
}

/** Returns what the checker compares of a reply. */
export const readReply = (reply) => ({
  id: reply.id,
  versionId: reply.selected_version_id,
  content: reply.content,
  status: reply.status,
  errorCode: reply.error_code ?? null,
});

// One person's browser without a screen: asks, reads streams of events, leaves in the middle.
/** The events in what has come so far, and the rest that is not whole yet. */
function takeEvents(buffer) {
  const events = [];
  let rest = buffer;
  for (let at = rest.indexOf('\n\n'); at !== -1; at = rest.indexOf('\n\n')) {
    const block = rest.slice(0, at);
    rest = rest.slice(at + 2);
    const event = { id: null, name: null, data: null };
    for (const line of block.split('\n')) {
      if (line.startsWith('id: ')) event.id = line.slice(4);
      else if (line.startsWith('event: ')) event.name = line.slice(7);
      else if (line.startsWith('data: ')) event.data = JSON.parse(line.slice(6));
    }
    if (event.name !== null) events.push(event);
  }
  return { events, rest };
}

export class Client {
  /**
   * @param originOf says where the runtime listens now
   * @param beat is called with every event that is seen
   */
  constructor(originOf, beat) {
    this.originOf = originOf;
    this.beat = beat;
    this.cookie = '';
    this.userId = null;
  }

  async comeIn() {
    const answer = await fetch(`${this.originOf()}/api/auth/anonymous`, {
      method: 'POST',
      signal: AbortSignal.timeout(10_000),
    });
    if (!answer.ok) throw new Error(`no guest: ${answer.status}`);
    this.cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';', 1)[0])
      .join('; ');
    this.userId = (await answer.json()).user_id;
    return this;
  }

  ask(method, path, { body, headers = {}, signal } = {}) {
    return fetch(`${this.originOf()}${path}`, {
      method,
      headers: {
        cookie: this.cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: signal ?? AbortSignal.timeout(15_000),
    });
  }

  /**
   * Asks for something and says how it went: `acked` with the answer, `refused` with the code, or `unknown` where nobody
   * can tell whether it was done.
   */
  async act(method, path, body) {
    try {
      const answer = await this.ask(method, path, { body });
      const told = answer.status === 204 ? null : await answer.json();
      if (answer.ok) return { outcome: 'acked', told };
      if (answer.status >= 500) return { outcome: 'unknown', code: told?.code };
      return { outcome: 'refused', code: told?.code };
    } catch (error) {
      return { outcome: 'unknown', code: error.name };
    }
  }

  /**
   * Reads a turn's events as they come, each with its moment.
   * @param leaveAfter how many deltas are read before the client vanishes; Infinity reads to the end
   * @returns what was seen: its beginning, its text by place, its end
   */
  async follow(method, path, { body, lastEventId, leaveAfter = Infinity, tab }) {
    const seen = {
      outcome: 'unknown',
      accepted: null,
      parts: [],
      end: null,
      code: null,
      lastEventId: null,
      left: false,
    };
    const leave = new AbortController();
    const patience = setTimeout(() => leave.abort(), 20_000);
    try {
      const answer = await this.ask(method, path, {
        body,
        headers: {
          ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
          ...(tab ? { 'x-tab': tab } : {}),
        },
        signal: leave.signal,
      });
      if (answer.status === 204) return { ...seen, outcome: 'nothing' };
      if (!answer.ok) {
        const told = await answer.json();
        return { ...seen, outcome: answer.status >= 500 ? 'unknown' : 'refused', code: told.code };
      }
      let buffer = '';
      const decoder = new TextDecoder();
      for await (const piece of answer.body) {
        const taken = takeEvents(buffer + decoder.decode(piece, { stream: true }));
        buffer = taken.rest;
        for (const { id, name, data } of taken.events) {
          seen.lastEventId = id;
          this.beat();
          if (name === 'accepted') {
            seen.outcome = 'acked';
            seen.accepted = {
              replyId: data.reply.id,
              versionId: data.reply.selected_version_id,
              userMessageId: data.user_message?.id ?? null,
            };
          } else if (name === 'delta') {
            const to = Number(id.split(':').at(-1));
            seen.parts.push({ from: to - data.text.length, text: data.text, at: Date.now() });
          } else if (name === 'done' || name === 'error') {
            seen.end = name;
            seen.code = data.code ?? null;
            seen.told = data.reply === undefined ? null : toldOf(data.reply);
          }
        }
        if (seen.parts.length >= leaveAfter && seen.end === null) {
          seen.left = true;
          leave.abort();
          return seen;
        }
      }
    } catch (error) {
      seen.broke = error.name;
    } finally {
      clearTimeout(patience);
    }
    return seen;
  }
}

/** What an end, or the answer to a stop, told of its reply. */
export const toldOf = (reply) => ({
  id: reply.id,
  versionId: reply.selected_version_id,
  content: reply.content,
  status: reply.status,
  errorCode: reply.error_code ?? null,
});

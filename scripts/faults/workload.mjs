// The simulated users: many conversations, often two tabs on one, each action drawn from the seed. The journal records every
// action and its outcome, which is `unknown` if the client got no answer.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, readReply } from './client.mjs';
import { createRandom, hashText } from './random.mjs';

const TABS = 12;
const USERS = 6;
const CHATS_EACH = 2;
const MAX_CHATS = 5;
/** A user without points is replaced by a new one. */
const OUT_OF_POINTS = new Set(['points_exhausted', 'daily_limit_reached']);
/** What users do, with weights. */
const ACTIONS = {
  ...{ send: 40, regenerate: 9, continue: 7, stop: 8, rejoin: 7, draft: 2, suggestions: 2, read: 4 },
  ...{ edit: 8, select: 3, delete: 5, restore: 4 },
  ...{ create: 2, fork: 3, rename: 2, trash: 2, untrash: 3, erase: 1 },
};

/** What the clients did and received, for the checker. */
export class Journal {
  turns = new Map();
  actions = [];
  users = [];
  chats = new Map();
  crashes = [];
  /** Times when the runtime did not answer for longer than an answer takes. */
  stalls = [];
  /** The number of events and answers that clients received. */
  received = 0;

  recordAction(action) {
    this.actions.push(action);
    this.received += 1;
  }

  /** @param {string} kind @param {string | null} [name] of the object that crashed; null for the whole runtime */
  recordCrash(kind, name = null) {
    this.crashes.push({ at: Date.now(), kind, name });
  }

  /** Returns plain values for the checker. */
  export(provider) {
    const { actions, users, crashes, stalls } = this;
    return {
      ...{ actions, users, crashes, stalls },
      turns: [...this.turns.values()],
      chats: [...this.chats.values()],
      provider: Object.fromEntries(provider.replies),
    };
  }
}

export class Workload {
  /** @param {{ seed: number, runtime: object, characterId: string, journal: Journal }} options */
  constructor({ seed, runtime, characterId, journal }) {
    this.runtime = runtime;
    this.characterId = characterId;
    this.journal = journal;
    this.seed = seed;
    this.isOver = false;
    this.resumed = Promise.resolve();
  }

  /** Pauses new requests while the runtime is down. @returns a function that resumes them */
  pause() {
    const { promise, resolve } = Promise.withResolvers();
    this.resumed = promise;
    return resolve;
  }

  start() {
    this.seats = Array.from({ length: USERS }, () => ({ user: null, loggingIn: null }));
    this.running = Array.from({ length: TABS }, (_, tab) => this.#tab(tab));
  }

  async end() {
    this.isOver = true;
    await Promise.allSettled(this.running);
  }

  async #tab(number) {
    const random = createRandom(hashText(`${this.seed} tab ${number}`));
    const tab = { number, name: `tab-${number}-of-the-harness`, sent: 0 };
    while (!this.isOver) {
      await this.resumed;
      if (this.isOver) return;
      try {
        // Usually two tabs share a user, and so the conversations.
        const seat = this.seats[random.chance(0.7) ? number % USERS : random.integer(0, USERS - 1)];
        const user = await this.#getUser(seat);
        if (user.chats.length < CHATS_EACH) await this.#createChat(user);
        else await this.#doNext({ random, seat, user, tab });
      } catch {
        // The runtime was killed.
      }
      await delay(random.between(0, 40));
    }
  }

  #getUser(seat) {
    if (seat.user !== null) return seat.user;
    seat.loggingIn ??= (async () => {
      const client = await new Client(
        () => this.runtime.origin,
        () => (this.journal.received += 1),
      ).logIn();
      const { userId } = client;
      const ids = await this.runtime.send({ objectIds: userId });
      this.journal.users.push({ userId, ...ids });
      seat.user = { client, userId, chats: [], trashed: [] };
      return seat.user;
    })().finally(() => (seat.loggingIn = null));
    return seat.loggingIn;
  }

  async #createChat(user) {
    const at = Date.now();
    const body = { character_id: this.characterId };
    const { outcome, answer, code } = await user.client.act('POST', '/api/conversations', body);
    const id = answer?.conversation?.id ?? null;
    this.journal.recordAction({ kind: 'create', at, userId: user.userId, chat: id, outcome, code });
    if (outcome === 'acked') this.#addChat(user, id, 'created');
  }

  #addChat(user, id, origin) {
    user.chats.push(id);
    this.journal.chats.set(id, { id, userId: user.userId, origin, erased: 'no' });
  }

  async #doNext({ random, seat, user, tab }) {
    const kind = random.pickWeighted(ACTIONS);
    const chat = random.pick(user.chats);
    const at = { random, seat, user, tab, chat };
    const actions = {
      send: () => this.#send(at),
      create: () => user.chats.length < MAX_CHATS && this.#createChat(user),
      stop: () => this.#act(at, kind, 'POST', `${chat}/stop`),
      read: () => user.client.act('GET', `/api/conversations/${chat}`),
      rename: () => this.#act(at, kind, 'PATCH', chat, { title: `Title ${this.#label(at)}` }),
      rejoin: () => this.#rejoin(at),
      draft: () => this.#generate(at, kind),
      suggestions: () => this.#generate(at, kind),
      trash: () => this.#removeChat(at, kind),
      erase: () => this.#removeChat(at, kind),
      untrash: () => this.#untrash(at),
    };
    if (kind in actions) {
      await actions[kind]();
      return;
    }
    const { outcome, answer } = await user.client.act('GET', `/api/conversations/${chat}?limit=20`);
    if (outcome === 'acked') await this.#changeMessage(at, kind, answer.messages);
  }

  async #changeMessage(at, kind, messages) {
    const { random, chat, user } = at;
    const message = random.pick(messages);
    const replies = messages.filter(({ role, versions }) => role === 'character' && versions[0]?.model);
    switch (kind) {
      case 'regenerate':
      case 'continue':
        return replies.length === 0 ? this.#send(at) : this.#turn(at, kind, random.pick(replies.slice(-3)));
      case 'edit': {
        const content = `Edited ${this.#label(at)} by hand`;
        return this.#act(at, 'edit', 'PATCH', `${chat}/messages/${message.id}`, { content });
      }
      case 'select': {
        const body = { version_id: random.pick(message.versions).id };
        return this.#act(at, 'select', 'PUT', `${chat}/messages/${message.id}/version`, body);
      }
      case 'delete': {
        const last = messages.at(-random.integer(1, 3));
        if (last === undefined) return undefined;
        return this.#act(at, 'delete', 'DELETE', `${chat}/messages/${last.id}`);
      }
      case 'restore': {
        const trash = await user.client.act('GET', `/api/conversations/${chat}/trash`);
        const items = trash.answer?.items ?? [];
        if (trash.outcome !== 'acked' || items.length === 0) return undefined;
        return this.#act(at, 'restore', 'POST', `${chat}/trash/${random.pick(items).id}/restore`);
      }
      default: {
        if (user.chats.length >= MAX_CHATS) return undefined;
        const path = `${chat}/messages/${message.id}/fork`;
        const body = { client_conversation_id: randomUUID() };
        const { outcome, answer } = await this.#actTwice(at, 'fork', path, body, 0.5);
        if (outcome === 'acked') this.#addChat(user, answer.conversation.id, 'forked');
        return undefined;
      }
    }
  }

  async #act({ user, chat }, kind, method, path, body) {
    const at = Date.now();
    const result = await user.client.act(method, `/api/conversations/${path}`, body);
    const { outcome, code, answer } = result;
    this.journal.recordAction({
      ...{ kind, at, ended: Date.now(), userId: user.userId, chat, path, body, outcome, code },
      answer: summarize(answer),
    });
    return result;
  }

  /** Repeats a request without an answer, with a probability. */
  async #actTwice(at, kind, path, body, share) {
    const result = await this.#act(at, kind, 'POST', path, body);
    if (result.outcome !== 'unknown' || !at.random.chance(share)) return result;
    await this.resumed;
    return this.#act(at, kind, 'POST', path, body);
  }

  async #removeChat(at, kind) {
    const { user, chat, random } = at;
    const known = this.journal.chats.get(chat);
    // Only forks are erased, so that most conversations remain to be checked.
    const isErased = kind === 'erase' && known.origin === 'forked';
    if (!isErased && user.chats.length <= CHATS_EACH) return;
    user.chats = user.chats.filter((id) => id !== chat);
    if (isErased) {
      known.erased = 'tried';
      const { outcome } = await this.#act(at, 'erase', 'DELETE', `${chat}?forever=true`);
      if (outcome === 'acked') known.erased = 'yes';
    } else {
      const { outcome } = await this.#act(at, 'trash', 'DELETE', chat);
      if (outcome === 'acked' || random.chance(0.5)) user.trashed.push(chat);
    }
  }

  async #untrash(at) {
    const { user, random } = at;
    if (user.trashed.length === 0) return;
    const chat = random.pick(user.trashed);
    const { outcome } = await this.#act({ ...at, chat }, 'untrash', 'POST', `${chat}/restore`);
    if (outcome !== 'acked') return;
    user.trashed = user.trashed.filter((id) => id !== chat);
    if (!user.chats.includes(chat)) user.chats.push(chat);
  }

  async #generate(at, kind) {
    const path = `${at.chat}/${kind === 'draft' ? 'impersonate' : 'suggestions'}`;
    const { code } = await this.#actTwice(at, kind, path, { client_message_id: randomUUID() }, 0.6);
    if (OUT_OF_POINTS.has(code)) at.seat.user = null;
  }

  /** A label that is unique in a run and the same in each run: the provider's reply depends on it. */
  #label({ tab }) {
    tab.sent += 1;
    return `${this.seed} t${tab.number} m${tab.sent}`;
  }

  #send(at) {
    return this.#turn(at, 'send', null, `Line ${this.#label(at)} of the story`);
  }

  /** Requests a turn until its outcome is known, or gives up, as users do. */
  async #turn({ random, seat, user, chat, tab }, kind, message, content) {
    const id = randomUUID();
    const turn = {
      ...{ id, kind, userId: user.userId, chat, at: Date.now(), ended: null, accepted: null },
      ...{ messageId: message?.id ?? null, content: content ?? null, streams: [], outcomes: [] },
    };
    this.journal.turns.set(id, turn);
    const path = `/api/conversations/${chat}/messages${message === null ? '' : `/${message.id}/${kind}`}`;
    const body = { client_message_id: id, ...(content === undefined ? {} : { content }) };
    const maxAttempts = random.integer(1, 4);
    let lastEventId = null;
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      await this.resumed;
      if (this.isOver) return;
      const leaveAfter = random.chance(0.25) ? random.integer(1, 15) : Infinity;
      const options = { body, lastEventId, leaveAfter, tab: tab.name };
      const seen = await user.client.follow('POST', path, options);
      lastEventId = seen.lastEventId ?? lastEventId;
      recordStream(turn, seen);
      turn.ended = Date.now();
      if (OUT_OF_POINTS.has(seen.code)) seat.user = null;
      if (seen.end !== null || seen.outcome === 'refused' || !random.chance(0.75)) return;
    }
  }

  async #rejoin({ user, chat }) {
    const { turns } = this.journal;
    if (!turns.values().some((turn) => turn.chat === chat && turn.accepted !== null)) return;
    const seen = await user.client.follow('GET', `/api/conversations/${chat}/stream`, {});
    const turn = turns.get(seen.lastEventId?.split(':')[0]);
    if (turn !== undefined) recordStream(turn, seen);
  }
}

function recordStream(turn, { outcome, accepted, parts, end, code, reply }) {
  turn.outcomes.push(outcome === 'refused' ? `refused ${code}` : outcome);
  if (accepted !== null) turn.accepted ??= accepted;
  if (accepted !== null || parts.length > 0 || end !== null)
    turn.streams.push({ versionId: accepted?.versionId ?? null, parts, end, code, reply });
}

/** Returns what the checker compares of an answer. */
function summarize(answer) {
  if (answer === null || answer === undefined) return null;
  const { id, message_ids, conversation, reply, message_count } = answer;
  return {
    id,
    message_ids,
    conversation: conversation && { id: conversation.id, message_count: conversation.message_count },
    reply: reply && readReply(reply),
    message_count,
  };
}

// People at work: many conversations, often two tabs on one, each act drawn from the seed. What was done and what came of it
// is written into the journal; of what it could not learn the journal says that nobody knows.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, toldOf } from './client.mjs';
import { chance, hashOf } from './seeded.mjs';

/** Tabs that act at the same time. */
const TABS = 12;
const PEOPLE = 6;
const CHATS_EACH = 2;
/** A person whose points are gone comes back as somebody else. */
const REFUSED_FOR_GOOD = new Set(['points_exhausted', 'daily_limit_reached']);
const ACTS = {
  send: 40,
  regenerate: 9,
  continue: 7,
  stop: 8,
  rejoin: 7,
  edit: 8,
  select: 3,
  cut: 5,
  restore: 4,
  fork: 3,
  putAway: 2,
  takeBack: 3,
  erase: 1,
  rename: 2,
  draft: 2,
  suggestions: 2,
  read: 4,
  begin: 2,
};

/** What the clients know, as an independent witness. */
export class Journal {
  turns = new Map();
  acts = [];
  people = [];
  chats = new Map();
  deaths = [];
  /** When the runtime answered nobody for longer than it takes to answer. */
  stalls = [];
  /** How much the clients have seen: events, and answers. */
  beats = 0;

  act(act) {
    this.acts.push(act);
    this.beats += 1;
  }

  death(what, name = null) {
    this.deaths.push({ at: Date.now(), what, name });
  }

  /** As a checker takes it: plain values alone. */
  told(upstream) {
    return {
      turns: [...this.turns.values()],
      acts: this.acts,
      people: this.people,
      chats: [...this.chats.values()],
      deaths: this.deaths,
      stalls: this.stalls,
      upstream: Object.fromEntries(upstream.replies),
    };
  }
}

export class Load {
  /** @param {{ seed: number, runtime: object, characterId: string, journal: Journal }} options */
  constructor({ seed, runtime, characterId, journal }) {
    this.runtime = runtime;
    this.characterId = characterId;
    this.journal = journal;
    this.seed = seed;
    this.people = [];
    this.over = false;
    this.open = Promise.resolve();
    this.acting = 0;
  }

  /** While the runtime is dead nobody asks for anything. */
  shut() {
    let reopen;
    this.open = new Promise((resolve) => (reopen = resolve));
    return reopen;
  }

  begin() {
    const draw = chance(hashOf(`${this.seed} people`));
    this.seats = Array.from({ length: PEOPLE }, (_, seat) => ({ seat, person: null, coming: null, draw }));
    this.running = Array.from({ length: TABS }, (_, tab) => this.#tab(tab));
  }

  async end() {
    this.over = true;
    await Promise.allSettled(this.running);
  }

  async #tab(number) {
    const draw = chance(hashOf(`${this.seed} tab ${number}`));
    const tab = { number, name: `tab-${number}-of-the-harness`, sent: 0 };
    while (!this.over) {
      await this.open;
      if (this.over) return;
      try {
        // Two tabs share a seat as a rule, and so their conversations.
        const seat = this.seats[draw.is(0.7) ? number % PEOPLE : draw.whole(0, PEOPLE - 1)];
        const person = await this.#personIn(seat);
        if (person.chats.length < CHATS_EACH) await this.#beginChat(person);
        else await this.#doSomething({ draw, seat, person, tab });
      } catch {
        // The runtime is gone: what was under way is known to nobody.
      }
      await delay(draw.between(0, 40));
    }
  }

  #personIn(seat) {
    if (seat.person !== null) return seat.person;
    seat.coming ??= (async () => {
      const client = await new Client(
        () => this.runtime.origin,
        () => (this.journal.beats += 1),
      ).comeIn();
      const ids = await this.runtime.order({ idsOf: client.userId });
      const person = { client, userId: client.userId, ...ids, chats: [], away: [] };
      this.journal.people.push({ userId: person.userId, wallet: ids.wallet, search: ids.search });
      seat.person = person;
      return person;
    })().finally(() => (seat.coming = null));
    return seat.coming;
  }

  async #beginChat(person) {
    const at = Date.now();
    const { outcome, told, code } = await person.client.act('POST', '/api/conversations', {
      character_id: this.characterId,
    });
    const id = told?.conversation?.id ?? null;
    this.journal.act({ act: 'begin', at, userId: person.userId, chat: id, outcome, code });
    if (outcome === 'acked') this.#remember(person, id, 'begun');
    return id;
  }

  #remember(person, id, how) {
    person.chats.push(id);
    this.journal.chats.set(id, { id, userId: person.userId, how, erased: 'no' });
  }

  async #doSomething({ draw, seat, person, tab }) {
    const act = draw.weighted(ACTS);
    const chat = draw.one(person.chats);
    const there = { draw, seat, person, chat, tab };
    if (act === 'send') return this.#send(there);
    if (act === 'begin') return person.chats.length < 5 ? this.#beginChat(person) : undefined;
    if (act === 'stop') return this.#act(there, 'stop', 'POST', `${chat}/stop`);
    if (act === 'read') return person.client.act('GET', `/api/conversations/${chat}`);
    if (act === 'rejoin') return this.#rejoin(there);
    if (act === 'draft' || act === 'suggestions') return this.#ask(there, act);
    if (act === 'rename') return this.#rename(there);
    if (act === 'takeBack') return this.#takeBack(there);
    if (act === 'putAway' || act === 'erase') return this.#putAway(there, act);
    const page = await person.client.act('GET', `/api/conversations/${chat}?limit=20`);
    if (page.outcome !== 'acked') return undefined;
    const { messages } = page.told;
    return this.#withMessages({ ...there, messages }, act);
  }

  async #withMessages(there, act) {
    const { draw, chat, messages } = there;
    const replies = messages.filter(({ role, versions }) => role === 'character' && versions[0]?.model);
    switch (act) {
      case 'regenerate':
      case 'continue':
        return replies.length === 0 ? this.#send(there) : this.#turn(there, act, draw.one(replies.slice(-3)));
      case 'edit': {
        const message = draw.one(messages);
        const content = `Edited ${this.#next(there)} by hand`;
        return this.#act(there, 'edit', 'PATCH', `${chat}/messages/${message.id}`, { content });
      }
      case 'select': {
        const message = draw.one(messages);
        const version = draw.one(message.versions);
        return this.#act(there, 'select', 'PUT', `${chat}/messages/${message.id}/version`, {
          version_id: version.id,
        });
      }
      case 'cut': {
        const message = messages.at(-draw.whole(1, 3));
        return message === undefined
          ? undefined
          : this.#act(there, 'cut', 'DELETE', `${chat}/messages/${message.id}`);
      }
      case 'restore': {
        const trash = await there.person.client.act('GET', `/api/conversations/${chat}/trash`);
        const items = trash.told?.items ?? [];
        if (trash.outcome !== 'acked' || items.length === 0) return undefined;
        const { id } = draw.one(items);
        return this.#act(there, 'restore', 'POST', `${chat}/trash/${id}/restore`);
      }
      default: {
        const message = draw.one(messages);
        if (there.person.chats.length >= 5) return undefined;
        const id = randomUUID();
        const path = `${chat}/messages/${message.id}/fork`;
        let made = await this.#act(there, 'fork', 'POST', path, { client_conversation_id: id });
        // Asked for once more, as by whoever saw no answer.
        if (made.outcome === 'unknown' && draw.is(0.5)) {
          await this.open;
          made = await this.#act(there, 'fork', 'POST', path, { client_conversation_id: id });
        }
        if (made.outcome === 'acked') this.#remember(there.person, made.told.conversation.id, 'forked');
        return undefined;
      }
    }
  }

  async #act({ person, chat }, act, method, path, body) {
    const at = Date.now();
    const came = await person.client.act(method, `/api/conversations/${path}`, body);
    this.journal.act({
      act,
      at,
      ended: Date.now(),
      userId: person.userId,
      chat,
      path,
      body,
      outcome: came.outcome,
      code: came.code,
      told: shortened(came.told),
    });
    return came;
  }

  #rename(there) {
    return this.#act(there, 'rename', 'PATCH', there.chat, { title: `Title ${this.#next(there)}` });
  }

  async #putAway(there, act) {
    const { person, chat, draw } = there;
    const known = this.journal.chats.get(chat);
    // For good only what was copied, so that what was said stays to be looked at.
    const forever = act === 'erase' && known.how === 'forked';
    if (!forever && person.chats.length <= CHATS_EACH) return;
    person.chats = person.chats.filter((id) => id !== chat);
    if (forever) known.erased = 'tried';
    const came = await this.#act(
      there,
      forever ? 'erase' : 'putAway',
      'DELETE',
      `${chat}${forever ? '?forever=true' : ''}`,
    );
    if (forever && came.outcome === 'acked') known.erased = 'yes';
    if (!forever && (came.outcome === 'acked' || draw.is(0.5))) person.away.push(chat);
  }

  async #takeBack(there) {
    const { person, draw } = there;
    if (person.away.length === 0) return;
    const chat = draw.one(person.away);
    const came = await this.#act({ ...there, chat }, 'takeBack', 'POST', `${chat}/restore`);
    if (came.outcome !== 'acked') return;
    person.away = person.away.filter((id) => id !== chat);
    if (!person.chats.includes(chat)) person.chats.push(chat);
  }

  async #ask(there, kind) {
    const id = randomUUID();
    const path = `${there.chat}/${kind === 'draft' ? 'impersonate' : 'suggestions'}`;
    let came = await this.#act(there, kind, 'POST', path, { client_message_id: id });
    if (came.outcome === 'unknown' && there.draw.is(0.6)) {
      await this.open;
      came = await this.#act(there, kind, 'POST', path, { client_message_id: id });
    }
    if (REFUSED_FOR_GOOD.has(came.code)) there.seat.person = null;
  }

  /** What no other text of a run has in it, and the same in each run: what the provider answers goes by it. */
  #next({ tab }) {
    tab.sent += 1;
    return `${this.seed} t${tab.number} m${tab.sent}`;
  }

  #send(there) {
    const content = `Line ${this.#next(there)} of the story`;
    return this.#turn(there, 'send', null, content);
  }

  /** A turn, asked for until it is known what became of it, or left alone half-way, as people do. */
  async #turn(there, kind, message, content) {
    const { draw, person, chat, tab } = there;
    const id = randomUUID();
    const turn = {
      id,
      kind,
      userId: person.userId,
      chat,
      messageId: message?.id ?? null,
      content: content ?? null,
      at: Date.now(),
      ended: null,
      accepted: null,
      versions: [],
      streams: [],
      outcomes: [],
    };
    this.journal.turns.set(id, turn);
    const path = `/api/conversations/${chat}/messages${message === null ? '' : `/${message.id}/${kind}`}`;
    const body = { client_message_id: id, ...(content === undefined ? {} : { content }) };
    const patience = draw.whole(1, 4);
    let lastEventId = null;
    for (let attempt = 0; attempt < patience; attempt += 1) {
      await this.open;
      if (this.over) return;
      const leaveAfter = draw.is(0.25) ? draw.whole(1, 15) : Infinity;
      const seen = await person.client.follow('POST', path, { body, lastEventId, leaveAfter, tab: tab.name });
      lastEventId = seen.lastEventId ?? lastEventId;
      this.#saw(turn, seen);
      turn.ended = Date.now();
      if (REFUSED_FOR_GOOD.has(seen.code)) there.seat.person = null;
      if (seen.end !== null || seen.outcome === 'refused') return;
      if (!draw.is(0.75)) return;
    }
  }

  async #rejoin({ person, chat }) {
    const running = [...this.journal.turns.values()].findLast(
      (turn) => turn.chat === chat && turn.accepted !== null,
    );
    if (running === undefined) return;
    const seen = await person.client.follow('GET', `/api/conversations/${chat}/stream`, {});
    const turn = [...this.journal.turns.values()].find(({ id }) => seen.lastEventId?.startsWith(`${id}:`));
    if (turn !== undefined) this.#saw(turn, seen);
  }

  #saw(turn, seen) {
    turn.outcomes.push(seen.outcome === 'refused' ? `refused ${seen.code}` : seen.outcome);
    if (seen.accepted !== null) turn.accepted ??= seen.accepted;
    if (seen.accepted !== null || seen.parts.length > 0 || seen.end !== null)
      turn.streams.push({
        versionId: seen.accepted?.versionId ?? null,
        parts: seen.parts,
        end: seen.end,
        code: seen.code,
        told: seen.told ?? null,
      });
  }
}

/** Of an answer what the checker looks at. */
function shortened(told) {
  if (told === null || told === undefined) return null;
  const { id, message_ids, conversation, reply, message_count, title, draft, items } = told;
  return {
    id,
    message_ids,
    conversation: conversation && { id: conversation.id, message_count: conversation.message_count },
    reply: reply && toldOf(reply),
    message_count,
    title,
    asked: draft ?? items?.length,
  };
}

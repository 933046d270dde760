import type { OwnCharacter } from '../../src/features/character/contract.ts';
import { EMPTY_FIELDS } from '../../src/islands/character-form/form-rules.ts';
import { createCharacterForm } from '../../src/islands/character-form/form-state.ts';
import { createSavedDrafts } from '../../src/islands/character-form/saved-drafts.ts';
import { NETWORK_FAILURE, type Failure } from '../../src/islands/shared/api.ts';
import { createFakeClock } from './fake-clock.ts';
import { AVATAR, CARD, CARD_DEFINITION, CARD_EXTRAS, toOwnCharacter, WREN } from './form-fields.ts';

// The form without its page: its stored state and its requests.

/** A device storage that survives the page. */
export function createDeviceStorage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

export const createFormFailure = (
  status: number,
  code: string,
  fields?: Record<string, string[]>,
): Failure => ({
  ok: false,
  status,
  code,
  error: '',
  ...(fields ? { fields } : {}),
});

/** A character after a write, as the server returns it. */
function applyWrite(one: OwnCharacter, fields: Record<string, unknown>): OwnCharacter {
  const { nickname, lorebook, recommended_style, definition, ...rest } = fields;
  const extras = Object.entries({ nickname, lorebook, recommended_style }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    ...one,
    ...rest,
    definition: { ...one.definition, ...(definition as object) },
    extras: { ...one.extras, ...Object.fromEntries(extras) },
  } as OwnCharacter;
}

let keys = 0;

/** The form with a server that creates one character per key and whose next answers the test sets. */
export function createFormPage(storage = createDeviceStorage(), server = createFormServer()) {
  const clock = createFakeClock();
  const form = createCharacterForm({
    api: server.api,
    drafts: createSavedDrafts(storage),
    clock,
    signIn: async () => server.signsInAs,
    newKey: () => `key${(keys += 1)}`,
    onCreated: (id) => void server.became.push(id),
  });
  return { form, server, storage, now: () => form.$form.get(), pass: clock.advance };
}

/** An in-memory server: one character per key, and one body per key. */
export function createFormServer() {
  const made = new Map<string, OwnCharacter>();
  const bodies = new Map<string, string>();
  const server = {
    made,
    became: [] as string[],
    calls: [] as string[],
    signsInAs: null as string | null,
    /** Replaces the next answers; `lost`: done, but without an answer. */
    next: [] as (Failure | 'lost')[],
    gone: false,
    api: {} as Parameters<typeof createCharacterForm>[0]['api'],
  };
  const answered = <T>(done: () => T) => {
    const next = server.next.shift();
    if (next !== undefined && next !== 'lost') return next;
    const data = done();
    return next === 'lost' ? NETWORK_FAILURE : ({ ok: true, data } as const);
  };
  server.api = {
    own: async (id) => answered(() => [...made.values()].find((one) => one.id === id) as OwnCharacter),
    create: async (body, key) => {
      server.calls.push(`create ${key}`);
      if (made.has(key) && bodies.get(key) !== JSON.stringify(body))
        return createFormFailure(422, 'idempotency_key_reused');
      return answered(() => {
        const { import_id: importId, ...fields } = body;
        const card = importId === undefined ? toOwnCharacter(WREN).extras : CARD_EXTRAS;
        const definition = importId === undefined ? EMPTY_FIELDS.definition : CARD_DEFINITION;
        const one =
          made.get(key) ??
          applyWrite(
            { ...toOwnCharacter(WREN, `c${made.size + 1}`), extras: card, definition } as OwnCharacter,
            fields,
          );
        made.set(key, one);
        bodies.set(key, JSON.stringify(body));
        return one;
      });
    },
    change: async (id, change) => {
      server.calls.push(`change ${Object.keys(change).join()}`);
      return answered(() => {
        const [key, one] = [...made].find(([, { id: its }]) => its === id) as [string, OwnCharacter];
        made.set(key, applyWrite(one, change));
        return made.get(key) as OwnCharacter;
      });
    },
    sendPicture: async () => answered(() => AVATAR),
    isPictureGone: async () => server.gone,
    importCard: async () =>
      answered(() => ({ draft: CARD, extras: CARD_EXTRAS, notes: [], import_id: 'i1' })),
    models: async () => answered(() => ({ items: [] })),
    cardExtras: async () => answered(() => ({ extras: CARD_EXTRAS, definition: CARD_DEFINITION })),
    mayCreate: async () => NETWORK_FAILURE,
    cost: async () => NETWORK_FAILURE,
    points: async () => NETWORK_FAILURE,
  };
  return server;
}

import type { ImportedCard } from '../../src/features/cards/contract.ts';
import type { CreateCharacterBody, OwnCharacter } from '../../src/features/character/contract.ts';
import { toDefinition } from '../../src/features/character/definition-parts.ts';
import type { Conversation } from '../../src/features/conversation/contract.ts';
import type { Persona } from '../../src/features/persona/contract.ts';
import { getShownOutcome } from '../../src/islands/move-in/backup-items.ts';
import type { Made, MoveInApi } from '../../src/islands/move-in/move-in-api.ts';
import { createMoveIn, type MoveInDeps } from '../../src/islands/move-in/move-in-state.ts';
import { createProgressStore } from '../../src/islands/move-in/saved-progress.ts';
import type { Failure, Result } from '../../src/islands/shared/api.ts';
import {
  buildTavernCard,
  buildTavernChat,
  buildTavernSettings,
  buildTavernWorld,
  packBackup,
} from './backups.ts';
import { createFakeClock } from './fake-clock.ts';
import { createDeviceStorage } from './form-fixture.ts';

// Moving in without its page: a backup, and a server that makes one thing per import key.

export const ME = 'me';

export const BACKUP = {
  'settings.json': buildTavernSettings({
    'wren.png': ['Wren', 'Maps coasts.'],
    'kai.png': ['Kai', 'Sails.'],
    'mute.png': ['Mute', ''],
    'long.png': ['Long', 'x'.repeat(1001)],
  }),
  'characters/Mira.png': buildTavernCard({ name: 'Mira', extensions: { world: 'Coast' } }),
  'characters/Ebbe.png': buildTavernCard({ name: 'Ebbe' }),
  'chats/Mira/one.jsonl': buildTavernChat('Mira', 'Hello'),
  'chats/Mira/two.jsonl': buildTavernChat('Mira', 'Again'),
  'chats/Ebbe/one.jsonl': buildTavernChat('Ebbe', 'Hello'),
  'worlds/Coast.json': buildTavernWorld('Coast'),
  'worlds/Moon.json': buildTavernWorld('Moon'),
  'backgrounds/sea.jpg': 'picture',
};

export const toFile = (files: Record<string, unknown>, name = 'backup.zip') =>
  new File([packBackup(files)], name);

export const createFailure = (status: number, code: string, more: Partial<Failure> = {}): Failure => ({
  ...{ ok: false, status, code, error: code },
  ...more,
});

type Method = keyof MoveInApi;

/** A server that makes one thing per import key; each refusal applies to one call of its method. */
export function createMoveInServer(personaLimit = 100) {
  const made = new Map<string, { id: string; method: Method }>();
  const calls: Method[] = [];
  const bodies: CreateCharacterBody[] = [];
  const refusals: { method: Method; failure: Failure }[] = [];
  /** Called with each request, for example to pause in the middle of one. */
  const hooks: { onCall: (method: Method) => void } = { onCall: () => undefined };
  let imports = 0;

  async function answer<T>(method: Method, make: () => T): Promise<Result<T>> {
    calls.push(method);
    hooks.onCall(method);
    const at = refusals.findIndex((refusal) => refusal.method === method);
    const [refused] = at === -1 ? [] : refusals.splice(at, 1);
    return refused?.failure ?? { ok: true, data: make() };
  }
  function makeOnce<T>(method: Method, key: string | undefined): Made<T> {
    const known = made.get(key ?? '');
    const thing = known ?? { id: `${method} ${made.size}`, method };
    made.set(key ?? '', thing);
    return { made: { id: thing.id } as T, isNew: known === undefined, isInTrash: false };
  }
  const api: MoveInApi = {
    importCard: async (file) => {
      const name = file.name.replace('.png', '');
      return answer('importCard', () => {
        imports += 1;
        return {
          draft: {
            ...{ avatar_id: 'a.webp', avatar_url: '/media/a.webp', name, oneliner: name },
            ...{ character_traits: '', first_message: '', model_type: 'roleplay', visibility: 'public' },
            ...{
              point_of_view: 'normal',
              nsfw_allowed: false,
              suggested_replies: [],
              tags: [],
              free_tags: [],
            },
            ...{ alternate_greetings: [], definition: toDefinition(null) },
          },
          extras: { nickname: null, lorebook: null, recommended_style: null },
          notes: [],
          import_id: `import ${imports}`,
        } satisfies ImportedCard;
      });
    },
    sendPicture: () => answer('sendPicture', () => ({ avatar_id: 'b.webp', url: '/media/b.webp' })),
    createCharacter: (body) =>
      answer('createCharacter', () => {
        bodies.push(body);
        return makeOnce<OwnCharacter>('createCharacter', body.import_key);
      }),
    createPersona: (body) => {
      const personas = [...made.values()].filter(({ method }) => method === 'createPersona').length;
      if (personas >= personaLimit && !made.has(body.import_key ?? ''))
        return Promise.resolve(createFailure(403, 'persona_limit'));
      return answer('createPersona', () => makeOnce<Persona>('createPersona', body.import_key));
    },
    importChat: ({ importKey }) =>
      answer('importChat', () => makeOnce<Conversation>('importChat', importKey)),
  };
  return { api, made, calls, bodies, refusals, hooks };
}

/** Lets everything go on that needs no time. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

export function createMoveInFixture(
  server = createMoveInServer(),
  part: Partial<MoveInDeps> = {},
  storage = createDeviceStorage(),
) {
  const clock = createFakeClock();
  const online: (() => void)[] = [];
  const moveIn = createMoveIn({
    api: server.api,
    portraits: { resize: async () => null, draw: async () => new Blob(['drawn']) },
    progress: createProgressStore(storage),
    clock,
    locks: null,
    signIn: async () => ME,
    onOnline(run) {
      online.push(run);
      return () => void online.splice(online.indexOf(run), 1);
    },
    ...part,
  });
  moveIn.openFor(ME);
  const state = () => moveIn.$moveIn.get();
  /** What the report says about each file. */
  const report = () =>
    Object.fromEntries(
      state().items.map((item, index) => {
        const outcome = getShownOutcome(
          item,
          state().outcomes[index] ?? { state: 'pending' },
          state().chosen,
        );
        const why = 'reason' in outcome ? outcome.reason : 'failure' in outcome ? outcome.failure.code : '';
        return [item.path, why === '' ? outcome.state : `${outcome.state}: ${why}`];
      }),
    );
  /** Waits until the move waits or ends. */
  const settled = async () => {
    await settle();
    await new Promise<void>((resolve) => {
      moveIn.$moveIn.subscribe(({ wait, phase }) => {
        if (wait !== null || phase !== 'running') resolve();
      });
    });
    await settle();
  };
  return { ...server, moveIn, clock, online, state, report, settled, storage };
}

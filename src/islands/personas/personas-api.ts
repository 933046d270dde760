import type {
  CreatePersonaBody,
  Persona,
  PersonaCharacters,
  PersonaChange,
  PersonaList,
  TrashedPersonas,
} from '../../features/persona/contract.ts';
import { client, readJson, checkOk, encodePathPart, type Client, type Result } from '../shared/api.ts';

/** API calls for the user's personas; tests pass their own. */
export interface PersonasApi {
  /** The newest personas, or those after a cursor. */
  list(cursor?: string): Promise<Result<PersonaList>>;
  create(body: CreatePersonaBody): Promise<Result<Persona>>;
  change(id: string, change: PersonaChange): Promise<Result<Persona>>;
  /** The request outlives the page (`keepalive`). */
  remove(id: string): Promise<Result<null>>;
  makeDefault(id: string): Promise<Result<Persona>>;
  clearDefault(): Promise<Result<null>>;
}

/** Personas per request. */
const PAGE_SIZE = 50;

export function createPersonasApi({ personas }: Client): PersonasApi {
  const one = personas[':id'];
  return {
    list: (cursor) =>
      readJson(personas.$get({ query: { limit: String(PAGE_SIZE), ...(cursor ? { cursor } : {}) } })),
    create: (body) => readJson(personas.$post({ json: body })),
    change: (id, change) => readJson(one.$patch({ param: { id: encodePathPart(id) }, json: change })),
    remove: (id) =>
      checkOk(one.$delete({ param: { id: encodePathPart(id) }, query: {} }, { init: { keepalive: true } })),
    makeDefault: (id) => readJson(one.default.$put({ param: { id: encodePathPart(id) } })),
    clearDefault: () => checkOk(personas.default.$delete()),
  };
}

/** API call for the characters that a persona can belong to. */
export const personaCharactersApi = {
  list: (): Promise<Result<PersonaCharacters>> => readJson(client.personas.characters.$get()),
};

/** API calls for personas in the trash. */
export const personaTrashApi = {
  list: (): Promise<Result<TrashedPersonas>> => readJson(client.personas.trash.$get()),
  restore: (id: string): Promise<Result<Persona>> =>
    readJson(client.personas[':id'].restore.$post({ param: { id: encodePathPart(id) } })),
  /** Deletes a persona permanently. */
  erase: (id: string): Promise<Result<null>> =>
    checkOk(
      client.personas[':id'].$delete({ param: { id: encodePathPart(id) }, query: { forever: 'true' } }),
    ),
};

export const personasApi: PersonasApi = createPersonasApi(client);

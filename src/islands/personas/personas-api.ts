import type {
  CreatePersonaBody,
  Persona,
  PersonaChange,
  PersonaList,
} from '../../features/persona/contract.ts';
import { client, dataOf, doneOf, inPath, type Client, type Result } from '../shared/api.ts';

/** The calls about one's personas. Tests put their own in its place. */
export interface PersonasApi {
  /** The newest ones, or those after a page's cursor. */
  list(cursor?: string): Promise<Result<PersonaList>>;
  create(body: CreatePersonaBody): Promise<Result<Persona>>;
  change(id: string, change: PersonaChange): Promise<Result<Persona>>;
  /** It arrives also where the page is left meanwhile. */
  remove(id: string): Promise<Result<null>>;
  makeDefault(id: string): Promise<Result<Persona>>;
  clearDefault(): Promise<Result<null>>;
}

/** Personas fetched at once. */
const PAGE_SIZE = 50;

export function createPersonasApi({ personas }: Client): PersonasApi {
  const one = personas[':id'];
  return {
    list: (cursor) =>
      dataOf(personas.$get({ query: { limit: String(PAGE_SIZE), ...(cursor ? { cursor } : {}) } })),
    create: (body) => dataOf(personas.$post({ json: body })),
    change: (id, change) => dataOf(one.$patch({ param: { id: inPath(id) }, json: change })),
    remove: (id) => doneOf(one.$delete({ param: { id: inPath(id) } }, { init: { keepalive: true } })),
    makeDefault: (id) => dataOf(one.default.$put({ param: { id: inPath(id) } })),
    clearDefault: () => doneOf(personas.default.$delete()),
  };
}

/** The persona calls of a page. */
export const personasApi: PersonasApi = createPersonasApi(client);

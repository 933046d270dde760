// Asks every route of the product for a character's definition and lorebook, as everyone except its creator.
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, test } from 'vitest';
import { api } from '../../../src/api/app.ts';
import {
  type Definition,
  DEFINITION_PARTS,
  type DefinitionPart,
  mapParts,
} from '../../../src/features/character/definition-parts.ts';
import { ENDS_SESSIONS } from '../../security/access.ts';
import { createExample } from '../../security/examples.ts';
import { callAs, createSampleConversation, type Fixture } from '../../security/fixture.ts';
import { downloadCard } from '../../support/card-actions.ts';
import { decodeCard, readPngTexts } from '../../support/card-files.ts';
import { createOwnCharacter } from '../../support/character-actions.ts';
import { createAccount, signInGuest, Visitor } from '../../support/factories.ts';
import { formatOperation } from '../../support/fuzz-bodies.ts';
import { listOperations, type Operation } from '../../support/openapi-operations.ts';
import { createActiveSubscription } from '../../support/paypal.ts';
import { createStaffUser } from '../../support/staff.ts';

/** A word in each part that occurs nowhere else. */
const MARKERS = mapParts((part) => `marker${part.replaceAll('_', '')}xyzzy`);

const buildDefinition = (shared: readonly DefinitionPart[]): Definition =>
  mapParts((part) => ({ text: `She keeps ${MARKERS[part]} in mind.`, shared: shared.includes(part) }));

/** A word in each entry of the lorebook; its keys come up in no conversation. */
const ENTRIES = {
  enabled: 'markerenabledentryxyzzy',
  disabled: 'markerdisabledentryxyzzy',
  undecorated: 'markerdontactivatexyzzy',
};

const LOREBOOK = {
  name: 'The coast',
  entries: [
    { keys: ['nobody says this'], content: ENTRIES.enabled, enabled: true, insertion_order: 1 },
    { keys: ['nobody says that'], content: ENTRIES.disabled, enabled: false, insertion_order: 2 },
    {
      keys: ['nor this'],
      content: `@@dont_activate\n${ENTRIES.undecorated}`,
      enabled: true,
      insertion_order: 3,
    },
  ],
};

/** Returns the parts whose marker is in a text. */
const findParts = (text: string): DefinitionPart[] =>
  DEFINITION_PARTS.filter((part) => text.includes(MARKERS[part]));

/** Returns the parts and lorebook entries whose marker is in a text. */
const findMarkers = (text: string): string[] => [
  ...findParts(text),
  ...Object.entries(ENTRIES).flatMap(([entry, marker]) => (text.includes(marker) ? [entry] : [])),
];

/** Reads all texts of an answer, also those within a picture or an archive. */
async function readTexts(answer: Response): Promise<string> {
  const { webSocket } = answer;
  webSocket?.accept();
  webSocket?.close();
  if (webSocket) return '';
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const plain = new TextDecoder().decode(bytes);
  const type = answer.headers.get('content-type') ?? '';
  if (type.startsWith('image/png')) {
    const texts = Object.values(readPngTexts(bytes));
    return [plain, ...texts.map((text) => decodeCard(text))].join('\n');
  }
  if (type.startsWith('application/zip'))
    return Object.values(unzipSync(bytes))
      .map((entry) => new TextDecoder().decode(entry))
      .join('\n');
  return plain;
}

const SHARED: readonly DefinitionPart[] = ['scenario', 'creator_notes'];

const CARD_QUERIES = ['format=png', 'format=charx', 'format=json&spec=v2', 'format=json&spec=v3'];

/** The routes whose answer is a card, with what it contains. */
const inCards = (markers: readonly string[]) =>
  Object.fromEntries(['GET /characters/{id}/card', ...CARD_QUERIES].map((route) => [route, markers]));

let maker: Visitor;
let character: string;
let operator: Visitor;
/** Data of an account, for callers that can have none. */
let ofAccount: Fixture;
let operations: Operation[];

beforeAll(async () => {
  maker = await createAccount();
  operator = await createStaffUser();
  ({ id: character } = await createOwnCharacter(maker, { definition: buildDefinition(SHARED) }));
  await maker.ask(`/api/characters/${character}/lorebook`, { method: 'PUT', json: { book: LOREBOOK } });
  operations = await listOperations();
  ofAccount = await createViewerFixture(await createAccount());
  // A member may have the many personas that the requests create.
  await createActiveSubscription(ofAccount.owner);
});

/**
 * Calls every route with a valid request.
 * @param own the caller's data
 * @param createViewer creates another such caller, for routes that end the session
 * @returns the parts and lorebook entries that the answers contain, by route
 */
async function askEveryRoute(viewer: Visitor, own: Fixture, createViewer: () => Promise<Visitor>) {
  const found = new Map<string, string[]>();
  for (const operation of operations) {
    const name = formatOperation(operation);
    const example = operation.path.startsWith('/admin/')
      ? { ids: { id: character, character_id: character } }
      : await createExample(operation, operation.path.startsWith('/conversations') ? own : ofAccount);
    const caller = ENDS_SESSIONS.has(name) ? await createViewer() : viewer;
    const markers = findMarkers(await readTexts(await callAs(caller, operation, example)));
    if (markers.length > 0) found.set(name, markers);
  }
  for (const query of CARD_QUERIES) {
    const { headers, bytes } = await downloadCard(viewer, character, query);
    const markers = findMarkers(await readTexts(new Response(bytes, { headers })));
    if (markers.length > 0) found.set(query, markers);
  }
  return Object.fromEntries(found);
}

/** The data that a viewer has: conversations with the character, a guest's or an account's own. */
async function createViewerFixture(viewer: Visitor): Promise<Fixture> {
  const conversation = await createSampleConversation(viewer, character);
  return { owner: viewer, operator, character, conversation, roles: {} as Fixture['roles'] };
}

describe('A definition that is partly open', () => {
  test('every route of the router is asked', () => {
    const routes = api.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}').replace(/\/$/, '')}`)
      .filter((route) => !['GET /api/openapi.json', 'GET /api/docs'].includes(route));
    const asked = operations.map(({ method, path }) => `${method} /api${path}`);
    expect(asked.toSorted()).toEqual([...new Set(routes)].toSorted());
  });

  test('its creator reads all of its parts', async () => {
    const all = [...DEFINITION_PARTS];
    for (const path of ['', '/definition'])
      expect(findParts(JSON.stringify(await maker.ask(`/api/characters/${character}${path}`)))).toEqual(all);
    for (const query of CARD_QUERIES) {
      const { headers, bytes } = await downloadCard(maker, character, query);
      const markers = findMarkers(await readTexts(new Response(bytes, { headers })));
      expect({ query, markers }).toEqual({ query, markers: [...all, ...Object.keys(ENTRIES)] });
    }
  });

  test('a visitor without a session gets the enabled lorebook entries in the card, and no part from any route', async () => {
    expect(await askEveryRoute(new Visitor(), ofAccount, async () => new Visitor())).toEqual(
      inCards(['enabled']),
    );
  });

  test('a guest gets the enabled lorebook entries in the card, and no part from any route', async () => {
    const guest = await signInGuest();
    expect(await askEveryRoute(guest, await createViewerFixture(guest), signInGuest)).toEqual(
      inCards(['enabled']),
    );
  });

  test('an account reads the open parts in the definition and the card, and gets no closed one from any route', async () => {
    const found = await askEveryRoute(ofAccount.owner, ofAccount, () => createAccount());
    expect(found).toEqual({
      'GET /characters/{id}/definition': SHARED,
      ...inCards([...SHARED, 'enabled']),
    });
  });
});

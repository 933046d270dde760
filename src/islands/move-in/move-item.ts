import type { ImportedCard } from '../../features/cards/contract.ts';
import type { CreateCharacterBody } from '../../features/character/contract.ts';
import { readLorebookFile } from '../../features/character/lorebook/lorebook-file.ts';
import {
  type EditableLorebook,
  findLorebookProblems,
} from '../../features/character/lorebook/lorebook-rules.ts';
import { buildChatHref } from '../../features/conversation/conversation-link.ts';
import type { RefusedPlace } from '../../features/moderation/appeal-contract.ts';
import { computeHash } from '../../lib/hash.ts';
import { truncateText } from '../../lib/truncate-text.ts';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { applyCard, EMPTY_FIELDS, toNewCharacterBody } from '../character-form/form-rules.ts';
import { validatePersonaField } from '../personas/persona-form.ts';
import type { Failure, Result } from '../shared/api.ts';
import { type EntryContent, readArchiveEntry, type SlicedFile } from './archive-file.ts';
import type { MoveInItem } from './backup-items.ts';
import { type BackupFile, MAX_ENTRY_BYTES } from './backup-layout.ts';
import type { BackupPersona } from './backup-personas.ts';
import { readLinkedWorld } from './card-world.ts';
import type { Made, MoveInApi } from './move-in-api.ts';
import type { EntryProblem, ItemFailure, Outcome } from './saved-progress.ts';

/** Draws and scales portraits; tests pass their own. */
export interface PortraitMaker {
  /** Scales a card's picture down; null if the file is no picture, or none that the browser can read. */
  resize(card: Blob): Promise<Blob | null>;
  /** Draws a portrait with the first letter of a name; null if the browser cannot. */
  draw(name: string): Promise<Blob | null>;
}

/** What moving an item needs. */
export interface MoveDeps {
  archive: SlicedFile;
  items: readonly MoveInItem[];
  api: MoveInApi;
  portraits: PortraitMaker;
  signal: AbortSignal;
  /** Runs a request; waits and repeats it as long as that may help. */
  call<T>(request: () => Promise<Result<T>>): Promise<Result<T>>;
  getOutcome(item: MoveInItem): Outcome;
  setOutcome(item: MoveInItem, outcome: Outcome): void;
  /** Whether lorebooks are moved in. */
  hasLorebooks: boolean;
}

/** The result of an item, or the failure after which nothing else can be moved in either. */
export type MoveResult = { ok: true; outcome: Outcome } | { ok: false; failure: Failure };

const withOutcome = (outcome: Outcome): MoveResult => ({ ok: true, outcome });

/** The failure of a request that was not sent, or was cancelled, because the move was paused. */
export const PAUSED: Failure = { ok: false, status: 0, code: 'paused', error: '' };
/** The failure after the archive's file was moved, changed or deleted. */
const UNREADABLE: Failure = { ok: false, status: 0, code: 'archive_unreadable', error: '' };

/** The result for an entry that cannot be read. */
const toEntryResult = ({ code }: EntryContent & { ok: false }): MoveResult =>
  code === 'unreadable' ? { ok: false, failure: UNREADABLE } : withOutcome(toProblemOutcome(code));

function toProblemOutcome(code: BookProblem): Outcome {
  return code === 'too_large' || code === 'encrypted'
    ? { state: 'left', reason: code }
    : { state: 'failed', failure: { code: `entry_${code}`, error: '' } };
}

/** Refusals of one item that have the status of a refusal of everything. */
const ITEM_CODES = new Set(['spicy_mode_off', 'spicy_mode_unavailable', 'persona_limit']);
/** Not logged in, too few points, and not permitted. */
const STOPPING_STATUSES = new Set([401, 402, 403]);
/** Refusals that every other item would get too. */
const STOPPING_CODES = new Set(['storage_full']);

/** A failure, and where its text was refused if one was. */
type PlacedFailure = Failure & { place?: RefusedPlace };

const withPlace = (failure: Failure, place: RefusedPlace): PlacedFailure =>
  failure.refused === undefined ? failure : { ...failure, place };

/** Maps a failed request to the outcome of its item, unless it concerns all items. */
function toMoveResult(failure: PlacedFailure): MoveResult {
  const isForAll =
    STOPPING_CODES.has(failure.code) ||
    (STOPPING_STATUSES.has(failure.status) && !ITEM_CODES.has(failure.code));
  if (isForAll || failure === UNREADABLE || failure === PAUSED) return { ok: false, failure };
  const { code, error, line, rule, refused, place } = failure;
  const kept: ItemFailure = {
    code,
    error,
    ...(line === undefined ? {} : { line }),
    ...(rule === undefined ? {} : { rule }),
    ...(refused === undefined || place === undefined ? {} : { refused: { ...refused, place } }),
  };
  return withOutcome({ state: 'failed', failure: kept });
}

/**
 * The key that keeps a file from being moved in twice. It has the path below the user's folder, so that it is the same
 * wherever the archive has that folder.
 */
const computeImportKey = async (file: BackupFile, bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  computeHash(`${file.kind}\n${file.entry.name.slice(file.root.length)}\n${await computeHash(bytes)}`);

const readFile = ({ archive }: MoveDeps, { entry, kind }: BackupFile): Promise<EntryContent> =>
  readArchiveEntry(archive, entry, MAX_ENTRY_BYTES[kind]);

const toFile = (bytes: Uint8Array<ArrayBuffer>, { entry }: BackupFile): File =>
  new File([bytes], entry.name.slice(entry.name.lastIndexOf('/') + 1));

const toMadeOutcome = (answer: Made<{ id: string }>, href: string): Outcome => ({
  state: answer.isNew ? 'made' : 'present',
  id: answer.made.id,
  href,
  ...(answer.isInTrash ? { trashed: true } : {}),
});

/** Moves one item in. Lorebooks are moved with their characters. */
export function moveItem(deps: MoveDeps, item: MoveInItem): Promise<MoveResult> {
  const { file, persona } = item;
  if (persona !== null) return movePersona(deps, persona);
  if (file?.kind === 'character') return moveCharacter(deps, file);
  if (file?.kind === 'chat') return moveChat(deps, file);
  return Promise.resolve(withOutcome({ state: 'left', reason: 'unlinked' }));
}

async function movePersona(
  { api, call }: MoveDeps,
  { name, description }: BackupPersona,
): Promise<MoveResult> {
  const draft = { name, description, is_default: false };
  const fields = ['name', 'description'] as const;
  const problems = new Set(fields.map((field) => validatePersonaField(draft, field)));
  if (problems.has('required')) return withOutcome({ state: 'left', reason: 'empty' });
  if (problems.has('too_long')) return withOutcome({ state: 'text', reason: 'long' });
  const import_key = await computeHash(`persona\n${JSON.stringify([name, description])}`);
  const answer = await call(() => api.createPersona({ name, description, import_key }));
  if (answer.ok) return withOutcome(toMadeOutcome(answer.data, '/user-persona'));
  return answer.code === 'persona_limit'
    ? withOutcome({ state: 'text', reason: 'limit' })
    : toMoveResult(withPlace(answer, 'persona'));
}

async function moveChat(deps: MoveDeps, file: BackupFile): Promise<MoveResult> {
  const { api, call, items, signal } = deps;
  const owner = items.find((item) => item.file === file.character);
  const character = owner === undefined ? null : deps.getOutcome(owner);
  if (character === null || !('href' in character) || character.trashed === true)
    return withOutcome({ state: 'left', reason: 'no_character' });
  const content = await readFile(deps, file);
  if (!content.ok) return toEntryResult(content);
  const { bytes } = content;
  const chat = {
    file: toFile(bytes, file),
    characterId: character.id,
    importKey: await computeImportKey(file, bytes),
  };
  const answer = await call(() => api.importChat(chat, { signal }));
  if (!answer.ok) return toMoveResult(withPlace(answer, 'import'));
  const { id } = answer.data.made;
  return withOutcome(toMadeOutcome(answer.data, buildChatHref({ id, character_id: character.id })));
}

async function moveCharacter(deps: MoveDeps, file: BackupFile): Promise<MoveResult> {
  const content = await readFile(deps, file);
  if (!content.ok) return toEntryResult(content);
  const { bytes } = content;
  const world = findWorld(deps, file, bytes);
  const importKey = await computeImportKey(file, bytes);
  let answer = await sendCharacter(deps, { file, bytes, world, importKey });
  // The server keeps an imported card for a day, which a wait may exceed.
  if (!answer.ok && 'import_id' in (answer.fields ?? {}))
    answer = await sendCharacter(deps, { file, bytes, world, importKey });
  if (!answer.ok) return toMoveResult(answer);
  const { id } = answer.data.made;
  const href = answer.data.isInTrash ? '/creator-center' : `/creator-center/edit/${encodeURIComponent(id)}`;
  // Several characters may have the same lorebook.
  if (world !== null && !('href' in deps.getOutcome(world)))
    deps.setOutcome(world, toWorldOutcome(answer.data, href));
  return withOutcome(toMadeOutcome(answer.data, href));
}

/** What became of the lorebook of a character. */
function toWorldOutcome({ lorebook, ...made }: SentCharacter, href: string): Outcome {
  if (lorebook === 'in_card') return { state: 'left', reason: 'in_card' };
  return lorebook === 'sent' ? toMadeOutcome(made, href) : toProblemOutcome(lorebook);
}

/** Finds the lorebook that a card names. */
function findWorld(
  { items, hasLorebooks }: MoveDeps,
  { root }: BackupFile,
  bytes: Uint8Array,
): MoveInItem | null {
  const name = hasLorebooks ? readLinkedWorld(bytes) : null;
  if (name === null) return null;
  return (
    items.find(({ file }) => file?.kind === 'lorebook' && file.root === root && file.name === name) ?? null
  );
}

/** Why a file is not read, or not used as a lorebook. */
type BookProblem = EntryProblem | 'encrypted' | 'too_large';

/** Reads a lorebook; it is left out if it is none, or exceeds our limits. */
async function readWorld(
  deps: MoveDeps,
  file: BackupFile,
): Promise<{ ok: true; book: EditableLorebook } | { ok: false; code: BookProblem | 'unreadable' }> {
  const content = await readFile(deps, file);
  if (!content.ok) return content;
  let book: EditableLorebook | null = null;
  try {
    book = readLorebookFile(JSON.parse(new TextDecoder().decode(content.bytes)), file.name);
  } catch {
    // Not JSON: the same as JSON of something else.
  }
  if (book === null) return { ok: false, code: 'no_lorebook' };
  return findLorebookProblems(book, null).length > 0
    ? { ok: false, code: 'lorebook_too_large' }
    : { ok: true, book };
}

interface SentCharacter extends Made<{ id: string }> {
  /** What became of the linked lorebook; `in_card`: the card has one. */
  lorebook: 'sent' | 'in_card' | BookProblem;
}

/** Imports a card and creates a private character from it. */
async function sendCharacter(
  deps: MoveDeps,
  {
    file,
    bytes,
    world,
    importKey,
  }: { file: BackupFile; bytes: Uint8Array<ArrayBuffer>; world: MoveInItem | null; importKey: string },
): Promise<{ ok: true; data: SentCharacter } | PlacedFailure> {
  const { api, call, signal } = deps;
  const picture = toFile(bytes, file);
  const imported = await call(() => api.importCard(picture, { signal }));
  if (!imported.ok) return withPlace(imported, 'import');
  const { extras } = imported.data;
  const hasOwnBook =
    extras.lorebook !== null || imported.data.notes.some(({ code }) => code === 'lorebook_too_large');
  const linked = hasOwnBook || world?.file == null ? null : await readWorld(deps, world.file);
  if (linked?.ok === false && linked.code === 'unreadable') return UNREADABLE;
  const avatarId = await getPortrait(deps, imported.data, picture);
  if (!avatarId.ok) return avatarId;
  const body: CreateCharacterBody = {
    ...buildBody(imported.data, file.name),
    ...(linked?.ok === true ? { lorebook: linked.book } : {}),
    avatar_id: avatarId.data,
    import_key: importKey,
  };
  const answer = await call(() => api.createCharacter(body));
  if (!answer.ok) return withPlace(answer, 'character');
  const lorebook = linked === null ? 'in_card' : linked.ok ? 'sent' : (linked.code as BookProblem);
  return { ok: true, data: { ...answer.data, lorebook } };
}

/** The request that creates a private character from a card. A card without a name gets that of its file. */
function buildBody({ draft, extras, import_id }: ImportedCard, fileName: string): CreateCharacterBody {
  const card = { ...extras, definition: draft.definition };
  const name = draft.name || truncateText(fileName.toWellFormed(), TEXT_LIMITS.characterName).trim();
  const fields = applyCard(EMPTY_FIELDS, { draft, extras });
  return {
    ...toNewCharacterBody({ ...fields, name, oneliner: draft.oneliner || name }, card),
    visibility: 'private',
    import_id,
  };
}

/**
 * Returns the id of a character's portrait. Where the server could not use the card's picture, it is scaled down here;
 * a card without a picture gets a drawn one.
 */
async function getPortrait(
  { api, call, portraits, signal }: MoveDeps,
  { draft, notes }: ImportedCard,
  card: Blob,
): Promise<Result<string>> {
  if (draft.avatar_id !== null) return { ok: true, data: draft.avatar_id };
  const isTooLarge = notes.some(({ code }) => code === 'picture_too_large');
  const picture = (isTooLarge ? await portraits.resize(card) : null) ?? (await portraits.draw(draft.name));
  if (picture === null) return { ok: true, data: '' };
  const answer = await call(() => api.sendPicture(picture, { signal }));
  return answer.ok ? { ok: true, data: answer.data.avatar_id } : answer;
}
